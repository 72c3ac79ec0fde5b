"""Dense feed-forward layers."""

from __future__ import annotations

from ...config import Config
from ...tensors import TensorSpec
from .base import Block, linear


def gated_mlp(
    c: Config,
    width: int | None = None,
    *,
    bias: bool = False,
    implied_bias: bool = False,
    fused: bool = False,
    path: str = "mlp",
    role: str = "mlp",
    matrices: tuple[str, ...] = ("gate_proj", "up_proj", "down_proj"),
) -> Block:
    """Gate, up and down (SwiGLU): three matrices of hidden_size × width; ``fused`` keeps gate and up in one (Phi-3).

    ``matrices`` are their names; two names are a fused one and down.
    """
    width = c.intermediate_size if width is None else width
    hidden, at = c.hidden_size, f"{path}." if path else ""
    tensors: list[TensorSpec] = []
    *up, down = ("gate_up_proj", "down_proj") if fused and len(matrices) == 3 else matrices
    for name in up:
        tensors += linear(
            f"{at}{name}",
            width if len(up) == 2 else 2 * width,
            hidden,
            role=role,
            bias=bias,
            implied_bias=implied_bias,
        )
    tensors += linear(f"{at}{down}", hidden, width, role=role, bias=bias, implied_bias=implied_bias)
    return Block(tuple(tensors), {"ffn": "dense"})


def plain_mlp(
    c: Config,
    up: str,
    down: str,
    *,
    width: int | None = None,
    bias: bool,
    implied_bias: bool = False,
    transposed: bool = False,
) -> Block:
    """Up and down, with a plain activation between; ``width`` is intermediate_size unless given."""
    hidden = c.hidden_size
    width = c.intermediate_size if width is None else width
    how = {"role": "mlp", "bias": bias, "implied_bias": implied_bias, "transposed": transposed}
    return Block((*linear(up, width, hidden, **how), *linear(down, hidden, width, **how)), {"ffn": "dense"})  # type: ignore[arg-type]
