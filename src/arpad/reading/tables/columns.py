"""The headings of a table: what each column means, by the vocabulary and, where a word means two things, by its cells.

Every table asks here: pasted text, CSV, Excel, a saved page, an organiser's table of players, a rating list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import EARLIEST_BIRTH
from arpad.errors import BadInput
from arpad.messages import say
from arpad.reading.days import OLDEST
from arpad.reading.pasted import ColumnReading
from arpad.reading.results import MARKS, SCORES, colour_letters, compact, is_mark, is_score, meaning_of
from arpad.reading.tables.cells import cell_meaning, is_figure, is_rating, is_wordy, rating_in
from arpad.reading.text import MANY_WORDS, bare, fold
from arpad.reading.vocabulary import heading, headings, only_means, words

if TYPE_CHECKING:
    from arpad.reading.tables.rows import PastedRow

NUMBERED = re.compile(
    r"([0-9]{1,4})\.? ?([^\W\d_]{0,8})\.?|([^\W\d_]{1,12})\.?[ _]?([0-9]{1,4})\.?(?:[ _]?([^\W\d_]{1,12})\.?)?"
)
CHANGES = ("+/-", "±", "+-")
LEAST_KNOWN = 3
LEAST_GAMES = 3  # of a card: the opponents of two may have gained 1 and ½ so far
LOWEST_RATING = 1000  # of a column that may also be ranks
LONGEST_HEADING = 20_000  # characters of a line of headings
SIGNS_OF_A_TABLE = {"name", "white", "black", "result", "rating", "surname"}
TWO_COLUMNS = ({"rating", "result"}, {"name", "born"})  # what is a table with two columns alone
NAMES = ("name", "white", "black")
SIDES = ("white", "black")
OF_A_SIDE = ("no", "name", "rating", "title", "federation", "id", "born", "sex")
SIDE_LETTERS = {"w": "white", "b": "black"}  # of `w_elo`
ROUND, OPPONENT = "round-column", "opponent-column"
AGAINST = "against"  # only with a number behind it
NAMED = {"name", "surname", "given"}
OF_AN_OPPONENT = {*OF_A_SIDE, "national", "club", "rank", "points"}
PARTS = {"name": "opponent", "no": "opponent", "colour": "colour", "result": "result", "points": "result"}
UNKNOWN = ("blank", "unknown")
NOT_RATINGS = ("rank", "no", "points")  # but if their cells look like ratings, it is asked which they are
YEARS_OF_BIRTH = range(EARLIEST_BIRTH, EARLIEST_BIRTH + 2 * OLDEST)  # far into the future; they may be ratings too
FIELDS = (
    "no", "rank", "name", "surname", "given", "rating", "title", "federation", "id", "member", "born", "sex", "points",
    "result", "round", *SIDES, *(f"{side}_{role}" for side in SIDES for role in OF_A_SIDE if role != "name"),
)  # fmt: skip


@dataclass(frozen=True)
class TableHeadings:
    """The columns of a table; `numbers` has the number of the round or opponent for columns that have one."""

    texts: tuple[str, ...]
    roles: tuple[str, ...]
    numbers: tuple[int | None, ...] = ()
    # By round, if its opponent, colour and result have columns of their own.
    parts: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    separator: str = "\t"
    chosen: frozenset[str] = frozenset()  # the roles whose columns the user names

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The columns of each role, those whose word comes first in the vocabulary before the others."""
        found: dict[str, list[int]] = {}
        for place, role in enumerate(self.roles):
            found.setdefault(role, []).append(place)
        for role, places in found.items():
            if len(places) > 1 and role not in SIDES:
                places.sort(key=lambda place: headings(self.texts[place]).get(role, 0))
        return found

    @cached_property
    def first(self) -> Mapping[str, int]:
        """The first column of each role."""
        return {role: places[0] for role, places in self.places.items()}

    def place(self, role: str) -> int | None:
        """The first column of a role."""
        return self.first.get(role)

    def count(self, *roles: str) -> int:
        """How many columns have one of these roles."""
        return sum(role in roles for role in self.roles)

    @cached_property
    def rounds(self) -> list[tuple[int, int]]:
        """The place and the number of each column of a round or of an opponent."""
        return [(place, number) for place, number in enumerate(self.numbers) if number is not None]

    @property
    def last_round(self) -> int:
        """The highest number of a round or of an opponent; 0 without one."""
        return max([number for _, number in self.rounds] + list(self.parts), default=0)

    @property
    def across(self) -> bool:
        """Whether the columns are headed as opponents: `vs 1`."""
        return OPPONENT in self.roles

    @cached_property
    def name_places(self) -> tuple[int | None, int | None]:
        """The columns of both names of a game: White and Black, or `Name` twice."""
        white, black = map(self.place, SIDES)
        if white is not None and black is not None:
            return white, black
        known = [[self.place(role) for role in (side, f"{side}_no", f"{side}_id")] for side in SIDES]
        white, black = (min((place for place in places if place is not None), default=None) for places in known)
        if None not in (white, black, self.place("result")):
            return white, black  # IDs or numbers instead of names
        first, second, *_ = [*self.places.get("name", []), None, None]
        return first, second

    @property
    def has_games(self) -> bool:
        """Whether each row is a game of two players."""
        return None not in self.name_places

    @property
    def dwz(self) -> int | None:
        """The column of DWZ beside another rating."""
        place = self.place("national")
        return place if place is not None and _is_dwz(self.texts[place]) else None

    @property
    def national_alone(self) -> int | None:
        """The column of ratings if they are a federation's own, and the only ones; None if the user named it."""
        place = self.place("rating")
        if place is None:
            return self.place("national")
        return place if _is_dwz(self.texts[place]) and "rating" not in self.chosen else None

    @property
    def unused(self) -> list[str]:
        """The headings that mean nothing to a tournament."""
        known = {*FIELDS, ROUND, OPPONENT, "part", "board", "tie-break"}
        if self.dwz is not None or self.national_alone is not None:
            known.add("national")
        once = () if self.has_games else FIELDS
        named = enumerate(zip(self.texts, self.roles, strict=True))
        return [
            text
            for place, (text, role) in named
            if text.strip() and (role not in known or (role in once and place != self.place(role)))
        ]

    @property
    def readings(self) -> list[ColumnReading]:
        """What each column was taken to be."""
        named = zip(self.texts, self.roles, strict=True)
        return [ColumnReading(heading=text.strip(), meaning=role) for text, role in named if text.strip()]

    def with_columns(self, columns: Mapping[str, str]) -> TableHeadings:
        """The headings with the columns that the user names, Arpad's name first, instead of those recognised."""
        where = {text.strip().casefold(): place for place, text in enumerate(self.texts)}
        roles, numbers = list(self.roles), list(self.numbers)
        for name, text in columns.items():
            place = where[text.strip().casefold()]
            roles = ["unknown" if role == name else role for role in roles]
            number = None if name in FIELDS else _numbered(name)
            if name not in FIELDS and (number is None or number.role != ROUND or not number.number):
                raise BadInput(say("formats.table.unknown_field", column=name, known=sorted(FIELDS)), at="columns")
            roles[place] = ROUND if number else name
            numbers[place] = number and number.number
        return replace(self, roles=tuple(roles), numbers=tuple(numbers), chosen=frozenset(columns))


