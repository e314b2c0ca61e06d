"""The certificates of an event: IT1 of each norm made, and IT3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.calculation.answer import Answer, Figure
from arpad.errors import BadInput, UnknownName
from arpad.messages import say
from arpad.tournaments.certificates.it1 import TitleCertificate, title_certificate
from arpad.tournaments.certificates.it3 import EventForm, event_form
from arpad.tournaments.norms.working import norm_step
from arpad.tournaments.submission.rules import rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arpad.calculation.step import Step
    from arpad.core.tournaments import Tournament
    from arpad.tournaments.norms.answer import Norm, NormsReport, PlayerNorms

IT1, IT3 = SHEETS = ("it1", "it3")


@dataclass(frozen=True, kw_only=True)
class NormCertificates(Answer):
    """The sheets of an event, as far as its file fills them in."""

    certificates: tuple[TitleCertificate, ...]
    form: EventForm | None

    def summary(self) -> Sequence[Figure]:
        shown = [
            Figure(
                "certificate",
                one.title,
                say(
                    "certificates.whose", no=one.no, name=one.family_name or "", achieved=one.achieved, games=one.games
                ),
            )
            for one in self.certificates
        ]
        return (
            shown if self.form is None else [*shown, Figure("certificate.event", self.form.event or self.form.rounds)]
        )


def certificates(
    report: NormsReport,
    tournament: Tournament,
    *,
    sheet: str | None = None,
    player: int | None = None,
    title: str | None = None,
    organiser: str | None = None,
) -> NormCertificates:
    """The certificates of the norms made, of everybody or of one player; a norm that was not made has none."""
    if sheet is not None and sheet not in SHEETS:
        raise UnknownName("sheet", sheet, known=SHEETS, at="sheet")
    made = [] if sheet == IT3 else list(_made(report, player))
    if not made and sheet != IT3:
        raise _none(report, player, title)
    rules = rulebook().at(report.on)
    return NormCertificates(
        system=report.system,
        on=report.on,
        remarks=report.remarks,
        trail=tuple(_step(one, norm) for one, norm in made),
        certificates=tuple(title_certificate(one, norm, report, tournament) for one, norm in made),
        form=None if sheet == IT1 else event_form(tournament, rules.deputies.value, organiser),
    )


def _step(one: PlayerNorms, norm: Norm) -> Step:
    return norm_step(norm, one.sheet, one.edition, say("tournaments.who", no=one.no, name=one.called))


def _made(report: NormsReport, player: int | None) -> Iterator[tuple[PlayerNorms, Norm]]:
    """The norms made for titles that are not held, of everybody or of one player."""
    players = report.players if player is None else (report.player(player),)
    return ((one, norm) for one in players for norm in one.norms if norm.met and not norm.held)


def _none(report: NormsReport, player: int | None, title: str | None) -> BadInput:
    """That there is no norm to certify, and whose."""
    if player is None:
        return BadInput(say("certificates.none"), at="title" if title else "path")
    one = report.player(player)
    titles = [norm.title for norm in one.norms]
    held = [norm.title for norm in one.norms if norm.held]
    key = "held" if held == titles else "not_made"
    return BadInput(say(f"certificates.{key}", no=player, name=one.called, titles=titles), at="player")
