"""How the Glicko systems are built, and what those share that rate a whole period at once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from arpad.core import GlickoStanding
from arpad.systems.base import System
from arpad.systems.glicko.standing import idle_of
from arpad.systems.rating_change import not_rated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from arpad.calculation.step import Step
    from arpad.core import Game, Player, Rating
    from arpad.rulebooks import Rule, Rulebook, Rules
    from arpad.systems.expectation import Expectation
    from arpad.systems.glicko.answer import GlickoChange


def glicko_system(
    name: str,
    title: str,
    book: Rulebook[Rules],
    rate_period: Callable[..., GlickoChange],
    expect: Callable[..., Expectation],
    *settings: object,
) -> System:
    """A Glicko system; its functions get the settings as their first arguments."""
    return System.of(
        name,
        title,
        book,
        rate_period=partial(rate_period, *settings),
        expect=partial(expect, *settings),
        standing=GlickoStanding,
    )


def idle_before(player: Player, games: Iterable[Game]) -> Rating | None:
    """The rating periods without a game; at least one, if nothing was played in this period."""
    idle = idle_of(player)
    return idle if any(game.how == "played" for game in games) else idle or 1


def game_steps(games: Iterable[Game], unplayed: Rule[str], meet: Callable[[int, Game], Step]) -> Sequence[Step]:
    """All games of a period, each with its result or why it is not rated."""
    return [
        meet(no, game) if game.how == "played" else not_rated(no, game, game.how, unplayed, game.opponent.rating)
        for no, game in enumerate(games, start=1)
    ]
