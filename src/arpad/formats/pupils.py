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
from typing import TYPE_CHECKING

from arpad.core import EloStanding, Event, Field, Game, Pairing, Player, Rating
from arpad.errors import ArpadError, BadFile, BadInput
from arpad.forecast.pupils import USUAL_SPREAD, Pupil
from arpad.formats.saving import safe_cell
from arpad.formats.text import read_text
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
    lines = [line for line in text.splitlines() if line.strip()]
    delimiter = next((one for one in DELIMITERS if lines and one in lines[0]), ",")
    rows = csv.DictReader(lines, delimiter=delimiter)
    names = [(cell or "").strip().lower() for cell in rows.fieldnames or ()]
    if not {"rating", "id"} & set(names) or set(names) - set(COLUMNS) or len(set(names)) < len(names):
        raise BadFile(say("formats.pupils.columns", columns=COLUMNS), at=f"{name}, line 1")
    rows.fieldnames = names
    found: dict[str, Pupil] = {}
    for row in rows:
        at = f"{name}, line {rows.line_num}"
        if None in row:
            raise BadFile(say("formats.players.fields"), at=at)
        given = {key: value.strip() for key, value in row.items() if value and value.strip()}
        key = given.get("name") or given.get("id") or at
        try:
            found[key] = _with_row(found[key] if key in found else _pupil(given, find), given)
        except ArpadError as error:
            raise BadFile(error.said, at=", ".join(filter(None, (at, error.at)))) from None
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
    if "id" in given:
        player = find(f"@{given['id'].lstrip('@')}")
    elif "rating" in given:
        player = Player(_rating(given, "rating"))
    else:
        raise BadInput(say("formats.pupils.rating"), at="rating")
    known = EloStanding.of(player)
    standing = EloStanding(
        _rating(given, "rating") if "rating" in given else known.rating,
        k=_rating(given, "k") if "k" in given else known.k,
        k_from=None if "k" in given else known.k_from,
        games=_whole(given, "games") if "games" in given else known.games,
        peak=_rating(given, "peak") if "peak" in given else known.peak,
    )
    born = _whole(given, "born") if "born" in given else player.birth_year
    player = replace(player, standing=standing, birth_year=born, name=given.get("name") or player.name)
    return Pupil(player, ())


def _with_row(pupil: Pupil, given: Mapping[str, str]) -> Pupil:
    """A pupil with the games of one more row, and its target if it has one."""
    games = _games(given)
    if "reach" in given:
        pupil = pupil._replace(reach=_whole(given, "reach"))
    on = parse_date(given["on"], at="on") if "on" in given else None
    if on is None or any(game.score is None or isinstance(game.opponent, Field) for game in games):
        return pupil._replace(games=(*pupil.games, *games), on=pupil.on or on)
    played = (Game(game.opponent, game.score, game.how, colour=game.colour) for game in games)  # type: ignore[arg-type]
    return pupil._replace(diary=(*pupil.diary, Event(tuple(played), on=on)))


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
    return games


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
