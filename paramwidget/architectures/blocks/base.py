"""What a block is, and the smallest ones: a linear map, a vector, a norm."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...config import Config
from ...layers import LayerRun
from ...tensors import TensorSpec

#: what an architecture yields: its tensors, and the layers they make up
Part = TensorSpec | LayerRun

#: a norm's tensors, given its name
Norm = Callable[[str], list[TensorSpec]]


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of one layer.

    tensors  named relative to the layer, with the copies that ONE layer holds
    facts    what a LayerSpec is to know of it: mixer, window, kv_heads, k_dim, v_dim ...
    """

    tensors: tuple[TensorSpec, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)

    def with_facts(self, **facts: Any) -> Block:
        """The same tensors, described otherwise."""
        return Block(self.tensors, {**self.facts, **facts})

    def plus(self, *tensors: TensorSpec) -> Block:
        """The same block with more tensors."""
        return Block(self.tensors + tensors, self.facts)


#: no feed-forward, or no mixer, in a layer that has only the other
NO_FFN = Block((), {"ffn": "none"})
NO_MIXER = Block((), {"mixer": "none"})


def together(*blocks: Block) -> Block:
    """Blocks of one layer that run side by side; where they say different things of the layer, the first is heard."""
    facts: dict[str, Any] = {}
    for block in reversed(blocks):
        facts.update(block.facts)
    return Block(tuple(t for block in blocks for t in block.tensors), facts)


def renamed(block: Block, names: Mapping[str, str]) -> Block:
    """The same block where files call its tensors otherwise; each key is a part of a name."""

    def name(old: str) -> str:
        for part, new in names.items():
            old = old.replace(part, new)
        return old

    return Block(tuple(replace(t, name=name(t.name)) for t in block.tensors), block.facts)


def recurrent(carried: int, inputs: int, mixer: str = "ssm") -> dict[str, object]:
    """What a LayerSpec is to know of a mixer that keeps a state instead of keys and values.

    carried  elements that a recurrence carries on, in 32 bits
    inputs   elements of the last inputs, which a convolution or a shift reads again, as wide as they came
    """
    return {"mixer": mixer, "state_elements": int(carried + inputs), "state_float32": int(carried)}


def linear(
    name: str,
    out: int,
    inn: int,
    *,
    role: str,
    bias: bool = False,
    implied_bias: bool = False,
    transposed: bool = False,
    copies: int = 1,
    active: int | None = None,
    implied: bool = False,
    note: str = "",
) -> list[TensorSpec]:
    """A linear map: weight (out, inn), as torch stores it, and a bias (out,) where there is one.

    ``transposed`` is GPT-2's Conv1D, which stores (inn, out). ``copies`` and ``active`` count experts of one layer.
    """
    shape = (inn, out) if transposed else (out, inn)
    used = copies if active is None else active
    out_tensors = [
        TensorSpec(
            f"{name}.weight", shape, role, copies=copies, active_copies=used, implied=implied, note=note
        )
    ]
    if bias:
        out_tensors.append(
            TensorSpec(
                f"{name}.bias",
                (out,),
                role,
                "bias",
                copies=copies,
                active_copies=used,
                implied=implied or implied_bias,
            )
        )
    return out_tensors


def vector(
    name: str, size: int, *, role: str, kind: str = "weight", implied: bool = False, note: str = ""
) -> TensorSpec:
    """One vector of a layer: a norm's weight, attention sinks, a correction bias."""
    return TensorSpec(name, (size,), role, kind, implied=implied, note=note)


def inverse_frequencies(head_dim: int) -> TensorSpec:
    """The frequencies of rotary positions as older code stores them in each layer: one for two dimensions of a head."""
    name = "self_attn.rotary_emb.inv_freq"
    return vector(name, head_dim // 2, role="attention", kind="buffer", implied=True)


def rms_norm(c: Config) -> Norm:
    """A norm with a weight and no bias."""
    return lambda name: [vector(f"{name}.weight", c.hidden_size, role="norm")]


def layer_norm(c: Config, size: int | None = None, *, bias: bool = True, role: str = "norm") -> Norm:
    """A norm with a weight and a bias, over hidden_size or ``size``."""
    size = c.hidden_size if size is None else size

    def tensors(name: str) -> list[TensorSpec]:
        weight = vector(f"{name}.weight", size, role=role)
        return [weight, vector(f"{name}.bias", size, role=role, kind="bias")] if bias else [weight]

    return tensors


def normed(norm: Norm, *names: str) -> Block:
    """Norms of a layer as a block."""
    return Block(tuple(t for name in names for t in norm(name)))


def no_norm(name: str) -> list[TensorSpec]:
    """A norm without parameters."""
    return []


def by_layer(kinds: Sequence[str], **blocks: Block) -> list[Block]:
    """One block a layer, chosen by the layer's kind."""
    return [blocks[kind] for kind in kinds]


def place(
    tensors: Iterable[TensorSpec],
    stem: str,
    layers: tuple[int, ...] | range | None = None,
    role: str | None = None,
) -> Iterator[TensorSpec]:
    """Tensors of one layer, put into every one of ``layers``; with None, once; with no layer, nowhere.

    ``role`` overrides theirs: an MTP layer is MTP whole.
    """
    if layers is not None and not layers:
        return
    n = 1 if layers is None else len(layers)
    for t in tensors:
        yield TensorSpec(
            stem + t.name,
            t.shape,
            role or t.role,
            t.kind,
            layers or (),
            n * t.copies,
            n * t.active_copies,
            n * t.active_low,
            t.stacked,
            t.tied_to,
            t.implied,
            t.dtype,
            t.note,
        )
