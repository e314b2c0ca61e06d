"""The view of what games do to a rating."""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap
from typing import TYPE_CHECKING

from arpad.calculation.explain import WIDTH, footer
from arpad.calculation.serialise import success
from arpad.cli import show
from arpad.cli.show import Reply, each_line, game_table, in_lines
from arpad.cli.views import opponent_names, view, who
from arpad.messages import figure, say
from arpad.questions.paste import PasteReading
from arpad.questions.time_control import TimeControl
from arpad.systems.answers import Expectation, FirstRating, RatingChange
from arpad.systems.comparison import Comparison
from arpad.systems.diary import Diary
from arpad.systems.performance import Performance
from arpad.systems.uschess import SectionRating

if TYPE_CHECKING:
    from arpad.core import Rating
    from arpad.messages import Message
    from arpad.questions import Asked
    from arpad.reading.pasted import LeftOutLine


@view.register(RatingChange)
def _(answer: RatingChange, asked: Asked) -> Reply:
    below = [lambda _: _events(answer, asked)] if answer.per_game else []
    plain = answer.plain_elo
    if plain is not None:
        figures = {"expected": plain.expected, "change": plain.change, "new_rating": plain.new_rating}
        below.append(lambda _: "\n".join(in_lines(say("answers.plain_elo", **figures))))
    return Reply.to(answer, *below, who=who(asked))


def _events(change: RatingChange, asked: Asked) -> str:
    """The games, grouped by event if there are several."""
    names = opponent_names(asked, [len(event.per_game) for event in change.events])
    if len(change.events) < 2:
        return show.games(change.per_game, names[0] if names else ())
    parts = []
    for event, known in zip(change.events, names, strict=True):
        title = " ".join(filter(None, (event.name, f"({event.on})" if event.on else None)))
        heading = say("answers.event", title=title or say("answers.an_event"), rating=event.rating, change=event.change)
        parts.append(f"{heading}\n{show.games(event.per_game, known)}")
    return "\n\n".join(parts)


@view.register(Expectation)
def _(answer: Expectation, asked: Asked) -> Reply:
    below = [] if answer.expected is None else [lambda _: _results(answer)]
    return Reply.to(answer, *below, who=who(asked, "opponent"))


def _results(answer: Expectation) -> str:
    """A line for each result."""
    rows = []
    for result in ("win", "draw", "loss"):
        chance = getattr(answer.chances, result)
        share = "" if chance is None else str(say("command.percent", percent=f"{100 * chance:.0f}"))
        rows.append([result, figure(getattr(answer, result), signed=True), share])
    model = [] if answer.chances.win is None else in_lines(answer.chances.says)
    return "\n".join([show.filled(["result", "change", "chance"], rows, left=["result"]), *model])


@view.register(FirstRating)
@view.register(Performance)
def _(answer: FirstRating | Performance, asked: Asked) -> Reply:
    counts = [len(event.game) for event in getattr(asked.question, "event", ())]
    loose = len(answer.per_game) - sum(counts)
    known = opponent_names(asked, [*([loose] if loose else []), *counts])
    names = [name for event in known for name in event]
    return Reply.to(answer, lambda _: show.games(answer.per_game, names))


@view.register(Diary)
def _(answer: Diary, asked: Asked) -> Reply:
    return Reply.to(answer, lambda _: _entries(answer), who=who(asked))


def _entries(diary: Diary) -> str:
    """A line for each list, or for each event in a system without lists."""
    rows = [
        [
            str(entry.day),
            ", ".join(event.name or str(event.on) for event in entry.events),
            "" if entry.k is None else figure(entry.k),
            figure(entry.change, signed=True),
            str(say("answers.unrated")) if entry.new_rating is None else figure(entry.new_rating),
        ]
        for entry in diary.entries
    ]
    return show.filled(["list", "event", "k", "change", "new_rating"], rows, left=["list", "event"])


