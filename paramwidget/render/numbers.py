"""Numbers as a reader sees them; js/src/format.ts is the twin."""

from __future__ import annotations


def short(n: int) -> str:
    """Two places of a trillion or a billion, one of a million, all digits of less: 116.83B, 0.58B, 13.3M, 2,304.

    From a fifth of a billion on the unit is B, as cards print it; rounding is done on integers, half upwards.

    >>> short(116_829_156_672), short(579_133_440), short(13_275_648), short(2304)
    ('116.83B', '0.58B', '13.3M', '2,304')
    """
    if n >= 999_995 * 10**6:
        return f"{decimal(n, 10**12, 2)}T"
    if n >= 2 * 10**8:
        return f"{decimal(n, 10**9, 2)}B"
    if n >= 10**6:
        return f"{decimal(n, 10**6, 1)}M"
    return exact(n)


def decimal(n: int, unit: int, places: int) -> str:
    """``n`` in units, rounded to some places without leaving the integers.

    >>> decimal(5_132_849_472, 10**9, 2), decimal(7, 8, 1)
    ('5.13', '0.9')
    """
    scaled = (2 * n * 10**places + unit) // (2 * unit)
    return f"{scaled // 10**places:,}.{scaled % 10**places:0{places}d}"


def both_units(n: int) -> str:
    """Bytes in powers of 1,024 and in powers of 1,000, each with its unit.

    >>> both_units(65_248_815_744), both_units(145_752_064), both_units(131_072)
    ('60.8 GiB, 65.25 GB', '139.0 MiB, 145.75 MB', '131,072 bytes')
    """
    if n < 10**6:
        return f"{exact(n)} bytes"
    power = 2 if n < 10**9 else 3 if n < 10**12 else 4
    unit = "MGT"[power - 2]
    binary = decimal(n, 1024**power, 2 if power > 3 else 1)
    return f"{binary} {unit}iB, {decimal(n, 1000**power, 2)} {unit}B"


def exact(n: int) -> str:
    """All digits, in groups of three."""
    return f"{n:,}".replace("-", "−")


def percent(part: int, whole: int) -> str:
    """A share: a part that is there never reads as 0%, nor as all of it when it is not.

    >>> percent(98, 100), percent(2304, 5_711_982_912), percent(0, 5), percent(5, 5), percent(99_999, 100_000)
    ('98.0%', '0.00004%', '0%', '100%', '> 99.9%')
    """
    if not part or not whole:
        return "0%"
    # tenths of a percent where they say something, else the first digit that is not 0
    places = 1
    while 100 * 100 * part * 10**places < 95 * whole:
        places += 1
    shown = decimal(100 * part, whole, places)
    if shown == "100.0" and part <= whole:
        return "100%" if part == whole else "> 99.9%"
    return f"{shown}%"


def times(a: int, b: int) -> str:
    """A ratio: ``20.5 ×``, below ten ``5.32 ×``."""
    return f"{decimal(a, b, 2 if a < 10 * b else 1)} ×"
