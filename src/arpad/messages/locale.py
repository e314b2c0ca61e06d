"""How a language writes numbers, days, lists and counts: its file `locale.txt`, and the table of plural rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Literal

from arpad.messages.texts import ORIGINAL, languages, section, subject_texts

if TYPE_CHECKING:
    from datetime import date as Day  # noqa: N812  # a locale has a pattern called `date`


Count = int | Decimal


def _one(count: Count) -> int:
    return 0 if count == 1 else 1


def _none_or_one(count: Count) -> int:
    return 0 if count < 2 else 1


def _few(count: Count) -> bool:
    """After 2, 3, 4, 22 …, and after a fraction: 1½ очка."""
    return count % 1 != 0 or (2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14)


def _russian(count: Count) -> int:
    return 0 if count % 10 == 1 and count % 100 != 11 else 1 if _few(count) else 2


def _polish(count: Count) -> int:
    return 0 if count == 1 else 1 if _few(count) else 2


def _czech(count: Count) -> int:
    return 0 if count == 1 else 1 if 2 <= count <= 4 else 2


def _all_alike(_count: Count) -> int:
    return 0


DayKind = Literal["date", "day", "long_day", "month"]
MONTHS = ("month_of_day", "month_alone", "short_month")
ONE_OTHER, ONE_FEW_MANY = ("one", "other"), ("one", "few", "many")
# For each language the CLDR categories of whole numbers in the order of its forms, and which form a count takes. What
# CLDR calls "many" in Spanish or French, a round million, is written like any other number.
PLURALS: dict[str, tuple[tuple[str, ...], Callable[[Count], int]]] = {
    **dict.fromkeys(("en", "de", "es", "nl", "it", "ca", "sv", "hu", "el", "tr"), (ONE_OTHER, _one)),
    **dict.fromkeys(("fr", "pt"), (ONE_OTHER, _none_or_one)),
    **dict.fromkeys(("ru", "uk"), (ONE_FEW_MANY, _russian)),
    "pl": (ONE_FEW_MANY, _polish),
    "cs": (("one", "few", "other"), _czech),
    **dict.fromkeys(("id", "ja", "vi", "zh"), (("other",), _all_alike)),
}


def plural_form(language: str, count: Count, forms: Sequence[str]) -> str:
    """The form of a noun that a count takes in a language: of `партия|партии|партий`, 5 takes the last."""
    _, rule = PLURALS.get(language, PLURALS[ORIGINAL])
    return forms[min(rule(count if count >= 0 else -count), len(forms) - 1)]


@dataclass(frozen=True, slots=True)
class Locale:
    """How a language writes; its fields are the keys of `[locale]`."""

    language: str
    name: str  # what its speakers call it
    ships: bool  # complete, and offered everywhere; otherwise in the making
    reviewed: bool  # by a native speaker
    decimal: str
    thousands: str
    thousands_from: int  # the first number with a thousands mark
    quotes: str  # opening mark, three dots, closing mark
    typed: str  # the same around what somebody typed
    list: str
    last: str
    apart: str
    more: str
    first_day: str  # of a month, where its day is not two digits
    date: str
    day: str
    long_day: str
    month: str

    def number(self, text: str) -> str:
        """A number that is written with a point, with this language's decimal mark."""
        return text if self.decimal == "." else text.replace(".", self.decimal)

    def grouped(self, number: int) -> str:
        """A whole number in groups of three digits: 1,500."""
        between = self.thousands.removeprefix("{before}").removesuffix("{group}")
        return f"{number:,}".replace(",", between) if abs(number) >= self.thousands_from else str(number)

    def quoted(self, text: str) -> str:
        """A text between this language's quotation marks."""
        return self.quotes.replace("…", text)

    def joined(self, items: Sequence[str], word: str = "") -> str:
        """Items as people list them; with a word before the last of them: `a, b or c`."""
        between = self.list.removeprefix("{before}").removesuffix("{item}")
        if not word or len(items) <= 1:
            return between.join(items)
        return self.last.format(before=between.join(items[:-1]), word=word, item=items[-1])

    def kept_apart(self, items: Sequence[str]) -> str:
        """Items that may have commas of their own: `Rao, Vikram; Silva, Tomas`."""
        return self.apart.removeprefix("{before}").removesuffix("{item}").join(items)

    def shortened(self, items: Sequence[str], most: int) -> str:
        """A list of which only the first few are named: `3, 5, 8 and 12 more`."""
        if len(items) <= most:
            return self.joined(items)
        return self.more.format(shown=self.joined(items[:most]), more=len(items) - most)

    def dated(self, on: Day, kind: DayKind) -> str:
        """A day as this language writes it: among figures, short, in a sentence, or only its month."""
        pattern: str = getattr(self, kind)
        names = {name: section(self.language, f"locale.{name}")[str(on.month)] for name in MONTHS if name in pattern}
        two = {"dd": f"{on.day:02}", "mm": f"{on.month:02}", "year": f"{on.year:04}"}
        return pattern.format(d=self.first_day if on.day == 1 else on.day, m=on.month, **two, **names)


@cache
def locale_of(language: str) -> Locale:
    """How a language writes."""
    texts = subject_texts(language, "locale")
    given: dict[str, object] = {name: str(texts[name]) for name in Locale.__slots__ if name != "language"}
    given |= {name: texts[name] == "yes" for name in ("ships", "reviewed")}
    return Locale(language, **(given | {"thousands_from": int(texts["thousands_from"])}))  # type: ignore[arg-type]


def shipped() -> list[str]:
    """The languages that are complete and offered everywhere, English first."""
    return [one for one in languages() if locale_of(one).ships]


def plain_tag(wanted: str) -> str:
    """The language of a tag: of `de-AT`, `de_DE.UTF-8` and `DE` it is `de`."""
    return wanted.strip().lower().replace("_", "-").partition(".")[0].partition("-")[0]


def nearest(wanted: str) -> str | None:
    """The language that ships and that a tag asks for; None if there is none."""
    tag = plain_tag(wanted)
    return tag if tag in languages() and locale_of(tag).ships else None


def preferred(header: str) -> str | None:
    """The language that an `Accept-Language` header likes best among the shipped ones; None if it names none."""
    liked: list[tuple[float, int, str]] = []
    for place, part in enumerate(header.split(",")[:20]):
        tag, _, weight = part.partition(";q=")
        try:
            liked.append((-float(weight or 1), place, tag))
        except ValueError:
            continue
    for order, _, tag in sorted(liked):
        if order < 0 and (found := ORIGINAL if tag.strip() == "*" else nearest(tag)):
            return found
    return None
