"""Views of forecasts: scores for a target, outlooks, seasons, plans side by side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.files import check_chart, write_chart
from arpad.cli.show import Reply, in_lines
from arpad.cli.views import answered, opponents_note, view, who, with_notes
from arpad.forecast.needs import NeededRating, NeededScore
from arpad.forecast.outlook import Outlook
from arpad.forecast.plans import PlanComparison
from arpad.forecast.season import Season
from arpad.forecast.targets import SHARES, UNLIKELY, percent, rating_or_unrated, signed
from arpad.messages import Message, figure, say
from arpad.questions.forecasts import OutlookOf

if TYPE_CHECKING:
    from arpad.core import Rating
    from arpad.forecast.schedule import NotRatedGame
    from arpad.questions import Asked


MOST_ROWS = 60  # outcomes; if there are more, quantiles are shown
LONGEST_NAME = 16  # of a plan, so that the table fits a terminal


@answered.register(OutlookOf)
def _(question: OutlookOf, asked: Asked) -> Reply:
    check_chart(question.chart, force=question.force)
    answer = question.answer()
    wrote = write_chart(question.chart, lambda path: answer.chart().save(path), force=question.force)
    reply = view(answer, asked)
    return reply._replace(footer=lambda: [*reply.footer(), *(row for said in wrote for row in in_lines(said))])


@view.register(NeededRating)
def _(answer: NeededRating, asked: Asked) -> Reply:
    return with_notes(Reply.to(answer), opponents_note(asked))


@view.register(NeededScore)
def _(answer: NeededScore, asked: Asked) -> Reply:
    return with_notes(Reply.to(answer, lambda _: _scores(answer), who=who(asked)), opponents_note(asked))


def _scores(needed: NeededScore) -> str:
    """What every score gives."""
    rows = [
        [
            figure(line.score),
            figure(line.change, signed=True),
            str(rating_or_unrated(line.new_rating)),
            _reached(line.new_rating, [target.reach for target in needed.targets]),
        ]
        for line in needed.table
    ]
    listed = show.table(["score", "change", "new_rating", ""], rows)
    return "\n".join([listed, *_not_rated(needed.not_rated)])


def _reached(rating: Rating | None, targets: list[Rating]) -> str:
    """The words for a rating that reaches the target, or which targets it reaches; empty if none."""
    reached = [target for target in targets if rating is not None and rating >= target]
    if not reached:
        return ""
    return str(
        say("command.forecast.reached") if len(targets) == 1 else say("command.forecast.reaches", targets=reached)
    )


def _not_rated(games: Iterable[NotRatedGame]) -> list[str]:
    """Why some games are not rated, each reason once."""
    return show.reasons("game", ((game.game, game.why, False) for game in games))


@view.register(Outlook)
def _(answer: Outlook, asked: Asked) -> Reply:
    return with_notes(Reply.to(answer, lambda _: _outcomes(answer), who=who(asked)), opponents_note(asked))


def _outcomes(outlook: Outlook) -> str:
    """A line for each outcome, with the chance of it or better; quantiles if there are very many."""
    if len(outlook.outcomes) > MOST_ROWS:
        shares = [[_share(share), str(rating_or_unrated(outlook.quantile(share)))] for share in SHARES]
        return "\n".join([show.table(["below", "new_rating"], shares), *_not_rated(outlook.not_rated)])
    live = outlook.so_far is not None
    better = 1.0
    rows = []
    for outcome in outlook.outcomes:
        row = [
            "" if outcome.score is None else figure(outcome.score),
            "" if outcome.remaining is None or not live else figure(outcome.remaining),
            figure(outcome.change, signed=True),
            str(rating_or_unrated(outcome.new_rating)),
            str(percent(outcome.probability)),
            str(percent(min(1.0, max(0.0, better)))),
        ]
        better -= outcome.probability
        rows.append(row)
    scores = [row[0] for row in rows if row[0]]
    repeated = in_lines(say("command.forecast.by_result")) if len(set(scores)) < len(scores) else []
    head = ["score", "remaining", "change", "new_rating", "chance", "or_more"]
    return "\n".join([show.filled(head, rows), *repeated, *_not_rated(outlook.not_rated)])


def _share(share: float) -> str:
    return str(say("command.percent", percent=f"{100 * share:.0f}"))


@view.register(Season)
def _(answer: Season, asked: Asked) -> Reply:
    return with_notes(Reply.to(answer, lambda _: _lists(answer), who=who(asked)), opponents_note(asked))


def _lists(season: Season) -> str:
    """A line for each list."""
    rows = [
        [
            list_after.list,
            ", ".join(map(_event, list_after.events)),
            str(list_after.games),
            "/".join("" if used.k is None else figure(used.k) for used in list_after.k),
            str(say("answers.unrated")) if list_after.mean_rating is None else f"{list_after.mean_rating:.1f}",
            *(str(rating_or_unrated(list_after.quantile(share))) for share in SHARES),
            "" if list_after.deviation is None else f"{list_after.deviation:.1f}",
            _percent(list_after.reach),
        ]
        for list_after in season.lists
    ]
    head = ["list", "event", "games", "k", "mean", *map(_share, SHARES), "deviation", "target"]
    return "\n".join([show.filled(head, rows, left=["event"], yields="event"), *_perhaps_not_rated(season)])


def _event(name: str | Message) -> str:
    """An event in a narrow column: its name, or its day."""
    return str(name.values["on"]) if isinstance(name, Message) else name


def _perhaps_not_rated(season: Season) -> list[str]:
    """The games that may not be rated, list by list."""
    return [
        row
        for list_after in season.lists
        for game in list_after.not_rated
        for row in in_lines(
            say(
                "command.forecast.not_rated",
                list=list_after.list,
                game=game.game,
                why=game.why or say("answers.not_rated"),
                chance=percent(game.chance),
            )
        )
    ]


def _percent(chance: float | None) -> str:
    return "" if chance is None else str(percent(chance))


@view.register(PlanComparison)
def _(answer: PlanComparison, asked: Asked) -> Reply:
    return with_notes(Reply.to(answer, lambda _: _plans(answer), who=who(asked)), opponents_note(asked))


def _plans(comparison: PlanComparison) -> str:
    """A line for each plan."""
    at_risk = any(season.unrated >= UNLIKELY for season in comparison.plans)
    rows = [
        [
            _cut(season.name or ""),
            "" if season.mean is None else signed(season.mean),
            _percent(season.reach),
            _percent(season.reached),
            _percent(season.gain),
            _percent(season.lose),
            _percent(season.unrated) if at_risk else "",
            str(
                say(
                    "command.forecast.from_to",
                    low=rating_or_unrated(season.quantile(SHARES[0])),
                    high=rating_or_unrated(season.quantile(SHARES[-1])),
                )
            ),
            "" if season.method == "exact" else str(say("command.forecast.simulated")),
        ]
        for season in comparison.plans
    ]
    head = ["plan", "gain", "target", "on_the_way", "to_gain", "to_lose", "unrated", "nine_in_ten", ""]
    return show.filled(head, rows, left=["plan"])


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
