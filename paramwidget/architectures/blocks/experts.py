"""Mixtures of experts: router, routed experts, shared experts, and which layers have them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .base import Block, linear
from .mlp import gated_mlp


def experts(
    c: Config,
    *,
    count: Dim,
    width: Dim,
    top_k: Dim | None = None,
    path: str = "mlp",
    router: str = "gate",
    router_bias: bool = False,
    correction: bool = False,
    matrices: tuple[str, ...] = ("gate_proj", "up_proj", "down_proj"),
    inner: Dim | None = None,
    bias: bool = False,
    stacked: bool = False,
    transposed: bool = False,
    shared: Sequence[TensorSpec] = (),
) -> Block:
    """A router and its experts, each an MLP of ``width``, mostly gated; a token uses ``top_k`` of ``count``.

    correction  the router's ``e_score_correction_bias``, a buffer that balances the load (DeepSeek-V3)
    matrices    the names of gate, up and down, or of up and down
    inner       what an expert reads and writes where that is not hidden_size (latent experts)
    stacked     a file holds a layer's experts in two tensors, gate and up fused; ``transposed``: as (in, out)
    shared      experts that every token uses (see shared_expert)
    """
    top_k = c.num_experts_per_tok if top_k is None else top_k
    if top_k > count:
        raise c.error("num_experts_per_tok", int(top_k), f"is more than the {int(count)} experts there are")
    hidden = c.hidden_size
    tensors = [
        *linear(
            f"{path}.{router}",
            count,
            hidden,
            role="router",
            bias=router_bias,
            implied=True,
            note="one score an expert",
        )
    ]
    if correction:
        # kept in 32 bits whatever the rest is stored as
        tensors.append(
            TensorSpec(
                f"{path}.{router}.e_score_correction_bias",
                (count,),
                "router",
                "buffer",
                implied=True,
                dtype="float32",
            )
        )
    if stacked:
        tensors += _stacked(f"{path}.experts", count, top_k, hidden, width, bias, transposed)
    else:
        inner = hidden if inner is None else inner
        for name in matrices:
            out, inn = (inner, width) if name == matrices[-1] else (width, inner)
            tensors += linear(
                f"{path}.experts.{{expert}}.{name}",
                out,
                inn,
                role="routed_expert",
                bias=bias,
                implied_bias=True,
                copies=count,
                active=top_k,
            )
    tensors += shared
    return Block(tuple(tensors), {"ffn": "moe"})


def _stacked(
    path: str, count: Dim, top_k: Dim, hidden: Dim, width: Dim, bias: bool, transposed: bool
) -> list[TensorSpec]:
    def one(name: str, shape: tuple[int, ...], kind: str = "weight") -> TensorSpec:
        return TensorSpec(
            f"{path}.{name}",
            shape,
            "routed_expert",
            kind,
            copies=count,
            active_copies=top_k,
            stacked=count,
            implied=kind == "bias",
        )

    up, down = (hidden, 2 * width), (width, hidden)
    if not transposed:
        up, down = (up[1], up[0]), (down[1], down[0])
    tensors = [one("gate_up_proj", up)]
    if bias:
        tensors.append(one("gate_up_proj_bias", (2 * width,), "bias"))
    tensors.append(one("down_proj", down))
    if bias:
        tensors.append(one("down_proj_bias", (hidden,), "bias"))
    return tensors


def shared_expert(c: Config, width: int, *, path: str, gate: str | None = None) -> tuple[TensorSpec, ...]:
    """A gated MLP that every token uses; ``gate`` names a map to one number that scales it (Qwen)."""
    tensors = gated_mlp(c, width, path=path, role="shared_expert").tensors
    if gate is not None:
        tensors += tuple(
            linear(
                gate, 1, c.hidden_size, role="shared_expert", implied=True, note="scales the shared expert"
            )
        )
    return tensors


def moe_every(c: Config) -> Collection[int] | range:
    """The layers with experts by Qwen's rule: every ``decoder_sparse_step``-th, but those in ``mlp_only_layers``."""
    layers, step = c.num_hidden_layers, c.natural("decoder_sparse_step")
    dense = c.get("mlp_only_layers") or ()
    if not isinstance(dense, list | tuple) or not all(type(i) is int for i in dense):
        raise c.error("mlp_only_layers", dense, "must be a list of layer indices")
    if step == 1 and not dense:
        return range(layers)
    return [i for i in range(layers) if i not in dense and step > 0 and (i + 1) % step == 0]


def dense_or_moe(
    c: Config, moe_layers: Collection[int], moe: Block, dense: Block | None = None
) -> Block | list[Block]:
    """``moe`` in the layers given and a dense MLP in the others."""
    layers = int(c.num_hidden_layers)
    if len(moe_layers) == layers:
        return moe
    dense = dense or gated_mlp(c)
    moe_set = frozenset(moe_layers)
    return [moe if i in moe_set else dense for i in range(layers)]
