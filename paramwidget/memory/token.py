"""What one decoded token reads of the weights, and what it multiplies by: of a table it reads the rows it looks up."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..breakdown import Breakdown
from ..roles import out_set
from ..tensors import TensorSpec

#: roles whose matrices are tables of rows, one for a token of the vocabulary
TABLE_ROLES = frozenset({"embedding", "per_layer_embedding"})
#: other tables that are looked up: of positions, of types and segments of tokens, and of experts by a token's id;
#: biases by distance are not, as a token reads them for the whole context
TABLES = re.compile(
    r"(embed_positions|position_embd|position_(entity_)?embeddings?|pos_emb|wpe|token_type_(entity_)?embeddings(_\d)?"
    r"|token_types|lang_embeddings|segment_emb(edding)?|(pronunciation|shape)_embed|patcher\.embed_tokens)(\.weight)?$|\.tid2eid$"
)
#: weights of two or more dimensions that multiply or are added element by element, and no vector as a matrix
ELEMENTWISE = re.compile(
    r"(A_log|_bias|relative_attention_bias\.weight|rel_embeddings\.weight|ngram_embeddings\.weight"
    r"|embed_global\.weight|seg_embed|ape|\.scale|time_\w+|alpha_\w+|\.[qk]_weight|_input\.query|_token|mask_emb)$"
)


@dataclass(frozen=True, slots=True)
class Token:
    """What one token takes of the active parameters, at the most where routing decides.

    read        those that it reads: of a table that is only looked up its rows, of all else the whole
    rows        how many of these are such rows
    multiplied  weights of matrices and convolutions among them, each once: a multiplication and an addition for each
    """

    read: int
    rows: int
    multiplied: int


def a_token(b: Breakdown) -> Token:
    """What one token takes of a model.

    >>> from paramwidget import count
    >>> a_token(count("openai/gpt-oss-120b")).read == 5_711_982_912 - 201_088 * 2880 + 2880
    True
    """
    out = out_set("active")
    heads = whole_tables(b)
    read = rows = multiplied = 0
    for t in b.tensors:
        n = b.count_of(t, "active", out)
        if n and is_table(t) and t.name not in heads:
            n = min(n, int(t.active_copies) * t.rows_read * int(t.shape[-1]))
            rows += n
        elif n and is_matrix(t):
            multiplied += n
        read += n
    return Token(read, rows, multiplied)


def whole_tables(b: Breakdown) -> set[str]:
    """The tables that the head is tied to: it multiplies by the whole of them.

    Files without a head do not say whether it is tied: then their table may be it.
    """
    if b.as_found and not any(t.role == "lm_head" for t in b.tensors):
        return {t.name for t in b.tensors if t.role == "embedding"}
    tied = {t.name: t.tied_to for t in b.tensors if t.tied_to}
    whole = {t.name for t in b.tensors if t.role == "lm_head" and t.tied_to}
    for name in list(whole):
        while (name := tied.get(name, "")) and name not in whole:  # a second name may be tied to another
            whole.add(name)
    return whole


def is_table(t: TensorSpec) -> bool:
    """Whether a token looks rows up in it."""
    return (len(t.shape) == 2 and t.role in TABLE_ROLES and t.kind == "weight") or TABLES.search(
        t.name
    ) is not None


def is_matrix(t: TensorSpec) -> bool:
    """Whether it is the weight of a linear map or of a convolution."""
    return t.kind == "weight" and len(t.shape) > 1 and ELEMENTWISE.search(t.name) is None
