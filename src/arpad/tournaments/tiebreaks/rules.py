"""The typed rules of tie-breaks on a day."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from arpad.rulebooks import Rule, Rulebook, one_of, positive, rounding_name, text


class TieRules(NamedTuple):
    """The rules of tie-breaks on a day; a rule that the edition does not have is None."""

    criteria: Rule[Mapping[str, str]]
    team_criteria: Rule[Mapping[str, str]]
    round_robin: Rule[tuple[str, ...]]
    opponents: Rule[str]
    dummy: Rule[str]
    voluntary: Rule[str]
    cuts: Rule[int]
    own_forfeits: Rule[str]
    played: Rule[tuple[str, ...]]
    short_games: Rule[tuple[str, ...]]
    forfeits: Rule[str]
    unrated: Rule[str]
    no_games: Rule[str]
    pts: Rule[str]
    de: Rule[str]
    win: Rule[str]
    won: Rule[str]
    bpg: Rule[str]
    bwg: Rule[str]
    ps: Rule[str]
    rep: Rule[str]
    bh: Rule[str]
    aob: Rule[str]
    fb: Rule[str]
    sb: Rule[str]
    ks: Rule[str]
    aro: Rule[str]
    tpr: Rule[str]
    ptp: Rule[str]
    apro: Rule[str]
    appo: Rule[str]
    mpvgp: Rule[str]
    esb: Rule[str]
    ede: Rule[str]
    bc: Rule[str]
    tbr: Rule[str]
    bbe: Rule[str]
    sssc: Rule[str]
    std: Rule[str] | None = None
    tpn: Rule[str] | None = None
    rtng: Rule[str] | None = None

    def of(self, name: str) -> Rule[str]:
        """The rule that defines a criterion."""
        rule: Rule[str] = getattr(self, SPELT.get(name, name.lower()))
        return rule


# Criteria that another rule defines.
SPELT = {
    "GE": "rep", "EMMSB": "esb", "EMGSB": "esb", "EGMSB": "esb", "EGGSB": "esb",
    "EDEC": "ede", "EDET": "ede", "EDEB": "ede", "EDEBT": "ede", "EDEBB": "ede",
}  # fmt: skip


def _words(value: Any) -> tuple[str, ...]:
    return tuple(text(word) for word in value)


def _modifiers(value: Any) -> Mapping[str, str]:
    return {text(name): text(letters) for name, letters in value.items()}


READERS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(TieRules._fields, text),
    "criteria": _modifiers,
    "team_criteria": _modifiers,
    "round_robin": _words,
    "opponents": one_of("last byes drawn"),
    "dummy": one_of("own points", "own points, limited"),
    "voluntary": one_of("first"),
    "cuts": positive,
    "own_forfeits": one_of("all", "won", "no"),
    "played": _words,
    "short_games": _words,
    "aro": rounding_name,
    "apro": rounding_name,
    "appo": rounding_name,
}


@cache
def rulebook(readings: tuple[tuple[str, str], ...] = ()) -> Rulebook[TieRules]:
    """The rulebook of tie-breaks under the chosen readings."""
    return Rulebook("fide-ties", TieRules, READERS, readings=dict(readings))
