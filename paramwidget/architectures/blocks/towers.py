"""What towers are built of: layers that see or hear, convolutions, position tables, projectors.

A tower is a function of its config and of the prefix of its names; its tensors have one role, ``vision`` or ``audio``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction

from ...config import Config
from ...dim import Dim
from ...tensors import TensorSpec
from .base import linear, place

QKV = ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj")
GATED = ("gate_proj", "up_proj", "down_proj")


def layer(
    hidden: int,
    width: int,
    *,
    role: str = "vision",
    norms: Sequence[str] = ("layer_norm1", "layer_norm2"),
    attention: Sequence[str] = (*QKV, "self_attn.out_proj"),
    mlp: Sequence[str] = ("mlp.fc1", "mlp.fc2"),
    bias: bool = True,
    without_bias: Collection[str] = (),
    norm_bias: bool = True,
    inner: int | None = None,
    kv: int | None = None,
    qkv: int | None = None,
    parts: Mapping[str, str] | None = None,
) -> list[TensorSpec]:
    """One layer of a tower: norm, attention, norm, feed-forward.

    attention     the names of q, k, v and the output; two names are a fused qkv and the output
    mlp           the names of up and down; three are gate, up and down
    bias          of every map but those named in ``without_bias``
    inner         the width of all heads together, where it is not ``hidden``
    kv            the width of k and of v, where they have fewer heads
    qkv           the width of a fused qkv, where keys and values have fewer heads
    parts         other roles for ``attention``, ``mlp`` and ``norm``: an encoder that is the whole model
    """
    inner = hidden if inner is None else inner
    roles = {"attention": role, "mlp": role, "norm": role, **(parts or {})}

    def maps(names: Sequence[str], out: int, inn: int, part: str) -> list[TensorSpec]:
        return [
            t
            for n in names
            for t in linear(n, out, inn, role=roles[part], bias=bias and n not in without_bias)
        ]

    *ins, out = attention
    return [
        *norm(norms[0], hidden, role=roles["norm"], bias=norm_bias),
        *maps(ins[:1], (3 * inner if qkv is None else qkv) if len(ins) == 1 else inner, hidden, "attention"),
        *maps(ins[1:], inner if kv is None else kv, hidden, "attention"),
        *maps([out], hidden, inner, "attention"),
        *norm(norms[1], hidden, role=roles["norm"], bias=norm_bias),
        *maps(mlp[:-1], width, hidden, "mlp"),
        *maps(mlp[-1:], hidden, width, "mlp"),
    ]


def layers(tensors: Sequence[TensorSpec], each: str, n: int) -> Iterator[TensorSpec]:
    """The same layer ``n`` times, at ``each``: ``vision_tower.encoder.layers.``."""
    return place(tensors, f"{each}{{layer}}.", range(n))


def norm(name: str, size: int, *, role: str = "vision", bias: bool = True) -> list[TensorSpec]:
    """A norm, with a bias (LayerNorm) or without one (RMSNorm)."""
    weight = TensorSpec(f"{name}.weight", (size,), role)
    return [weight, TensorSpec(f"{name}.bias", (size,), role, "bias")] if bias else [weight]


def conv(
    name: str, out: int, inn: int, kernel: Sequence[int], *, role: str = "vision", bias: bool = True
) -> list[TensorSpec]:
    """A convolution of one, two or three dimensions: weight (out, in, *kernel)."""
    weight = TensorSpec(f"{name}.weight", (out, inn, *kernel), role)
    return [weight, TensorSpec(f"{name}.bias", (out,), role, "bias")] if bias else [weight]


def table(name: str, *shape: int, role: str = "vision") -> TensorSpec:
    """A learned table: positions, a class token, queries."""
    return TensorSpec(name, shape, role)


def maps(*each: tuple[str, int, int], bias: bool = True, role: str = "projector") -> list[TensorSpec]:
    """Linear maps one after the other, each as (name, out, in)."""
    return [t for name, out, inn in each for t in linear(name, out, inn, role=role, bias=bias)]


def two_layers(
    at: str, seen: int, text: int, *, names: Sequence[str] = ("linear_1", "linear_2"), bias: bool = True
) -> list[TensorSpec]:
    """The projector of two maps that most models have: from what the tower sees to the text width, and once more."""
    return maps((f"{at}{names[0]}", text, seen), (f"{at}{names[1]}", text, text), bias=bias)


def pooling_head(at: str, hidden: int, width: int) -> list[TensorSpec]:
    """SigLIP's pooling: one learned query attends to all patches."""
    return [
        table(f"{at}probe", 1, 1, hidden),
        TensorSpec(f"{at}attention.in_proj_weight", (3 * hidden, hidden), "vision"),
        TensorSpec(f"{at}attention.in_proj_bias", (3 * hidden,), "vision", "bias"),
        *linear(f"{at}attention.out_proj", hidden, hidden, role="vision", bias=True),
        *norm(f"{at}layernorm", hidden),
        *linear(f"{at}mlp.fc1", width, hidden, role="vision", bias=True),
        *linear(f"{at}mlp.fc2", hidden, width, role="vision", bias=True),
    ]


def pair(c: Config, key: str) -> tuple[Dim, Dim]:
    """A size that is one number, or one for the height and one for the width."""
    value = c.get(key)
    if not isinstance(value, list | tuple):
        one = c.__getattr__(key)
        return one, one
    if len(value) != 2 or not all(type(n) is int and n > 0 for n in value):
        raise c.error(key, value, "must be a whole number, or two of them")
    return Dim.field(f"{key}[0]", value[0]), Dim.field(f"{key}[1]", value[1])


def patches(c: Config, image: str = "image_size", patch: str = "patch_size") -> Dim:
    """The patches of one image, whatever rest the division leaves."""
    (high, wide), (ph, pw) = pair(c, image), pair(c, patch)
    return (high // ph) * (wide // pw)


def fraction(c: Config, key: str) -> Fraction:
    """A number that may be written with a point: 4, 4.0, 0.5."""
    value = c.get(key)
    if type(value) not in (int, float) or not 0 < value < 1 << 20:
        raise c.missing(key) if value is None else c.error(key, value, "must be a number above 0")
    return Fraction(str(value))


def times(c: Config, size: Dim, key: str) -> Dim:
    """A size times a ratio of the config: ``hidden_size × mlp_ratio``."""
    ratio = fraction(c, key)
    whole = size * ratio.numerator if ratio.denominator == 1 else None
    if whole is not None:
        return size * Dim.field(key, ratio.numerator)
    return Dim.field(f"({size.symbols} × {key})", int(size) * ratio.numerator // ratio.denominator)


def features(c: Config, key: str = "vision_feature_layer") -> Dim | int:
    """How many layers of the tower are laid side by side for the projector: a list names several."""
    value = c.get(key)
    if not isinstance(value, list | tuple):
        return 1
    if not value:
        raise c.error(key, value, "must name at least one layer")
    return Dim.field(f"len({key})", len(value))


def stages(c: Config) -> int:
    """How many stages: one for each entry of ``depths``."""
    depths = c.get("depths")
    if not isinstance(depths, list | tuple) or not depths:
        raise c.error("depths", depths, "must be a list with one entry a stage")
    return len(depths)
