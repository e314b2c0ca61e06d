"""What a written file has lost: the tournament compared with what is read back from the file."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from arpad.core import DwzStanding
from arpad.core.tournaments import Entrant, Oddity
from arpad.formats.text import one_line
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arpad.core.tournaments import Tournament

FACTS = (
    "name", "city", "federation", "start", "end", "kind", "time_control", "pace", "arbiter", "deputies", "rounds",
    "round_days", "scoring", "match_scoring", "adjustments", "teams", "records",
)  # fmt: skip
# Each edition of a report keeps those it has a code for; its writer names the rest.
CODED = ("adjustments", "records")
ENTRANT = tuple(field.name for field in fields(Entrant) if field.name not in ("no", "player", "line"))
PLAYER = ("name", "title", "rating", "federation", "fide_id", "birth_year", "sex")


def losses(tournament: Tournament, again: Tournament) -> tuple[Oddity, ...]:
    """The facts about the event and its players that differ in the file that was read back."""
    report = again.source is not None and again.source.format.startswith("trf")
    facts = dict.fromkeys(  # the time control and its pace are one thing to a reader
        str(say(f"formats.fact.{name}"))
        for name in FACTS
        if not (report and name in CODED) and _differs(_fact(tournament, name), _fact(again, name), report=report)
    )
    lost = [Oddity(say("formats.lost.facts", facts=", ".join(facts)), lost=True)] if facts else []
    numbers: dict[str, list[int]] = {}
    kept = {entrant_again.no: entrant_again for entrant_again in again.entrants}
    for entrant in tournament.entrants:
        for name in _changed(entrant, kept.get(entrant.no), report=report):
            numbers.setdefault(name, []).append(entrant.no)
    lost += [
        Oddity(say("formats.lost.players", what=say(f"formats.of_player.{name}"), numbers=found), lost=True)
        for name, found in numbers.items()
    ]
    return tuple(lost)


def _fact(tournament: Tournament, name: str) -> object:
    """A fact about the event; records come without their line numbers."""
    value: object = getattr(tournament, name)
    return [(record.code, record.fields) for record in tournament.records] if name == "records" else value


def _changed(entrant: Entrant, again: Entrant | None, *, report: bool) -> Iterator[str]:
    """The fields of a player that were lost or changed."""
    if again is None:
        yield "line"
        return
    for names, before, after in ((ENTRANT, entrant, again), (PLAYER, entrant.player, again.player)):
        yield from (name for name in names if _differs(getattr(before, name), getattr(after, name), report=report))
    if DwzStanding.of(entrant.player).index != DwzStanding.of(again.player).index:
        yield "index"


def _differs(before: object, after: object, *, report: bool) -> bool:
    """Whether a value has changed; a text cut short in a report does not count, as the writer has named it."""
    if isinstance(before, str):
        before = one_line(before) or None
    if report and isinstance(before, str) and isinstance(after, str) and before.startswith(after):
        return False
    return before != after
