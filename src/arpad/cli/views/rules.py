"""Views of the rules of a day, of changes between two days, and of the list of systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from arpad.calculation.explain import WIDTH, doubt, wrapped
from arpad.calculation.serialise import success
from arpad.cli.show import Reply, Style, filled, in_lines, table
from arpad.cli.views import view
from arpad.lists.answers import PlayerPage, PlayersFound
from arpad.messages import say
from arpad.questions.rules import RulebookList, RuleChanges, RulesInForce, SystemList, rules

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer
    from arpad.messages import Message
    from arpad.questions import Asked
    from arpad.questions.rules import RuleLine, SystemLine


MARGIN = 18  # columns for a rule's name


@view.register(RulesInForce)
def _(answer: RulesInForce, asked: Asked) -> Reply:  # noqa: ARG001  # nobody is looked up
    def summary(style: Style) -> str:
        book = rules(answer.system)
        head = [str(say("command.rules.on", title=book.title, on=answer.on))]
        if book.compared:
            head += in_lines(say("command.rules.compared", checked=book.checked, compared=book.compared))
        if book.may_have_changed(answer.on):
            head += in_lines(say("command.rules.checked", checked=book.checked, on=answer.on))
        return "\n".join([*head, "", *(row for line in answer.rules for row in _rule(line, style))])

    return _plain_reply(answer, summary)


@view.register(RuleChanges)
def _(answer: RuleChanges, asked: Asked) -> Reply:  # noqa: ARG001
    def summary(style: Style) -> str:
        lines = [rules(answer.system).title, str(say("command.rules.between", after=answer.after, until=answer.on))]
        day = None
        for change in answer.changes:
            if change.after.since != day:
                day = change.after.since
                lines += ["", style("strong", str(day))]
            lines += _rule(change.after, style)
            if change.before is not None and change.before.says != change.after.says:
                before = wrapped(str(say("command.rules.before", says=change.before.says)), WIDTH - MARGIN)
                lines += [f"{'':<{MARGIN}}{style('faint', line)}" for line in before]
        return "\n".join(lines if answer.changes else [*lines, "", str(say("command.rules.no_changes"))])

    return _plain_reply(answer, summary)


def _rule(line: RuleLine, style: Style) -> list[str]:
    """A rule in two or three lines: what it says, since when, and its article."""
    unsure = doubt(line.rule)
    first, *rest = wrapped(f"{line.says} ({unsure})" if unsure else line.says, WIDTH - MARGIN)
    origin = style("faint", str(say("command.rules.since", since=line.since, cite=line.rule.cite)))
    return [f"{line.name:<{MARGIN}}{first}", *(f"{'':<{MARGIN}}{row}" for row in rest), f"{'':<{MARGIN}}{origin}"]


@view.register(SystemList)
def _(answer: SystemList, asked: Asked) -> Reply:  # noqa: ARG001
    rows = [[line.name, line.covered_from, line.title] for line in answer.systems]
    return _plain_reply(answer, lambda _: table(["system", "covered_from", "rules"], rows, left=["system", "rules"]))


@view.register(RulebookList)
def _(answer: RulebookList, asked: Asked) -> Reply:  # noqa: ARG001
    reply = _plain_reply(answer, lambda _: _last_checked(answer.rulebooks))
    return reply._replace(footer=lambda: in_lines(say("command.rules.more")))


def _last_checked(lines: Sequence[SystemLine]) -> str:
    """Every rulebook with the day it was last checked."""
    if not lines:
        return str(say("command.rules.none_stale"))
    rows = [[line.name, line.checked, line.title] for line in lines]
    return table(["name", "checked", "rules"], rows, left=["name", "rules"])


def _plain_reply(answer: Answer, summary: Callable[[Style], str]) -> Reply:
    """A reply without working or footer."""
    return Reply(summary, lambda: success(answer))


PACES = ("standard", "rapid", "blitz")


@view.register(PlayersFound)
def _(answer: PlayersFound, asked: Asked) -> Reply:  # noqa: ARG001  # nobody else is looked up
    reply = Reply.to(answer)
    return reply._replace(
        summary=lambda _: _found(answer), footer=lambda: [row for note in _notes(answer) for row in in_lines(note)]
    )


def _notes(answer: PlayersFound) -> Iterator[Message]:
    """How to see more of the players found, and which list was searched."""
    from arpad.lists import MOST

    shown, total = len(answer.players), answer.total
    if total > shown:
        key = "narrow" if shown >= MOST else "show_all" if total <= MOST else "show_more"
        yield say(f"command.lists.{key}", shown=shown, total=f"{total:,}", most=min(total, MOST))
    yield say("command.lists.source", list=answer.list)


def _found(answer: PlayersFound) -> str:
    if not answer.players:
        return "\n".join(in_lines(say("command.lists.nobody", advice=" ".join(map(str, answer.notes)))))
    rows = [
        [
            str(player.id),
            player.name or "",
            player.federation or "",
            str(player.born or ""),
            player.title or player.w_title or "",
            *(str(player.ratings[pace].rating or "") if pace in player.ratings else "" for pace in PACES),
            str(say("command.lists.inactive")) if "i" in (player.flag or "") else "",
        ]
        for player in answer.players
    ]
    head = ("id", "name", "fed", "born", "title", *PACES, "")
    return filled(head, rows, left=["name", "fed", "title", ""])


@view.register(PlayerPage)
def _(answer: PlayerPage, asked: Asked) -> Reply:  # noqa: ARG001  # the player is the answer
    several_months = len({line.list for line in answer.history}) > 1
    reply = Reply.to(answer, *([lambda _: _history(answer)] if several_months else []))
    return reply._replace(footer=lambda: [row for note in answer.notes for row in in_lines(note)])


def _history(answer: PlayerPage) -> str:
    rows = [
        [
            line.list,
            line.pace,
            str(line.rating or say("answers.unrated")),
            str(line.k or ""),
            "" if line.games is None else str(line.games),
        ]
        for line in answer.history
    ]
    return table(["list", "pace", "rating", "k", "games"], rows, left=["list", "pace"])
