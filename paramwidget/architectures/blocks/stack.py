"""The stack: embedding, layers, final norm, head; and the prediction layers that some families keep behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...config import Config
from ...layers import LayerRun, LayerSpec
from ...tensors import TensorSpec
from .base import Block, Norm, Part, linear, place, rms_norm
from .heads import head, stem

#: the words that ``layer_types`` uses
LAYER_TYPES = ("full_attention", "sliding_attention", "chunked_attention", "linear_attention")


def decoder(
    c: Config,
    *,
    attention: Block | Sequence[Block],
    mlp: Block | Sequence[Block],
    norm: Norm | None = None,
    layer_norms: tuple[str, ...] = ("input_layernorm", "post_attention_layernorm"),
    base: str = "model",
    layers: str = "layers",
    embed: str = "embed_tokens",
    position: str | None = None,
    final_norm: str = "norm",
    output: str = "lm_head",
    may_tie: bool = True,
) -> Iterator[Part]:
    """A decoder: table, layers of (norm, mixer, norm, feed-forward), a final norm, and the head of its class.

    attention, mlp  one Block for all layers, or one for each
    layer_norms     in every layer: the first before the mixer, the others after it; none where the blocks hold them
    base            the prefix of the body's names in files of a model with a head
    output          the name of the head
    may_tie         False where the class never ties it, whatever the config says
    """
    norm = norm or rms_norm(c)
    n = int(c.num_hidden_layers)
    at = stem(c, base)
    table = TensorSpec(f"{at}{embed}.weight", (c.vocab_size, c.hidden_size), "embedding")
    yield table
    if position:
        yield TensorSpec(f"{at}{position}.weight", (c.max_position_embeddings, c.hidden_size), "position")
    each = f"{at}{layers}.{{layer}}."
    everywhere = range(n)
    for name in layer_norms[:1]:
        yield from place(norm(name), each, everywhere)
    for where, block in groups(attention, n):
        yield from place(block.tensors, each, where)
    for name in layer_norms[1:]:
        yield from place(norm(name), each, everywhere)
    for where, block in groups(mlp, n):
        yield from place(block.tensors, each, where)
    yield from norm(f"{at}{final_norm}")
    yield from head(c, table, output, may_tie)
    yield from runs(attention, mlp, n)


def groups(blocks: Block | Sequence[Block], n: int) -> list[tuple[tuple[int, ...] | range, Block]]:
    """The distinct blocks of a stack, each with the layers that hold it; blocks that share tensors are one."""
    if isinstance(blocks, Block):
        return [(range(n), blocks)]
    where: dict[int, list[int]] = {}
    by_id: dict[int, Block] = {}
    for i, block in enumerate(blocks):
        where.setdefault(id(block.tensors), []).append(i)
        by_id.setdefault(id(block.tensors), block)
    return [(tuple(idx), by_id[key]) for key, idx in where.items()]


def runs(attention: Block | Sequence[Block], mlp: Block | Sequence[Block], n: int) -> Iterator[LayerRun]:
    """The layers that are alike, as one LayerSpec each."""
    if isinstance(attention, Block) and isinstance(mlp, Block):
        yield LayerRun(range(n), LayerSpec(0, **attention.facts, **mlp.facts))
        return
    pairs: dict[tuple[int, int], list[int]] = {}
    facts: dict[tuple[int, int], LayerSpec] = {}
    for i in range(n):
        a = attention if isinstance(attention, Block) else attention[i]
        m = mlp if isinstance(mlp, Block) else mlp[i]
        key = (id(a), id(m))
        pairs.setdefault(key, []).append(i)
        if key not in facts:
            facts[key] = LayerSpec(0, **a.facts, **m.facts)
    for key, indices in pairs.items():
        yield LayerRun(tuple(indices), facts[key])


def sliding_by_layer(c: Config, full: Block, default: Sequence[str] | None = None) -> Block | list[Block]:
    """The same attention in every layer, seeing all or a window as ``layer_types`` says.

    Without ``layer_types``, ``default`` gives the pattern; without that, every layer slides where the config has a
    window.
    """
    window = c.get("sliding_window") if c.get("use_sliding_window", True) is not False else None
    sliding = full.with_facts(mixer="sliding", window=window) if type(window) is int and window > 0 else full
    n = int(c.num_hidden_layers)
    if c.has("layer_types"):
        kinds: Sequence[str] = c.list_of("layer_types", n, LAYER_TYPES)
    elif default is not None:
        kinds = default
    else:
        return sliding
    return [sliding if kind == "sliding_attention" else full for kind in kinds]


def mtp_deepseek(c: Config, attention: Block, mlp: Block, depth: int) -> Iterator[TensorSpec]:
    """DeepSeek's prediction layers: whole layers behind the stack, each naming its own copies of both tables.

    The copies are tied to the main tables on the config's side; files that store them again are a residual.
    """
    n = int(c.num_hidden_layers)
    where = range(n, n + depth)
    each = "model.layers.{layer}."
    hidden = c.hidden_size
    norm = rms_norm(c)
    table = (c.vocab_size, hidden)
    own = [
        TensorSpec(
            "embed_tokens.weight",
            table,
            "mtp",
            tied_to="model.embed_tokens.weight",
            note="a second name of the embedding table",
        ),
        *norm("enorm"),
        *norm("hnorm"),
        *linear("eh_proj", hidden, 2 * hidden, role="mtp", note="joins the embedding and the hidden state"),
        *norm("input_layernorm"),
        *attention.tensors,
        *norm("post_attention_layernorm"),
        *mlp.tensors,
        *norm("shared_head.norm"),
        TensorSpec(
            "shared_head.head.weight",
            table,
            "mtp",
            tied_to="lm_head.weight",
            note="a second name of the output head",
        ),
    ]
    yield from place(own, each, where, role="mtp")


def mtp_qwen(c: Config, attention: Block, mlp: Block, depth: int) -> Iterator[TensorSpec]:
    """Qwen's prediction layers: a module of its own beside the model, using the main tables."""
    if not depth:
        return
    hidden = c.hidden_size
    norm = rms_norm(c)
    outer = [
        *linear("mtp.fc", hidden, 2 * hidden, role="mtp", note="joins the embedding and the hidden state"),
        *norm("mtp.pre_fc_norm_embedding"),
        *norm("mtp.pre_fc_norm_hidden"),
        *norm("mtp.norm"),
    ]
    inner = [
        *norm("input_layernorm"),
        *attention.tensors,
        *norm("post_attention_layernorm"),
        *mlp.tensors,
    ]
    yield from place(outer, "", role="mtp")
    yield from place(inner, "mtp.layers.{layer}.", range(depth), role="mtp")
