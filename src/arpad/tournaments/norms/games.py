"""Which of a player's rounds count for a norm (1.4.2), and what else in the crosstable matters."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from arpad.calculation.answer import derived, hidden
from arpad.core import LOSS, Rating
from arpad.core.tournaments import ABSENT, ALLOCATED_BYE, FORFEIT, PENDING, PLAYED, SHORT, Entrant, Round, Tournament
from arpad.errors import BadInput
from arpad.messages import say
from arpad.rulebooks import Rule
from arpad.tournaments.norms.conditions import FID, CountedGame
from arpad.tournaments.norms.rules import TitleRules

OVER = (PLAYED, SHORT, FORFEIT)  # kinds of result that show that a round has been played


@dataclass(frozen=True)
class LeftOut:
    """A round that does not count, and the rule behind that; None if the opponent is not in the file."""

    round: int
    rule: Rule[object] | None = hidden()

    @derived
    def article(self) -> str | None:
        """The article by which it does not count."""
        return None if self.rule is None else self.rule.article


class Scoresheet(NamedTuple):
    """A player's tournament, as far as it matters for norms."""

    games: tuple[CountedGame, ...]
    left_out: tuple[LeftOut, ...] = ()
    spared: bool = False  # whether a round was a forfeit win or an allocated bye
    no_show: CountedGame | None = None  # if the last opponent did not appear: that game, as a loss
    rounds: int = 0  # rounds of the event
    left: int = 0  # rounds still to be played
    next: CountedGame | None = None  # against the next opponent, if paired; the score is still open

    def with_game(self, game: CountedGame, halves: int) -> "Scoresheet":
        """The scoresheet with one more game, with this score."""
        return self._replace(games=(*self.games, game._replace(halves=halves)), left=self.left - 1, next=None)


class Crosstable:
    """A tournament, as far as it matters for norms: the players, the rounds played, the rounds left."""

    def __init__(self, tournament: Tournament, kind: str, rules: TitleRules) -> None:
        self.tournament = tournament
        self.kind = kind
        self.rules = rules
        self.entrants: Mapping[int, Entrant] = {entrant.no: entrant for entrant in tournament.entrants}
        seen = [entrant.rounds for entrant in tournament.entrants]
        self.played = max(
            (number for rounds in seen for number, played in enumerate(rounds, 1) if played.kind in OVER), default=0
        )
        self.paired = max(
            (number for rounds in seen for number, played in enumerate(rounds, 1) if played.kind == PENDING), default=0
        )
        self.rounds = max(tournament.rounds, self.played, self.paired)
        self.zero_scorers = self._zero_scorers() if kind in rules.zero_scorer.value else frozenset()

    def round(self, entrant: Entrant, number: int) -> Round:
        """What a player did in a round; a missing entry means absent."""
        return entrant.rounds[number - 1] if 0 < number <= len(entrant.rounds) else Round(ABSENT)

    def present(self, entrant: Entrant, number: int) -> bool:
        """Whether a player took part in a round; an allocated bye or a forfeit win does not count as absence."""
        played = self.round(entrant, number)
        return played.kind in (PLAYED, SHORT, PENDING, ALLOCATED_BYE) or (played.kind == FORFEIT and bool(played.score))

    def scoresheet(self, entrant: Entrant) -> Scoresheet:
        """A player's rounds, divided into those that count and those that do not."""
        games, left_out, to_come = [], [], []
        for number in range(1, self.rounds + 1):
            played = self.round(entrant, number)
            if self._to_come(played, number):
                to_come.append(played)
                continue
            rule = self._excluded(played)
            opponent = self.entrants.get(played.opponent or 0)
            if rule is None and opponent is not None:
                games.append(_game(played, opponent, number))
            else:
                left_out.append(LeftOut(number, rule))
        return Scoresheet(
            tuple(games),
            tuple(left_out),
            any(_is_forgiven(played) for played in entrant.rounds),
            self._no_show(entrant),
            self.rounds,
            len(to_come),
            self._next(to_come),
        )

    def _no_show(self, entrant: Entrant) -> CountedGame | None:
        """The last game as a loss, if the opponent did not appear."""
        last = self.round(entrant, self.rounds)
        opponent = self.entrants.get(last.opponent or 0)
        if self.rounds > self.played or last.kind != FORFEIT or not last.score or opponent is None:
            return None
        return _game(replace(last, score=LOSS), opponent, self.rounds)

    def _next(self, to_come: list[Round]) -> CountedGame | None:
        """The game against the next opponent, if it is paired and will count."""
        if not to_come or to_come[0].kind != PENDING or self._excluded(to_come[0]) is not None:
            return None
        opponent = self.entrants.get(to_come[0].opponent or 0)
        return None if opponent is None else _game(to_come[0], opponent, self.rounds - len(to_come) + 1)

    def _to_come(self, played: Round, number: int) -> bool:
        """Whether a round is still to be played; a player without a pairing in a paired round does not play it."""
        if played.kind == PENDING:
            return True
        return played.kind == ABSENT and number > max(self.played, self.paired)

    def _excluded(self, played: Round) -> Rule[object] | None:
        """The rule that excludes a round; None if it counts."""
        rules = self.rules
        if played.kind in rules.unplayed.value or played.opponent is None:
            return rules.unplayed
        if played.kind == SHORT and rules.short_games.value == "left out":
            return rules.short_games
        opponent = self.entrants.get(played.opponent)
        federation = None if opponent is None else opponent.player.federation
        if federation in rules.no_federation.value:
            return rules.no_federation
        if federation == FID and rules.fid.value == "left out":
            return rules.fid
        return rules.zero_scorer if played.opponent in self.zero_scorers else None

    def _zero_scorers(self) -> frozenset[int]:
        """The unrated players who scored nothing in games played against rated players."""
        rated = {no for no, entrant in self.entrants.items() if entrant.player.rating is not None}
        return frozenset(
            entrant.no
            for entrant in self.tournament.entrants
            if entrant.player.rating is None
            and not any(played.score for played in entrant.rounds if played.kind == PLAYED and played.opponent in rated)
        )


def _game(played: Round, opponent: Entrant, number: int) -> CountedGame:
    player = opponent.player
    rating = _whole(player.rating, opponent.no)
    return CountedGame(rating, player.title, player.federation, int(2 * (played.score or 0)), opponent.no, number)


def _is_forgiven(played: Round) -> bool:
    """Whether 1.4.1c forgives a round: a forfeit win or a pairing-allocated bye."""
    return played.kind == ALLOCATED_BYE or (played.kind == FORFEIT and bool(played.score))


def _whole(rating: Rating | None, no: int) -> int | None:
    if rating is not None and not isinstance(rating, int):
        raise BadInput(say("tournaments.norms.whole_ratings", rating=rating), at=f"player {no}")
    return rating
