"""A coach's table of pupils in CSV: a row for each, with what is known of the player and the games to come.

name, rating, born, k, games, peak: the player. reach: the rating to reach. on: the day the games begin.
against: opponents as everywhere, `1850 1900@b 1780:win`; or average, spread and rounds of a field. Rows with the same
name are one pupil with all those games.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace

from arpad.core import EloStanding, Field, Pairing, Player, Rating
from arpad.errors import ArpadError, BadFile, BadInput
from arpad.forecast.pupils import Pupil
from arpad.formats.text import read_text
from arpad.messages import say
from arpad.reading import parse_date, parse_pairing, parse_rating

COLUMNS = ("name", "rating", "born", "k", "games", "peak", "reach", "on", "against", "average", "spread", "rounds")
DELIMITERS = (";", "\t", ",")
USUAL_SPREAD = 100  # points, of a field without one
MOST_ROUNDS = 30


def read_pupils(path: str) -> tuple[Pupil, ...]:
    """The pupils in a file."""
    return pupils_of(read_text(path), path)


def pupils_of(text: str, name: str) -> tuple[Pupil, ...]:
    """The pupils in a text; `name` says in errors where it is from."""
    lines = [line for line in text.splitlines() if line.strip()]
    delimiter = next((one for one in DELIMITERS if lines and one in lines[0]), ",")
    rows = csv.DictReader(lines, delimiter=delimiter)
    names = [(cell or "").strip().lower() for cell in rows.fieldnames or ()]
    if "rating" not in names or set(names) - set(COLUMNS) or len(set(names)) < len(names):
        raise BadFile(say("formats.pupils.columns", columns=COLUMNS), at=f"{name}, line 1")
    rows.fieldnames = names
    found: dict[str, Pupil] = {}
    for row in rows:
        at = f"{name}, line {rows.line_num}"
        if None in row:
            raise BadFile(say("formats.players.fields"), at=at)
        given = {key: value.strip() for key, value in row.items() if value and value.strip()}
        try:
            pupil = _pupil(given)
        except ArpadError as error:
            raise BadFile(error.said, at=", ".join(filter(None, (at, error.at)))) from None
        key = given.get("name") or at
        before = found.get(key)
        found[key] = pupil if before is None else before._replace(games=(*before.games, *pupil.games))
    if not found:
        raise BadFile(say("formats.pupils.none"), at=name)
    return tuple(found.values())


def _pupil(given: Mapping[str, str]) -> Pupil:
    if "rating" not in given:
        raise BadInput(say("formats.pupils.rating"), at="rating")
    standing = EloStanding(
        _rating(given, "rating"),
        k=_rating(given, "k") if "k" in given else None,
        games=_whole(given, "games") if "games" in given else None,
        peak=_rating(given, "peak") if "peak" in given else None,
    )
    born = _whole(given, "born") if "born" in given else None
    player = Player(standing, birth_year=born, name=given.get("name"))
    reach = _whole(given, "reach") if "reach" in given else None
    on = parse_date(given["on"], at="on") if "on" in given else None
    return Pupil(player, _games(given), reach, on)


def _games(given: Mapping[str, str]) -> tuple[Pairing, ...]:
    games = tuple(parse_pairing(word, at="against") for word in given.get("against", "").split())
    if "average" in given:
        rounds = _whole(given, "rounds") if "rounds" in given else 0
        if not 0 < rounds <= MOST_ROUNDS:
            raise BadInput(say("formats.pupils.rounds", most=MOST_ROUNDS), at="rounds")
        spread = _whole(given, "spread") if "spread" in given else USUAL_SPREAD
        games += (Pairing(Field(_rating(given, "average"), spread)),) * rounds
    if not games:
        raise BadInput(say("formats.pupils.games"), at="against")
    return tuple(replace(game) for game in games)


def _rating(given: Mapping[str, str], key: str) -> Rating:
    """A number on a rating's scale; unrated is refused."""
    rating = parse_rating(given[key], at=key)
    if rating is None:
        raise BadInput(say("formats.pupils.rating"), at=key)
    return rating


def _whole(given: Mapping[str, str], key: str) -> int:
    if not (given[key].isascii() and given[key].isdigit()):
        raise BadInput(say("formats.players.number", column=key), at=key)
    return int(given[key])