def headings_in(cells: Sequence[str], separator: str = "\t") -> TableHeadings | None:
    """The headings in a row of cells; None if it is not a row of headings."""
    found = roles_of(cells, separator)
    known = [role for role in found.roles if role not in UNKNOWN]
    meanings = {meaning.partition("_")[0] for role in known for meaning in role.split("|")}
    complete = len(known) == len(cells) and any(meanings >= two for two in TWO_COLUMNS)
    if (len(known) < LEAST_KNOWN and not complete) or not SIGNS_OF_A_TABLE & meanings:
        return None
    filled = len(cells) - found.roles.count("blank")
    enough = 5 * len(known) >= 3 * filled if separator in (",", "  ", " ") else 3 * len(known) >= filled
    if not enough or any(_is_a_value(cell) for cell, number in zip(cells, found.numbers, strict=True) if not number):
        return None
    return found


def _is_a_value(cell: str) -> bool:
    """Whether a cell is a number, which no heading is."""
    text = cell.strip().replace(",", ".")
    return text[:1].isdecimal() and not any(letter.isalpha() for letter in text)


def roles_of(cells: Sequence[str], separator: str = "\t") -> TableHeadings:
    """What each cell of a row means as a heading; a word with two meanings has both, with a stroke between them."""
    roles = [_role(cell) for cell in cells]
    for place, role in _by_letters(cells, roles).items():
        roles[place] = role
    numbers, parts = _numbers(cells, roles)
    for place, role in enumerate(roles[:-1]):
        if role == "blank" and roles[place + 1].partition("|")[0] in NAMES:
            roles[place] = "title"
    ratings = [place for place, role in enumerate(roles) if role == "rating"]
    national = [place for place in ratings if _is_dwz(cells[place])]
    if len(ratings) == 2 and len(national) == 1 and not {*SIDES} & {*roles}:
        roles[national[0]] = "national"  # Elo and DWZ
    return TableHeadings(tuple(cells), tuple(_two_names(roles)), tuple(numbers), parts, separator)


