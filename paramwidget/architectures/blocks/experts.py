"""Mixtures of experts: router, routed experts, shared experts, and which layers have them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .base import Block, linear
from .mlp import gated_mlp

#: of routed experts where neither the config nor its class says a number
UNKNOWN = "num_experts_per_tok is not given: a token may use none of them, or all"

#: how a file may hold the experts of a layer in one tensor: gate and up fused, and down
STACKED = ("gate_up_proj", "down_proj")


def experts(
    c: Config,
    *,
    count: Dim,
    width: Dim,
    top_k: Dim | None = None,
    zero: Dim | None = None,
    path: str = "mlp",
    router: str = "gate",
    router_bias: bool = False,
    correction: bool | str | TensorSpec = False,
    matrices: tuple[str, ...] = ("gate_proj", "up_proj", "down_proj"),
    inner: Dim | None = None,
    bias: bool = False,
    stacked: bool | tuple[str, ...] = False,
    transposed: bool = False,
    shared: Sequence[TensorSpec] = (),
) -> Block:
    """A router and its experts, each an MLP of ``width``, mostly gated; a token uses ``top_k`` of ``count``.

    Where the config class itself has null for the number that a token uses, it may be any: from none to all.

    zero        experts that compute nothing, which the router may choose too: a token then uses fewer (LongCat)
    correction  the vector that balances the load, a buffer (DeepSeek-V3's ``e_score_correction_bias``), or its name;
                a TensorSpec where it is something else
    matrices    the names of gate, up and down, or of up and down
    inner       what an expert reads and writes where that is not hidden_size (latent experts)
    stacked     a file holds all experts of a layer in a tensor: gate and up fused, and down; or the names of the two,
                or of all three; ``transposed``: as (in, out)
    shared      experts that every token uses (see shared_expert)
    """
    unknown = top_k is None and c.undecided("num_experts_per_tok")
    top_k = count if unknown else c.num_experts_per_tok if top_k is None else top_k
    scores = count if zero is None else count + zero
    if top_k > scores:
        raise c.error("num_experts_per_tok", int(top_k), f"is more than the {int(scores)} experts there are")
    hidden = c.hidden_size
    inner = hidden if inner is None else inner
    at = f"{path}." if path else ""
    tensors = [
        *linear(
            f"{at}{router}",
            scores,
            hidden,
            role="router",
            bias=router_bias,
            implied=True,
            note="one score an expert",
        )
    ]
    if isinstance(correction, TensorSpec):
        tensors.append(correction)
    elif correction:
        name = correction if isinstance(correction, str) else f"{at}{router}.e_score_correction_bias"
        tensors.append(correction_bias(name, scores))
    if stacked:
        names = stacked if isinstance(stacked, tuple) else STACKED
        routed = _stacked(
            f"{at}experts" if stacked is True else path, names, count, inner, width, bias, transposed
        )
    else:
        routed = []
        for name in matrices:
            out, inn = (inner, width) if name == matrices[-1] else (width, inner)
            name = f"{at}experts.{{expert}}.{name}"
            routed += linear(name, out, inn, role="routed_expert", bias=bias, implied_bias=True, copies=count)
    used = min(top_k, count)
    least = 0 if unknown else used if zero is None else max(0, top_k - zero)
    tensors += (replace(t, active_copies=used, active_low=int(least)) for t in routed)
    if unknown:
        tensors = [replace(t, note=UNKNOWN) if t.role == "routed_expert" else t for t in tensors]
    tensors += shared
    return Block(tuple(tensors), {"ffn": "moe"})


def correction_bias(name: str, count: Dim, *, kind: str = "buffer", row: bool = False) -> TensorSpec:
    """What is added to the scores of the experts to balance their load, kept in 32 bits whatever the rest is stored as.

    kind  "bias" where transformers makes it a parameter; ``row``: stored as (1, experts)
    """
    shape = (1, count) if row else (count,)
    return TensorSpec(name, shape, "router", kind, implied=True, dtype="float32")


def _stacked(
    path: str, names: tuple[str, ...], count: Dim, hidden: Dim, width: Dim, bias: bool, transposed: bool
) -> list[TensorSpec]:
    def one(name: str, out: int, inn: int) -> list[TensorSpec]:
        shape = (inn, out) if transposed else (out, inn)
        both = [TensorSpec(f"{path}.{name}", shape, "routed_expert", copies=count, stacked=count)]
        if bias:
            both.append(replace(both[0], name=f"{path}.{name}_bias", shape=(out,), kind="bias", implied=True))
        return both

    *ups, down = names
    tensors: list[TensorSpec] = []
    for name in ups:
        tensors += one(name, 2 * width if len(ups) == 1 else width, hidden)
    return [*tensors, *one(down, hidden, width)]


def shared_expert(
    c: Config,
    width: int,
    *,
    path: str,
    gate: str | None = None,
    bias: bool = False,
    matrices: tuple[str, ...] = ("gate_proj", "up_proj", "down_proj"),
) -> tuple[TensorSpec, ...]:
    """A gated MLP that every token uses; none of width 0. ``gate`` names a map to one number that scales it (Qwen)."""
    if not width:
        return ()
    tensors = gated_mlp(c, width, path=path, role="shared_expert", bias=bias, matrices=matrices).tensors
    if gate is not None:
        tensors += tuple(
            linear(
                gate, 1, c.hidden_size, role="shared_expert", implied=True, note="scales the shared expert"
            )
        )
    return tensors


def moe_every(c: Config, dense_first: int = 0) -> Collection[int] | range:
    """The layers with experts by Qwen's rule: every ``decoder_sparse_step``-th, but those in ``mlp_only_layers``.

    None where ``num_experts`` is 0: the classes with this rule then build dense layers.

    dense_first  how many layers are dense where ``mlp_only_layers`` is null
    """
    if not c.natural("num_experts"):
        return ()
    layers, step = c.num_hidden_layers, c.decoder_sparse_step
    dense = c.get("mlp_only_layers")
    if dense is None:
        dense = tuple(range(dense_first))
    if not isinstance(dense, list | tuple) or not all(type(i) is int for i in dense):
        raise c.error("mlp_only_layers", dense, "must be a list of layer indices")
    if step == 1 and not dense:
        return range(layers)
    left_out = frozenset(dense)
    return [i for i in range(step - 1, layers, step) if i not in left_out]


def moe_from(c: Config, first: int, every: int = 1) -> Collection[int] | range:
    """The layers with experts: as ``mlp_layer_types`` says, or a list of 0 and 1 in ``moe_layer_freq``.

    Without a list, every ``every``-th from layer ``first`` on.
    """
    n = int(c.num_hidden_layers)
    if c.has("mlp_layer_types"):
        kinds = c.list_of("mlp_layer_types", n, ("dense", "sparse"))
        return [i for i, kind in enumerate(kinds) if kind == "sparse"]
    if isinstance(c.get("moe_layer_freq"), list | tuple):
        return [i for i, sparse in enumerate(c.per_layer("moe_layer_freq", n, least=0)) if sparse]
    return range(first, n) if every == 1 else [i for i in range(first, n) if i % every == 0]


def dense_or_moe(
    c: Config,
    moe_layers: Collection[int],
    moe: Block | Callable[[], Block],
    dense: Block | None = None,
    *,
    depth: int | None = None,
) -> Block | list[Block]:
    """``moe`` in the layers given and a dense MLP in the others; a function is asked only where a layer has experts.

    ``depth`` is the number of layers, where that is not num_hidden_layers.
    """
    layers = int(c.num_hidden_layers) if depth is None else depth
    if not moe_layers and not isinstance(moe, Block):
        return dense or gated_mlp(c)
    moe = moe if isinstance(moe, Block) else moe()
    if len(moe_layers) == layers:
        return moe
    dense = dense or gated_mlp(c)
    blocks = [dense] * layers
    if isinstance(moe_layers, range) and moe_layers.step == 1 and moe_layers.stop <= layers:
        blocks[moe_layers.start : moe_layers.stop] = [moe] * len(moe_layers)
        return blocks
    for i in moe_layers:
        if i < layers:
            blocks[i] = moe
    return blocks
