"""Views of forecasts: scores for a target, outlooks, seasons, plans side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from arpad.calculation.answer import Answer
from arpad.cli import show
from arpad.cli.files import check_chart, write_chart
from arpad.cli.reply import AnswerReply, Reply, answered, reply_with, shows
from arpad.cli.show import cell_text, in_lines, lines_of
from arpad.forecast.needs import NeededRating, NeededScore
from arpad.forecast.outlook import Outlook
from arpad.forecast.plans import PlanComparison
from arpad.forecast.season import Season
from arpad.forecast.targets import SHARES, UNLIKELY, percent, rating_or_unrated, signed
from arpad.formats.pupils import as_csv
from arpad.formats.saving import beside, check_outputs
from arpad.messages import Message, apart, figure, fixed, say
from arpad.questions.forecasts import OutlookOf, PupilsOf

if TYPE_CHECKING:
    from arpad.calculation.answer import Figure
    from arpad.core import Rating
    from arpad.forecast.norm_chances import NormChance
    from arpad.forecast.schedule import NotRatedGame
    from arpad.questions import Asked

A = TypeVar("A", bound=Answer)

MOST_ROWS = 60  # outcomes; if there are more, quantiles are shown
LONGEST_NAME = 16  # of a plan, so that the table fits a terminal


@answered.register(OutlookOf)
def _(question: OutlookOf, asked: Asked) -> Reply:
    check_chart(question.chart, force=question.force)
    answer = question.answer()
    wrote = write_chart(question.chart, lambda path: answer.chart().save(path), force=question.force)
    return reply_with(answer, asked, below=wrote)


@answered.register(PupilsOf)
def _(question: PupilsOf, asked: Asked) -> Reply:
    if question.to is None:
        return reply_with(question.answer(), asked)
    check_outputs([question.to], [question.path] if question.path else [], force=question.force)
    answer = question.answer()
    with beside(question.to, force=question.force) as (part,), open(part, "w", encoding="utf-8", newline="") as file:
        file.write(as_csv(answer))
    return reply_with(answer, asked, below=[say("command.wrote", path=question.to)])


class ForecastView(AnswerReply[A]):
    """A forecast; the opponents who were looked up are named in a note, because no table has them."""

    def more_notes(self) -> Sequence[Message]:
        found = {} if self.asked is None else self.asked.people.named
        names = [resolved.shown for at, resolved in found.items() if at != "rating"]
        return [say("command.people.opponents", count=len(names), names=apart(names))] if names else []


@shows(NeededRating)
class NeededRatingView(ForecastView[NeededRating]):
    """The rating alone: there is no player yet."""

    def people(self) -> Sequence[Figure]:
        return ()


@shows(NeededScore)
class NeededScoreView(ForecastView[NeededScore]):
    """What every score gives, and which targets it reaches."""

    def paragraphs(self) -> Iterator[str]:
        needed = self.answer
        targets = [target.reach for target in needed.targets]
        rows = [
            [
                figure(line.score),
                figure(line.change, signed=True),
                figure(rating_or_unrated(line.new_rating)),
                "" if line.best_rating is None else figure(line.best_rating),
                _reached(line.new_rating, targets),
            ]
            for line in needed.table
        ]
        listed = show.filled(["score", "change", "new_rating", "at_best", ""], rows)
        yield "\n".join([listed, *_not_rated(needed.not_rated)])


def _reached(rating: Rating | None, targets: Sequence[Rating]) -> str:
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


@shows(Outlook)
class OutlookView(ForecastView[Outlook]):
    """A line for each outcome, with the chance of it or better; quantiles if there are very many."""

    def paragraphs(self) -> Iterator[str]:
        outlook = self.answer
        if len(outlook.outcomes) > MOST_ROWS:
            shares = [[_share(share), str(rating_or_unrated(outlook.quantile(share)))] for share in SHARES]
            yield "\n".join([show.table(["below", "new_rating"], shares), *_not_rated(outlook.not_rated)])
            yield from _norms(outlook.norms)
            return
        better, rows = 1.0, []
        for outcome in outlook.outcomes:
            rows.append(
                [
                    cell_text(outcome.score),
                    "" if outlook.so_far is None else cell_text(outcome.remaining),
                    figure(outcome.change, signed=True),
                    str(rating_or_unrated(outcome.new_rating)),
                    str(percent(outcome.probability)),
                    str(percent(min(1.0, max(0.0, better)))),
                ]
            )
            better -= outcome.probability
        scores = [row[0] for row in rows if row[0]]
        repeated = in_lines(say("command.forecast.by_result")) if len(set(scores)) < len(scores) else []
        head = ["score", "remaining", "change", "new_rating", "chance", "or_more"]
        yield "\n".join([show.filled(head, rows), *repeated, *_not_rated(outlook.not_rated)])
        yield from _norms(outlook.norms)


def _norms(norms: Iterable[NormChance]) -> Iterator[str]:
    """What the pairings decide: for each norm that was simulated, the scores that are enough against which average."""
    for norm in norms:
        if norm.simulation is not None and norm.simulation.by_average:
            rows = [
                [str(row.averages), figure(row.remaining), figure(row.score), str(row.chances)]
                for row in norm.simulation.by_average
            ]
            title = in_lines(say("command.forecast.pairings_decide", title=norm.title))
            yield "\n".join([*title, show.table(["average_of_them", "still_needed", "in_all", "chance"], rows)])


def _share(share: float) -> str:
    return str(say("answers.percent", percent=f"{100 * share:.0f}"))


@shows(Season)
class SeasonView(ForecastView[Season]):
    """A line for each list, and the games that may not be rated."""

    def paragraphs(self) -> Iterator[str]:
        lists = self.answer.lists
        rows = [
            [
                listed.list,
                # In a narrow column an event without a name is its day.
                ", ".join(str(name.values["on"]) if isinstance(name, Message) else name for name in listed.events),
                str(listed.games),
                "/".join(cell_text(used.k) for used in listed.k),
                str(say("answers.unrated")) if listed.mean_rating is None else fixed(listed.mean_rating, 1),
                *(str(rating_or_unrated(listed.quantile(share))) for share in SHARES),
                "" if listed.deviation is None else fixed(listed.deviation, 1),
                cell_text(percent(listed.reach)),
            ]
            for listed in lists
        ]
        head = ["list", "event", "games", "k", "mean", *map(_share, SHARES), "deviation", "target"]
        doubtful = [
            say(
                "command.forecast.not_rated",
                list=listed.list,
                game=game.game,
                why=game.why or say("answers.not_rated"),
                chance=percent(game.chance),
            )
            for listed in lists
            for game in listed.not_rated
        ]
        yield "\n".join([show.filled(head, rows, left=["event"], yields="event"), *lines_of(doubtful)])


@shows(PlanComparison)
class PlansView(ForecastView[PlanComparison]):
    """A line for each plan."""

    def paragraphs(self) -> Iterator[str]:
        plans = self.answer.plans
        at_risk = any(season.unrated >= UNLIKELY for season in plans)
        rows = [
            [
                _cut(season.name or ""),
                "" if season.mean is None else signed(season.mean),
                cell_text(percent(season.reach)),
                cell_text(percent(season.reached)),
                cell_text(percent(season.gain)),
                cell_text(percent(season.lose)),
                cell_text(percent(season.unrated)) if at_risk else "",
                str(
                    say(
                        "command.forecast.from_to",
                        low=rating_or_unrated(season.quantile(SHARES[0])),
                        high=rating_or_unrated(season.quantile(SHARES[-1])),
                    )
                ),
                "" if season.method == "exact" else str(say("command.forecast.simulated")),
            ]
            for season in plans
        ]
        head = ["plan", "gain", "target", "on_the_way", "to_gain", "to_lose", "unrated", "nine_in_ten", ""]
        yield show.filled(head, rows, left=["plan"])


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
