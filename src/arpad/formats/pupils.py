"""A coach's table of pupils in CSV: a row for each, with what is known of the player and the games to come.

name, rating, born, k, games, peak: the player; id: the FIDE ID, by which a rating list has what the row leaves out.
reach: the rating to reach. on: the day the games begin. against: opponents as everywhere, `1850 1900@b 1780:win`; or
average, spread and rounds of a field. Rows with the same name are one pupil with all those games, and only the first
has to say who it is. A row with a day and results alone is an event of the pupil's diary, which is rated first.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from arpad.core import UNRATED, EloStanding, Event, Field, Game, Pairing, Player, Rating
from arpad.errors import BadFile, BadInput
from arpad.forecast.pupils import USUAL_SPREAD, Pupil
from arpad.formats.saving import safe_cell
from arpad.formats.text import CsvTable, in_row, place, read_text, whole_in
from arpad.messages import Message, in_english, say
from arpad.reading import parse_date, parse_pairing, parse_rating

if TYPE_CHECKING:
    from arpad.forecast.pupils import PupilsAhead

COLUMNS = (
    "name", "id", "rating", "born", "k", "games", "peak", "reach", "on", "against", "average", "spread", "rounds",
)  # fmt: skip
DELIMITERS = (";", "\t", ",")
MOST_ROUNDS, MOST_PUPILS = 30, 200
Find = Callable[[str], Player]  # the player of a FIDE ID such as `@1503014`


def read_pupils(path: str, find: Find) -> tuple[Pupil, ...]:
    """The pupils in a file."""
    return pupils_of(read_text(path), path, find)


def pupils_of(text: str, name: str, find: Find) -> tuple[Pupil, ...]:
    """The pupils in a text; `name` says in errors where it is from."""
    table = CsvTable("\n".join(line for line in text.splitlines() if line.strip()), name, DELIMITERS)
    names = table.columns = [cell.strip().lower() for cell in table.columns]
    if not {"rating", "id"} & set(names) or set(names) - set(COLUMNS) or len(set(names)) < len(names):
        raise BadFile(say("formats.pupils.columns", columns=COLUMNS), at=place(name, 1))
    found: dict[str, Pupil] = {}
    for at, row in table.rows():
        key = row.get("name") or row.get("id") or at
        with in_row(at):
            found[key] = _with_row(found[key] if key in found else _pupil(row, find), row)
    if not found:
        raise BadFile(say("formats.pupils.none"), at=name)
    if len(found) > MOST_PUPILS:
        raise BadFile(say("formats.pupils.most", most=MOST_PUPILS), at=name)
    if any(not pupil.games for pupil in found.values()):
        raise BadFile(say("formats.pupils.games"), at=name)
    return tuple(found.values())


def as_csv(answer: PupilsAhead) -> str:
    """The coach's table as CSV, with plain numbers."""
    out = io.StringIO(newline="")
    rows = csv.writer(out)
    (table,) = answer.tables()
    table = table.for_door("file")
    with in_english():  # for programs: the same in every language
        rows.writerow(column.key for column in table.columns)
        for cells in table.cells():
            rows.writerow(safe_cell(str(cell) if isinstance(cell, Message) else cell) for cell in cells)
    return out.getvalue()


def _pupil(given: Mapping[str, str], find: Find) -> Pupil:
    """Who a pupil is; what a row gives itself comes before what a rating list has."""
    if not given.keys() & {"id", "rating"}:
        raise BadInput(say("formats.pupils.rating"), at="rating")
    player = find(f"@{given['id'].lstrip('@')}") if "id" in given else UNRATED
    own: dict[str, Any] = {key: read(given, key) for key, read in STANDING.items() if key in given}
    if "k" in own:
        own["k_from"] = None
    standing = replace(EloStanding.of(player), standard=None, **own)
    born = whole_in(given, "born") if "born" in given else player.birth_year
    player = replace(player, standing=standing, birth_year=born, name=given.get("name") or player.name)
    return Pupil(player, ())


def _with_row(pupil: Pupil, given: Mapping[str, str]) -> Pupil:
    """A pupil with the games of one more row, and its target if it has one."""
    games = _games(given)
    if "reach" in given:
        pupil = pupil._replace(reach=whole_in(given, "reach"))
    on = parse_date(given["on"], at="on") if "on" in given else None
    if on is None or any(game.score is None or isinstance(game.opponent, Field) for game in games):
        return pupil._replace(games=(*pupil.games, *games), on=pupil.on or on)
    played = (Game(game.opponent, game.score, game.how, colour=game.colour) for game in games)  # type: ignore[arg-type]
    return pupil._replace(diary=(*pupil.diary, Event(tuple(played), on=on)))


def _games(given: Mapping[str, str]) -> tuple[Pairing, ...]:
    games = tuple(parse_pairing(word, at="against") for word in given.get("against", "").split())
    if "average" in given:
        rounds = whole_in(given, "rounds") or 0
        if not 0 < rounds <= MOST_ROUNDS:
            raise BadInput(say("formats.pupils.rounds", most=MOST_ROUNDS), at="rounds")
        spread = whole_in(given, "spread")
        games += (Pairing(Field(_rating(given, "average"), USUAL_SPREAD if spread is None else spread)),) * rounds
    if not games:
        raise BadInput(say("formats.pupils.games"), at="against")
    return games


def _rating(given: Mapping[str, str], key: str) -> Rating:
    """A number on a rating's scale; unrated is refused."""
    rating = parse_rating(given[key], at=key)
    if rating is None:
        raise BadInput(say("formats.pupils.rating"), at=key)
    return rating


STANDING = {"rating": _rating, "k": _rating, "games": whole_in, "peak": _rating}
