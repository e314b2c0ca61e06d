"""How each kind of field is read: from a text and its place to a value. The reading itself is `arpad.reading`."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from arpad.core import (
    Game,
    Pace,
    Pairing,
    Player,
    Rating,
    Sex,
    Shares,
    Title,
    deviation_of,
    k_of,
    number,
    rating_of,
    volatility_of,
    whole_of,
)
from arpad.errors import BadInput
from arpad.messages import AsTyped, say
from arpad.questions.declare import Place
from arpad.reading import (
    names_a_player,
    opponent_and_rest,
    parse_age,
    parse_birth_year,
    parse_date,
    parse_federation,
    parse_game,
    parse_opponent,
    parse_pairing,
    parse_percentage,
    parse_rating,
    parse_sex,
    parse_shares,
    parse_title,
    unmarked,
)
from arpad.reading.results import COLOUR_NAMES, RESULT_NAMES

if TYPE_CHECKING:
    from arpad.reading.tables.people import PlayerList

SEXES = ("M", "W", "F")  # in upper or lower case; F, as in FIDE's lists, is W
STAND_IN = "unrated"  # stands in for a name while the rest is parsed
HIGHEST_PORT = 65535


def text(typed: str, _: Place) -> str:
    """Any text."""
    return typed


def path(typed: str, _: Place) -> str:
    """A file or folder on this machine."""
    return typed


def day(typed: str, place: Place) -> date:
    """A day: `2026-11-15`, `15.11.2026`, `2026-11`."""
    return parse_date(typed, at=place.at)


def rating(typed: str, place: Place) -> Rating:
    """A rating: `1800`, `1 800`, `1,800`."""
    return rating_of(unmarked(typed), at=place.at)


def player(typed: str, place: Place) -> Player:
    """The player a question is about: a rating, `unrated`, an ID or a name."""
    return place.people.find(typed, place) or Player(parse_rating(typed, at=place.at))


def opponent(typed: str, place: Place) -> Player:
    """An opponent: a rating with title, federation or deviation, `unrated`, an ID or a name."""
    return place.people.opponent(typed, place) or parse_opponent(typed, at=place.at)


def opponent_as_typed(typed: str, place: Place) -> str:
    """The text of one opponent, who may be somebody to look up, with nothing beside it."""
    who, behind = opponent_and_rest(typed)
    if behind or not names_a_player(who):
        parse_opponent(typed, at=place.at)
    return typed


def game(typed: str, place: Place) -> Game:
    """A game against a rating or a named player."""
    who, behind = opponent_and_rest(typed)
    found = place.people.opponent(who, place) if ":" in behind else None  # without a result it is a bye, or no game
    if found is None:
        return parse_game(typed, at=place.at)
    return replace(parse_game(f"{STAND_IN}{behind}", at=place.at), opponent=found)


def pairing(typed: str, place: Place) -> Pairing:
    """A game, played or still to come, against a rating or a named player."""
    who, behind = opponent_and_rest(typed)
    found = place.people.opponent(who, place)
    if found is None:
        return parse_pairing(typed, at=place.at)
    return replace(parse_pairing(f"{STAND_IN}{behind}", at=place.at), opponent=found)


def pace(typed: str, place: Place) -> Pace:
    """A time control."""
    from arpad.reading import parse_pace  # with many words, which few questions need

    return parse_pace(typed, at=place.at)


def named_value(typed: str, place: Place) -> tuple[str, str]:
    """NAME=VALUE."""
    name, equals, value = typed.partition("=")
    if not equals:
        raise BadInput(say("questions.name_value", value=typed), at=place.at)
    return name.strip(), value.strip()


def points(typed: str, place: Place) -> Rating:
    """A number of points."""
    return number(typed, at=place.at)


def share(typed: str, place: Place) -> Rating:
    """A share, 0.75 or 75 %."""
    return parse_percentage(typed, at=place.at)


def count(typed: str, place: Place) -> int:
    """A whole number, 0 or more."""
    return whole_of(typed, "count", 0, at=place.at)


def fide_id(typed: str, place: Place) -> int:
    """A FIDE ID."""
    return whole_of(typed, "fide_id", 1, at=place.at)


def names(typed: str, _: Place) -> tuple[str, ...]:
    """Names separated by commas."""
    return tuple(name.strip() for name in typed.split(","))


def k(typed: str, place: Place) -> Rating:
    """A K-factor."""
    return k_of(typed, at=place.at)


def birth_year(typed: str, place: Place) -> int:
    """A year of birth."""
    return parse_birth_year(typed, at=place.at)


def age(typed: str, place: Place) -> int:
    """An age in years."""
    return parse_age(typed, at=place.at)


def games_before(typed: str, place: Place) -> int:
    """A number of rated games so far."""
    return whole_of(typed, "games_before", 0, 1_000_000, at=place.at)


def deviation(typed: str, place: Place) -> Rating:
    """A rating deviation."""
    return deviation_of(typed, at=place.at)


def volatility(typed: str, place: Place) -> Rating:
    """A volatility."""
    return volatility_of(typed, at=place.at)


def dwz_index(typed: str, place: Place) -> int:
    """A DWZ index."""
    return whole_of(typed, "dwz_index", 0, 10_000, at=place.at)


def result(typed: str, place: Place) -> str:
    """The result of a game, by its name."""
    if typed not in RESULT_NAMES:
        raise BadInput(say("reading.not_a_result", result=typed), at=place.at)
    return typed


def colour(typed: str, place: Place) -> str:
    """The colour of one's own pieces."""
    if typed not in COLOUR_NAMES:
        raise BadInput(say("values.not.colour", value=AsTyped(typed)), at=place.at)
    return typed


def sex(typed: str, place: Place) -> Sex:
    """`W` or `M`."""
    return parse_sex(typed, at=place.at)


def title(typed: str, place: Place) -> Title:
    """A title."""
    return parse_title(typed, at=place.at)


def federation(typed: str, place: Place) -> str:
    """A federation's three letters."""
    return parse_federation(typed, at=place.at)


def title_shares(typed: str, place: Place) -> Shares:
    """Shares of titles: `GM 10%, IM 30%`."""
    return parse_shares(typed, partial(parse_title, at=place.at), at=place.at)


def federation_shares(typed: str, place: Place) -> Shares:
    """Shares of federations: `GER 60%, POL 10%`."""
    return parse_shares(typed, partial(parse_federation, at=place.at), at=place.at)


def players(typed: str, place: Place) -> PlayerList:
    """An entry list or standings."""
    from arpad.reading.tables.people import read_players  # few questions read tables

    try:
        return read_players(typed)
    except BadInput as problem:
        problem.at = place.at
        raise


def port(typed: str, place: Place) -> int:
    """A port; 0 takes a free one."""
    return whole_of(typed, "port", 0, HIGHEST_PORT, at=place.at)
