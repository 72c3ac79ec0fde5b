"""The stack: embedding, layers, final norm, head; and the prediction layers that some families keep behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, compress
from typing import Any

from ...config import Config
from ...layers import LayerRun, LayerSpec
from ...tensors import TensorSpec
from .base import Block, Norm, Part, linear, place, rms_norm
from .heads import head, stem

#: the words that ``layer_types`` uses
LAYER_TYPES = ("full_attention", "sliding_attention", "chunked_attention", "linear_attention")

#: so many distinct layers are found fastest by a pass for each
FEW = 16


def decoder(
    c: Config,
    *,
    attention: Block | Sequence[Block],
    mlp: Block | Sequence[Block],
    norm: Norm | None = None,
    layer_norms: tuple[str, ...] = ("input_layernorm", "post_attention_layernorm"),
    post_norms: tuple[str, ...] = (),
    base: str = "model",
    layers: str = "layers",
    embed: str = "embed_tokens",
    embed_width: int | None = None,
    position: str | None = None,
    positions: int | None = None,
    extra: Sequence[TensorSpec] = (),
    final_norm: str | None = "norm",
    output: str = "lm_head",
    output_norm: str | None = None,
    output_bias: bool = False,
    may_tie: bool = True,
    top: Callable[[Config, TensorSpec], Iterable[TensorSpec]] | None = None,
) -> Iterator[Part]:
    """A decoder: table, layers of (norm, mixer, norm, feed-forward), a final norm, and the head of its class.

    attention, mlp  one Block for all layers, or one for each
    layer_norms     what is read by attention and by the MLP; a single one by both (Cohere, Phi); none where the blocks
                    hold theirs
    post_norms      of what attention and the MLP put out (OLMo-2, Gemma-2)
    base            the prefix of the body's names in files of a model with a head
    embed_width     where the table is not as wide as the layers
    position        the table of learned positions, of ``positions`` rows (else max_position_embeddings)
    extra           what else the body holds beside its layers
    output          the name of the head; ``output_bias`` gives it a bias, ``output_norm`` is the norm beside it
    may_tie         False where the class never ties its head, whatever the config says
    top             the whole head, where it is not what these four say
    """
    norm = norm or rms_norm(c)
    n = int(c.num_hidden_layers)
    at = stem(c, base)
    width = c.hidden_size if embed_width is None else embed_width
    table = TensorSpec(f"{at}{embed}.weight", (c.vocab_size, width), "embedding")
    yield table
    if position:
        rows = c.max_position_embeddings if positions is None else positions
        yield TensorSpec(f"{at}{position}.weight", (rows, c.hidden_size), "position")
    yield from place(extra, at)
    each = f"{at}{layers}.{{layer}}."
    everywhere = range(n)
    for i, blocks in enumerate((attention, mlp)):
        for name in layer_norms[i : i + 1]:
            yield from place(norm(name), each, everywhere)
        for where, own in groups(blocks, n):
            yield from place(own, each, where)
        for name in post_norms[i : i + 1]:
            yield from place(norm(name), each, everywhere)
    if final_norm:
        yield from norm(f"{at}{final_norm}")
    if output_norm:
        yield from norm(output_norm)
    yield from top(c, table) if top else head(c, table, output, output_bias, may_tie)
    yield from runs(attention, mlp, n)


def groups(
    blocks: Block | Sequence[Block], n: int
) -> list[tuple[tuple[int, ...] | range, tuple[TensorSpec, ...]]]:
    """The distinct tensors of a stack's blocks, with the layers that hold them; what is equal in two blocks is one."""
    if isinstance(blocks, Block):
        return [(range(n), blocks.tensors)]
    by_tensors: dict[int, list[tuple[int, ...] | range]] = {}
    tensors: dict[int, tuple[TensorSpec, ...]] = {}
    for layers in alike(list(map(id, blocks))):
        own = blocks[layers[0]].tensors
        tensors[id(own)] = own
        by_tensors.setdefault(id(own), []).append(layers)
    if len(tensors) == 1:
        return [(range(n), own) for own in tensors.values()]
    where: dict[TensorSpec, list[tuple[int, ...] | range]] = {}
    for key, own in tensors.items():
        for t in own:
            where.setdefault(t, []).extend(by_tensors[key])
    return [
        (parts[0] if len(parts) == 1 else tuple(sorted(chain.from_iterable(parts))), (t,))
        for t, parts in where.items()
    ]


def runs(attention: Block | Sequence[Block], mlp: Block | Sequence[Block], n: int) -> Iterator[LayerRun]:
    """The layers that are alike, as one LayerSpec each."""
    mixers = [attention] if isinstance(attention, Block) else attention
    ffns = [mlp] if isinstance(mlp, Block) else mlp
    if len(mixers) == len(ffns) == 1:
        kinds: list[tuple[int, ...] | range] = [range(n)]
    elif len(mixers) == 1 or len(ffns) == 1:
        kinds = alike(list(map(id, ffns if len(mixers) == 1 else mixers)))
    else:
        kinds = alike(list(zip(map(id, mixers), map(id, ffns), strict=True)))
    for layers in kinds:
        first = layers[0]
        mixer, ffn = mixers[first if len(mixers) > 1 else 0], ffns[first if len(ffns) > 1 else 0]
        yield LayerRun(layers, LayerSpec(0, **mixer.facts, **ffn.facts))


