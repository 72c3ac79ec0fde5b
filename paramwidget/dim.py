"""Integers that remember the config fields they came from.

A count that cannot say where it comes from is a number to believe or not; a ``Dim`` carries its formula, so that
each shape explains itself in symbols and in numbers.
"""

from __future__ import annotations

from collections.abc import Callable

_ATOM, _PRODUCT, _SUM = 3, 2, 1  # how tightly an operator binds


class Dim(int):
    """An int with a formula.

    >>> heads, head_dim = Dim.field("num_attention_heads", 64), Dim.field("head_dim", 64)
    >>> width = heads * head_dim
    >>> width == 4096, width.symbols, width.numbers
    (True, 'num_attention_heads × head_dim', '64 × 64')

    ``+``, ``-``, ``*`` and ``//`` of a Dim and an int give a Dim; every other operation gives a plain int.
    The formula is rendered only when asked for.
    """

    _op: str = "literal"  # a bare Dim(5) is a number without a field
    _args: tuple[object, ...] = ()

    @classmethod
    def field(cls, name: str, value: int) -> Dim:
        """The value of one config field."""
        return _node(value, "field", (name,))

    @property
    def symbols(self) -> str:
        """The formula in config fields: ``2 × num_key_value_heads × head_dim``."""
        return _render(self, False)[0]

    @property
    def numbers(self) -> str:
        """The same formula in numbers: ``2 × 8 × 64``."""
        return _render(self, True)[0]

    def __add__(self, other: object) -> Dim:
        return _binary("+", self, other, int.__add__)

    def __radd__(self, other: object) -> Dim:
        return _binary("+", other, self, int.__add__)

    def __sub__(self, other: object) -> Dim:
        return _binary("−", self, other, int.__sub__)

    def __rsub__(self, other: object) -> Dim:
        return _binary("−", other, self, int.__sub__)

    def __mul__(self, other: object) -> Dim:
        return _binary("×", self, other, int.__mul__)

    def __rmul__(self, other: object) -> Dim:
        return _binary("×", other, self, int.__mul__)

    def __floordiv__(self, other: object) -> Dim:
        return _binary("÷", self, other, int.__floordiv__)

    def __rfloordiv__(self, other: object) -> Dim:
        return _binary("÷", other, self, int.__floordiv__)

    def ceil_div(self, other: int) -> Dim:
        """How many blocks of ``other`` cover this: ``⌈hidden_size ÷ 128⌉``."""
        return _node(-(-int(self) // int(other)), "ceil", (self, other))

    def __reduce__(self) -> tuple[object, ...]:
        return _node, (int(self), self._op, self._args)

    def __repr__(self) -> str:
        return int.__repr__(self)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return int.__format__(self, spec)


def _node(value: int, op: str, args: tuple[object, ...]) -> Dim:
    dim = int.__new__(Dim, value)
    dim._op = op
    dim._args = args
    return dim


def _binary(op: str, a: object, b: object, apply: Callable[[int, int], int]) -> Dim:
    if not (isinstance(a, int) and isinstance(b, int)):
        return NotImplemented  # type: ignore[no-any-return]  # so that Python asks the other operand
    return _node(apply(int(a), int(b)), op, (a, b))


def _render(value: object, numbers: bool) -> tuple[str, int]:
    """The formula of a value and how tightly its outermost operator binds.

    Operands first, by a list of what is left to do: a sum of thousands is deeper than calls may nest.
    """
    done: list[tuple[str, int]] = []
    left: list[tuple[object, bool]] = [(value, False)]
    while left:
        node, operands_done = left.pop()
        if not isinstance(node, Dim) or node._op in ("field", "literal"):
            done.append((_leaf(node, numbers), _ATOM))
        elif operands_done:
            b, a = done.pop(), done.pop()
            done.append(_operation(node, a, b))
        else:
            left.append((node, True))
            left += ((operand, False) for operand in reversed(node._args))
    return done[0]


def _leaf(value: object, numbers: bool) -> str:
    if isinstance(value, Dim) and value._op == "field" and not numbers:
        return str(value._args[0])
    return f"{value:,}"


def _operation(node: Dim, left: tuple[str, int], right: tuple[str, int]) -> tuple[str, int]:
    """A formula of two, each given with how tightly it binds."""
    op, (a, a_level), (b, b_level) = node._op, left, right
    if op == "ceil":
        return f"⌈({a}) ÷ {b}⌉" if " " in a else f"⌈{a} ÷ {b}⌉", _ATOM
    level = _PRODUCT if op in "×÷" else _SUM
    if a_level < level:
        a = f"({a})"
    # a − (b + c) and a × (b ÷ c) mean something else without their brackets
    if b_level < level or (b_level == level and (op in "−÷" or _top(node._args[1]) in ("÷", "−"))):
        b = f"({b})"
    return f"{a} {op} {b}", level


def _top(value: object) -> str:
    return value._op if isinstance(value, Dim) else ""


def formula(shape: tuple[int, ...], numbers: bool = False) -> str:
    """The product of a shape's dimensions, each compound one in brackets.

    >>> formula((Dim.field("vocab_size", 8), Dim.field("num_heads", 2) * Dim.field("head_dim", 3)))
    'vocab_size × (num_heads × head_dim)'
    """
    if not shape:
        return "1"
    if len(shape) == 1:
        return _render(shape[0], numbers)[0]
    parts = [_render(d, numbers) for d in shape]
    return " × ".join(text if level == _ATOM else f"({text})" for text, level in parts)
