"""The games of a form as rows, in events or alone: where each is on the page, and what it brings.

`SheetGames` says for a view which rows and events there are. A row has the change of its game; a game to come says what
a win would bring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core import WIN, Game
from arpad.core.numbers import HIGHEST_RATING
from arpad.errors import ArpadError
from arpad.messages import say
from arpad.reading import OPEN
from arpad.reading.results import score_of
from arpad.systems.answers import RatingChange
from arpad.web.api import today
from arpad.web.hero_parts import day, exactly, points, signed
from arpad.web.rows import GameRow, rated_rows

if TYPE_CHECKING:
    from arpad.web.forms import EventFields
    from arpad.web.view import View

MANY = 4  # games; more of them fold to one line on a phone
NEAR = 60  # points between the averages to choose from
MOST_AHEAD = 30  # games to come for which each row says what a win brings
LONGEST_RATING = 4  # digits
RATINGS = ("rating", "peak", "standard", "base", "reach")  # fields that take a rating
RATING_AMONG_WORDS = re.compile(r"(?<![\d.,@])\d{3,4}(?![\d.,])")


class ButtonShown(NamedTuple):
    """A button that repairs a field: the value, and what the button says."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class RowShown:
    """A game as the form shows it: its place, and what it brings."""

    number: int
    id: str  # of its field, `row-1`, or `row-2-1` in the second event
    result_name: str
    row: GameRow
    name: str = ""  # of an opponent who was looked up
    change: str = ""
    kind: str = "soft"
    error: str = ""
    repair: ButtonShown | None = None


@dataclass(frozen=True, slots=True)
class EventShown:
    """An event as the form shows it."""

    number: int
    fields: EventFields
    rows: Sequence[RowShown]
    change: str = ""
    last: bool = False

    @property
    def title(self) -> str:
        """Its name, or its number."""
        return self.fields.name or str(say("pages.text.event_number", number=self.number))

    @property
    def about(self) -> str:
        """When it was, the score, against whom, and what it did."""
        when = date_of(self.fields.on)
        games = in_one_line([one.row for one in self.rows])
        return " · ".join(filter(None, (day(when) if when else "", games, self._not_paired, self.change)))

    @property
    def _not_paired(self) -> str:
        """How many rounds are not paired yet, and whom they are expected against."""
        rounds, average = self.fields.rounds, self.fields.field
        parts = [_text("rounds_count", rounds=int(rounds)) if rounds.isdecimal() else ""]
        parts.append(_text("on_average", rating=int(average)) if average.isdecimal() else "")
        return ", ".join(filter(None, parts))

    @property
    def results(self) -> list[str]:
        """The results of its games, for the small squares."""
        return [one.row.result for one in self.rows if one.row.opponent]


