"""The ratings that titles require, and the titles that require nothing else but games."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from arpad.core import EloStanding, Player
from arpad.rulebooks.rulebook import Rule, Rulebook, whole


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
    """A title that a rating has reached; whether there were games enough is None where nobody knows."""

    title: str
    rating: int
    needed: int
    games: int | None
    least_games: int
    met: bool | None


def read_titles(value: Any) -> tuple[TitleRating, ...]:
    """The titles and their ratings, as the rule file has them."""
    titles = tuple(TitleRating(**one) for one in value)
    for one in titles:
        whole(one.rating)
    return titles


@cache
def rating_rulebook() -> Rulebook[RatingRules]:
    """The rulebook of ratings for titles."""
    return Rulebook("fide-title-ratings", RatingRules, {"title_ratings": read_titles})


def is_woman(player: Player) -> bool | None:
    """Whether a player may hold a title for women; None where the sex is not known."""
    return None if not player.sex else player.sex[0].lower() in ("f", "w")


def rating_titles(player: Player, titles: Sequence[TitleRating], least_games: int) -> tuple[RatingTitle, ...]:
    """The best title reached by rating, and the best women's title, if better than the one held."""
    if player.rating is None:
        return ()
    rating = int(player.rating)
    held = max((one.rating for one in titles if one.title == player.title), default=0)
    reached = [one for one in titles if not one.norms and held < one.rating <= rating]
    best = [
        max(family, key=lambda one: one.rating)
        for family in ([one for one in reached if one.women == women] for women in (False, True))
        if family
    ]
    games = EloStanding.of(player).games
    enough = None if games is None else games >= least_games
    return tuple(
        RatingTitle(one.title, rating, one.rating, games, least_games, enough)
        for one in best
        if not one.women or is_woman(player)
    )
