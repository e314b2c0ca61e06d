"""ECF, England's rating since 2020: the games of a month, FIDE's table, and one K for juniors and one for adults."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.step import Step, known, ruled
from arpad.core import EloStanding
from arpad.messages import Message, say
from arpad.rulebooks import TABLES, ExpectedTable, Rule, Rulebook, one_of, positive, record, rounding_name
from arpad.systems.answers import given_k
from arpad.systems.base import NationalSystem
from arpad.systems.elo import Curve, Entry, KSystem

if TYPE_CHECKING:
    from arpad.core import Game, Player
    from arpad.systems.base import Calculation, Field


class TwoKs(NamedTuple):
    """K for a junior, who is under a certain age in the year of the games, and for everybody else."""

    adult: int
    junior: int
    junior_under: int


class Partial(NamedTuple):
    """The number of games below which a rating is partial, and the divisor of K against a partial rating."""

    games_under: int
    divisor: int


class EcfRules(NamedTuple):
    """The rules of a day."""

    expected: Rule[ExpectedTable]
    k: Rule[TwoKs]
    partial: Rule[Partial]
    rounding: Rule[str]
    unplayed: Rule[str]


READERS: Mapping[str, Callable[[Any], Any]] = {
    "expected": TABLES["expected"],
    "k": lambda value: TwoKs(**{name: positive(number) for name, number in value.items()}),
    "partial": lambda value: record(Partial, value),
    "rounding": rounding_name,
    "unplayed": one_of("not rated"),
}


class Ecf(KSystem[EcfRules], NationalSystem):
    """The English system, with the chosen readings."""

    k_before = True
    federation = "ENG"

    def __init__(self, base: str, *, readings: Mapping[str, str] | None = None, rules: str | None = None) -> None:
        super().__init__(base, "ECF", Rulebook("ecf", EcfRules, READERS, path=rules, readings=readings))

    def _curve(self, rules: EcfRules) -> Curve:
        """FIDE's table of scoring probability by rating difference."""
        table = rules.expected.value

        def expected(difference: Step) -> Step:
            gap = difference.value
            return ruled(
                "expected", rules.expected, table.expected(gap), words={"row": table.row(gap)}, difference=difference
            )

        return expected

    def _k(self, player: Player, entries: Sequence[Entry], rules: EcfRules, on: date) -> Step:
        """K for a junior or for an adult."""
        standing = EloStanding.of(player)
        if standing.k is not None:
            return given_k(standing.k, standing.k_from)
        adult, junior, under = rules.k.value
        if player.birth_year is None:
            return ruled("k.assumed.born", rules.k, adult)
        k = junior if on.year - player.birth_year < under else adult
        return ruled("k.age", rules.k, k, born=known("born", player.birth_year))

    def _k_of_game(self, k: Step, game: Game, rules: EcfRules) -> Step:
        """K divided, against an opponent whose rating is partial."""
        games = EloStanding.of(game.opponent).games
        if games is None or games >= rules.partial.value.games_under:
            return k
        divided = Decimal(k.value) / rules.partial.value.divisor
        return ruled("k.partial", rules.partial, divided, k=k, games=known("games_before", games))

    def _notes(self, player: Player, rules: EcfRules, on: date) -> Iterator[Message]:
        """What was assumed about K."""
        if EloStanding.of(player).k is None and player.birth_year is None:
            yield say("notes.ecf.age", k=rules.k.value.adult, junior=rules.k.value.junior)

    def field_notes(
        self,
        field: Field,
        answers: Mapping[int, Calculation],
        on: date,
    ) -> Iterator[Message]:
        """Who met newcomers: the federation rates newcomers first, and then counts these games by half."""
        newcomers = [no for no, entrant in field.items() if entrant.newcomer]
        rated = {no: entrant for no, entrant in field.items() if entrant.player.rating is not None}
        others = [no for no, entrant in rated.items() if entrant.played_any(newcomers)]
        if others:
            yield say("notes.ecf.newcomers", newcomers=newcomers, players=others)
        unknown = [no for no, entrant in rated.items() if EloStanding.of(entrant.player).games is None]
        if unknown:
            least = self.rulebook.of(EcfRules).at(on).partial.value.games_under
            yield say("notes.ecf.full", players=unknown, games=least)
