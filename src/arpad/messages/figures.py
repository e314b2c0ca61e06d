"""Numbers as people write them."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.messages.catalogue import entry
from arpad.messages.voice import voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TINY, SMALL = 0.001, 0.1  # a volatility is small, the chance in a hopeless game is tiny
MOST_DECIMALS = 4
LISTED = 8  # numbers or names that a sentence lists before "and 12 more"


def figure(value: object, *, signed: bool = False) -> str:
    """A number with a proper minus sign and no needless digits; anything else as text."""
    if isinstance(value, bool):
        return _word("yes" if value else "no")
    if isinstance(value, int):
        text = str(value)
    elif isinstance(value, Decimal):
        text = _decimal(value)
    elif isinstance(value, float):
        text = f"{_shortened(value):f}"
    else:
        return str(value)
    if text[0] == "-":
        return f"−{text[1:]}"
    return f"+{text}" if signed and value else text


def counted(value: object, forms: Sequence[str]) -> str:
    """A count with its noun, singular or plural: `1 game`, `1,500 games`."""
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not a count of {forms[-1]}")
    return f"{value:,} {forms[0] if value == 1 else forms[-1]}"


def listed(values: Iterable[object]) -> str:
    """Values with commas: `3, 5, 8`; a long list gives the first few and says how many more."""
    shown = [figure(value) for value in values]
    more = len(shown) - LISTED
    return ", ".join(shown) if more <= 0 else _word("more").format(shown=", ".join(shown[:LISTED]), more=more)


def _word(key: str) -> str:
    """A word used among figures, in the current language."""
    return entry(voice().language, f"values.word.{key}")


def _decimal(value: Decimal) -> str:
    """A decimal written out; zero has no sign, and more than four decimals are rounded to three."""
    text = _digits(value)
    decimals = len(text.partition(".")[2])
    if decimals > MOST_DECIMALS:
        return _digits(value.quantize(Decimal("0.001")))
    return text.removesuffix(".0") if decimals == 1 else text


def _digits(value: Decimal) -> str:
    text = str(value)
    return text if value and "E" not in text else f"{value or abs(value):f}"


def _shortened(value: float) -> Decimal:
    """A constant such as 173.7178 in full; otherwise three decimals, or the leading digits of a small number."""
    digits = f"{value:.9g}"
    if float(digits) != value:
        digits = f"{value:.3f}" if abs(value) >= SMALL else f"{value:.5g}" if abs(value) >= TINY else f"{value:.3g}"
    return Decimal(digits).normalize() + 0
