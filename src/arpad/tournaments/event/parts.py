"""Events longer than a report may be: each part rated by its own list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, partial

from arpad.calculation.answer import Answer, Figure, Table, TableColumn, date_notes, hidden
from arpad.core import Rating
from arpad.core.tournaments import Tournament
from arpad.messages import Message, say
from arpad.tournaments.checks import Finding, game_inconsistencies
from arpad.tournaments.event.player import PlayerReport
from arpad.tournaments.event.report import EventReport
from arpad.tournaments.submission import EventPart, part_of, parts_of, rulebook


@dataclass(frozen=True, slots=True, kw_only=True)
class PartedPlayer:
    """A player's change in each part, and their sum; None without a rated game."""

    no: int
    name: str
    ratings: tuple[Rating | None, ...]  # at the beginning of each part
    changes: tuple[Decimal | None, ...]
    total: Decimal | None


@dataclass(frozen=True, kw_only=True)
class PartedEvent(Answer):
    """A long event, rated in the parts in which it is reported."""

    parts: tuple[EventPart, ...]
    players: tuple[PartedPlayer, ...]
    reports: tuple[EventReport, ...]  # of the parts
    event: Tournament = hidden()

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Inconsistencies in the games of all rounds."""
        return tuple(game_inconsistencies(self.event))

    @property
    def elsewhere(self) -> Message | None:
        """Says that the event belongs to another list, where these games are not rated; None if it does not."""
        return self.reports[0].elsewhere

    def summary(self) -> Sequence[Figure]:
        return [Figure("event.part", part.says) for part in self.parts]

    def tables(self) -> Iterator[Table]:
        """Every player: the rating and the change in each part, and the sum of the changes."""
        columns = [TableColumn("no"), TableColumn("name", form="text")]
        for part in self.parts:
            at = part.number - 1
            month = f"{part.month:%Y-%m}"
            columns.append(TableColumn(month, partial(_rating, at), "rating"))
            columns.append(TableColumn(f"± {part.number}", partial(_change, at), "signed"))
        columns.append(TableColumn("change", "total", "signed"))
        yield Table("parts", columns, self.players, fixed=True)


def _rating(at: int, player: PartedPlayer) -> Rating | None:
    return player.ratings[at]


def _change(at: int, player: PartedPlayer) -> Decimal | None:
    return player.changes[at]


def rate_parts(tournament: Tournament, rate: Callable[[Tournament], EventReport]) -> PartedEvent:
    """Every part of a long event, rated by `rate`, which looks up the list of the part's first day."""
    parts = parts_of(tournament)
    reports = tuple(rate(part_of(tournament, part.number)) for part in parts)
    latest = reports[-1]
    return PartedEvent(
        system=latest.system,
        on=latest.on,
        trail=tuple(step for report in reports for step in report.trail),
        remarks=lambda: _notes(tournament, reports),
        parts=parts,
        players=tuple(
            _player(entrant.no, entrant.called, [report.player(entrant.no) for report in reports])
            for entrant in tournament.entrants
        ),
        reports=reports,
        event=tournament,
    )


def _player(no: int, name: str, reports: Sequence[PlayerReport]) -> PartedPlayer:
    changes = tuple(report.change for report in reports)
    known = [change for change in changes if change is not None]
    total = sum(known, Decimal(0)) if known else None
    return PartedPlayer(
        no=no, name=name, ratings=tuple(report.rating for report in reports), changes=changes, total=total
    )


def _notes(tournament: Tournament, reports: Sequence[EventReport]) -> Iterator[Message]:
    """Why the event is in parts, and where the ratings of the parts come from."""
    rules = rulebook()
    rule = rules.at(tournament.start or rules.checked).days
    yield say("notes.event.parts", parts=len(reports), says=rule.says, cite=rule.cite)
    yield from date_notes(rules, reports[-1].on)
    if all(report.list is None for report in reports):
        yield say("notes.event.parts.file")
    said = set()
    for report in reports:
        for note in report.notes:
            if str(note) not in said:
                said.add(str(note))
                yield note
    for number, report in enumerate(reports, start=1):
        yield from (say("notes.event.parts.unrated", number=number, says=said) for said in _unrated(report))


def _unrated(report: EventReport) -> Iterator[Message]:
    """The first ratings of a part, and why others without a rating have none: the table has only changes."""
    for player in report.players:
        if player.rating is None and player.new_rating is not None:
            yield say("notes.event.parts.first", no=player.no, name=player.called, rating=player.new_rating)
    for reason in report.totals.no_rating:
        if all(report.player(no).rating is None for no in reason.players):
            yield report.remark(reason)
