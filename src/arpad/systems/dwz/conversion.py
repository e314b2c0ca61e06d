"""The raise of the whole list in June 2026."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arpad.calculation.answer import date_notes
from arpad.calculation.step import Step, formula, found, known, ruled
from arpad.core import DwzStanding
from arpad.core.numbers import ROUNDINGS
from arpad.errors import BadInput
from arpad.messages import FieldName, say
from arpad.systems import by_k
from arpad.systems.conversion import Conversion, one_off

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from arpad.core import Rating
    from arpad.messages import Message
    from arpad.rulebooks import Rule
    from arpad.systems.dwz.rules import DwzRules, Lift


@formula("{factor} × {rating} + {constant}")
def on_a_line(factor: Any, rating: Any, constant: Any) -> Any:
    """A rating converted by a straight line."""
    return factor * rating + constant


def conversion(
    method: by_k.ByK,
    rating: Rating,
    *,
    on: date | None = None,
    standard: Rating | None = None,
    dwz_index: int | None = None,
) -> Conversion:
    """A DWZ and its index after the raise."""
    if standard is not None:
        raise BadInput(say("systems.unused", system=method.name, what=FieldName("standard")), at="standard")
    rule: Rule[Lift] = one_off(method.book, on)
    rules: DwzRules = method.book.at(rule.since)
    before = by_k.list_rating(method, rating, "rating")
    index = DwzStanding(index=dwz_index).index
    lifted = new = _lifted(before, rule, rules)
    if rules.minimum is not None and lifted.value < rules.minimum.value:
        new = ruled("converted.minimum", rules.minimum, rules.minimum.value, lifted=lifted)

    def notes() -> Iterator[Message]:
        yield from date_notes(method.book, rule.since)
        if new is not lifted:
            yield say("notes.dwz.lift_below", minimum=new.value, lifted=lifted.value)

    return Conversion(
        system=method.name,
        on=rule.since,
        trail=(new,),
        remarks=notes,
        before=rating,
        rating=int(new.value),
        dwz_index=None if index is None else index + rule.value.adds_to_index,
    )


def _lifted(rating: Step, rule: Rule[Lift], rules: DwzRules) -> Step:
    """The lowest ratings get fixed points, most follow a line, and the highest stay the same."""
    lift = rule.value
    if rating.value >= lift.line_until:
        return ruled("converted.unchanged", rule, rating.value, rating=rating)
    if rating.value < lift.line_from:
        return ruled("converted.raised", rule, rating.value + lift.add, rating=rating)
    exact = found(
        "converted",
        on_a_line,
        factor=known("factor", lift.factor),
        rating=rating,
        constant=known("constant", lift.constant),
    )
    return ruled("converted.rounded", rule, ROUNDINGS[rules.rounding.value](exact.value), exact=exact)
