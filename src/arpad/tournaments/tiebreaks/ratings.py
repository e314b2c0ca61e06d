"""Criteria by ratings (article 10): ARO and its cuts, TPR, PTP, APRO, APPO, RTNG."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from arpad.calculation import formulas
from arpad.calculation.step import Step, found, known, ruled, summed
from arpad.core.numbers import ROUNDINGS
from arpad.core.tournaments import FIXED_PAIRINGS, FORFEIT, SHORT, Entrant, Tournament
from arpad.errors import BadInput
from arpad.messages import say
from arpad.rulebooks import Rule
from arpad.systems import performance as performances
from arpad.tournaments.tiebreaks.criteria import Criterion
from arpad.tournaments.tiebreaks.rules import TieRules
from arpad.tournaments.tiebreaks.table import TieTable, Worth


class RatedGame(NamedTuple):
    """A game that counts: the opponent's number and rating, the player's score, and the kind of game."""

    opponent: int
    rating: int
    score: Decimal
    kind: str


class RatedGames:
    """All players' games that count, and their performances, each calculated once."""

    def __init__(
        self,
        tournament: Tournament,
        kind: str,
        unrated: int | None,
        rules: TieRules,
        on: date,
        *,
        until: int | None = None,
    ) -> None:
        self.rules = rules
        self.table = performances.rulebook().at(on)
        kinds = {*rules.played.value, *rules.short_games.value}
        self.fixed = kind in FIXED_PAIRINGS
        if self.fixed and rules.forfeits.value == "played":
            kinds.add(FORFEIT)
        self.ratings = {
            entrant.no: unrated if entrant.player.rating is None else _whole(entrant) for entrant in tournament.entrants
        }
        self.met = {
            entrant.no: [
                RatedGame(played.opponent, rating, played.score, played.kind)
                for played in entrant.rounds[:until]
                if played.kind in kinds
                and played.opponent is not None
                and played.score is not None
                and (rating := self.ratings.get(played.opponent)) is not None
            ]
            for entrant in tournament.entrants
        }
        self._performances: dict[tuple[str, int], Step] = {}

    def performance(self, method: str, no: int) -> Step:
        """TPR or PTP of a player."""
        key = method, no
        if key not in self._performances:
            met = self.met[no]
            result = _result([game.rating for game in met], sum((game.score for game in met), Decimal(0)))
            own = performances.METHODS[method](result, self.table)
            self._performances[key] = Step(
                "tie.own", own.value, {"performance": own}, words={"no": no, "method": method.upper()}
            )
        return self._performances[key]

    def value(self, criterion: Criterion, no: int) -> Step:
        """A player's value for a criterion; None without a game that counts."""
        key, met = "tie.value", self.met[no]
        if criterion.name == "RTNG":
            return ruled(key, self.rules.of("RTNG"), self.ratings[no])
        if not met or len(met) <= criterion.lowest + criterion.highest:
            return ruled(key, self.rules.no_games, None)
        given = self._counted(met)
        if criterion.name == "ARO":
            ratings = sorted(game.rating for game in met)
            kept = ratings[criterion.lowest : len(ratings) - criterion.highest]
            if criterion.lowest:
                given["cut"] = ruled("tie.cut", self.rules.cuts, len(ratings) - len(kept))
            average = performances.average_of(_result(kept, Decimal(0)))
            return _rounded(key, self.rules.aro, average, given)
        if criterion.name in DIRECT:
            own = self.performance(DIRECT[criterion.name], no)
            return Step(key, own.value, {**given, "performance": own}, self.rules.of(criterion.name))
        if not all(self.met[game.opponent] for game in met):  # only one side of the game is in the file
            return Step(key, None, words={"says": say("tournaments.ties.lacks_game")})
        theirs = tuple(self.performance(OF_OPPONENTS[criterion.name], game.opponent) for game in met)
        # The sum as a decimal, so that the mean is a decimal too.
        total = summed("tie.total", formulas.total, theirs)
        total = total._replace(value=Decimal(total.value))
        average = found("average", formulas.average, total=total, games=known("games", len(theirs)))
        return _rounded(key, self.rules.of(criterion.name), average, given)

    def _counted(self, met: Sequence[RatedGame]) -> dict[str, Step]:
        """The games that count, and the rules for that."""
        given = {"played": ruled("tie.games", self.rules.played, len(met))}
        short = sum(game.kind == SHORT for game in met)
        if short:
            given["short"] = ruled("tie.short", self.rules.short_games, short)
        if self.fixed:
            given["forfeits"] = ruled("tie.forfeits", self.rules.forfeits, self.rules.forfeits.value)
        return given


def by_ratings(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """Any criterion of this article, with its working."""
    if table.ratings is None:
        raise TypeError("the table was made without ratings")
    step = table.ratings.value(criterion, no)
    key = -step.value if criterion.reversed and step.value is not None else step.value
    return Worth(key, step.value, worked=step)


# The performance behind a criterion: the player's own, or the average of the opponents'.
DIRECT = {"TPR": "tpr", "PTP": "ptp"}
OF_OPPONENTS = {"APRO": "tpr", "APPO": "ptp"}


def _result(ratings: Sequence[int], score: Decimal) -> performances.Scored:
    return performances.Scored(tuple(ratings), known("score", score), known("games", len(ratings)))


def _rounded(key: str, rule: Rule[str], average: Step, given: Mapping[str, Step]) -> Step:
    return Step(key, ROUNDINGS[rule.value](average.value), {**given, "average": average}, rule)


def _whole(entrant: Entrant) -> int:
    rating = entrant.player.rating
    if not isinstance(rating, int):
        raise BadInput(say("tournaments.ties.whole_rating", rating=rating), at=f"player {entrant.no}")
    return rating
