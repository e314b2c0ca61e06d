"""Which rounds of a player count for a norm (1.4.2), and what else in the crosstable bears on one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from arpad.calculation.answer import derived, hidden
from arpad.core import LOSS, Rating
from arpad.core.tournaments import ABSENT, ALLOCATED_BYE, FORFEIT, PENDING, PLAYED, SHORT, Entrant, Round, Tournament
from arpad.errors import BadInput
from arpad.messages import say
from arpad.rulebooks.rulebook import Rule
from arpad.tournaments.norms.conditions import FID, CountedGame
from arpad.tournaments.norms.rules import TitleRules

OVER = (PLAYED, SHORT, FORFEIT)  # kinds that show that a round has been played


@dataclass(frozen=True)
class LeftOut:
    """A round that does not count, and the rule behind that; None where the opponent is not in the file."""

    round: int
    rule: Rule[object] | None = hidden()

    @derived
    def article(self) -> str | None:
        """The article by which it does not count."""
        return None if self.rule is None else self.rule.article


class Scoresheet(NamedTuple):
    """A player's tournament as norms see it."""

    games: tuple[CountedGame, ...]
    left_out: tuple[LeftOut, ...] = ()
    spared: bool = False  # a round was a forfeit win or an allocated bye
    no_show: CountedGame | None = None  # the last opponent did not appear: the game as if it had been lost
    rounds: int = 0  # rounds of the event
    left: int = 0  # rounds still to be played
    next: CountedGame | None = None  # the next opponent, where the pairing is known; the score is not

    def with_game(self, game: CountedGame, halves: int) -> "Scoresheet":
        """The same with one game more, of such a score."""
        return self._replace(games=(*self.games, game._replace(halves=halves)), left=self.left - 1, next=None)


class Crosstable:
    """A tournament as norms look at it: who is who, what is played, what is left."""

    def __init__(self, tournament: Tournament, kind: str, rules: TitleRules) -> None:
        self.tournament = tournament
        self.kind = kind
        self.rules = rules
        self.entrants: Mapping[int, Entrant] = {entrant.no: entrant for entrant in tournament.entrants}
        seen = [entrant.rounds for entrant in tournament.entrants]
        self.played = max(
            (number for rounds in seen for number, one in enumerate(rounds, 1) if one.kind in OVER), default=0
        )
        self.paired = max(
            (number for rounds in seen for number, one in enumerate(rounds, 1) if one.kind == PENDING), default=0
        )
        self.rounds = max(tournament.rounds, self.played, self.paired)
        self.zero_scorers = self._zero_scorers() if kind in rules.zero_scorer.value else frozenset()

    def round(self, entrant: Entrant, number: int) -> Round:
        """What a player did in a round; a line that stops short means an absence."""
        return entrant.rounds[number - 1] if 0 < number <= len(entrant.rounds) else Round(ABSENT)

    def present(self, entrant: Entrant, number: int) -> bool:
        """Whether a player took part in a round; an allocated bye is no absence, and neither is a forfeit win."""
        one = self.round(entrant, number)
        return one.kind in (PLAYED, SHORT, PENDING, ALLOCATED_BYE) or (one.kind == FORFEIT and bool(one.score))

    def scoresheet(self, entrant: Entrant) -> Scoresheet:
        """The rounds of a player, sorted into those that count and those that do not."""
        games, left_out, to_come = [], [], []
        for number in range(1, self.rounds + 1):
            one = self.round(entrant, number)
            if self._to_come(one, number):
                to_come.append(one)
                continue
            rule = self._excluded(one)
            opponent = self.entrants.get(one.opponent or 0)
            if rule is None and opponent is not None:
                games.append(_game(one, opponent, number))
            else:
                left_out.append(LeftOut(number, rule))
        return Scoresheet(
            tuple(games),
            tuple(left_out),
            any(_spares(one) for one in entrant.rounds),
            self._no_show(entrant),
            self.rounds,
            len(to_come),
            self._next(to_come),
        )

    def _no_show(self, entrant: Entrant) -> CountedGame | None:
        """The last game as if it had been lost, where the opponent did not appear."""
        last = self.round(entrant, self.rounds)
        opponent = self.entrants.get(last.opponent or 0)
        if self.rounds > self.played or last.kind != FORFEIT or not last.score or opponent is None:
            return None
        return _game(replace(last, score=LOSS), opponent, self.rounds)

    def _next(self, to_come: list[Round]) -> CountedGame | None:
        """The next opponent, where the pairing is known and the game will count."""
        if not to_come or to_come[0].kind != PENDING or self._excluded(to_come[0]) is not None:
            return None
        opponent = self.entrants.get(to_come[0].opponent or 0)
        return None if opponent is None else _game(to_come[0], opponent, self.rounds - len(to_come) + 1)

    def _to_come(self, one: Round, number: int) -> bool:
        """Whether a round is still to be played; where pairings are out, whoever has none does not play."""
        if one.kind == PENDING:
            return True
        return one.kind == ABSENT and number > max(self.played, self.paired)

    def _excluded(self, one: Round) -> Rule[object] | None:
        """The rule by which a round does not count; None if it does."""
        rules = self.rules
        if one.kind in rules.unplayed.value or one.opponent is None:
            return rules.unplayed
        if one.kind == SHORT and rules.short_games.value == "left out":
            return rules.short_games
        opponent = self.entrants.get(one.opponent)
        federation = None if opponent is None else opponent.player.federation
        if federation in rules.no_federation.value:
            return rules.no_federation
        if federation == FID and rules.fid.value == "left out":
            return rules.fid
        return rules.zero_scorer if one.opponent in self.zero_scorers else None

    def _zero_scorers(self) -> frozenset[int]:
        """The unrated who scored nothing against rated players over the board."""
        rated = {no for no, entrant in self.entrants.items() if entrant.player.rating is not None}
        return frozenset(
            entrant.no
            for entrant in self.tournament.entrants
            if entrant.player.rating is None
            and not any(one.score for one in entrant.rounds if one.kind == PLAYED and one.opponent in rated)
        )


def _game(one: Round, opponent: Entrant, number: int) -> CountedGame:
    player = opponent.player
    rating = _whole(player.rating, opponent.no)
    return CountedGame(rating, player.title, player.federation, int(2 * (one.score or 0)), opponent.no, number)


def _spares(one: Round) -> bool:
    """Whether a round is one that 1.4.1c forgives: a forfeit win or a pairing-allocated bye."""
    return one.kind == ALLOCATED_BYE or (one.kind == FORFEIT and bool(one.score))


def _whole(rating: Rating | None, no: int) -> int | None:
    if rating is not None and not isinstance(rating, int):
        raise BadInput(say("tournaments.norms.whole_ratings", rating=rating), at=f"player {no}")
    return rating
