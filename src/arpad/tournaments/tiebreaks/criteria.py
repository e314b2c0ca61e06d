"""Criteria as people write them or a file declares them, such as `BH/C1` and `KS/L-1`; and the rules of C.07."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from arpad.errors import BadInput, UnknownName
from arpad.messages import say, section, voice
from arpad.rulebooks import Rule, Rulebook, one_of, positive, rounding_name, text

if TYPE_CHECKING:
    from arpad.core.tournaments import Tournament


WRITTEN = re.compile(r"([A-Z]+)(?::(MP|GP))?((?:[/#!-](?:[CM]\d*|P|F|R|L[+-]?\d+|K\d+))*)")
MODIFIER = re.compile(r"[/#!-]([CMPFRLK])([+-]?\d*)")
OWN = "OTHER_"  # prefix of an organiser's own criterion
NAME = re.compile(r"[A-Z]+(?=[/:#!-])")
BETWEEN = re.compile(r"[,;\s]+")
ENCOUNTERS = frozenset({"DE", "EDE", "EDEC", "EDET", "EDEB", "EDEBT", "EDEBB"})  # only for tied players or teams
RATINGS = frozenset({"ARO", "TPR", "PTP", "APRO", "APPO", "RTNG"})
SPELLING = {"MPVGP": "MPvGP"}  # criteria that are not shown in capitals
WHOLE = 100  # per cent


class Criterion(NamedTuple):
    """A tie-break with its modifiers."""

    name: str
    score: str = ""  # MP or GP, for teams
    lowest: int = 0  # how many of the lowest values are left out
    highest: int = 0  # and of the highest
    forfeits_played: bool = False
    projected: bool = False  # as if the final round were drawn
    reversed: bool = False
    limit: str = ""  # of KS: +1 and −1 in half points, 60 as a percentage
    divisor: int = 0  # of SSSC

    def __str__(self) -> str:
        cut = f"/{'M' if self.highest else 'C'}{self.lowest}" if self.lowest else ""
        flags = "/P" * self.forfeits_played + "/F" * self.projected + "/R" * self.reversed
        values = f"/L{self.limit}" * bool(self.limit) + f"/K{self.divisor}" * bool(self.divisor)
        return f"{SPELLING.get(self.name, self.name)}{':' + self.score if self.score else ''}{cut}{flags}{values}"


POINTS = Criterion("PTS")


def parse_criterion(written: str, known: Mapping[str, str], most: int, on: date) -> Criterion:
    """A criterion of the edition in force; `known` has the modifiers of each, `most` is the largest cut.

    Raises UnknownName for a criterion that the edition does not have, BadInput for a modifier it does not take.
    """
    matched = WRITTEN.fullmatch(written.strip().upper())
    start = NAME.match(written.strip().upper())
    if matched is None and start is not None and start[0] in known:
        raise _bad_modifier(written, start[0], known, most)
    if matched is None or matched[1] not in known:
        meant = section(voice().language, "tournaments.other_criteria").get(written.strip().lower())
        names = [*(SPELLING.get(name, name) for name in known), *([] if meant is None else [meant])]
        raise UnknownName("tie_break", written, of=on, known=names, at="by", meant=meant)
    name, score, modifiers = matched.groups()
    given = MODIFIER.findall(modifiers or "")
    letters = [letter for letter, _ in given]
    count = next((int(digits or 1) for letter, digits in given if letter in "CM"), 0)
    twice = len(set(letters)) < len(letters) or {"C", "M"} <= set(letters)
    values = dict(given)
    cut = 1 <= count <= most or not {"C", "M"} & set(letters)
    limit = values.get("L", "")
    sensible = (not limit.isdecimal() or 0 < int(limit) <= WHOLE) and int(values.get("K", "1")) > 0
    if twice or not set(letters) <= set(known[name]) or not cut or not sensible:
        raise _bad_modifier(written, name, known, most)
    return Criterion(
        name,
        score=score or "",
        lowest=count,
        highest=count if "M" in values else 0,
        forfeits_played="P" in values,
        projected="F" in values,
        reversed="R" in values,
        limit=limit,
        divisor=int(values.get("K") or 0),
    )


def _bad_modifier(written: str, name: str, known: Mapping[str, str], most: int) -> BadInput:
    """The error for a criterion with other modifiers than it takes."""
    allowed = allowed_modifiers(known[name], most)
    key = "tournaments.ties.modifiers" if allowed else "tournaments.ties.no_modifier"
    return BadInput(say(key, written=written, name=name, allowed=allowed), at="by")


def allowed_modifiers(letters: str, most: int) -> list[str]:
    """The modifiers a criterion takes, as people write them."""
    counts = range(1, most + 1)
    written = {**{letter: [f"/{letter}{count}" for count in counts] for letter in "CM"}, "L": ["/L-1", "/L+1", "/L60"]}
    return [modifier for letter in letters for modifier in written.get(letter, [f"/{letter}{'5' * (letter == 'K')}"])]


def declared(tournament: Tournament) -> tuple[str, ...]:
    """The criteria that the file declares: record 212 including the points, otherwise record 202 after the points."""
    found = {record.code: record.text() for record in tournament.records if record.code in ("202", "212")}
    if found.get("212"):
        return tuple(filter(None, BETWEEN.split(found["212"].strip())))
    return tuple(name for name in BETWEEN.split(found.get("202", "").strip()) if name and name.upper() != "PTS")


@cache
def rulebook(readings: tuple[tuple[str, str], ...] = ()) -> Rulebook[TieRules]:
    """The rulebook of tie-breaks under the chosen readings."""
    return Rulebook("fide-ties", TieRules, READERS, readings=dict(readings))


class TieRules(NamedTuple):
    """The rules of tie-breaks on a day; a rule that the edition does not have is None."""

    criteria: Rule[Mapping[str, str]]
    team_criteria: Rule[Mapping[str, str]]
    round_robin: Rule[tuple[str, ...]]
    recommended: Rule[Mapping[str, tuple[str, ...]]]
    opponents: Rule[str]
    dummy: Rule[str]
    voluntary: Rule[str]
    cuts: Rule[int]
    own_forfeits: Rule[str]
    koya_forfeits: Rule[str]
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
        rule: Rule[str] = getattr(self, DEFINED_BY.get(name, name.lower()))
        return rule


# Criteria that another rule defines.
DEFINED_BY = {
    "GE": "rep", "EMMSB": "esb", "EMGSB": "esb", "EGMSB": "esb", "EGGSB": "esb",
    "EDEC": "ede", "EDET": "ede", "EDEB": "ede", "EDEBT": "ede", "EDEBB": "ede",
}  # fmt: skip


def _modifiers(value: Mapping[str, object]) -> Mapping[str, str]:
    return {text(name): text(letters) for name, letters in value.items()}


def _words(value: Iterable[object]) -> tuple[str, ...]:
    return tuple(text(word) for word in value)


READERS: Mapping[str, Callable[..., object]] = {
    **dict.fromkeys(TieRules._fields, text),
    "criteria": _modifiers,
    "team_criteria": _modifiers,
    "round_robin": _words,
    "recommended": lambda value: {text(kind): _words(names) for kind, names in value.items()},
    "opponents": one_of("last byes drawn"),
    "dummy": one_of("own points", "own points, limited"),
    "voluntary": one_of("first"),
    "cuts": positive,
    "own_forfeits": one_of("all", "won", "no"),
    "koya_forfeits": one_of("counted", "not counted"),
    "played": _words,
    "short_games": _words,
    "aro": rounding_name,
    "apro": rounding_name,
    "appo": rounding_name,
}
