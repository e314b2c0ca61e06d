"""What an arbiter issues after a title event: norm certificates (IT1) and the event report (IT3)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation.answer import Answer, Figure
from arpad.core.tournaments import (
    ABSENT,
    ALLOCATED_BYE,
    ASSUMED,
    FIXED_PAIRINGS,
    FORFEIT,
    FULL_BYE,
    HALF_BYE,
    PENDING,
    PLAYED,
    SHORT,
    event_kind,
)
from arpad.errors import BadInput, UnknownName
from arpad.messages import Message, say
from arpad.tournaments.norms.answer import NormCondition, norm_step
from arpad.tournaments.norms.conditions import in_points, least_halves, raised
from arpad.tournaments.norms.games import Foreigners
from arpad.tournaments.submission import FIDE_ID, rulebook

if TYPE_CHECKING:
    from arpad.core.tournaments import Entrant, Round, Tournament
    from arpad.tournaments.norms.answer import Norm, NormsReport, PlayerNorms


IT1, IT3 = SHEETS = ("it1", "it3")
COUNTED_TITLES = ("GM", "IM", "WGM", "WIM", "FM", "WFM")
PLAYED_SIGNS = {Decimal(1): "1", Decimal("0.5"): "½", Decimal(0): "0"}
FULL, HALF, NOTHING = "+", "=", "−"  # for unplayed games and byes
BIG_SWISS = "d"  # the exemption whose figures the form asks for
RATED, UNRATED = "rated", "unrated"
ROWS = (RATED, UNRATED, "GM", "WGM", "IM", "WIM", "FM", "WFM")  # in the order of the form, left and right
PROGRAM = "182"
PROGRAMS = (  # that pair, by the names found in the free text about the kind of event
    "JaVaFo", "Swiss-Manager", "Swiss Manager", "Vega", "Sharly Chess", "bbpPairings", "SwissChess", "Swiss-Chess",
    "Swiss Master", "Tornelo", "Papi", "UTU Swiss", "Ninja", "ChessManager", "SwissSys", "WinTD",
)  # fmt: skip


def certificates(
    report: NormsReport,
    tournament: Tournament,
    *,
    sheet: str | None = None,
    player: int | None = None,
    title: str | None = None,
    organiser: str | None = None,
) -> NormCertificates:
    """The certificates of the norms achieved, for everybody or for one player.

    Raises UnknownName for another sheet than `it1` and `it3`, BadInput if there is no norm to certify.
    """
    if sheet is not None and sheet not in SHEETS:
        raise UnknownName("sheet", sheet, known=SHEETS, at="sheet")
    made: list[tuple[PlayerNorms, Norm]] = []
    if sheet != IT3:
        players = report.players if player is None else (report.player(player),)
        made = [(norms, norm) for norms in players for norm in norms.norms if norm.met and not norm.held]
        if not made:
            raise _none(report, player, title)
    rules = rulebook().at(report.on)
    return NormCertificates(
        system=report.system,
        on=report.on,
        remarks=report.remarks,
        trail=tuple(
            norm_step(norm, norms.sheet, norms.edition, say("tournaments.who", no=norms.no, name=norms.called))
            for norms, norm in made
        ),
        certificates=tuple(title_certificate(norms, norm, report, tournament) for norms, norm in made),
        form=None if sheet == IT1 else event_form(tournament, rules.deputies.value, organiser),
    )


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


def _none(report: NormsReport, player: int | None, title: str | None) -> BadInput:
    """The error if there is no norm to certify."""
    if player is None:
        return BadInput(say("certificates.none"), at="title" if title else "path")
    norms = report.player(player)
    titles = [norm.title for norm in norms.norms]
    held = [norm.title for norm in norms.norms if norm.held]
    key = "held" if held == titles else "not_made"
    return BadInput(say(f"certificates.{key}", no=player, name=norms.called, titles=titles), at="player")


def title_certificate(player: PlayerNorms, norm: Norm, report: NormsReport, tournament: Tournament) -> TitleCertificate:
    """The certificate of a norm that was achieved."""
    verdict, rules = norm.verdict, player.edition.titles
    family, _, first = (player.name or "").partition(",")
    arbiter, arbiter_id = arbiter_of(tournament.arbiter)
    others = [game.federation for game in verdict.games if game.federation != player.federation]
    titles = Counter(game.title for game in verdict.games)
    least = least_halves(verdict, player.edition)
    host = report.host
    return TitleCertificate(
        no=player.no,
        title=norm.title,
        family_name=family.strip() or None,
        first_name=first.strip() or None,
        fide_id=player.entrant.player.fide_id,
        federation=player.federation,
        event=tournament.name,
        start=tournament.start,
        close=tournament.end,
        arbiter=arbiter,
        arbiter_id=arbiter_id,
        games=len(verdict.games),
        rate_of_play=tournament.time_control,
        federations=len({federation for federation in others if federation}),
        foreign=len(others),
        rated=sum(game.rating is not None for game in verdict.games),
        hosts=None if host is None else sum(game.federation == host for game in verdict.games),
        titled=sum(game.title in rules.titled.value.titles for game in verdict.games),
        by_title={title: titles[title] for title in COUNTED_TITLES},
        exemption=report.foreigners if _exemption(norm) == BIG_SWISS else None,
        remarks=tuple(_remarks(player, norm)),
        rounds=tuple(_rounds(player, norm, tournament)),
        average=verdict.average,
        required=None if least is None else in_points(least),
        achieved=norm.score,
        exceeding=None if least is None else norm.score - in_points(least),
        conditions=norm.conditions,
        confirming=host,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleCertificate:
    """The fields of IT1 in the order of the form; None is left to fill in by hand."""

    no: int
    title: str
    family_name: str | None
    first_name: str | None
    fide_id: int | None
    federation: str | None
    event: str | None
    start: date | None
    close: date | None
    arbiter: str | None
    arbiter_id: int | None
    games: int
    rate_of_play: str | None
    federations: int  # of the opponents that count, other than the player's own
    foreign: int  # opponents not of the player's federation
    rated: int
    hosts: int | None  # opponents of the host federation
    titled: int
    by_title: Mapping[str, int]
    exemption: Foreigners | None  # that of a big Swiss, only if the norm needs it
    remarks: tuple[Message, ...]
    rounds: tuple[CertificateGame, ...]
    average: int | None
    required: Decimal | None
    achieved: Decimal
    exceeding: Decimal | None
    conditions: tuple[NormCondition, ...]  # not on the form: why it is a norm
    confirming: str | None  # the federation that confirms the result: the host


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateGame:
    """One round of the table; games that were left out are shown, but do not count."""

    round: int
    opponent: str | None
    fide_id: int | None
    federation: str | None
    rating: int | None  # the actual rating; None for an unrated opponent
    used: int | None  # the rating that counts: 1400 if unrated, the floor if raised to it
    title: str | None
    score: str  # 1, ½ or 0 for a game played; +, = or − otherwise; blank for a game still to be played
    counts: bool


def arbiter_of(written: str | None) -> tuple[str | None, int | None]:
    """The name and the FIDE ID of an arbiter, however they are written."""
    if not written:
        return None, None
    found = FIDE_ID.search(written)
    if found is None:
        return written, None
    name = (written[: found.start()].rstrip(" (,-") + written[found.end() :].removeprefix(")")).strip()
    return name + ")" * (name.count("(") - name.count(")")), int(found[0])


def _exemption(norm: Norm) -> object:
    """The letter of the exemption that the norm needs; None if it needs none."""
    return next((condition.found for condition in norm.beside if condition.name == "exemption"), None)


def _remarks(player: PlayerNorms, norm: Norm) -> Iterator[Message]:
    """What belongs under special remarks, with its article."""
    rules, verdict = player.edition.titles, norm.verdict
    letter = _exemption(norm)
    if letter not in (None, BIG_SWISS):
        yield say("certificates.remark.exemption", letter=letter)
    if verdict.by is not None:
        yield say(f"certificates.remark.{verdict.by.name}", article=verdict.by.cite, round=player.sheet.rounds)
    if verdict.dropped:
        articles = [rules.later_rounds.cite, rules.won_games.cite]
        yield say("certificates.remark.dropped", rounds=verdict.dropped, articles=articles)
    strong = next((condition for condition in norm.beside if condition.name == "strong_event"), None)
    if strong is not None and strong.met and strong.rule is not None:
        yield say("certificates.remark.strong", article=strong.rule.cite)


def _rounds(player: PlayerNorms, norm: Norm, tournament: Tournament) -> Iterator[CertificateGame]:
    """Every round of the event, including those left out."""
    games = norm.verdict.games
    used = dict(
        zip((game.round for game in games), raised(norm.title, games, player.edition.titles), strict=True)
        if games
        else ()
    )
    entrants = {entrant.no: entrant for entrant in tournament.entrants}
    for number in range(1, player.sheet.rounds + 1):
        rounds = player.entrant.rounds
        played = rounds[number - 1] if number <= len(rounds) else None
        opponent = None if played is None else entrants.get(played.opponent or 0)
        yield _line(number, played, opponent, used.get(number), counts=number in used)


def _line(
    number: int, played: Round | None, opponent: Entrant | None, used: int | None, *, counts: bool
) -> CertificateGame:
    player = None if opponent is None else opponent.player
    rating = None if player is None or player.rating is None else int(player.rating)
    return CertificateGame(
        round=number,
        opponent=None if opponent is None else opponent.called,
        fide_id=None if player is None else player.fide_id,
        federation=None if player is None else player.federation,
        rating=rating,
        used=used,
        title=None if player is None else player.title,
        score="" if played is None else _score(played),
        counts=counts,
    )


def _score(played: Round) -> str:
    if played.kind == PENDING:
        return ""
    if played.kind in (PLAYED, SHORT) and played.score is not None:
        return PLAYED_SIGNS[played.score]
    if played.kind == FORFEIT:
        return FULL if played.score else NOTHING
    return {FULL_BYE: FULL, ALLOCATED_BYE: FULL, HALF_BYE: HALF, ABSENT: NOTHING}.get(played.kind, NOTHING)


def event_form(tournament: Tournament, deputies: tuple[int, ...], organiser: str | None = None) -> EventForm:
    """The report of an event; another deputy is required above each of these numbers of players."""
    days = Counter(day for day in tournament.round_days if day is not None)
    program = next((record.text() for record in tournament.records if record.code == PROGRAM), None)
    written = (tournament.kind or "").lower()
    program = program or next((name for name in PROGRAMS if name.lower() in written), None)
    known = [name for written in tournament.deputies for name in arbiters_in(written)]
    required = max(sum(len(tournament.entrants) > most for most in deputies), len(known))
    named = [*known, *[None] * required][:required]
    kind, source = event_kind(tournament)
    return EventForm(
        federation=tournament.federation,
        event=tournament.name,
        place=_place(tournament),
        start=tournament.start,
        end=tournament.end,
        organiser=organiser,
        rounds=tournament.rounds,
        schedule="-".join(str(days[day]) for day in sorted(days)) or None,
        rate_of_play=tournament.time_control,
        kind=tournament.kind or (None if source == ASSUMED else kind),
        program=program or None,
        fixed_pairings=kind in FIXED_PAIRINGS,
        players=tuple(_counts(tournament)),
        arbiter=tournament.arbiter,
        deputies=tuple(named),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EventForm:
    """The fields of IT3 in the order of the form; None is left to fill in by hand."""

    federation: str | None
    event: str | None
    place: str | None
    start: date | None
    end: date | None
    organiser: str | None
    rounds: int
    schedule: str | None  # rounds per day, such as 1-1-2
    rate_of_play: str | None
    kind: str | None
    program: str | None  # the pairing program; None if the file names none
    fixed_pairings: bool  # a round robin, which nobody has to pair
    players: tuple[PlayerCount, ...]
    arbiter: str | None
    deputies: tuple[str | None, ...]  # as many as the number of players requires


@dataclass(frozen=True, slots=True)
class PlayerCount:
    """A row of the table: how many players of a kind, from how many federations, from the host and from others."""

    kind: str
    players: int
    federations: int
    host: int | None
    others: int | None


def _counts(tournament: Tournament) -> Iterator[PlayerCount]:
    """The table of players, a row for each kind."""
    players = [entrant.player for entrant in tournament.entrants]
    for kind in ROWS:
        if kind in (RATED, UNRATED):
            counted = [player for player in players if (player.rating is not None) == (kind == RATED)]
        else:
            counted = [player for player in players if player.title == kind]
        federations = [player.federation for player in counted]
        host = None if tournament.federation is None else federations.count(tournament.federation)
        others = None if host is None else len(federations) - host
        yield PlayerCount(kind, len(federations), len(set(filter(None, federations))), host, others)


FA1, IA1 = ARBITER_SHEETS = ("fa1", "ia1")
CHIEF, DEPUTY = "chief", "deputy"
TITLES = "IA|FA|NA|AI|AF|AN|NSR|RSR"  # FIDE's, and national ones as files write them
ARBITER_TITLE = re.compile(rf"\b({TITLES})\b")
BETWEEN_ARBITERS = re.compile(rf";|,(?=\s*+(?:{TITLES})\s++[^\W\d])")


def arbiters_in(written: str) -> list[str]:
    """Each arbiter of a text that may name several.

    A comma is also part of a name: it separates arbiters only before a title, or if all of three or more parts are
    names of several words.
    """
    parts = [part.strip() for part in written.split(",")]
    if len(parts) > 2 and all(len(part.split()) > 1 for part in parts):
        return parts
    return [name for part in BETWEEN_ARBITERS.split(written) if (name := part.strip())]


def arbiter_reports(tournament: Tournament, organiser: str | None = None) -> tuple[ArbiterReport, ...]:
    """What is known about each arbiter of an event, the chief arbiter first; BadInput if the file names none."""
    deputies = [name for written in tournament.deputies for name in arbiters_in(written)]
    named = [(CHIEF, tournament.arbiter), *((DEPUTY, deputy) for deputy in deputies)]
    reports = [_arbiter_report(tournament, role, written, organiser) for role, written in named if written]
    if not reports:
        raise BadInput(say("certificates.no_arbiter"), at="path")
    return tuple(reports)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArbiterReport:
    """What a file says about an arbiter's work at an event; None is left to fill in by hand."""

    family_name: str | None
    first_name: str | None
    fide_id: int | None
    title: str | None
    role: str
    event: str | None
    place: str | None
    start: date | None
    end: date | None
    kind: str | None
    rate_of_play: str | None
    rounds: int
    players: int
    federations: int
    organiser: str | None
    chief: str | None


