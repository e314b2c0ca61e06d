"""The questions about the future: the outlook of an event, a season or several plans, and the likely strength."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.core import PlannedEvent
from arpad.errors import BadInput
from arpad.reading.notation import parse_date, parse_field, parse_pace, parse_pairing, parse_rating

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from arpad.calculation.contract import Calculation
    from arpad.core import Pairing
    from arpad.forecast.plans import Intended
    from arpad.questions.asking import Asked
    from arpad.systems.draw_models import DrawModel

OPPONENTS = ("game", "against", "field", "spread", "rounds")  # how the games ahead are given
PLANNED = ("name", "on", "time", *OPPONENTS, "plan")  # what belongs to an event that is to be played
DRAWS = ("draws", "draw_rate", "white")
AHEAD = (*OPPONENTS, "time", "event", "reach", "lose", "strength", *DRAWS)


def ahead_asked(asked: Asked) -> Calculation:
    """What the games ahead can do: an outlook, a season, or plans side by side."""
    from arpad.forecast.plans import look_ahead_plans

    return look_ahead_plans(
        asked.system(),
        _plans(asked),
        on=asked.day(),
        reach=asked.text("reach"),
        lose=asked.text("lose"),
        strength=asked.text("strength"),
        draws=_draws(asked),
    )


def strength_asked(asked: Asked) -> Calculation:
    """The strength that results look like."""
    from arpad.forecast.strength import likely_strength

    rating = parse_rating(asked.texts["rating"], at="rating")
    results = _named(asked.texts, "game")
    return likely_strength(asked.system(), rating, results, on=asked.day(), draws=_draws(asked))


def _plans(asked: Asked) -> list[Intended]:
    """The events of each plan; those without one belong to every plan."""
    from arpad.forecast.plans import Intended

    player, events = asked.player(), list(_events(asked))
    names = list(dict.fromkeys(plan for plan, _ in events if plan is not None))
    if len(names) < 2:
        return [Intended(player, [event for _, event in events])]
    return [Intended(player, [event for plan, event in events if plan in (None, name)], name) for name in names]


def _events(asked: Asked) -> Iterator[tuple[str | None, PlannedEvent]]:
    """The games that belong to no event as one of their own, and then each event; with the plan it belongs to."""
    given = asked.texts.get("event", ())
    if not given or any(name in asked.texts for name in OPPONENTS):
        yield None, _event(asked.texts)
    for number, texts in enumerate(given):
        event = _event(texts, f"event[{number}].")
        if not event.pairings:
            raise BadInput(
                f"Event {number + 1} has no games yet; name its opponents, or the field's average and rounds.",
                at=f"event[{number}].against",
            )
        yield texts.get("plan"), event


def _event(texts: Mapping[str, Any], path: str = "") -> PlannedEvent:
    return PlannedEvent(
        tuple(_opponents(texts, path)),
        None if "on" not in texts else parse_date(texts["on"], at=f"{path}on"),
        texts.get("name"),
        None if "time" not in texts else parse_pace(texts["time"], at=f"{path}time"),
    )


def _opponents(texts: Mapping[str, Any], path: str = "") -> Iterator[Pairing]:
    """The games, played or not, and those against an open that is known by its average alone."""
    yield from _named(texts, "game", path)
    yield from _named(texts, "against", path)
    yield from parse_field(texts.get("field"), texts.get("spread"), texts.get("rounds"), at=f"{path}field")


def _named(texts: Mapping[str, Any], name: str, path: str = "") -> list[Pairing]:
    return [parse_pairing(text, at=f"{path}{name}[{number}]") for number, text in enumerate(texts.get(name, ()))]


def _draws(asked: Asked) -> DrawModel:
    from arpad.systems.draw_models import WHITE, draw_model

    model, white = asked.text("draws") or "labelle", asked.text("white") or WHITE
    return draw_model(model, draw_rate=asked.text("draw_rate"), white=white)
