"""What the config says of how files store the weights: dtypes, and the scales that a quantization keeps beside them.

Quantization changes the storage, never the number of parameters: scales are tensors of kind ``scale``, counted apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..config import Config
from ..tensors import TensorSpec
from .kept import Kept, NotPredicted, split
from .packing import converts_tables, packing
from .patterns import Budget, PatternError
from .stored import MXFP4_BLOCK, beside, up


def stored_as(c: Config, tensors: Iterable[TensorSpec]) -> tuple[tuple[TensorSpec, ...], str]:
    """The tensors with the dtype that the config gives, and with the scales that its quantization adds.

    The second is why the config does not say how files store them; empty where it does.
    """
    dtype, quantization, specs = base_dtype(c), quantization_of(c), list(tensors)
    if not isinstance(quantization, Mapping):
        return tuple(_in(t, dtype) for t in specs), ""
    try:
        budget = Budget()
        kept = Kept(quantization, budget)
        scale = scale_rule(c, quantization, specs, kept, budget)
        found: list[TensorSpec] = []
        for whole in specs:
            for t, is_kept in split(whole, kept):
                found += (None if is_kept else scale(t)) or [_in(t, dtype)]
    except NotPredicted as why:
        return tuple(specs), str(why)
    except PatternError as error:
        return tuple(specs), f"matching the patterns of quantization_config {error}"
    unknown = next((t for t in found if not t.dtype), None)
    if unknown is None:
        return tuple(found), ""
    return tuple(found), unknown.note or f"the config does not say the dtype of {unknown.name}"


def _in(t: TensorSpec, dtype: str | None) -> TensorSpec:
    return t if t.dtype else t.stored_in(dtype)


def quantization_of(c: Config) -> Mapping[str, Any] | None:
    """``quantization_config`` of the config or of its text config; an empty one is none."""
    text = c.get("text_config")
    nested = text.get("quantization_config") if isinstance(text, Mapping) else None
    found = c.get("quantization_config") or nested or c.get("quantization")  # MLX's name for it
    if found is not None and not isinstance(found, Mapping):
        raise c.error("quantization_config", found, "must be an object")
    return found or None


def base_dtype(c: Config) -> str | None:
    """``dtype`` or ``torch_dtype`` of the config, of its text config, or the architecture's declared default."""
    text = c.get("text_config")
    nested = (text.get("dtype") or text.get("torch_dtype")) if isinstance(text, Mapping) else None
    name = nested or c.get("dtype")
    return str(name).removeprefix("torch.") if isinstance(name, str) else None


Scales = Callable[[TensorSpec], list[TensorSpec] | None]


def scale_rule(
    c: Config, quantization: Mapping[str, Any], tensors: Sequence[TensorSpec], kept: Kept, budget: Budget
) -> Scales:
    """How a quantization stores one tensor and its scales. Raises NotPredicted where the config leaves it open."""
    method = quantization.get("quant_method")
    if method == "mxfp4":
        if c.model_type != "gpt_oss":
            raise NotPredicted("which axis mxfp4 packs is known of gpt-oss's stacks only")
        return _mxfp4
    block = quantization.get("weight_block_size")
    if method == "fp8" and block is not None and not quantization.get("quant_algo"):
        if not (
            isinstance(block, list | tuple)
            and len(block) == 2
            and all(type(n) is int and n > 0 for n in block)
        ):
            raise c.error(
                "quantization_config.weight_block_size", block, "must be two whole numbers, rows and columns"
            )
        # DeepSeek-V4 keeps its experts in 4 bits, and names its scales otherwise
        v4 = c.get("expert_dtype")
        return lambda t: _fp4_expert(t) if v4 == "fp4" and "{expert}" in t.name else _fp8_blocks(t, block, v4)
    packed = packing(c, quantization, tensors, kept, budget)
    dtype, tables = base_dtype(c), converts_tables(quantization)
    return lambda t: packed(_in(t, dtype)) if _is_map(t) or (t.role in tables and _is_table(t)) else None


def _mxfp4(t: TensorSpec) -> list[TensorSpec] | None:
    if t.stacked is None or len(t.shape) != 2:
        return None
    # blocks run along the input: gpt-oss keeps its experts as (in, out), and packs them as (out, in)
    inn, out = t.shape
    blocks = up(inn, MXFP4_BLOCK)
    return [
        t.stored_in("mxfp4"),
        t.scale(f"{t.name}_scales", (out, blocks), "uint8", "one scale for 32 values"),
    ]


#: linear maps that files keep in the base dtype
_KEPT = (
    "compressor.",
    "eh_proj",
    "embed_tokens",
    "ffn.gate.",
    "lm_head",
    "mlp.gate.",
    "shared_head.head",
    "weights_proj",
)


def _is_map(t: TensorSpec) -> bool:
    """Whether it is the weight of a linear map that a quantization converts; a table or a vector is none."""
    return (
        len(t.shape) == 2
        and t.kind == "weight"
        and (t.name.endswith(".weight") or t.stacked is not None)
        and t.role not in ("embedding", "position", "lm_head", "router", "norm", "vision", "projector")
        and not any(part in t.name for part in _KEPT)
    )


def _is_table(t: TensorSpec) -> bool:
    """Whether it is the embedding or the head, which few quantizations convert."""
    return t.role in ("embedding", "lm_head") and t.kind == "weight" and len(t.shape) == 2


def _fp8_blocks(t: TensorSpec, size: Sequence[int], v4: object = None) -> list[TensorSpec] | None:
    if not _is_map(t):
        return None
    rows, columns = size
    blocks = tuple(up(n, by) for n, by in zip(t.shape, size, strict=True))
    note = f"one scale for {rows} × {columns} values"
    scale = (
        beside(t, ".scale", blocks, "float8_e8m0fnu", note)
        if v4
        else t.scale(f"{t.name}_scale_inv", blocks, "float32", note)
    )
    return [t.stored_in("float8_e4m3fn"), scale]


def _fp4_expert(t: TensorSpec) -> list[TensorSpec] | None:
    if not _is_map(t):
        return None
    out, inn = t.shape
    return [
        t.stored_in("mxfp4"),
        beside(t, ".scale", (out, up(inn, MXFP4_BLOCK)), "float8_e8m0fnu", "one scale for 32 values"),
    ]