def _arbiter_report(tournament: Tournament, role: str, written: str, organiser: str | None) -> ArbiterReport:
    name, fide_id = arbiter_of(written)
    held = ARBITER_TITLE.search(name or "")
    bare = ARBITER_TITLE.sub("", name or "").strip(" ,-()")
    family, comma, first = bare.partition(",")
    unclear = len(family.split()) > 1 and len(first.split()) > 1  # two persons, or one with two names each
    kind, source = event_kind(tournament)
    return ArbiterReport(
        # Without a comma, nobody can tell the family name from the others.
        family_name=(family.strip() if comma and not unclear else bare) or None,
        first_name=None if unclear else first.strip() or None,
        fide_id=fide_id,
        title=None if held is None else held[1],
        role=role,
        event=tournament.name,
        place=_place(tournament),
        start=tournament.start,
        end=tournament.end,
        kind=tournament.kind or (None if source == ASSUMED else kind),
        rate_of_play=tournament.time_control,
        rounds=tournament.rounds,
        players=len(tournament.entrants),
        federations=len({entrant.player.federation for entrant in tournament.entrants} - {None}),
        organiser=organiser,
        chief=arbiter_of(tournament.arbiter)[0],
    )


def _place(tournament: Tournament) -> str | None:
    return ", ".join(filter(None, (tournament.city, tournament.federation))) or None
