"""What the class in ``architectures`` puts on top of the body."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .base import linear

#: the ending of a class name -> the head it stands for
ENDINGS: dict[str, str] = {
    "ForCausalLM": "causal",
    "LMHeadModel": "causal",
    "ForConditionalGeneration": "causal",
    "ForSequenceClassification": "sequence",
    "ForTokenClassification": "token",
    "ForQuestionAnswering": "question",
    "ForRewardModel": "reward",
    "Model": "none",
    "TextForSequenceClassification": "sequence",
    "TextModel": "none",
}

#: families whose ForQuestionAnswering has the body under the same name as their other classes
RENAMED = frozenset({"minimax", "ministral3", "mistral", "mixtral", "qwen2_moe"})


def stem(c: Config, base: str) -> str:
    """The prefix of the body's names: files of a bare body have none."""
    if c.head == "none":
        return ""
    # transformers keeps the old attribute name for this one class of most families
    return "transformer." if c.head == "question" and c.model_type not in RENAMED else f"{base}."


def head(
    c: Config, table: TensorSpec, name: str = "lm_head", bias: bool = False, may_tie: bool = True
) -> Iterator[TensorSpec]:
    """The head of the config's class; a tied one is a second name of the embedding table.

    ``name`` and ``bias`` are those of the causal one; a bias is never tied. ``may_tie`` is false where the class never
    ties its head, whatever the config says.
    """
    if c.head == "causal":
        tied = may_tie and c.flag("tie_word_embeddings")
        yield TensorSpec(
            f"{name}.weight",
            (c.vocab_size, c.hidden_size),
            "lm_head",
            tied_to=table.name if tied else None,
            note="tied to the embedding: one matrix, two names" if tied else "",
        )
        if bias:
            yield TensorSpec(f"{name}.bias", (c.vocab_size,), "lm_head", "bias", implied=True)
    elif c.head == "reward":
        yield from linear("v_head", 1, c.hidden_size, role="lm_head", note="one score")
    elif c.head == "sequence":
        yield from linear("score", labels(c), c.hidden_size, role="lm_head", note="classifier")
    elif c.head == "token":
        token = "classifier" if c.model_type == "gpt2" else "score"
        yield from linear(token, labels(c), c.hidden_size, role="lm_head", bias=True, note="classifier")
    elif c.head == "question":
        yield from linear(
            "qa_outputs", 2, c.hidden_size, role="lm_head", bias=True, note="start and end of the answer"
        )


def labels(c: Config) -> Dim:
    """The number of classes: the entries of ``id2label``, or ``num_labels``; two where the config names neither."""
    names = c.get("id2label")
    if isinstance(names, dict) and names:
        return Dim.field("num_labels", len(names))
    return c.num_labels
