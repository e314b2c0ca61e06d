"""The answer of a page in one glance: the figure that was asked for, one sentence, and at most three facts.

`hero_of` finds the maker for an answer in `HEROES`, by the answer's type. Figures are rounded as the list rounds them;
the exact ones are in the details. All words are in `messages/en/hero.txt`, where text between asterisks is emphasised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from arpad.forecast.needs import NeededRating, NeededScore
from arpad.forecast.outlook import Outlook
from arpad.forecast.plans import PlanComparison
from arpad.forecast.season import Season
from arpad.messages import say
from arpad.systems.answers import Expectation, FirstRating, RatingChange
from arpad.systems.comparison import Comparison
from arpad.systems.diary import Diary
from arpad.systems.performance import Performance
from arpad.web.assumptions import assumptions_of
from arpad.web.hero_ahead import game_hero, outlook_hero, plans_hero, rating_hero, score_hero, season_hero
from arpad.web.hero_parts import Hero, long_day
from arpad.web.hero_played import change_hero, comparison_hero, diary_hero, first_hero, performance_hero

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer
    from arpad.questions import Asked

MOST_FACTS = 3
# The maker of each kind of answer; one that is a kind of another, such as a change in Glicko's family, has the same
# maker, which takes its facts from a table of its own (`FACTS` in `hero_played`).
HEROES: Mapping[type, Callable[[Asked, Any], Hero]] = {
    RatingChange: change_hero,
    Diary: diary_hero,
    Performance: performance_hero,
    Comparison: comparison_hero,
    FirstRating: first_hero,
    Expectation: game_hero,
    Outlook: outlook_hero,
    Season: season_hero,
    PlanComparison: plans_hero,
    NeededScore: score_hero,
    NeededRating: rating_hero,
}


def hero_of(asked: Asked, answer: Answer) -> Hero:
    """The answer to a question in one glance, with what it assumes."""
    made = _plain_hero(asked, answer)
    return replace(made, assumptions=(*made.assumptions, *assumptions_of(asked, answer, made, _plain_hero)))


def copied(hero: Hero, answer: Answer) -> str:
    """The result in a line or two, to paste into a message."""
    name = say("pages.text.each_system") if isinstance(answer, Comparison) else say(f"pages.system.{answer.system}")
    return f"{hero.spoken} {say('answers.by_the_rules', system=name, on=long_day(answer.on))}"


def _plain_hero(asked: Asked, answer: Answer) -> Hero:
    """The hero without what K and the like assume."""
    maker = next(HEROES[kind] for kind in type(answer).__mro__ if kind in HEROES)
    made = maker(asked, answer)
    return replace(made, facts=made.facts[:MOST_FACTS])
