"""The data for all criteria: the event under each score, and the value of a criterion."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from arpad.core.numbers import half_up_of
from arpad.tournaments.tiebreaks.unplayed import Opposition

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.calculation.step import Step
    from arpad.tournaments.tiebreaks.criteria import Criterion
    from arpad.tournaments.tiebreaks.ratings import RatedGames
    from arpad.tournaments.tiebreaks.rounds import Scoreboard
    from arpad.tournaments.tiebreaks.rules import TieRules
    from arpad.tournaments.tiebreaks.teams import Boards
    from arpad.tournaments.tiebreaks.unplayed import Contribution

Key = int | Fraction | tuple[Decimal, ...]
Shown = int | Decimal | str | None


class Worth(NamedTuple):
    """The value of a criterion: what is compared, what is shown, and where it came from."""

    key: Key | None  # None comes last
    shown: Shown
    meetings: Sequence[Contribution] = ()
    cut: Sequence[Contribution] = ()
    rounds: Sequence[int] = ()  # the rounds counted
    worked: Step | None = None  # the whole working, if it is not such a sum


NOBODY = Worth(None, None)


class TieTable:
    """An event ready for any criterion."""

    def __init__(
        self,
        rules: TieRules,
        fields: Mapping[str, Scoreboard],
        primary: str = "",
        *,
        ratings: RatedGames | None = None,
        boards: Boards | None = None,
    ) -> None:
        self.rules = rules
        self.fields = fields  # by score: MP and GP for teams, "" for players
        self.primary = primary
        self.ratings = ratings
        self.boards = boards
        self._projected: dict[str, Scoreboard] = {}
        self._oppositions: dict[tuple[str, bool, bool], Opposition] = {}

    @property
    def secondary(self) -> str:
        """The other score of teams."""
        return next(score for score in self.fields if score != self.primary)

    def field(self, criterion: Criterion) -> Scoreboard:
        """The event under the score of a criterion."""
        return self.fields[criterion.score or self.primary]

    def opposition(self, criterion: Criterion, score: str | None = None, *, projected: bool = False) -> Opposition:
        """All opponents under the score and the modifiers of a criterion."""
        chosen = criterion.score or self.primary if score is None else score
        key = chosen, criterion.forfeits_played, projected or criterion.projected
        if key not in self._oppositions:
            field = self.fields[chosen]
            if key[2]:
                field = self._projected.setdefault(chosen, field.projected())
            self._oppositions[key] = Opposition(field, self.rules, forfeits_played=key[1])
        return self._oppositions[key]


def hundredths(value: Fraction) -> Decimal:
    """A mean as printed: two decimals, rounded half up."""
    return Decimal(half_up_of(100 * value.numerator, value.denominator)) / 100