def _is_dwz(heading: str) -> bool:
    return words("events").phrase(fold(heading.strip())) == "dwz"


@lru_cache(maxsize=MANY_WORDS)
def _role(cell: str) -> str:
    text = cell.strip()
    if not text:
        return "blank"
    if any(sign in text for sign in CHANGES):
        return "other"
    if meanings := "|".join(headings(text)):
        return "unknown" if meanings == AGAINST else meanings
    return _in_words(re.findall(r"[^\W_]+", text)) or _of_a_side(bare(text)) or "unknown"


def _in_words(parts: Sequence[str]) -> str | None:
    """The meaning of a heading of several words: `Elo rival`, `Opponent's rating`; `Surname and forename`."""
    others = [part for part in parts if len(part) > 1 and cell_meaning(part) != "opponent"]
    found = headings(" ".join(others)) if others and len(others) < len(parts) else {}
    if found:
        return "|".join(found) if set(found) <= OF_AN_OPPONENT else None
    named = [headings(part).keys() & NAMED for part in parts if fold(part) not in only_means("and")]
    return "name" if len(named) > 1 and all(named) else None


def _of_a_side(text: str) -> str | None:
    """The meaning of a heading with its colour: `white_id`, `WhiteElo`, `Black Rtg`, `w_elo`, `Elo Weiß`."""
    for length in range(1, len(text)):
        before, behind = heading(text[:length]), heading(text[length:])
        for side, role in ((SIDE_LETTERS.get(text[:length]) or before, behind), (behind, before)):
            if side in SIDES and role in OF_A_SIDE:
                return side if role == "name" else f"{side}_{role}"
    return None


def _by_letters(cells: Sequence[str], roles: Sequence[str]) -> dict[int, str]:
    """The columns that end in the letter of a colour, if they are there for both: `Elo B` and `Elo N` are French."""
    split = {at: cell.strip().rpartition(" ") for at, cell in enumerate(cells) if not {*SIDES} - {*roles}}
    fields = {at: (heading(field), letter.lower()) for at, (field, _, letter) in split.items() if len(letter) == 1}
    found: dict[int, str] = {}
    for role in {role for role, _ in fields.values()} & {*OF_A_SIDE}:
        letters = {at: letter for at, (field, letter) in fields.items() if field == role}
        sides = colour_letters(set(letters.values()))
        if {*sides.values()} == {*SIDES} and len(letters) == len(SIDES):
            found |= {at: f"{sides[letter]}_{role}" for at, letter in letters.items()}
    return found


