"""The rules of tie-breaks by ratings, typed, and the criteria as people write them."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from arpad.errors import BadInput, UnknownName
from arpad.messages import say
from arpad.rulebooks.rulebook import Rule, Rulebook, positive, rounding_name, text

WRITTEN = re.compile(r"([A-Z]+)(?:[/-]([CMR])(\d*))?")  # ARO, ARO/C1, ARO-M2, RTNG/R


class TieRules(NamedTuple):
    """The rules of tie-breaks by ratings on a day."""

    criteria: Rule[tuple[str, ...]]
    played: Rule[tuple[str, ...]]
    short_games: Rule[tuple[str, ...]]
    forfeits: Rule[str]
    aro: Rule[str]
    cuts: Rule[int]
    apro: Rule[str]
    appo: Rule[str]
    unrated: Rule[str]
    no_games: Rule[str]


def _words(value: Any) -> tuple[str, ...]:
    return tuple(text(one) for one in value)


READERS: Mapping[str, Callable[[Any], Any]] = {
    "criteria": _words,
    "played": _words,
    "short_games": _words,
    "forfeits": text,
    "aro": rounding_name,
    "cuts": positive,
    "apro": rounding_name,
    "appo": rounding_name,
    "unrated": text,
    "no_games": text,
}


@cache
def rulebook(readings: tuple[tuple[str, str], ...] = ()) -> Rulebook[TieRules]:
    """The rulebook of tie-breaks by ratings under the chosen readings."""
    return Rulebook("fide-ties", TieRules, READERS, readings=dict(readings))


class Criterion(NamedTuple):
    """A tie-break as people write it, `ARO/C1`: its name and what is left out at either end, or whether low is good."""

    name: str
    lowest: int = 0
    highest: int = 0
    reversed: bool = False

    def __str__(self) -> str:
        if self.reversed:
            return f"{self.name}/R"
        return f"{self.name}/{'M' if self.highest else 'C'}{self.lowest}" if self.lowest else self.name


def parse_criterion(written: str, rules: TieRules, on: date) -> Criterion:
    """`ARO`, `ARO/C1`, `ARO/M2`, `TPR` …: a criterion by ratings of the edition in force."""
    matched = WRITTEN.fullmatch(written.strip().upper())
    if matched is None or matched[1] not in rules.criteria.value:
        raise UnknownName("tie_break", written, of=on, known=rules.criteria.value, at="by")
    name, kind, digits = matched.groups()
    count = int(digits or 1)
    if kind is None or (kind == "R" and name == "RTNG" and not digits):
        return Criterion(name, reversed=kind == "R")
    if kind == "R" or name != "ARO" or not 1 <= count <= rules.cuts.value:
        raise BadInput(say("tournaments.ties.not_a_criterion", written=written), at="by")
    return Criterion(name, count, count if kind == "M" else 0)
