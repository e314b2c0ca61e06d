"""What is below the hero of games ahead: every score, each opponent, other strengths, norms, lists, plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from arpad.calculation.explain import label_of
from arpad.core import Player
from arpad.core.numbers import decimal
from arpad.errors import ArpadError
from arpad.forecast.distribution import convolved
from arpad.forecast.schedule import Model
from arpad.forecast.targets import percent
from arpad.messages import apart, figure, fixed, say
from arpad.systems import family
from arpad.web.details_parts import RIGHT, Card, Detail, Grid, Row, columns
from arpad.web.hero_ahead import BY_SCORE
from arpad.web.hero_parts import RESULTS, Words, day, exactly, points, share, signed, span, whole
from arpad.web.svg import Bar, Point, bars, line

if TYPE_CHECKING:
    from arpad.forecast.needs import NeededScore
    from arpad.forecast.norm_chances import NormChance
    from arpad.forecast.norm_simulation import NeededAgainst
    from arpad.forecast.outlook import Outlook
    from arpad.forecast.plans import PlanComparison
    from arpad.forecast.season import Season, SeasonList
    from arpad.systems.answers import Expectation
    from arpad.web.view import View

GAPS = (-200, -100, 100, 200)  # points that another opponent may be stronger or weaker
STRONGER = (-50, 50, 100)  # points that the player may be stronger than assumed
RARE = 0.004  # outcomes that are less likely stay out of a chart
MOST_BARS = 27
MOST_SCORES = 60  # rows of a table
ABOUT_CHANCES = ("notes.typical", "notes.reliability", "notes.model")  # notes that stand with the chances


def chances_detail(_: View, answer: Expectation) -> Iterator[Detail]:
    """Where the chances come from."""
    if answer.expected is None or answer.chances.win is None:
        return
    rows = tuple(
        Row((say(f"pages.text.{name}"), percent(getattr(answer.chances, name)) or "", exactly(getattr(answer, name))))
        for name in RESULTS
    )
    says: tuple[Words, ...] = (answer.chances.says,)
    if family(answer.system) == "fide":
        says = (*says, say("pages.text.colour_fide"))
    games = answer.chances.holds.values.get("games") if answer.chances.holds is not None else None
    aside = say("hero.detail.checked", games=int(str(games))) if games is not None else ""
    yield Detail(
        "d-chances", say("hero.detail.chances"), aside, says, (Grid(columns("result", "chance:r", "change:c"), rows),)
    )


def opponents_detail(view: View, answer: Expectation) -> Iterator[Detail]:
    """The same game against stronger and weaker opponents."""
    question: Any = view.asked.question if view.asked is not None else None
    if question is None or answer.expected is None or question.opponent.rating is None:
        return
    chosen = question.rating_system()
    player = question.player(chosen)
    rows = []
    for gap in sorted((*GAPS, 0)):
        rating = question.opponent.rating + gap
        try:
            other = chosen.expect(
                player,
                question.opponent_known(
                    replace(question.opponent, standing=replace(question.opponent.standing, rating=rating)), chosen
                ),
                on=question.day,
                pace=question.time,
            )
        except ArpadError:
            continue
        if other.expected is not None:
            cells = (
                figure(rating),
                figure(round(other.expected, 2)),
                *(exactly(getattr(other, name)) for name in RESULTS),
            )
            rows.append(Row(cells, sel=gap == 0))
    if len(rows) > 1:
        grid = Grid(columns("opponent", "expected:r", "win:c", "draw:c", "loss:c"), tuple(rows))
        yield Detail("d-opponents", say("hero.detail.opponents"), grids=(grid,))


def scores_card(_: View, answer: Outlook) -> Iterator[Card]:
    """Every score, where it leads, and how often it happens."""
    seen = [outcome for outcome in answer.outcomes if outcome.probability >= RARE]
    if answer.norms or len(seen) < 3 or len(seen) > MOST_BARS:
        return
    target = answer.target
    best = max(seen, key=lambda outcome: outcome.probability)
    first = next((outcome for outcome in seen if target is not None and (outcome.new_rating or 0) >= target), None)
    live = answer.so_far is not None

    def label(outcome: Any) -> str:
        if outcome.score is None:
            return signed(outcome.change)
        return points(outcome.remaining if live else outcome.score)

    data = [
        Bar(
            label(outcome),
            whole(outcome.new_rating),
            outcome.probability,
            hit=target is not None and (outcome.new_rating or 0) >= target,
            shown=str(percent(outcome.probability)) if outcome in (best, first) else "",
        )
        for outcome in seen
    ]
    chance = percent(best.probability)
    likeliest = say("hero.card.scores.likeliest", score=label(best), new=whole(best.new_rating), chance=chance)
    if target is None:
        yield Card(say("hero.card.scores"), likeliest, bars(data, str(likeliest)))
        return
    says = say("hero.card.scores.target", target=target, chance=share(answer.reach), likeliest=likeliest)
    key = (
        ("hit", say("hero.card.reaches", target=target, chance=share(answer.reach))),
        ("", say("hero.card.does_not")),
    )
    yield Card(say("hero.card.scores"), says, bars(data, str(says), target=str(target)), key)


def scores_detail(_: View, answer: Outlook) -> Iterator[Detail]:
    """All scores as a table, with every target."""
    if len(answer.outcomes) > MOST_SCORES:
        return
    live = answer.so_far is not None
    scored = answer.outcomes[0].score is not None
    targets = [one.target for one in answer.targets]
    rows = []
    for outcome in answer.outcomes:
        score = outcome.remaining if live else outcome.score
        rows.append(
            Row(
                (
                    *([points(score)] if scored and score is not None else []),
                    exactly(outcome.change),
                    whole(outcome.new_rating),
                    percent(outcome.probability) or "",
                    *("✓" if (outcome.new_rating or 0) >= target else "" for target in targets),
                ),
                sel=bool(targets) and (outcome.new_rating or 0) >= targets[0],
            )
        )
    score_head = ["remaining" if live else "score"] if scored else []
    heads = (*columns(*score_head, "change:c", "new:r", "chance:r"), *((f"≥ {target}", RIGHT) for target in targets))
    title = say("hero.detail.scores" if scored else "hero.detail.outcomes", scores=len(rows))
    aside = (
        ""
        if answer.so_far is None
        else say("hero.detail.now", new=whole(answer.so_far.new_rating), change=exactly(answer.so_far.change))
    )
    yield Detail("d-scores", title, aside, grids=(Grid(heads, tuple(rows)),))


def by_opponent_detail(view: View, answer: Outlook) -> Iterator[Detail]:
    """What each game may bring, and how it will probably end."""
    question: Any = view.asked.question if view.asked is not None else None
    if question is None or not answer.chances:
        return
    chosen = question.rating_system()
    player = question.player(chosen)
    rows: list[Row] = []
    aside = ""
    for game in answer.chances:
        try:
            ahead = chosen.expect(player, Player(game.opponent), on=answer.on, pace=question.time)
        except ArpadError:
            return
        changes = [getattr(ahead, name) for name in RESULTS]
        shown = ["" if change is None else exactly(change) for change in changes]
        chances = " · ".join(share(getattr(game, name)) for name in RESULTS)
        if not rows and changes[0] is not None and changes[1] is not None:
            said = {"win": signed(changes[0]), "draw": signed(changes[1]), "opponent": whole(game.opponent)}
            aside = str(say("hero.detail.by_opponent.aside", **said))
        rows.append(Row((whole(game.opponent), *shown, chances)))
    grid = Grid(columns("opponent", "win:c", "draw:c", "loss:c", "chances:r"), tuple(rows))
    yield Detail("d-by-opponent", say("hero.detail.by_opponent"), aside, grids=(grid,))


def stronger_detail(view: View, answer: Outlook) -> Iterator[Detail]:
    """The chances for other strengths, where the score alone decides."""
    question: Any = view.asked.question if view.asked is not None else None
    if question is None or any(outcome.remaining is None for outcome in answer.outcomes):
        return
    least = {
        "reach": next(
            (
                one.remaining
                for one in answer.outcomes
                if answer.target is not None and (one.new_rating or 0) >= answer.target
            ),
            None,
        ),
        "gain": next((one.remaining for one in answer.outcomes if one.rounded > 0), None),
    }
    chosen = question.rating_system()
    rows = []
    for more in sorted((*STRONGER, 0)):
        model = Model.on(answer.on, chosen, answer.strength + more, answer.draws)
        spread = convolved(model.chances(game.opponent, game.colour) for game in answer.chances)
        cells = [whole(answer.strength + more)]
        if answer.target is not None:
            cells.append(share(_tail(spread, least["reach"])))
        cells.append(share(_tail(spread, least["gain"])))
        cells.append(fixed(sum(halves * chance for halves, chance in enumerate(spread)) / 2, 2))
        rows.append(Row(tuple(cells), sel=more == 0))
    target = [] if answer.target is None else [(f"≥ {answer.target}", RIGHT)]
    heads = (*columns("strength"), *target, *columns("gain:r", "mean_score:r"))
    yield Detail(
        "d-stronger", say("hero.detail.stronger"), says=_strength_notes(answer), grids=(Grid(heads, tuple(rows)),)
    )


def likely_detail(view: View, _: Outlook) -> Iterator[Detail]:
    """The strength that the results so far suggest."""
    strength = view.strength
    if strength is None:
        return
    found = [one for one in strength.summary() if one.value is not None]
    rows = tuple(Row((label_of(one.key), figure(one.value)), why=one.remark or "") for one in found)
    if rows:
        title, aside = say("hero.detail.likely"), figure(found[0].value)
        yield Detail("d-likely", title, aside, grids=(Grid(columns("what", "figure:r"), rows),))


def _tail(spread: Sequence[float], remaining: Decimal | None) -> float:
    return 0.0 if remaining is None else min(1.0, sum(spread[int(2 * remaining) :]))


def _strength_notes(answer: Outlook) -> tuple[Words, ...]:
    """Where the strength comes from, and the chances where it is uncertain."""
    typical = tuple(note for note in answer.notes if note.key.startswith(ABOUT_CHANCES))
    if answer.widened is None:
        return typical
    found = [
        str(say("hero.detail.wide", label=label_of(one.key), value=one.value, remark=one.remark))
        for one in answer.widened.figures()
        if one.value is not None
    ]
    return (*typical, *found)


def pairings_card(_: View, answer: Outlook | Season) -> Iterator[Card]:
    """What the opponents who are not paired yet decide about a norm."""
    for norm in answer.norms:
        if norm.simulation is None or not norm.simulation.by_average:
            continue
        rows = tuple(
            Row(
                (row.averages, points(row.remaining), points(row.score), _chances(row)),
                sel=row.score == norm.least_score,
            )
            for row in norm.simulation.by_average
        )
        grid = Grid(columns("average", "needed:r", "in_all:r", "chance:r"), rows)
        yield Card(say("hero.card.pairings", title=norm.title), say("hero.card.pairings.says"), grid=grid)


def _chances(row: NeededAgainst) -> Words:
    """The chance from one end of a range of averages to the other."""
    ends = [share(chance) for chance in (row.chance_from, row.chance_to) if chance is not None]
    return say(f"forecast.norm.chances.{len(ends)}", first=ends[0], last=ends[-1])


def conditions_detail(_: View, answer: Outlook | Season) -> Iterator[Detail]:
    """Every condition of each norm, and how often it is met."""
    for number, norm in enumerate(answer.norms):
        rows = tuple(_condition_rows(norm))
        title = say("hero.detail.conditions", title=norm.title)
        said: list[Words] = [] if norm.event is None else [norm.event]
        aside = "" if norm.chance is None else share(norm.chance)
        said.append(f"{aside} {norm.remark}".strip())
        yield Detail(
            f"d-norm-{number + 1}",
            title,
            aside,
            tuple(said),
            (Grid(columns("condition", "met:r"), rows),) if rows else (),
        )


def _condition_rows(norm: NormChance) -> Iterator[Row]:
    if norm.simulation is not None:
        for part in norm.simulation.conditions:
            yield Row((say(f"steps.label.norm.{part.name}"), share(part.chance)), sel=part.name in BY_SCORE)
        return
    for condition in norm.missing:
        yield Row(
            (
                say(f"steps.label.norm.{condition.name}"),
                say("hero.not_met" if condition.met is False else "hero.not_known"),
            ),
            why=condition.reason(norm.title),
        )


def season_card(_: View, answer: Season) -> Iterator[Card]:
    """The rating from list to list, with the usual range around the middle."""
    now = Point(str(say("hero.card.now")), float(answer.rating), float(answer.rating), float(answer.rating))
    data = [now, *(_season_point(part) for part in answer.lists)]
    says = say(
        "hero.card.season.says",
        low=whole(answer.quantile(0.25)),
        high=whole(answer.quantile(0.75)),
        middle=whole(answer.median),
    )
    key = (("hit", say("hero.card.middle")), ("", say("hero.half")))
    yield Card(say("hero.card.season"), says, line(data, str(says), target=answer.target), key)


def _season_point(part: SeasonList) -> Point:
    low, middle, high = (part.quantile(at) for at in (0.25, 0.5, 0.75))
    return Point(day(part.on), *(None if rating is None else float(rating) for rating in (middle, low, high)))


def season_detail(_: View, answer: Season) -> Iterator[Detail]:
    """List by list: the usual range, and the chance of each target."""
    yield Detail("d-lists", say("hero.detail.lists"), grids=(_season_grid(answer),))


def _season_grid(season: Season, title: Words = "") -> Grid:
    targets = [one.target for one in season.targets]
    rows = []
    for part in season.lists:
        mean = "" if part.mean_rating is None else fixed(part.mean_rating, 1)
        cells = (
            day(part.on),
            mean,
            span((part.quantile(0.25), part.quantile(0.75))),
            span((part.quantile(0.05), part.quantile(0.95))),
            *(percent(one.reach) or "" for one in part.targets),
        )
        rows.append(Row(cells, why=_about_list(part)))
    heads = (*columns("list", "mean:r", "half:r", "nine:r"), *((f"≥ {target}", RIGHT) for target in targets))
    return Grid(heads, tuple(rows), title)


def _about_list(part: SeasonList) -> str:
    """The events of a list, K on it, and games that are perhaps not rated."""
    k = [say("hero.k.share", k=one.k, chance=share(one.chance)) for one in part.k if one.k is not None]
    events = ", ".join(map(str, part.events))
    unrated = [
        say("hero.detail.perhaps", game=one.game, chance=share(one.chance), reason=one.why) for one in part.not_rated
    ]
    return apart([say("hero.detail.of_list", events=events, games=part.games), *k, *unrated])


def plans_detail(_: View, answer: PlanComparison) -> Iterator[Detail]:
    """Every plan beside the others, then each list by list."""
    targets = [one.target for one in answer.plans[0].targets]
    rows = tuple(
        Row(
            (
                plan.name or "",
                "" if plan.mean is None else signed(decimal(plan.mean)),
                *(percent(one.reach) or "" for one in plan.targets),
                percent(plan.gain) or "",
                span((plan.last.quantile(0.05), plan.last.quantile(0.95))),
            ),
            sel=plan.name == answer.best,
        )
        for plan in answer.plans
    )
    heads = (
        *columns("plan", "mean_change:c"),
        *((f"≥ {target}", RIGHT) for target in targets),
        *columns("gain:r", "nine:r"),
    )
    yield Detail("d-plans", say("hero.detail.plans"), grids=(Grid(heads, rows),))
    for number, plan in enumerate(answer.plans):
        yield Detail(f"d-plan-{number + 1}", say("hero.detail.plan", plan=plan.name), grids=(_season_grid(plan),))


def needed_detail(_: View, answer: NeededScore) -> Iterator[Detail]:
    """Every score and what it gives."""
    enough = [one.score for one in answer.targets]
    best = any(row.best_rating is not None for row in answer.table)
    rows = tuple(
        Row(
            (
                points(row.score),
                exactly(row.change),
                whole(row.new_rating),
                *([whole(row.best_rating)] if best else []),
                *("✓" if row.new_rating is not None and row.new_rating >= one.reach else "" for one in answer.targets),
            ),
            sel=row.score in enough,
        )
        for row in answer.table
    )
    heads = (
        *columns("score", "change:c", "new:r", *(["best:r"] if best else [])),
        *((f"≥ {figure(one.reach)}", RIGHT) for one in answer.targets),
    )
    yield Detail("d-scores", say("hero.detail.scores", scores=len(rows)), grids=(Grid(heads, rows),))
