"""What a model takes of a machine's memory: its weights, its cache of keys and values, and states of a fixed size.

js/src/memory.ts is the twin: it does the same sums from what the wire sends of weights (``weigh``) and layers.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import Any

from ..breakdown import MAX_COUNT, Breakdown
from ..errors import OptionError, shown
from .cache import Kept, KindMemory
from .dtypes import dtype_named
from .positions import positions
from .token import Token, a_token
from .weights import expert_layers, touched, weigh

#: tokens of a sequence, unless the config names fewer positions
CONTEXT = 32_768
#: tokens and sequences beyond these no machine holds
MAX_CONTEXT = 1_000_000_000
MAX_BATCH = 1_000_000


@dataclass(frozen=True, slots=True)
class Experts:
    """Layers with experts that are alike, and how many of them a batch reads.

    touched  the expected number in each of these layers, for uniform routing; each token chooses by itself
    """

    layers: int
    experts: int
    used: int
    touched: float


@dataclass(frozen=True, slots=True)
class Memory:
    """What a model takes of memory, for a context and a batch; bytes throughout.

    weight_bytes        all tensors; None where the config does not say how files store them (by_role says which)
    weight_dtype        the dtype asked for; None: as the files store them
    kv_bytes_per_token  one more token of one sequence, while every layer grows
    growth              (tokens, bytes a token): from so many tokens on, one more costs so much
    kv_bytes            keys and values of the batch that a layer can still see: the least that is needed
    kv_bytes_reserved   the same where an engine allocates the full length in every layer
    kv_bytes_expanded   the same as kv_bytes where an engine makes keys and values of latent vectors before it
                        keeps them; None without such layers
    state_bytes         states of linear attention, state spaces and convolutions
    by_role, by_kind    the parts of weight_bytes, and of the rest
    experts             how many experts a batch reads, for each group of layers with experts
    token               what one token reads of the active parameters, and what it multiplies by
    read_per_token      parameters that one token reads: of a table that is only looked up its rows, all else whole
    flops_per_token     2 × the weights of matrices and convolutions that one token multiplies by, each once: attention
                        over the context is not in it, nor are norms, biases, states and rows that are looked up
    positions           how many the config names; None where it names none. A context may be longer
    not_predicted       why the config does not say the bytes of the weights, where it does not
    known               False where the layers are not described: then there are weights only

    None of this is latency: that depends on the machine, on how it is used, and on what is read at once.
    """

    model: str
    context: int
    batch: int
    weight_dtype: str | None
    kv_dtype: str
    encoder_length: int | None
    weight_bytes: int | None
    by_role: dict[str, int | None]
    kv_bytes_per_token: int | None
    growth: tuple[tuple[int, int], ...]
    kv_bytes: int | None
    kv_bytes_reserved: int | None
    kv_bytes_expanded: int | None
    state_bytes: int | None
    by_kind: tuple[KindMemory, ...]
    experts: tuple[Experts, ...]
    active: int
    token: Token
    positions: int | None = None
    known: bool = True
    not_predicted: str = ""

    @property
    def kv_bytes_per_token_past_windows(self) -> int | None:
        """One more token of one sequence, once every window is full."""
        return self.growth[-1][1] if self.known else None

    @property
    def flops_per_token(self) -> int:
        return 2 * self.token.multiplied

    @property
    def read_per_token(self) -> int:
        return self.token.read

    @property
    def keeps(self) -> bool:
        """Whether it keeps anything of a context; an encoder reads a text once, whole."""
        return bool(self.kv_bytes or self.state_bytes)

    @property
    def total_bytes(self) -> int | None:
        """Weights, cache and states; None where one of them is not known."""
        parts = (self.weight_bytes, self.kv_bytes, self.state_bytes)
        return None if None in parts else sum(p for p in parts if p is not None)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data: what ``paramwidget memory --json`` prints."""
        from ..render.memory import to_dict

        return to_dict(self)

    def to_text(self) -> str:
        """A table for the terminal."""
        from ..render.memory import to_text

        return to_text(self)

    def _repr_html_(self) -> str:
        from ..render.memory import to_fragment

        return to_fragment(self)

    def __repr__(self) -> str:
        from ..render.memory import summary

        return f"<Memory {self.model}: {summary(self)}>"