def _numbers(cells: Sequence[str], roles: list[str]) -> tuple[list[int | None], dict[int, dict[str, int]]]:
    """The numbers of columns such as `1.Rd`, `R 2`, `3` or `vs 4`, and the columns of `R1 result`; their roles are set.

    Numbers without a word count only if they go up one by one.
    """
    found = [_numbered(cell) if role == "unknown" else None for cell, role in zip(cells, roles, strict=True)]
    alone = [column.number for column in found if column is not None and not column.worded]
    in_order = (alone[:1] == [1] or len(alone) > 1) and alone == list(range(alone[0], alone[0] + len(alone)))
    numbers: list[int | None] = [None] * len(cells)
    parts: dict[int, dict[str, int]] = {}
    for place, column in enumerate(found):
        if column is None or column.number in (0, *numbers) or not (column.worded or in_order):
            continue
        if column.role in (ROUND, OPPONENT):
            numbers[place], roles[place] = column.number, column.role
        else:
            parts.setdefault(column.number, {}).setdefault(column.role, place)
            roles[place] = "part"
    return numbers, parts


class _Numbered(NamedTuple):
    """A heading with a number: of a round, of an opponent, or of a part of a round."""

    number: int
    role: str
    worded: bool


def _numbered(cell: str) -> _Numbered | None:
    match = NUMBERED.fullmatch(cell.strip())
    if match is None:
        return None
    word, number = match[2] if match[3] is None else match[3], int(match[1] or match[4])
    meaning = "round" if not word else heading(word) or heading(bare(word)) or heading(bare(word).upper())
    if meaning not in ("round", AGAINST):
        return None
    role = ROUND if meaning == "round" else OPPONENT
    if match[5] and heading(match[5]) != "round":
        role = PARTS.get(heading(match[5]) or heading(match[5].upper()) or "", "") if meaning == "round" else ""
    return _Numbered(number, role, bool(word)) if role else None


def _two_names(roles: Sequence[str]) -> list[str]:
    """The roles with a name in one column or in two: `Nombre` is the given name beside `Apellidos`."""
    split = [role.split("|") for role in roles]
    both = all(any(part in meanings for meanings in split) for part in ("surname", "given"))
    return [
        (meanings[-1] if both else "name") if len(meanings) > 1 and {"surname", "given"} & {*meanings} else role
        for role, meanings in zip(roles, split, strict=True)
    ]


def settled(table: TableHeadings, rows: Sequence[PastedRow]) -> TableHeadings:
    """The headings with one meaning for each word, decided by the rest of the table and by the cells of the column.

    Raises UnclearColumn if the cells fit both meanings, or neither; also in a table without ratings or without results,
    if a heading that is not understood has cells like them.
    """
    roles = list(table.roles)
    columns = [[cell for row in rows if (cell := row.cell(place))] for place in range(len(roles))]
    for place, (role, cells) in enumerate(zip(table.roles, columns, strict=True)):
        if role == "title" and not table.texts[place].strip() and all(row.cell(place).isdecimal() for row in rows):
            roles[place] = "unknown" if "no" in roles else "no"  # without a heading, and figures
        if "|" in role:
            meanings = role.split("|")
            fitting = _by_the_others(meanings, table) or [one for one in meanings if cells and _fits(one, cells)]
            if len(fitting) > 1:
                fitting = [one for one in fitting if one not in roles] or fitting
            if set(fitting) == {"points", "result"} and _of_single_games(cells, table):
                fitting = ["result"]
            if len(fitting) != 1 and cells:
                raise UnclearColumn(table.texts[place].strip(), meanings)
            roles[place] = fitting[0] if len(fitting) == 1 else "unknown"
    for place, (role, cells) in enumerate(zip(roles, columns, strict=True)):
        odd = role in ("unknown", *NOT_RATINGS) and cells and not table.chosen
        meanings = _not_to_miss(cells, roles, table) if odd else []
        if role in NOT_RATINGS and meanings == ["rating"] and "result" in roles and not _fits("rank", cells):
            raise UnclearColumn(table.texts[place].strip(), [role, "rating"])
        if role == "unknown" and meanings:
            raise UnclearColumn(table.texts[place].strip(), meanings, known=False)
    return replace(table, roles=tuple(roles))