@view.register(Comparison)
def _(answer: Comparison, asked: Asked) -> Reply:
    def summary(style: show.Style) -> str:
        named = who(asked)
        return "\n".join([*([show.facts(named, style)] if named else []), _side_by_side(answer)])

    return Reply(summary, lambda: success(answer), lambda: footer(answer)[1:], answer.explain)


def _side_by_side(answer: Comparison) -> str:
    """A row for each system that rates the games, then the reasons of every system."""
    rows = [
        [
            line.system,
            "" if line.expected is None else figure(line.expected),
            "" if line.k_used is None else figure(line.k_used),
            figure(line.change, signed=True),
            _rating(line.new_rating),
        ]
        for line in answer.systems
        if line.rated
    ]
    head = ["system", "expected", "k", "change", "new_rating"]
    table = [show.table(head, rows, left=["system"]), ""] if rows else []
    about: dict[str, list[str]] = {}
    for line in answer.systems:
        about.setdefault("; ".join(map(str, line.reasons)) if line.rated else str(line.why), []).append(line.system)
    reasons = [
        row
        for reason, names in about.items()
        for row in wrap(f"{', '.join(names)}: {reason}", WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    ]
    return "\n".join([*table, *reasons])


def _rating(rating: Rating | None) -> str:
    return str(say("answers.unrated")) if rating is None else figure(rating)


HEAD = ("id", "name", "before", "n", "formula", "k", "score", "exp", "bonus", "pass_1", "pass_2", "new")


@view.register(SectionRating)
def _(answer: SectionRating, asked: Asked) -> Reply:  # noqa: ARG001  # nobody is looked up
    return Reply.to(answer)._replace(summary=lambda _: _players(answer))


def _players(rated: SectionRating) -> str:
    """A line per player, and below the table where a floor or a limit applied."""
    unrated = str(say("answers.unrated"))
    rows = [
        [
            player.id,
            player.name or "",
            unrated if player.rating is None else figure(player.rating),
            figure(player.games),
            player.formula,
            *map(
                _two_decimals,
                (player.k, player.score, player.expected, player.bonus, player.first_pass, player.second_pass),
            ),
            unrated if player.new_rating is None else figure(player.new_rating),
        ]
        for player in rated.players
    ]
    reasons = [
        row
        for player in rated.players
        if player.why
        for row in show.in_lines(say("command.section.why", id=player.id, why=player.why))
    ]
    return "\n".join([show.filled(HEAD, rows, left=["id", "name", "formula"]), *reasons])


def _two_decimals(value: Rating | None) -> str:
    """Two decimals, as US Chess shows them."""
    return "" if value is None else f"{value:.2f}".removesuffix(".00")


@view.register(TimeControl)
def _(answer: TimeControl, asked: Asked) -> Reply:  # noqa: ARG001  # nobody is looked up
    by_the_rules = say("reading.by_the_rules", on=answer.on)
    return Reply.to(answer)._replace(footer=lambda: in_lines(by_the_rules), look=answer.pace_class == "unclear")


@view.register(PasteReading)
def _(answer: PasteReading, asked: Asked) -> Reply:  # noqa: ARG001  # nobody is looked up
    reply = Reply.to(answer, *([lambda _: game_table(answer.games)] if answer.games else []))
    doubtful = [line for line in answer.left_out if line.doubtful]
    names = [say("reading.players", names="; ".join(answer.players))] if answer.players else []
    return reply._replace(
        footer=lambda: [row for said in (*answer.notes, *names, *_grouped(answer.left_out)) for row in in_lines(said)],
        working=lambda: "\n".join(
            row for said in (*answer.notes, *each_line(answer.left_out)) for row in in_lines(said)
        ),
        warnings=list(each_line(doubtful)),
        look=bool(doubtful or answer.players),
    )


def _grouped(left_out: Iterable[LeftOutLine]) -> Iterable[Message]:
    """Each reason once, after the lines it is about."""
    found: dict[str, list[int]] = {}
    for line in left_out:
        found.setdefault(str(line.why), []).append(line.line)
    for why, lines in found.items():
        yield say(f"reading.left_lines.{'one' if len(lines) == 1 else 'several'}", lines=lines, why=why)