@dataclass(frozen=True)
class SheetGames:
    """The games of a form, as it was filled in."""

    view: View

    @cached_property
    def rows(self) -> list[RowShown]:
        """The games that are in no event, or an empty row."""
        if self.events:
            return []
        return self._rows(self.view.form.rows, 0, self._changes(self.view.form.rows, 0), 0)

    @cached_property
    def events(self) -> list[EventShown]:
        """The events, and an empty one if it was asked for."""
        from arpad.web.forms import EventFields

        there = list(self.view.form.events)
        if "event" in self.view.form.added:
            if not there and (self.view.form.rows or self.view.page.door == "first"):
                there = [EventFields(on=self.view.form.fields.get("on", ""), rows=self.view.form.rows)]
            there.append(EventFields())
        made, counted = [], 0
        for number, one in enumerate(there, start=1):
            rows = self._rows(one.rows, number, self._changes(one.rows, number), counted)
            counted += len(rows)
            made.append(EventShown(number, one, rows, self._event_change(number), last=number == len(there)))
        return made

    def _rows(
        self, rows: Sequence[GameRow], event: int, changes: dict[int, tuple[str, str]], counted: int
    ) -> list[RowShown]:
        """Rows with their places and changes; an empty one if there are none, or one more is asked for."""
        more = [GameRow()] * max(not rows, "game" in self.view.form.added and event == len(self.view.form.events))
        names = self.view.names(f"event[{event - 1}]." if event else "") if self.view.people is not None else []
        found: list[RowShown] = []
        games = 0
        for place, row in enumerate((*rows, *more)):
            id = f"row-{event}-{place + 1}" if event else f"row-{place + 1}"
            rated = place in rated_rows(rows, self.view.page.question)
            name = row.who or (names[games] if rated and games < len(names) else "")
            games += rated
            text, kind = changes.get(place, ("", "soft"))
            wrong = self.view.error_at(id)
            repair = repair_of(row.opponent) if wrong else None
            found.append(RowShown(place + 1, id, f"result-{counted + place + 1}", row, name, text, kind, wrong, repair))
        return found

    def _changes(self, rows: Sequence[GameRow], event: int) -> dict[int, tuple[str, str]]:
        """What each game brings, by its row; a game to come says what a win would."""
        answer, rated = self.view.answer, rated_rows(rows, self.view.page.question)
        if isinstance(answer, RatingChange):
            games = answer.events[event - 1].per_game if event and event <= len(answer.events) else answer.per_game
            return {
                row: (exactly(game.change), _sign(game.change))
                if game.change is not None
                else ("" if game.rated else _text("row_not_rated"), "soft")
                for row, game in zip(rated, games, strict=False)
            }
        if event or self.view.page.question not in ("outlook", "need") or len(rated) > MOST_AHEAD:
            return {}
        return dict(self._ahead(rows, rated))

    def _ahead(self, rows: Sequence[GameRow], rated: Sequence[int]) -> Iterator[tuple[int, tuple[str, str]]]:
        asked = None if self.view.asked is None else self.view.asked.question
        games = () if asked is None else getattr(asked, "game", ()) or getattr(asked, "against", ())
        for row, game in zip(rated, games, strict=False):
            try:
                chosen = asked.rating_system()  # type: ignore[union-attr]
                played = score_of(rows[row].result) if rows[row].result != OPEN else None
                opponent = getattr(game, "opponent", game)
                result = Game(opponent, WIN if played is None else played)
                change = chosen.rate(asked.player(chosen), result, on=asked.day, pace=asked.time).change  # type: ignore[union-attr]
            except (ArpadError, AttributeError, TypeError):
                continue
            if played is None:
                yield row, (_text("win_brings", change=signed(change)), "soft")
            else:
                yield row, (exactly(change), _sign(change))

    def _event_change(self, event: int) -> str:
        answer = self.view.answer
        if not isinstance(answer, RatingChange) or event > len(answer.events):
            return ""
        return exactly(answer.events[event - 1].change)

    @property
    def likely(self) -> list[str]:
        """Averages to choose from for rounds that are not paired: like the opponents so far, or near it."""
        rated = [int(row.opponent[:4]) for row in self.view.form.rows if row.opponent[:4].isdecimal()]
        if not rated:
            return []
        middle = round(sum(rated) / len(rated) / 10) * 10
        return [str(middle + by) for by in (-NEAR, 0, NEAR)]

    @property
    def many(self) -> bool:
        """Whether the games fold to one line on a phone."""
        return len(self.view.form.rows) > MANY

    @property
    def line(self) -> str:
        """The games in one line."""
        return in_one_line(self.view.form.rows)

    @property
    def results(self) -> list[str]:
        """The results of the games, for the small squares."""
        return [row.result for row in self.view.form.rows if row.opponent]


def in_one_line(rows: Sequence[GameRow]) -> str:
    """Games in a few words: the score, how many are to come, and the average opponent."""
    games = [row for row in rows if row.opponent]
    scores = [score for row in games if row.result != OPEN and (score := score_of(row.result)) is not None]
    to_come = sum(row.result == OPEN for row in games)
    rated = [int(row.opponent[:4]) for row in games if row.opponent[:4].isdecimal()]
    average = round(sum(rated) / len(rated)) if rated else None
    parts = []
    if scores:
        parts.append(_text("score_of_games", score=points(sum(scores)), games=len(scores)))
    if to_come:
        parts.append(_text("to_come_count", games=to_come))
    if average is not None:
        parts.append(_text("on_average", rating=average))
    return ", ".join(parts)


def repair_of(value: str, name: str = "rating") -> ButtonShown | None:
    """A year with its century, a rating without the digit typed too many, or the one rating among other words."""
    found: str | None = None
    typed = value.strip()
    if name == "born" and typed.isdecimal() and len(typed) == len("10"):
        century = today().year // 100 * 100
        found = str(century + int(typed) - (100 if century + int(typed) > today().year else 0))
    elif name in RATINGS and typed.isdecimal():
        found = typed[:-1] if len(typed) == LONGEST_RATING + 1 else None  # a longer number is perhaps an ID
    elif name in RATINGS:
        numbers = RATING_AMONG_WORDS.findall(typed)
        found = numbers[0] if len(numbers) == 1 else None
    if not found or int(found) > HIGHEST_RATING:
        return None
    return ButtonShown(found, _text("use_value", value=found))


def _sign(change: Any) -> str:
    return "gain" if change > 0 else "loss" if change < 0 else "soft"


def date_of(text: str) -> date | None:
    """The day in a field of the form; None if it is empty or not a day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _text(key: str, **values: object) -> str:
    return str(say(f"pages.sheet.{key}", **values))
