"""What is below the hero: cards where a shape is the answer, and lines that open, each with one subject.

Makers are found by the answer's type, as the hero's is; the templates only lay out what they are given. Exact figures
are here, not in the hero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from arpad.forecast.needs import NeededScore
from arpad.forecast.outlook import Outlook
from arpad.forecast.plans import PlanComparison
from arpad.forecast.season import Season
from arpad.systems.answers import Expectation, FirstRating, RatingChange
from arpad.systems.comparison import Comparison
from arpad.systems.diary import Diary
from arpad.systems.performance import Performance
from arpad.web import details_ahead as ahead
from arpad.web import details_played as played
from arpad.web.assumptions import OTHERWISE
from arpad.web.details_parts import working_detail

if TYPE_CHECKING:
    from arpad.messages import Message
    from arpad.web.details_parts import Card, Detail
    from arpad.web.view import View

Maker = Callable[[Any, Any], Iterable[Any]]
CARDS: Mapping[type, tuple[Maker, ...]] = {
    Diary: (played.diary_card,),
    FirstRating: (played.one_more_card,),
    Outlook: (ahead.scores_card, ahead.pairings_card),
    Season: (ahead.season_card, ahead.pairings_card),
}
DETAILS: Mapping[type, tuple[Maker, ...]] = {
    RatingChange: (
        played.games_detail,
        played.rounding_detail,
        played.other_results_detail,
        working_detail,
        played.other_side_detail,
        played.systems_detail,
        played.calculators_detail,
        played.readings_detail,
    ),
    Diary: (played.diary_detail, working_detail),
    Performance: (played.plain_games_detail, played.methods_detail, working_detail),
    Comparison: (played.comparison_detail,),
    FirstRating: (played.plain_games_detail, working_detail, played.published_detail, played.readings_detail),
    Expectation: (working_detail, played.other_side_detail, ahead.chances_detail, ahead.opponents_detail),
    Outlook: (
        ahead.scores_detail,
        ahead.by_opponent_detail,
        ahead.stronger_detail,
        ahead.likely_detail,
        ahead.conditions_detail,
        working_detail,
    ),
    Season: (ahead.season_detail, ahead.conditions_detail, working_detail),
    PlanComparison: (ahead.plans_detail, working_detail),
    NeededScore: (ahead.needed_detail, working_detail),
    object: (working_detail,),
}


def cards_of(view: View) -> list[Card]:
    """The cards of an answer."""
    return [card for make in _makers(CARDS, view.answer) for card in make(view, view.answer)]


def details_of(view: View) -> list[Detail]:
    """The lines below an answer that open."""
    return [detail for make in _makers(DETAILS, view.answer) for detail in make(view, view.answer)]


def _makers(table: Mapping[type, tuple[Maker, ...]], answer: object) -> tuple[Maker, ...]:
    return next((table[kind] for kind in type(answer).__mro__ if kind in table), ())


def notes_of(view: View) -> list[Message]:
    """The notes that are neither in the hero, as assumptions, nor in a detail."""
    beside = ahead.ABOUT_CHANCES if isinstance(view.answer, Outlook) else ()
    elsewhere = (*OTHERWISE, "notes.k.until", "notes.pools", *beside)
    return [note for note in view.notes if not note.key.startswith(elsewhere)]
