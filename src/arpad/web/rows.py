"""Games as rows of the form and in the address: `2550gm/FRA@w:?` is rating, title, federation, colour and result."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from arpad.core import TITLES
from arpad.reading import BYE, FORFEITS, OPEN, RESULTS, parted, score_of
from arpad.web.pasting import UNRATED_ROW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.web.pasting import Query

# The fields of a row after the opponent. Titles and federations are asked for only when norms are.
CELLS = ("opponent_title", "opponent_federation", "rd", "result", "who")
# Every repetition has a limit, so that matching a long line takes linear time.
OPPONENT = re.compile(
    rf"(?P<rating>\d{{1,4}}(?:\.\d{{1,4}})?s?)(?P<title>{'|'.join(TITLES)})?"
    r"(?:/(?:(?P<rd>\d{1,3}(?:\.\d{1,4})?)|(?P<federation>[A-Z]{3})))?(?P<colour>@\w{1,9})?",
    re.IGNORECASE,
)
WORDS = {score: word for word, score in RESULTS.items() if word in ("win", "draw", "loss")}
TO_COME = ("outlook",)  # pages that take games to come


class Cells(NamedTuple):
    """An opponent, split into the columns of a row."""

    opponent: str
    title: str = ""
    federation: str = ""
    rd: str = ""


class GameRow(NamedTuple):
    """A game as the form shows it."""

    opponent: str = ""
    result: str = "win"
    who: str = ""

    def cells(self, columns: str = "") -> Cells:
        """The opponent in the columns of a form: for a `deviation`, for `norms`, or none; otherwise in one piece."""
        found = OPPONENT.fullmatch(self.opponent)
        shown = {"deviation": ("rd",), "norms": ("title", "federation")}.get(columns, ())
        if found is None or any(found[name] and name not in shown for name in ("title", "federation", "rd")):
            return Cells(self.opponent)
        title, federation = ((found[name] or "").upper() for name in ("title", "federation"))
        return Cells(f"{found['rating']}{found['colour'] or ''}", title, federation, found["rd"] or "")


def joined_row(opponent: str, behind: Query, question: str) -> Query:
    """A row's opponent, with the fields after it, as a game."""
    fields = dict(of_one_row(behind))
    if not opponent and "who" not in fields:
        return []
    who, typed = parted(opponent)  # the result may have been typed after the opponent
    result = choice(typed) if typed else fields.get("result", blank_row(question).result)
    game = opponent if opponent.lower() == BYE else f"{_with_cells(who, fields)}:{result}"
    to_come = result == OPEN and question not in TO_COME
    return [
        (UNRATED_ROW if not opponent or to_come else "game", game),
        *([("who", fields["who"])] if "who" in fields else []),
    ]


def of_one_row(behind: Query) -> Query:
    """The fields after an opponent that belong to the same row."""
    found: Query = []
    for name, text in behind:
        if name not in CELLS:
            break
        if text:
            found.append((name, text))
    return found


def _with_cells(who: str, fields: dict[str, str]) -> str:
    """An opponent with title, federation and deviation from their columns, unless typed together with them."""
    rating, at, colour = who.partition("@")
    if not rating.rstrip("s").replace(".", "", 1).isdecimal():
        return who
    behind = fields.get("opponent_federation") or fields.get("rd")
    return f"{rating}{fields.get('opponent_title', '').lower()}{f'/{behind}' if behind else ''}{at}{colour}"


def blank_row(question: str) -> GameRow:
    """The empty row for the next game."""
    return GameRow(result=OPEN if question in TO_COME else "win")


def rows_of(pairs: Query, question: str) -> list[GameRow]:
    """The games in the address as rows, except those of events."""
    rows: list[GameRow] = []
    for name, text in pairs:
        if name == "event":
            break
        if name in ("game", "against", UNRATED_ROW):
            rows.append(_row(text, name, question))
        elif name == "who" and rows:
            rows[-1] = rows[-1]._replace(who=text)
    return rows


def _row(text: str, name: str, question: str) -> GameRow:
    opponent, colon, result = text.rpartition(":")
    if question in TO_COME and not colon:
        return GameRow(text, OPEN)
    return GameRow(opponent if name == UNRATED_ROW else opponent or text, choice(result))


def rated_rows(rows: Sequence[GameRow], question: str) -> list[int]:
    """The indices of the rows that are games of the question."""
    return [place for place, row in enumerate(rows) if row.opponent and (row.result != OPEN or question in TO_COME)]


def choice(result: str) -> str:
    """The form's choice for a result in any spelling; an unknown one stays unchanged, to be refused later."""
    result = result.strip().lower()
    if result in FORFEITS:
        return "+" if FORFEITS[result] else "-"
    score = score_of(result)
    return result if score is None else WORDS[score]
