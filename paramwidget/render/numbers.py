"""Numbers as a reader sees them; js/src/format.ts is the twin."""

from __future__ import annotations

_UNITS = ((10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K"))


def short(n: int) -> str:
    """Two places of the unit that fits: 116.83B, 0.58B, 13.28M, 2.30K, 64.

    From half a billion on the unit is B, as cards print it; rounding is done on integers, half away from zero.

    >>> short(116_829_156_672), short(579_133_440), short(13_275_648), short(640)
    ('116.83B', '0.58B', '13.28M', '640')
    """
    sign, n = ("−", -n) if n < 0 else ("", n)
    if n < 1000:
        return f"{sign}{n}"
    unit, letter = next((u, s) for u, s in _UNITS if n >= u or (u == 10**9 and 2 * n >= u))
    hundredths = (200 * n + unit) // (2 * unit)
    return f"{sign}{hundredths // 100}.{hundredths % 100:02d}{letter}"


def exact(n: int) -> str:
    """All digits, in groups of three."""
    return f"{n:,}".replace("-", "−")


def percent(part: int, whole: int) -> str:
    """A share that is never 0% of something: 98.2%, 0.2%, 0.00004%.

    >>> percent(2304, 5_711_982_912), percent(98, 100), percent(0, 5)
    ('0.00004%', '98.0%', '0%')
    """
    if not part or not whole:
        return "0%"
    # tenths of a percent, while they say something; then the first digit that is not 0
    places = 1
    while 2 * abs(part) * 100 * 10**places < whole and places < 15:
        places += 1
    scaled = (2 * part * 100 * 10**places + whole) // (2 * whole)
    return f"{scaled // 10**places}.{scaled % 10**places:0{places}d}%"


def times(a: int, b: int) -> str:
    """A ratio with one place: ``20.5 ×``."""
    tenths = (20 * a + b) // (2 * b)
    return f"{tenths // 10}.{tenths % 10} ×"
