"""The ratings that titles require, and the titles that require only a rating and games."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from arpad.core import EloStanding, Player
from arpad.rulebooks import Rule, Rulebook, whole


class TitleRating(NamedTuple):
    """The rating a title requires, and whether it requires norms as well."""

    title: str
    rating: int
    norms: bool = False
    women: bool = False


class RatingRules(NamedTuple):
    """The rules of ratings for titles on a day."""

    title_ratings: Rule[tuple[TitleRating, ...]]


@dataclass(frozen=True, slots=True)
class RatingTitle:
    """A title whose rating was reached; `met` is whether there were enough games, None if unknown."""

    title: str
    rating: int
    needed: int
    games: int | None
    least_games: int
    met: bool | None


def read_titles(value: Any) -> tuple[TitleRating, ...]:
    """The titles and their ratings from the rule file."""
    titles = tuple(TitleRating(**line) for line in value)
    for title in titles:
        whole(title.rating)
    return titles


@cache
def rating_rulebook() -> Rulebook[RatingRules]:
    """The rulebook of ratings for titles."""
    return Rulebook("fide-title-ratings", RatingRules, {"title_ratings": read_titles})


def is_woman(player: Player) -> bool | None:
    """Whether a player may hold a women's title; None if the sex is not known."""
    return None if player.sex is None else player.sex == "w"


def rating_titles(player: Player, titles: Sequence[TitleRating], least_games: int) -> tuple[RatingTitle, ...]:
    """The highest title reached by rating, and the highest women's title, if higher than the one held."""
    if player.rating is None:
        return ()
    rating = int(player.rating)
    held = max((line.rating for line in titles if line.title == player.title), default=0)
    reached = [line for line in titles if not line.norms and held < line.rating <= rating]
    best = [
        max(family, key=lambda line: line.rating)
        for family in ([line for line in reached if line.women == women] for women in (False, True))
        if family
    ]
    games = EloStanding.of(player).games
    enough = None if games is None else games >= least_games
    return tuple(
        RatingTitle(line.title, rating, line.rating, games, least_games, enough)
        for line in best
        if not line.women or is_woman(player)
    )
