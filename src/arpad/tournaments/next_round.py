"""The next round, if the file has its pairings: the effect of a win, a draw and a loss for each player.

Ratings and norms are calculated for three versions of the event: White wins every open game, all are drawn, or Black
wins them. A player's rating and norms depend only on their own result, so three versions are enough. Places depend on
the other games as well, so the best and the worst possible place are given, by points alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, partial
from typing import Annotated, NamedTuple

from arpad.calculation.answer import Answer, Exact, Figure, hidden
from arpad.calculation.step import Step
from arpad.core import DRAW, LOSS, WIN, Rating
from arpad.core.games import COLOURS
from arpad.core.tournaments import PENDING, PLAYED, Entrant, Round, Tournament
from arpad.errors import ArpadError, BadInput
from arpad.messages import Message, say
from arpad.tournaments.event.player import lazy_trail
from arpad.tournaments.event.report import EventReport
from arpad.tournaments.norms.answer import MISSED, in_words, norm_lines
from arpad.tournaments.norms.report import NORM_LIST, find_norms
from arpad.tournaments.pairing_checks import pairing_findings
from arpad.tournaments.points import bonus_of, points_by_round

MOST_RESULTS = 10_000  # players × rounds; the event is rated and searched for norms three times
WHITE, BLACK = "white", "black"
RESULTS: Mapping[str, Decimal] = {"win": WIN, "draw": DRAW, "loss": LOSS}
OPPOSITE = {WIN: LOSS, DRAW: DRAW, LOSS: WIN}


def next_round(rated: EventReport, *, round: int | None = None, player: int | None = None) -> NextRound:
    """The effect of each result in the next round, for everybody or for one player.

    Raises BadInput if the file has no pairing without a result, or none of that player.
    """
    found = round or round_to_come(rated.event)
    if found is None or not any(_has_open_game(entrant, found) for entrant in rated.event.entrants):
        if round is None:
            raise BadInput(say("tournaments.next.no_pairings"), at="path")
        raise BadInput(say("tournaments.next.no_open_game", round=round), at="round")
    if player is not None and not _has_open_game(rated.event.entrant(player), found):
        raise BadInput(say("tournaments.next.not_paired", no=player, round=found), at="player")
    ahead = _BeforeRound(rated, found)
    asked = [entrant for entrant in ahead.paired if player in (None, entrant.no)]
    scores = tuple(_by_white(asked[0], found, own) for own in RESULTS.values()) if player is not None else ()
    players = tuple(map(ahead.player, asked))
    return NextRound(
        system=rated.system,
        on=rated.on,
        remarks=partial(_notes, rated, found, ahead.why_no_norms),
        round=found,
        games=len({frozenset((entrant.no, entrant.rounds[found - 1].opponent)) for entrant in ahead.paired}),
        checks=tuple(finding.says for finding in pairing_findings(rated.event, found)),
        player=player,
        players=players,
        rated_after=ahead.reports,
        scores=scores,
    )


def _trail(answer: NextRound) -> tuple[Step, ...]:
    """The working of each result, if one player was asked for."""
    if answer.player is None:
        return ()
    reports = [answer.rated_after[own].player(answer.player) for own in answer.scores]
    return tuple(step for report in reports for step in report.trail)


@dataclass(frozen=True, kw_only=True)
class NextRound(Answer):
    """The pairings of the next round, with the effect of each result for all players."""

    trail: tuple[Step, ...] = lazy_trail(_trail)
    round: int
    games: int  # still open
    checks: tuple[Message, ...]  # what is wrong or doubtful in the pairing
    player: int | None  # the player asked for
    players: tuple[PairedPlayer, ...]
    rated_after: Mapping[Decimal, EventReport] = hidden()  # by White's score
    scores: tuple[Decimal, ...] = hidden(default=())  # White's, for a win, a draw and a loss of that player

    def summary(self) -> Sequence[Figure]:
        return (Figure("next.round", self.round), Figure("next.games", self.games))

    @property
    def objections(self) -> tuple[Message, ...]:
        """What the pairing's checks found, or that they found nothing."""
        return self.checks or (say("tournaments.pairing.none"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedPlayer:
    """A player with an open game, and the effect of each result."""

    no: int
    name: str | None
    rating: Rating | None
    points: Decimal
    change: Exact | None  # of the games so far
    colour: Annotated[str, COLOURS] | None
    opponent: int
    opponent_name: str | None
    opponent_rating: Rating | None
    results: tuple[AfterResult, ...]  # win, draw and loss
    entrant: Entrant = hidden()
    met: Entrant | None = hidden()

    @property
    def called(self) -> str:
        """The name; without one, the FIDE ID or else the starting number."""
        return self.entrant.called

    @property
    def versus(self) -> str:
        """The opponent's number and the player's colour, as in a crosstable."""
        return f"{self.opponent}{(self.colour or '')[:1]}"

    @property
    def norms(self) -> list[tuple[str, NormAfter]]:
        """Each result with the norms it would achieve or leave possible."""
        return [(after.result, norm) for after in self.results for norm in after.norms]


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterResult:
    """The effect of a result: the points, the possible places, the change of the whole event, and the norms."""

    result: Annotated[str, tuple(RESULTS)]
    points: Decimal
    first: int | None  # the best place, by points; None in a team event
    last: int | None
    change: Exact | None  # of all games of the event; None for an unrated player
    new_rating: Rating | None
    norms: tuple[NormAfter, ...]

    @property
    def places(self) -> str:
        """The places, from the best to the worst."""
        return "" if self.first is None else str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NormAfter:
    """A norm after a result: achieved, still possible, or not known."""

    title: str
    stands: str
    says: str


def round_to_come(tournament: Tournament) -> int | None:
    """The first round with an open game: paired, without a result."""
    return min(_open_rounds(tournament), default=None)


def norm_words(player: PairedPlayer) -> list[Message]:
    """The effect of the results on norms: one line for each, or a single one if they are the same."""
    by_result = {after.result: after.norms for after in player.results}
    if len(set(by_result.values())) == 1:
        by_result = {"any": next(iter(by_result.values()))}
    return [
        say(
            f"tournaments.next.norm.{result}",
            title=norm.title,
            says=say("tournaments.next.stands", stands=say(f"tournaments.stands.{norm.stands}"), says=norm.says),
        )
        for result, norms in by_result.items()
        for norm in norms
    ]


def _notes(rated: EventReport, number: int, why_no_norms: Message | None) -> Iterator[Message]:
    yield say("notes.next.change")
    yield say("notes.next.teams" if rated.event.teams else "notes.next.places")
    if why_no_norms is not None:
        yield say("notes.next.no_norms", why=why_no_norms)
    others = _open_rounds(rated.event) - {number}
    if others:
        yield say("notes.next.others", others=sorted(others))
    yield from rated.notes_on_ratings


class _BeforeRound:
    """An event before its next round."""

    def __init__(self, rated: EventReport, number: int) -> None:
        self.rated = rated
        self.event = rated.event
        self.number = number
        self.paired = [entrant for entrant in self.event.entrants if _has_open_game(entrant, number)]
        self.by_no = {entrant.no: entrant for entrant in self.event.entrants}
        self.why_no_norms: Message | None = None
        self._counted: dict[Decimal, tuple[int, int]] = {}

    @cached_property
    def reports(self) -> Mapping[Decimal, EventReport]:
        """The rated event by White's score in every open game."""
        reports = {}
        for white in RESULTS.values():
            entrants = tuple(
                _with_score(entrant, self.number, white if _is_white(entrant, self.number) else OPPOSITE[white])
                if _has_open_game(entrant, self.number)
                else entrant
                for entrant in self.event.entrants
            )
            reports[white] = self.rated.rate_again(replace(self.event, entrants=entrants, source=None))
        return reports

    @cached_property
    def norms(self) -> Mapping[Decimal, Mapping[int, tuple[NormAfter, ...]]]:
        """All norms by White's score; empty if the event is not rated in the list that has norms."""
        if self.rated.system != NORM_LIST:
            return {}
        try:
            return {white: _norms_of(report) for white, report in self.reports.items()}
        except ArpadError as error:
            self.why_no_norms = error.said
            return {}

    def points(self, entrant: Entrant) -> Decimal:
        """A player's points after the round, as far as they are known."""
        return sum(points_by_round(entrant, self.event)[: self.number], bonus_of(entrant, self.event))

    @cached_property
    def others(self) -> Counter[Decimal]:
        """The points after the round of the players without an open game."""
        return Counter(
            self.points(entrant) for entrant in self.event.entrants if not _has_open_game(entrant, self.number)
        )

    @cached_property
    def boards(self) -> Mapping[int, _Board]:
        """The open games, by the number of each player."""
        found: dict[int, _Board] = {}
        for entrant in self.paired:
            other = self._opponent(entrant)
            if entrant.no not in found:
                both = [entrant, other] if other is not None and _has_open_game(other, self.number) else [entrant]
                outcomes = tuple(
                    tuple(
                        self.points(_with_score(player, self.number, own))
                        for player, own in zip(both, pair, strict=False)
                    )
                    for pair in OPPOSITE.items()
                )
                board = _Board(tuple(player.no for player in both), outcomes)
                found |= dict.fromkeys(board.players, board)
        return found

    def places(self, entrant: Entrant, own: Decimal, points: Decimal) -> tuple[int, int]:
        """The best and the worst place by points, over all results of the other games."""
        best, worst = self._above(points)
        low, high = self.boards[entrant.no].above(points)
        opponent = self._opponent(entrant)
        if opponent is not None and _has_open_game(opponent, self.number):
            theirs = self.points(_with_score(opponent, self.number, OPPOSITE[own]))
            best, worst = best + (theirs > points), worst + (theirs >= points)
        return 1 + best - low, 1 + worst - high

    def _above(self, points: Decimal) -> tuple[int, int]:
        """How many players end above these points at least, and above or level at most."""
        if points not in self._counted:
            boards = {id(board): board for board in self.boards.values()}.values()
            low, high = zip(*(board.above(points) for board in boards), strict=True)
            others = self.others.items()
            self._counted[points] = (
                sum(low) + sum(count for other, count in others if other > points),
                sum(high) + sum(count for other, count in others if other >= points),
            )
        return self._counted[points]

    def _opponent(self, entrant: Entrant) -> Entrant | None:
        return self.by_no.get(entrant.rounds[self.number - 1].opponent or 0)

    def player(self, entrant: Entrant) -> PairedPlayer:
        """One player, and the effect of each result."""
        own, opponent = entrant.rounds[self.number - 1], self._opponent(entrant)
        now = self.rated.player(entrant.no)
        return PairedPlayer(
            no=entrant.no,
            name=entrant.player.name,
            rating=now.rating,
            points=self.points(entrant),
            change=now.change,
            colour=own.colour,
            opponent=own.opponent or 0,
            opponent_name=None if opponent is None else opponent.player.name,
            opponent_rating=None if opponent is None else self.rated.player(opponent.no).rating,
            results=tuple(self._result(entrant, name, score) for name, score in RESULTS.items()),
            entrant=entrant,
            met=opponent,
        )

    def _result(self, entrant: Entrant, name: str, own: Decimal) -> AfterResult:
        white = _by_white(entrant, self.number, own)
        report = self.reports[white].player(entrant.no)
        points = self.points(_with_score(entrant, self.number, own))
        first, last = (None, None) if self.event.teams else self.places(entrant, own, points)
        return AfterResult(
            result=name,
            points=points,
            first=first,
            last=last,
            change=report.change,
            new_rating=report.new_rating,
            norms=self.norms.get(white, {}).get(entrant.no, ()),
        )


class _Board(NamedTuple):
    """An open game: the players' numbers, and their points after each of the three results."""

    players: tuple[int, ...]
    outcomes: tuple[tuple[Decimal, ...], ...]

    def above(self, points: Decimal) -> tuple[int, int]:
        """How many of them end above these points at least, and above or level at most."""
        return (
            min(sum(other > points for other in outcome) for outcome in self.outcomes),
            max(sum(other >= points for other in outcome) for outcome in self.outcomes),
        )


def _norms_of(rated: EventReport) -> Mapping[int, tuple[NormAfter, ...]]:
    """The norms of a rated event: those achieved, possible or not known, by the player's number."""
    report = find_norms(rated.event, on=rated.on, qc_approved=rated.qc_approved)
    found: dict[int, tuple[NormAfter, ...]] = {}
    for line in norm_lines(report):
        if line.stands != MISSED:
            norm = NormAfter(title=line.norm.title, stands=line.stands, says=in_words(line.norm))
            found[line.player.no] = (*found.get(line.player.no, ()), norm)
    return found


def _open_rounds(tournament: Tournament) -> set[int]:
    """The rounds with an open game."""
    return {
        number
        for entrant in tournament.entrants
        for number, played in enumerate(entrant.rounds, start=1)
        if _is_pending(played)
    }  # fmt: skip


def _has_open_game(entrant: Entrant, number: int) -> bool:
    """Whether a player has an open game in a round."""
    return 0 < number <= len(entrant.rounds) and _is_pending(entrant.rounds[number - 1])


def _is_pending(played: Round) -> bool:
    """Whether a game is open: paired, without a result."""
    return played.kind == PENDING and played.opponent is not None


def _by_white(entrant: Entrant, number: int, own: Decimal) -> Decimal:
    """White's score, given one player's score."""
    return own if _is_white(entrant, number) else OPPOSITE[own]


def _is_white(entrant: Entrant, number: int) -> bool:
    """Whether a player has White; if no colour is drawn yet, the lower number has."""
    own = entrant.rounds[number - 1]
    return own.colour == WHITE if own.colour else entrant.no < (own.opponent or 0)


def _with_score(entrant: Entrant, number: int, own: Decimal) -> Entrant:
    """An entrant after a result; the points are then counted from the rounds."""
    before = entrant.rounds[number - 1]
    rounds = list(entrant.rounds)
    rounds[number - 1] = Round(PLAYED, before.opponent, before.colour, own)
    return replace(entrant, rounds=tuple(rounds), points=None)