def memory(
    b: Breakdown,
    context: int | None = None,
    batch: int = 1,
    weight_dtype: str | None = None,
    kv_dtype: str = "bfloat16",
    *,
    encoder_length: int | None = None,
) -> Memory:
    """What a model takes of memory: weights, keys and values of a context, and states.

    context         tokens of each sequence, at least 1; None: 32,768, or all positions where the config names fewer
    batch           sequences at once, at least 1
    weight_dtype    a key of DTYPES; None: as the files store them. One of fewer than 16 bits converts linear maps only
    kv_dtype        how keys and values are kept. It never shrinks a state: recurrences stay in 32 bits, the last inputs
                    of convolutions in 16 or more
    encoder_length  tokens of the encoder; None: what the architecture fixes (Whisper's 1,500 frames, the patches of
                    an image that fills all tiles), else as many as the context

    Raises OptionError for a number out of range or a dtype that is not known.

    >>> from paramwidget import count
    >>> m = memory(count("openai/gpt-oss-120b"), context=131_072)
    >>> m.weight_bytes, m.kv_bytes_per_token, m.kv_bytes_per_token_past_windows, m.kv_bytes
    (65248815744, 73728, 36864, 4836556800)
    """
    if not isinstance(b, Breakdown):
        raise OptionError(
            f"memory() takes what count() gives, as in memory(count(model)), and not {shown(b)}.",
            name="b",
            value=b,
        )
    named = positions(b)
    if context is None:
        context = min(CONTEXT, named or CONTEXT)
    context, batch = natural(context, "context", MAX_CONTEXT), natural(batch, "batch", MAX_BATCH)
    kv_dtype = dtype_named(kv_dtype, "kv_dtype")
    if encoder_length is not None:
        encoder_length = natural(encoder_length, "encoder_length", MAX_CONTEXT, least=0)
    if weight_dtype is not None:
        weight_dtype = dtype_named(weight_dtype, "weight_dtype")
    by_role = {w.role: w.bytes_in(weight_dtype) if weight_dtype else w.stored_bytes for w in weigh(b)}
    weights = [n for n in by_role.values() if n is not None]
    known = bool(b.runs) or not any(t.role in ("attention", "linear_attention", "ssm") for t in b.tensors)
    kept = Kept(b.runs, context, batch, kv_dtype, encoder_length)
    expanded = kept.bytes(expanded=True)
    return Memory(
        model=b.model,
        context=context,
        batch=batch,
        weight_dtype=weight_dtype,
        kv_dtype=kv_dtype,
        encoder_length=encoder_length,
        weight_bytes=checked(sum(weights)) if len(weights) == len(by_role) else None,
        by_role=by_role,
        kv_bytes_per_token=kept.a_token(1) if known else None,
        growth=kept.growth() if known else (),
        kv_bytes=checked(kept.bytes()) if known else None,
        kv_bytes_reserved=checked(kept.bytes(reserved=True)) if known else None,
        kv_bytes_expanded=checked(expanded) if any(run.like.latent for run in b.runs) else None,
        state_bytes=checked(kept.state_bytes()) if known else None,
        by_kind=tuple(kept.by_kind()) if known else (),
        experts=tuple(
            Experts(layers, count, used, touched(count, used, batch))
            for layers, count, used in expert_layers(b)
        ),
        active=b.active,
        token=a_token(b),
        positions=named,
        known=known,
        not_predicted=b.not_predicted,
    )


def natural(value: Any, name: str, most: int, least: int = 1) -> int:
    """A whole number within bounds, else an OptionError that names them."""
    allowed = f"{name} must be a whole number from {least:,} to {most:,}"
    try:
        n = index(value)
    except TypeError:
        raise OptionError(f"{allowed}, not {shown(value)}.", name=name, value=value) from None
    if isinstance(value, bool) or not least <= n <= most:
        raise OptionError(f"{allowed}, not {shown(value)}.", name=name, value=value)
    return n


def checked(n: int) -> int:
    """A number of bytes that the browser can hold too."""
    if n > MAX_COUNT:
        raise OptionError(
            f"the cache would take {n:,} bytes, more than 2^53 − 1; ask for a smaller context or batch.",
            name="context",
            value=n,
        )
    return n
