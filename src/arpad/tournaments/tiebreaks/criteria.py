"""Criteria as people write them: `BH/C1`, `ARO-M1`, `BH:GP/C1`, `KS/L-1`; and those that a file declares."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from arpad.errors import BadInput, UnknownName
from arpad.messages import say, section, voice

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from arpad.core.tournaments import Tournament

WRITTEN = re.compile(r"([A-Z]+)(?::(MP|GP))?((?:[/#!-](?:[CM]\d*|P|F|R|L[+-]?\d+|K\d+))*)")
MODIFIER = re.compile(r"[/#!-]([CMPFRLK])([+-]?\d*)")
OWN = "OTHER_"  # prefix of an organiser's own criterion
NAME = re.compile(r"[A-Z]+(?=[/:#!-])")
BETWEEN = re.compile(r"[,;\s]+")
ENCOUNTERS = frozenset({"DE", "EDE", "EDEC", "EDET", "EDEB", "EDEBT", "EDEBB"})  # only for tied players or teams
RATINGS = frozenset({"ARO", "TPR", "PTP", "APRO", "APPO", "RTNG"})
SPELT = {"MPVGP": "MPvGP"}
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
        flags = "".join(f"/{letter}" for letter, on in self._flags if on)
        values = f"/L{self.limit}" * bool(self.limit) + f"/K{self.divisor}" * bool(self.divisor)
        return f"{SPELT.get(self.name, self.name)}{':' + self.score if self.score else ''}{cut}{flags}{values}"

    @property
    def _flags(self) -> tuple[tuple[str, bool], ...]:
        return ("P", self.forfeits_played), ("F", self.projected), ("R", self.reversed)


POINTS = Criterion("PTS")


def parse_criterion(written: str, known: Mapping[str, str], most: int, on: date) -> Criterion:
    """A criterion of the edition in force; `known` has the modifiers of each, `most` is the largest cut."""
    matched = WRITTEN.fullmatch(written.strip().upper())
    start = NAME.match(written.strip().upper())
    if matched is None and start is not None and start[0] in known:
        raise _bad_modifier(written, start[0], known, most)
    if matched is None or matched[1] not in known:
        meant = section(voice().language, "tournaments.other_criteria").get(written.strip().lower())
        names = [*(SPELT.get(name, name) for name in known), *([] if meant is None else [meant])]
        raise UnknownName("tie_break", written, of=on, known=names, at="by", meant=meant)
    name, score, modifiers = matched.groups()
    given = MODIFIER.findall(modifiers or "")
    letters = [letter for letter, _ in given]
    count = next((int(digits or 1) for letter, digits in given if letter in "CM"), 0)
    twice = len(set(letters)) < len(letters) or {"C", "M"} <= set(letters)
    values = dict(given)
    cut = 1 <= count <= most or not {"C", "M"} & set(letters)
    if twice or not set(letters) <= set(known[name]) or not cut or not _makes_sense(values):
        raise _bad_modifier(written, name, known, most)
    return Criterion(
        name,
        score or "",
        count,
        count if "M" in values else 0,
        "P" in values,
        "F" in values,
        "R" in values,
        values.get("L", ""),
        int(values.get("K") or 0),
    )


def _makes_sense(values: Mapping[str, str]) -> bool:
    """Whether a percentage is within 1 and 100, and a divisor is not zero."""
    limit, divisor = values.get("L", ""), values.get("K", "1")
    return (not limit.isdecimal() or 0 < int(limit) <= WHOLE) and int(divisor) > 0


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
    names = [name for name in BETWEEN.split(found.get("202", "").strip()) if name and name.upper() != "PTS"]
    return tuple(names)
