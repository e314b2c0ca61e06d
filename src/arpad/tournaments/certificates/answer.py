"""The certificates of an event: IT1 for each norm achieved, and IT3."""

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
    """The forms of an event, filled in as far as its file allows."""

    certificates: tuple[TitleCertificate, ...]
    form: EventForm | None

    def summary(self) -> Sequence[Figure]:
        shown = [
            Figure(
                "certificate",
                sheet.title,
                say(
                    "certificates.whose",
                    no=sheet.no,
                    name=sheet.family_name or "",
                    achieved=sheet.achieved,
                    games=sheet.games,
                ),
            )
            for sheet in self.certificates
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
    """The certificates of the norms achieved, for everybody or for one player."""
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
        trail=tuple(_step(norms, norm) for norms, norm in made),
        certificates=tuple(title_certificate(norms, norm, report, tournament) for norms, norm in made),
        form=None if sheet == IT1 else event_form(tournament, rules.deputies.value, organiser),
    )


def _step(player: PlayerNorms, norm: Norm) -> Step:
    return norm_step(norm, player.sheet, player.edition, say("tournaments.who", no=player.no, name=player.called))


def _made(report: NormsReport, player: int | None) -> Iterator[tuple[PlayerNorms, Norm]]:
    """The norms achieved for titles not yet held, by everybody or by one player."""
    players = report.players if player is None else (report.player(player),)
    return ((norms, norm) for norms in players for norm in norms.norms if norm.met and not norm.held)


def _none(report: NormsReport, player: int | None, title: str | None) -> BadInput:
    """The error if there is no norm to certify."""
    if player is None:
        return BadInput(say("certificates.none"), at="title" if title else "path")
    norms = report.player(player)
    titles = [norm.title for norm in norms.norms]
    held = [norm.title for norm in norms.norms if norm.held]
    key = "held" if held == titles else "not_made"
    return BadInput(say(f"certificates.{key}", no=player, name=norms.called, titles=titles), at="player")
