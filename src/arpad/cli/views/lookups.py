"""Views of what is looked up or read: rules, rating lists, time controls, pasted games and US Chess sections."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, TypeVar

from arpad.calculation.answer import Answer
from arpad.calculation.explain import WIDTH, doubt, wrapped
from arpad.cli.reply import AnswerReply, shows
from arpad.cli.show import Style, cell_text, each_line, filled, game_table, in_lines, lines_of, table
from arpad.lists.answers import PlayerPage, PlayersFound, inactive_in
from arpad.messages import Quoted, apart, figure, say, thousands
from arpad.questions.paste import PasteReading
from arpad.questions.rules import RulebookList, RuleChanges, RulesInForce, SystemList, rules
from arpad.questions.time_control import TimeControl
from arpad.systems.uschess import SectionRating

if TYPE_CHECKING:
    from arpad.calculation.answer import Figure
    from arpad.messages import Message
    from arpad.questions.rules import RuleLine
    from arpad.reading.pasted import LeftOutLine

A = TypeVar("A", bound=Answer)

MARGIN = 18  # columns for a rule's name
PACES = ("standard", "rapid", "blitz")


class LookedUp(AnswerReply[A]):
    """Something that was looked up, not calculated: it has no figures, no working, and nothing below it."""

    def figures(self) -> Sequence[Figure]:
        return ()

    def remarks(self) -> Iterable[Message]:
        return ()

    def answer_working(self) -> str:
        return ""


@shows(RulesInForce)
class RulesInForceView(LookedUp[RulesInForce]):
    """Every rule of a day."""

    def summary(self, style: Style) -> str:
        answer, book = self.answer, rules(self.answer.system)
        head = [str(say("command.rules.on", title=book.title, on=answer.on))]
        if book.compared:
            head += in_lines(say("command.rules.compared", checked=book.checked, compared=book.compared))
        if book.may_have_changed(answer.on):
            head += in_lines(say("command.rules.checked", checked=book.checked, on=answer.on))
        return "\n".join([*head, "", *(row for line in answer.rules for row in _rule(line, style))])


@shows(RuleChanges)
class ChangesView(LookedUp[RuleChanges]):
    """What changed between two days, day by day."""

    def summary(self, style: Style) -> str:
        answer = self.answer
        between = say("command.rules.between", after=answer.after, until=answer.on)
        lines = [str(rules(answer.system).title), str(between)]
        if not answer.changes:
            lines += ["", str(say("command.rules.no_changes"))]
        day = None
        for change in answer.changes:
            if change.after.since != day:
                day = change.after.since
                lines += ["", style("strong", str(day))]
            lines += _rule(change.after, style)
            if change.before is not None and change.before.says != change.after.says:
                before = wrapped(str(say("command.rules.before", says=change.before.says)), WIDTH - MARGIN)
                lines += [f"{'':<{MARGIN}}{style('faint', line)}" for line in before]
        return "\n".join(lines)


def _rule(line: RuleLine, style: Style) -> list[str]:
    """A rule in two or three lines: what it says, since when, and its article."""
    unsure = doubt(line.rule)
    first, *rest = wrapped(f"{line.says} ({unsure})" if unsure else str(line.says), WIDTH - MARGIN)
    origin = style("faint", str(say("command.rules.since", since=line.since, cite=line.rule.cite)))
    return [f"{line.name:<{MARGIN}}{first}", *(f"{'':<{MARGIN}}{row}" for row in rest), f"{'':<{MARGIN}}{origin}"]


def _day(iso: str) -> str:
    return figure(date.fromisoformat(iso))


@shows(SystemList)
class SystemsView(LookedUp[SystemList]):
    """Every system with the day its rules begin."""

    def paragraphs(self) -> Iterator[str]:
        rows = [[line.name, _day(line.covered_from), str(Quoted(line.title))] for line in self.answer.systems]
        yield table(["system", "covered_from", "rules"], rows, left=["system", "rules"])


@shows(RulebookList)
class RulebooksView(LookedUp[RulebookList]):
    """Every rulebook with the day it was last checked."""

    def paragraphs(self) -> Iterator[str]:
        rows = [[line.name, _day(line.checked), str(Quoted(line.title))] for line in self.answer.rulebooks]
        none = str(say("command.rules.none_stale"))
        yield table(["name", "checked", "rules"], rows, left=["name", "rules"]) if rows else none

    def remarks(self) -> Iterable[Message]:
        yield say("command.rules.more")


@shows(PlayersFound)
class FoundView(AnswerReply[PlayersFound]):
    """The players found, how to see more of them, and which list was searched."""

    def figures(self) -> Sequence[Figure]:
        return ()

    def paragraphs(self) -> Iterator[str]:
        answer = self.answer
        if not answer.players:
            yield "\n".join(in_lines(say("command.lists.nobody", advice=" ".join(map(str, answer.notes)))))
            return
        rows = [
            [
                str(player.id),
                player.name or "",
                player.federation or "",
                str(player.born or ""),
                player.title or player.w_title or "",
                *(str(player.ratings[pace].rating or "") if pace in player.ratings else "" for pace in PACES),
                str(inactive_in(player.inactive)) if player.inactive else "",
            ]
            for player in answer.players
        ]
        head = ("id", "name", "fed", "born", "title", *PACES, "")
        yield filled(head, rows, left=["name", "fed", "title", ""])

    def remarks(self) -> Iterator[Message]:
        from arpad.lists import MOST

        shown, total = len(self.answer.players), self.answer.total
        if total > shown:
            key = "narrow" if shown >= MOST else "show_all" if total <= MOST else "show_more"
            yield say(f"command.lists.{key}", shown=shown, total=thousands(total), most=min(total, MOST))
        yield say("command.lists.source", list=self.answer.list)


@shows(PlayerPage)
class ListedPlayerView(AnswerReply[PlayerPage]):
    """One player, with the ratings on every list if there are several."""

    def paragraphs(self) -> Iterator[str]:
        history = self.answer.history
        if len({line.list for line in history}) > 1:
            rows = [
                [
                    line.list,
                    line.pace,
                    str(line.rating or say("answers.unrated")),
                    str(line.k or ""),
                    cell_text(line.games),
                ]
                for line in history
            ]
            yield table(["list", "pace", "rating", "k", "games"], rows, left=["list", "pace"])

    def remarks(self) -> Iterable[Message]:
        return self.answer.notes


@shows(TimeControl)
class TimeControlView(AnswerReply[TimeControl]):
    """A time control that may not be understood."""

    def remarks(self) -> Iterable[Message]:
        for reading in self.answer.readings:
            yield say("reading.may_be", reading=reading)
        yield say("reading.by_the_rules", on=self.answer.on)

    def needs_a_look(self) -> bool:
        return self.answer.pace_class == "unclear" or bool(self.answer.readings)


@shows(PasteReading)
class PasteView(AnswerReply[PasteReading]):
    """The games of a pasted text; below them what was left out: each reason once, or in the working line by line."""

    def paragraphs(self) -> Iterable[str]:
        if self.answer.games:
            yield game_table(self.answer.games)

    def remarks(self) -> Iterable[Message]:
        yield from self.answer.about.notes
        yield from self.answer.notes
        if self.answer.players:
            yield say("reading.players", names=apart(self.answer.players))
        found: dict[str, list[int]] = {}
        for line in self.answer.left_out:
            found.setdefault(str(line.why), []).append(line.line)
        for why, lines in found.items():
            yield say("reading.left_lines", lines=lines, why=why)

    def answer_working(self) -> str:
        said = (*self.answer.about.notes, *self.answer.notes, *each_line(self.answer.left_out))
        return "\n".join(lines_of(said))

    def needs_a_look(self) -> bool:
        return bool(self._doubtful() or self.answer.players or not self.answer.games)

    def on_standard_error(self, output: Collection[str]) -> Sequence[Message]:
        return [*each_line(self._doubtful()), *super().on_standard_error(output)]

    def _doubtful(self) -> list[LeftOutLine]:
        return [line for line in self.answer.left_out if line.doubtful]


@shows(SectionRating)
class SectionView(AnswerReply[SectionRating]):
    """The table of the players alone."""

    def figures(self) -> Sequence[Figure]:
        return ()