def _not_to_miss(cells: Sequence[str], roles: Sequence[str], table: TableHeadings) -> list[str]:
    """What the cells of a column look like whose heading is not understood, if the table has no such column."""
    rated = any(role == "national" or role.endswith("rating") for role in roles)
    if not rated and all(map(is_rating, cells)) and any(len(cell) >= len("1000") for cell in cells):
        years = all(cell.isdecimal() and int(cell) in YEARS_OF_BIRTH for cell in cells)
        return ["rating", "born"] if years else ["rating"]
    named = any(role in NAMES or role in NAMED or role.endswith("id") for role in roles)
    if not named and all(map(_is_a_person, cells)):
        return ["name"]
    has_results = table.rounds or table.parts or "result" in roles
    said = sum(meaning_of(cell) in SCORES for cell in cells)  # in words, which are nothing else
    return ["result"] if not has_results and 2 * said >= len(cells) else []


class UnclearColumn(BadInput):
    """A column whose heading has two meanings, which its cells do not tell apart; or one that is not `known`."""

    def __init__(self, column: str, meanings: Sequence[str], *, known: bool = True) -> None:
        named = [say(f"reading.column.{meaning}") for meaning in meanings]
        key = "reading.unclear_column" if known else "reading.unknown_column"
        super().__init__(say(key, column=column, meanings=named), at="text")
        self.column = column
        self.meanings = tuple(meanings)


def _is_a_person(cell: str) -> bool:
    """Whether a cell is two words or more with capital letters, as a name is."""
    parts = cell.replace(",", " ").split()
    return len(parts) > 1 and all(part[0].isupper() for part in parts) and not any(map(str.isdecimal, cell))


def _by_the_others(meanings: Sequence[str], table: TableHeadings) -> list[str]:
    """The meaning that the other columns leave; empty if they do not say."""
    if set(meanings) == {"points", "result"}:
        if table.rounds or table.parts or {"result", "rank"} & set(table.roles):
            return ["points"]
        return ["result"] if table.has_games else []
    if set(meanings) == {"board", "no"}:
        return ["no" if table.rounds else "board"]
    return []


def _of_single_games(cells: Sequence[str], table: TableHeadings) -> bool:
    """Whether figures of a card are its games' results: none is above 1, and they go down, which a total never does."""
    of_one_player = "round" in table.roles or any(cell_meaning(text) == "opponent" for text in table.texts)
    if not of_one_player or len(cells) < LEAST_GAMES:
        return False
    scores = [SCORES[meaning] for cell in cells if (meaning := MARKS.get(compact(cell), "")) in SCORES]
    return len(scores) == len(cells) and any(behind < before for before, behind in pairwise(scores))


def _fits(role: str, cells: Sequence[str]) -> bool:
    """Whether the cells of a column can be of a role; one cell in ten may be a mistake."""
    if role == "rank":
        ranks = [int(text) for cell in cells if (text := cell.rstrip(".")).isdecimal() and len(text) < len("10000")]
        in_order = len(ranks) == len(cells) and all(before <= behind for before, behind in pairwise(ranks))
        return in_order and (ranks[0] == 1 or ranks[-1] < LOWEST_RATING) and ranks[-1] - ranks[0] < 2 * len(ranks)
    if role == "rating":
        found = [rating for cell in cells if (rating := rating_in(cell)) is not None]
        highest = max((rating.rating or 0 for rating in found), default=0)
        return highest >= LOWEST_RATING and 10 * len(found) >= 9 * len(cells)
    tests: dict[str, Callable[[str], bool]] = {
        "points": is_figure,
        "tie-break": is_figure,
        "result": lambda cell: is_mark(cell) or is_score(cell) or meaning_of(cell) in SCORES,
        "club": is_wordy,
    }
    return 10 * sum(map(tests[role], cells)) >= 9 * len(cells)
