"""A whole event by the German rating order: which day decides, and a note on what is not calculated here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from arpad.core import DwzStanding
from arpad.messages import Message, say
from arpad.systems.dwz.first import performance_of
from arpad.systems.first_rating import FirstRating
from arpad.systems.national import National

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from arpad.systems import by_k
    from arpad.systems.dwz.rules import DwzRules
    from arpad.systems.national import Calculation, Field


def national(method: by_k.ByK) -> National:
    """How the federation rates a whole event: each player separately, newcomers from games against rated players."""
    return National(
        "GER",
        DwzStanding,
        day=partial(deciding_day, method),
        notes=partial(_notes, method),
    )


def deciding_day(method: by_k.ByK, began: date, ended: date | None) -> date:
    """The day whose rules an event is rated by."""
    if ended is None:
        return began
    return ended if method.book.at(ended).decides.value == "last day" else began


def _notes(method: by_k.ByK, field: Field, answers: Mapping[int, Calculation], on: date) -> Iterable[Message]:
    """The players for whom the order may give other figures."""
    newcomers = [no for no, entrant in field.items() if entrant.newcomer]
    together = [no for no in newcomers if field[no].played_any(newcomers)]
    if together:
        yield say("notes.dwz.together", players=together)
    rules: DwzRules = method.book.at(on)
    far = [no for no, answer in answers.items() if not isinstance(answer, FirstRating) and _far_above(answer, rules)]
    if far and rules.far_above is not None:
        key = "far_above" if rules.by_index is None else "far_above.new"
        yield say(f"notes.dwz.{key}", players=far, points=rules.far_above.value, cite=rules.far_above.cite)


def _far_above(answer: Calculation, rules: DwzRules) -> bool:
    """Whether a player performed so far above the rating that the order may count the performance for opponents."""
    opponents = [line.opponent for line in answer.per_game if line.rated and line.opponent is not None]
    if rules.far_above is None or not opponents or not answer.score or answer.rating is None:
        return False
    reached = performance_of(opponents, answer.score, rules).value
    return bool(reached - answer.rating > rules.far_above.value)
