"""The working behind a norm: every condition as a step, with the games, the raised opponent and the table behind it."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from arpad.calculation.step import Step, known, ruled
from arpad.messages import Message, say
from arpad.systems.performance import Scored, by_table
from arpad.tournaments.norms.conditions import AT_LEAST, AT_MOST, FID, in_points, raised

if TYPE_CHECKING:
    from arpad.tournaments.norms.answer import Norm
    from arpad.tournaments.norms.conditions import Condition, Verdict
    from arpad.tournaments.norms.games import LeftOut, Scoresheet
    from arpad.tournaments.norms.ratings import RatingTitle
    from arpad.tournaments.norms.rules import Edition, TitleRules


def norm_step(norm: Norm, sheet: Scoresheet, edition: Edition, who: Message) -> Step:
    """A norm as a step that rests on its conditions."""
    verdict = norm.verdict
    performance = performance_step(verdict, edition)
    conditions = tuple(
        _condition(condition, verdict.title, performance) for condition in (*verdict.conditions, *norm.beside)
    )
    given = {
        "left_out": tuple(_left_out(left_out) for left_out in sheet.left_out),
        "chosen": tuple(_chosen(verdict, edition.titles)),
        "conditions": conditions,
        "covers": tuple(_covers(norm, edition.titles)),
    }
    return Step("norm", verdict.met, given, words={"title": verdict.title, "who": who})


def _left_out(left_out: LeftOut) -> Step:
    words = {"round": left_out.round}
    if left_out.rule is None:
        return Step("norm.left_out", None, words={**words, "says": say("tournaments.norms.not_in_file")})
    return ruled("norm.left_out", left_out.rule, None, words=words)


def _condition(condition: Condition, title: str, performance: Step | None) -> Step:
    """A condition as a step; average and performance with the arithmetic behind them."""
    key, rule = f"norm.{condition.name}", condition.rule
    if rule is None:  # open to all, or no exemption used
        found = condition.found
        return known(key, None) if found is None else Step(key, condition.met, words={"says": found})
    given: dict[str, Step] = {}
    if performance is not None and condition.name == "performance":
        given["performance"] = performance
    elif performance is not None and condition.name == "average":
        average = performance.given["average"]
        if isinstance(average, Step):
            given["average"] = average
    words = {"says": _judged(condition, rule.says), "title": title}
    return ruled(key, rule, condition.met, words=words, **given)


JUDGED = {AT_LEAST: "least", AT_MOST: "most", "": "exactly"}


def _judged(condition: Condition, rule: str) -> Message:
    """What was found, what is needed, and the rule."""
    if condition.needed is None:
        return say("tournaments.norms.judged.found", found=condition.found, rule=rule)
    found = say("tournaments.norms.not_known") if condition.found is None else condition.found
    key = f"tournaments.norms.judged.{JUDGED[condition.bound]}{'.lifted' * condition.lifted}"
    return say(key, found=found, needed=condition.needed, rule=rule)


def performance_step(verdict: Verdict, edition: Edition) -> Step | None:
    """The performance from the ratings that count; None without a game."""
    rules, games = edition.titles, verdict.games
    if not games:
        return None
    ratings = raised(verdict.title, games, rules)
    before = [rules.unrated.value if game.rating is None else game.rating for game in games]
    result = Scored(tuple(ratings), known("score", in_points(verdict.halves)), known("games", len(games)))
    step = by_table(result, edition.performances)
    average = step.given["average"]
    changed = {}
    if any(game.rating is None for game in games):
        changed["unrated"] = ruled("norm.unrated", rules.unrated, rules.unrated.value)
    if ratings != before:
        floor = rules.floor.value[verdict.title]
        changed["floor"] = ruled("norm.floor", rules.floor, floor, words={"lowest": min(before)})
    if isinstance(average, Step) and changed:
        step = step._replace(given={**step.given, "average": average._replace(given={**changed, **average.given})})
    return step


def _chosen(verdict: Verdict, rules: TitleRules) -> list[Step]:
    """The articles by which games were left out, one game less is enough, or an opponent has no federation."""
    steps = [] if verdict.by is None else [ruled("norm.short", verdict.by, len(verdict.games))]
    flagged = sum(game.federation == FID for game in verdict.games)
    if flagged:
        steps.append(ruled("norm.fid", rules.fid, flagged))
    if verdict.dropped:
        last = max((game.round for game in verdict.games), default=0)
        for rule, rounds in (
            (rules.later_rounds, [number for number in verdict.dropped if number > last]),
            (rules.won_games, [number for number in verdict.dropped if number < last]),
        ):
            if rounds:
                steps.append(ruled("norm.dropped", rule, ", ".join(map(str, rounds))))
    return steps


def _covers(norm: Norm, rules: TitleRules) -> list[Step]:
    """How many games of an application the norm covers."""
    if not norm.verdict.met:
        return []
    most = rules.most_games
    steps = [ruled("norm.most", most, most.value)] if norm.verdict.counts_as > most.value else []
    return [*steps, ruled("norm.covers", rules.extra_games, norm.games_covered, words={"extra": norm.verdict.extra})]


def rating_title_step(title: RatingTitle, rules: TitleRules) -> Step:
    """A title whose rating was reached, and whether there were enough games."""
    return ruled(
        "rating_title",
        rules.title_ratings,
        title.title,
        rating=known("rating", Decimal(title.rating)),
        games=ruled("rating_title.games", rules.rated_games, title.met),
    )
