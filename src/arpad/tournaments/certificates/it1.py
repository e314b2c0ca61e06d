"""IT1, the certificate of a title result: every field of the form; what the file lacks is left to fill in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.core.tournaments import ABSENT, ALLOCATED_BYE, FORFEIT, FULL_BYE, HALF_BYE, PENDING, PLAYED, SHORT
from arpad.messages import Message, say
from arpad.tournaments.norms.answer import NormCondition
from arpad.tournaments.norms.choice import least_halves
from arpad.tournaments.norms.conditions import in_points, raised
from arpad.tournaments.norms.field import Foreigners
from arpad.tournaments.submission.items import FIDE_ID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from arpad.core.tournaments import Entrant, Round, Tournament
    from arpad.tournaments.norms.answer import Norm, NormsReport, PlayerNorms

COUNTED_TITLES = ("GM", "IM", "WGM", "WIM", "FM", "WFM")
PLAYED_SIGNS = {Decimal(1): "1", Decimal("0.5"): "½", Decimal(0): "0"}
FULL, HALF, NOTHING = "+", "=", "−"  # for what was not played, byes too
BIG_SWISS = "d"  # the exemption whose figures the form asks for


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateGame:
    """One round of the table: left-out games are shown, but do not count."""

    round: int
    opponent: str | None
    fide_id: int | None
    federation: str | None
    rating: int | None  # as it is; None for an unrated opponent
    used: int | None  # as it counts: 1400 for unrated, the floor for the one that was raised
    title: str | None
    score: str  # 1, ½ or 0 for a game played; +, = or − for the rest; blank for a game to come
    counts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleCertificate:
    """The fields of IT1 in the order of the form; None is to be filled in by hand."""

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
    exemption: Foreigners | None  # of a big Swiss, only where the norm needs it
    remarks: tuple[Message, ...]
    rounds: tuple[CertificateGame, ...]
    average: int | None
    required: Decimal | None
    achieved: Decimal
    exceeding: Decimal | None
    conditions: tuple[NormCondition, ...]  # beside the form: why it is a norm
    confirming: str | None  # the federation that confirms the result: the host


def title_certificate(player: PlayerNorms, norm: Norm, report: NormsReport, tournament: Tournament) -> TitleCertificate:
    """The certificate of a norm that was made."""
    verdict, rules = norm.verdict, player.edition.titles
    family, first = _names(player.name)
    arbiter, arbiter_id = arbiter_of(tournament.arbiter)
    others = [game.federation for game in verdict.games if game.federation != player.federation]
    titles = Counter(game.title for game in verdict.games)
    least = least_halves(verdict, player.edition)
    host = report.host
    return TitleCertificate(
        no=player.no,
        title=norm.title,
        family_name=family,
        first_name=first,
        fide_id=player.entrant.player.fide_id,
        federation=player.federation,
        event=tournament.name,
        start=tournament.start,
        close=tournament.end,
        arbiter=arbiter,
        arbiter_id=arbiter_id,
        games=len(verdict.games),
        rate_of_play=tournament.time_control,
        federations=len({one for one in others if one}),
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


def _names(name: str | None) -> tuple[str | None, str | None]:
    """The family name and the first name, which a comma separates."""
    family, _, first = (name or "").partition(",")
    return family.strip() or None, first.strip() or None


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
    return next((one.found for one in norm.beside if one.name == "exemption"), None)


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
    strong = next((one for one in norm.beside if one.name == "strong_event"), None)
    if strong is not None and strong.met and strong.rule is not None:
        yield say("certificates.remark.strong", article=strong.rule.cite)


def _rounds(player: PlayerNorms, norm: Norm, tournament: Tournament) -> Iterator[CertificateGame]:
    """Every round of the event, those left out among them."""
    games = norm.verdict.games
    used = dict(
        zip((game.round for game in games), raised(norm.title, games, player.edition.titles), strict=True)
        if games
        else ()
    )
    entrants = {one.no: one for one in tournament.entrants}
    for number in range(1, player.sheet.rounds + 1):
        rounds = player.entrant.rounds
        one = rounds[number - 1] if number <= len(rounds) else None
        opponent = None if one is None else entrants.get(one.opponent or 0)
        yield _line(number, one, opponent, used.get(number), counts=number in used)


def _line(
    number: int, one: Round | None, opponent: Entrant | None, used: int | None, *, counts: bool
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
        title=player.title if player is not None and player.title in COUNTED_TITLES else None,
        score="" if one is None else _score(one),
        counts=counts,
    )


def _score(one: Round) -> str:
    if one.kind == PENDING:
        return ""
    if one.kind in (PLAYED, SHORT) and one.score is not None:
        return PLAYED_SIGNS[one.score]
    if one.kind == FORFEIT:
        return FULL if one.score else NOTHING
    return {FULL_BYE: FULL, ALLOCATED_BYE: FULL, HALF_BYE: HALF, ABSENT: NOTHING}.get(one.kind, NOTHING)