def alike(keys: list[Any]) -> list[tuple[int, ...] | range]:
    """The indices of each distinct key, in order of appearance; a range where they are consecutive.

    Cost is to grow with what is distinct, not with depth: the loops over layers are those of the interpreter, one for
    each distinct key. Where the keys are many that would be quadratic, so one loop then sorts them all.
    """
    distinct = dict.fromkeys(keys)
    if len(distinct) <= FEW:
        return [_places(key, keys) for key in distinct]
    where: dict[Any, list[int]] = {key: [] for key in distinct}
    for i, key in enumerate(keys):
        where[key].append(i)
    spans = ((layers, range(layers[0], layers[-1] + 1)) for layers in where.values())
    return [span if len(span) == len(layers) else tuple(layers) for layers, span in spans]


def _places(key: Any, keys: list[Any]) -> tuple[int, ...] | range:
    """Where a key stands."""
    first, many = keys.index(key), keys.count(key)
    if keys[first : first + many].count(key) == many:
        return range(first, first + many)
    return tuple(compress(range(len(keys)), map(key.__eq__, keys)))


def sliding_by_layer(
    c: Config, full: Block | Sequence[Block], default: Sequence[str] | None = None
) -> Block | list[Block]:
    """Attention that in each layer sees all or a window, as ``layer_types`` says; one Block, or one for each layer.

    Without ``layer_types``, ``default`` gives the pattern; without that, every layer slides where the config has a
    window.
    """
    window = c.get("sliding_window") if c.get("use_sliding_window", True) is not False else None
    windowed: dict[int, Block] = {}

    def sliding(block: Block) -> Block:
        if type(window) is not int or window <= 0:
            return block
        return windowed.setdefault(id(block), block.with_facts(mixer="sliding", window=window))

    n = int(c.num_hidden_layers)
    if c.has("layer_types") or default is not None:
        kinds = layer_kinds(c, default or ())
    elif isinstance(full, Block):
        return sliding(full)
    else:
        kinds = ["sliding_attention"] * n
    blocks = [full] * n if isinstance(full, Block) else full
    return [sliding(b) if kind == "sliding_attention" else b for kind, b in zip(kinds, blocks, strict=True)]


def layer_kinds(c: Config, default: Sequence[str], allowed: Sequence[str] = LAYER_TYPES) -> list[str]:
    """What each layer attends to: as ``layer_types`` says, else ``default``."""
    if c.has("layer_types"):
        return c.list_of("layer_types", int(c.num_hidden_layers), allowed)
    return list(default)


def full_every(c: Config, nth: int | str, *, offset: int = 1) -> list[str]:
    """The kinds of the layers where every ``nth`` sees all and the others slide; ``offset`` 0: the first one.

    ``nth`` is a number or the key that holds it. A config with ``layer_types`` says it there, and is asked nothing.
    """
    if c.has("layer_types"):
        return []
    n, every = int(c.num_hidden_layers), getattr(c, nth) if isinstance(nth, str) else nth
    return ["sliding_attention" if (i + offset) % every else "full_attention" for i in range(n)]


def mtp_deepseek(
    c: Config,
    attention: Block,
    mlp: Block,
    depth: int,
    *,
    embed: str | None = "embed_tokens",
    head: str | None = "shared_head.head",
    final_norm: str = "shared_head.norm",
    layer_norms: tuple[str, ...] = ("input_layernorm", "post_attention_layernorm"),
    at: str = "model.layers.",
    first: int | None = None,
) -> Iterator[TensorSpec]:
    """DeepSeek's prediction layers: whole layers behind the stack, each naming its own copies of both tables.

    The copies are tied to the main tables on the config's side; files that store them again are a residual.

    embed, head  the names of the copies; None where the layers have none (GLM-5)
    at           where files keep the layers, counted from ``first``: behind the last layer, or in a module of their own
    """
    n = int(c.num_hidden_layers) if first is None else first
    hidden = c.hidden_size
    norm = rms_norm(c)

    def copy(name: str | None, of: str, what: str) -> list[TensorSpec]:
        shape = (c.vocab_size, hidden)
        note = f"a second name of the {what}"
        return [TensorSpec(f"{name}.weight", shape, "mtp", tied_to=of, note=note)] if name else []

    own = [
        *copy(embed, "model.embed_tokens.weight", "embedding table"),
        *norm("enorm"),
        *norm("hnorm"),
        *linear("eh_proj", hidden, 2 * hidden, role="mtp", note="joins the embedding and the hidden state"),
        *one_layer(norm, layer_norms, attention, mlp),
        *norm(final_norm),
        *copy(head, "lm_head.weight", "output head"),
    ]
    yield from place(own, f"{at}{{layer}}.", range(n, n + depth), role="mtp")


def one_layer(norm: Norm, layer_norms: tuple[str, ...], attention: Block, mlp: Block) -> list[TensorSpec]:
    """The tensors of one layer: the first half of the norms around the mixer, the rest around the feed-forward."""
    half = len(layer_norms) // 2
    tensors = [t for name in layer_norms[:half] for t in norm(name)]
    tensors += attention.tensors
    tensors += (t for name in layer_norms[half:] for t in norm(name))
    return [*tensors, *mlp.tensors]


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
    inner = one_layer(norm, ("input_layernorm", "post_attention_layernorm"), attention, mlp)
    yield from place(outer, "", role="mtp")
    yield from place(inner, "mtp.layers.{layer}.", range(depth), role="mtp")
