"""Views of whole tournaments: rating reports, norms, the next round, standings, checked files, certificates."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from arpad.calculation.explain import WIDTH, wrapped
from arpad.cli import show
from arpad.cli.files import any_serious, as_oddities, oddity_lines, progress_bar, reading_bar, size_of
from arpad.cli.reply import AnswerReply, Reply, answered, reply_with, shows
from arpad.cli.show import Style, declared, in_lines, lines_of
from arpad.core.tournaments import by_kind
from arpad.formats.saving import check_outputs
from arpad.messages import figure, say
from arpad.questions.chances import ChancesOf
from arpad.questions.titles import CertificateOf
from arpad.questions.tournaments import EventOf, FileCheck, SentFile
from arpad.reports import check_report, check_sheets, write_report, write_sheets
from arpad.reports.page import norms_of, order_of
from arpad.systems.answers import ending, opponent_of
from arpad.tournaments.event.parts import PartedEvent
from arpad.tournaments.event.player import PlayerReport
from arpad.tournaments.event.report import EventReport
from arpad.tournaments.next_round import NextRound, norm_words
from arpad.tournaments.norms.answer import (
    NormsReport,
    PlayerNorms,
    compared,
    condition_name,
    in_words,
    norm_lines,
    unlisted,
)
from arpad.tournaments.norms.conditions import bound_said
from arpad.tournaments.standings import EventStandings, difference_lines
from arpad.tournaments.submission import READY, to_do
from arpad.tournaments.tiebreaks import TieBreaks

if TYPE_CHECKING:
    from arpad.calculation.answer import Table
    from arpad.core.tournaments import Entrant, Oddity
    from arpad.messages import Message
    from arpad.questions import Asked
    from arpad.questions.tournaments import NormsOf
    from arpad.tournaments.norms.answer import Norm
    from arpad.tournaments.norms.conditions import Condition

R = TypeVar("R", bound=EventReport | PartedEvent)
MANY = 500  # from so many players on, a progress bar is shown
LONGEST_NAME = 20  # in a table of norms
SHORTEST_NAME = 20  # tie-breaks go into a second table before a name is cut below this

GAMES = ("rd", "colour", "no", "opponent", "rating", "result", "expected", "change")
NORMS = ("no", "name", "", "fed", "rating", "score", "norm")
ROUND = ("no", "name", "points", "versus", "win", "draw", "loss", "if_won", "if_drawn", "if_lost")
ONE_PLAYER = ("result", "points", "places", "change", "new")


@answered.register(SentFile)
def _(question: NormsOf, asked: Asked) -> Reply:
    with reading_bar(question.path) as step:
        return reply_with(replace(question, progress=step).answer(), asked)


@answered.register(ChancesOf)
def _(question: ChancesOf, asked: Asked) -> Reply:
    with progress_bar(" runs", total=question.runs) as step:  # shown at once: pairing the next round comes first
        return reply_with(replace(question, watch_runs=step).answer(), asked)


@answered.register(CertificateOf)
def _(question: CertificateOf, asked: Asked) -> Reply:
    if question.to is not None:
        check_sheets(question.to, force=question.force)
        check_outputs([question.to], [question.path] if question.path else [], force=question.force)
    with reading_bar(question.path) as step:
        answer = replace(question, progress=step).answer()
    if question.to is not None:
        write_sheets(answer, question.to, force=question.force)
    return reply_with(answer, asked, written=question.to)


@answered.register(EventOf)
def _(question: EventOf, asked: Asked) -> Reply:
    if question.to is not None:
        check_report(question.to, force=question.force)
        inputs = [path for path in (question.path, question.table_path) if path is not None]
        check_outputs([question.to], inputs, force=question.force)
    with reading_bar(question.path) as step:
        asking = replace(question, progress=step, one_by_one=_with_bar)
        found = asking.in_file()
        parted = asking.in_parts(found)
        if parted is not None:
            return reply_with(parted, asked, look=_needs_a_look(parted, parted.reports))
        report = asking.rated(asking.with_list(found))
    look = _needs_a_look(report, [report])
    if question.to is None:
        return reply_with(question.chosen(report), asked, look=look)
    order = order_of(report, question.names, unrated=question.unrated)
    write_report(report, question.to, force=question.force, norms=norms_of(report), order=order, cards=question.cards)
    return AnswerReply(answer=report, asked=asked, written=question.to, look=look)


def _needs_a_look(rated: EventReport | PartedEvent, reports: Sequence[EventReport]) -> bool:
    """Whether the file contradicts itself, part of it was not understood, or a player could not be rated."""
    event = rated.event
    unclear = bool(event.time_control) and event.pace is None  # the games are rated in the list that was chosen
    refused = any(report.totals.refused for report in reports)
    return unclear or bool(rated.findings) or refused or any_serious(event.oddities)


def _with_bar(entrants: Sequence[Entrant]) -> Iterator[Entrant]:
    """The entrants one by one, with a progress bar if there are many."""
    with progress_bar(" players", total=len(entrants), shown=len(entrants) >= MANY) as step:
        for done, entrant in enumerate(entrants, start=1):
            yield entrant
            step(done)


class FileView(AnswerReply[R]):
    """A rated file. Problems with it come first, oddities last."""

    def summary(self, style: Style) -> str:
        serious = self._serious()
        warned = [style("strong", str(say("command.event.serious", findings=len(serious))))] if serious else []
        event = self.answer.event
        days = dict.fromkeys(day for day in (event.start, event.end) if day is not None)
        when = "" if not days else str(say(f"command.event.days.{len(days)}", first=min(days), last=max(days)))
        title = ", ".join(filter(None, (event.name, event.city, event.federation, when)))
        paragraphs = (
            self._elsewhere(style),
            [*warned, *oddity_lines(serious, every=False)],
            [*filter(None, wrapped(title)), *map(declared, self.answer.tables())],
            self.under_table(),
            [show.facts(self.answer.summary(), style)],
        )
        return "\n\n".join(filter(None, map("\n".join, paragraphs)))

    def under_table(self) -> Sequence[str]:
        """Lines right below the table."""
        return ()

    def _elsewhere(self, style: Style) -> list[str]:
        """That the games belong to another list, and the command that rates them there."""
        says = self.answer.elsewhere
        if says is None:
            return []
        path = getattr(self.asked and self.asked.question, "path", None) or "FILE"
        right = shlex.join(["arpad", "event", path, "--system", str(says.values["other"])])
        return [*(style("strong", line) for line in wrapped(str(says))), f"  {right}"]

    def remarks(self) -> Iterator[Message | str]:
        every = bool(getattr(self.asked and self.asked.question, "all", False))
        yield from (note for note in super().remarks() if note != self.answer.elsewhere)  # it came first
        serious, odd = self._serious(), [oddity for oddity in self.answer.event.oddities if not oddity.serious]
        if serious and every:
            yield from ("", str(say("command.event.inconsistencies", findings=len(serious))), *oddity_lines(serious))
        if odd:
            yield from ("", str(say("command.event.odd", odd=len(odd))), *oddity_lines(odd, every=every))

    def _serious(self) -> list[Oddity]:
        event = self.answer.event
        odd = (oddity for oddity in event.oddities if oddity.serious)
        return [*as_oddities(event, self.answer.findings), *odd]


@shows(EventReport)
class EventView(FileView[EventReport]):
    """The players in FIDE's layout, and why games do not count or somebody has no rating."""

    def under_table(self) -> Sequence[str]:
        report, totals = self.answer, self.answer.totals
        return lines_of([*map(report.remark, totals.no_rating), *(games.says for games in totals.not_counted)])


@shows(PartedEvent)
class PartedView(FileView[PartedEvent]):
    """The changes in each part of a long event, and which parts there are."""


@shows(PlayerReport)
class PlayerView(AnswerReply[PlayerReport]):
    """The games of one player, and below them why some do not count."""

    def paragraphs(self) -> Iterator[str]:
        games = self.answer.per_game
        rows = [
            [
                str(game.round),
                str(say(f"reading.colour.{game.colour}")) if game.colour else "",
                show.cell_text(game.no),
                game.how if game.no is None else game.called,
                "" if game.no is None else opponent_of(game),
                ending(game),
                "" if game.expected is None else figure(game.expected) + "*" * show.is_cut(game),
                show.change_of(game),
            ]
            for game in games
        ]
        why = show.reasons("round", ((game.round, game.why, show.is_cut(game)) for game in games))
        yield "\n".join([show.fitted(GAMES, rows, "opponent", left=("colour", "opponent", "result")), *why])


@shows(NormsReport)
class NormsView(AnswerReply[NormsReport]):
    """Players who made a norm, can still make one, or missed one by a single condition; and what is not known."""

    def summary(self, style: Style) -> str:
        return "\n\n".join([show.facts(self.figures(), style), *self._listed(style)])

    def _listed(self, style: Style) -> Iterator[str]:
        report, shown, lines = self.answer, norm_lines(self.answer), []
        if shown:
            rows = [
                [
                    str(line.player.no),
                    line.player.called[:LONGEST_NAME],
                    line.player.title or "",
                    line.player.federation or "",
                    show.cell_text(line.player.rating),
                    f"{figure(line.player.score)}/{line.player.games}",
                    line.norm.title,
                ]
                for line in shown
            ]
            heads, *listed = show.table(NORMS, rows, left=["name", "", "fed", "norm"]).splitlines()
            margin = max(map(len, (heads, *listed))) + 2
            lines.append(heads)
            for row, line in zip(listed, shown, strict=True):
                first, *rest = wrapped(_norm_words(line.norm), WIDTH - margin)
                said = style("up", first) if line.norm.met else first
                lines += [f"{row:<{margin}}{said}", *(f"{'':<{margin}}{more}" for more in rest)]
            yield "\n".join(lines)
        others = len(report.players) - len({line.player.no for line in shown})
        besides = unlisted(report)
        if besides is None and others:
            besides = say("command.norms.others", players=others)
        if besides is not None:
            yield "\n".join(in_lines(besides))


def _norm_words(norm: Norm) -> str:
    said = in_words(norm)
    return str(say("command.norms.made", said=said)) if norm.met else said


@shows(PlayerNorms)
class PlayerNormsView(AnswerReply[PlayerNorms]):
    """The conditions of every title that the player can still get, or of the one asked for."""

    def summary(self, style: Style) -> str:
        asked_for = getattr(self.asked and self.asked.question, "title", None)
        wanted = [
            norm for norm in self.answer.norms if asked_for or (not norm.held and norm.verdict.condition("sex").met)
        ]
        return "\n\n".join([show.facts(self.figures(), style), *(self._conditions(norm, style) for norm in wanted)])

    def _conditions(self, norm: Norm, style: Style) -> str:
        """Every condition of a norm with what was found and what is needed; then what is still to do."""
        rows = []
        for condition in (*norm.verdict.conditions, *norm.beside):
            needed = "" if condition.needed is None else figure(condition.needed)
            if needed and condition.bound:
                needed = f"{bound_said(condition.bound)} {needed}"
            nothing = condition.found is None and condition.needed is None
            found = str(say("answers.none")) if nothing else compared(condition)
            cite = "" if condition.rule is None else condition.rule.cite
            rows.append([condition_name(condition), found, needed, _met(condition), cite])
        head = [str(say("command.norms.of", title=norm.title)), "found", "needed", "met", "article"]
        heads, _, rest = show.table(head, rows, left=head).partition("\n")
        told_more = norm.needs or norm.met or norm.verdict.short or norm.undecided
        under = in_lines(say("command.norms.says", title=norm.title, said=_norm_words(norm))) if told_more else []
        return "\n".join([style("strong", heads), rest, *under])


def _met(condition: Condition) -> str:
    if condition.lifted:
        return str(say("command.norms.met.lifted"))
    if condition.name == "exemption":
        return ""
    return str(say("command.norms.met." + {True: "yes", False: "no", None: "unknown"}[condition.met]))


@shows(NextRound)
class NextRoundView(AnswerReply[NextRound]):
    """What a win, a draw and a loss would do: for everybody a line, for one player a line for each result."""

    def paragraphs(self) -> Iterator[str]:
        if self.answer.player is not None:
            yield self._one_player()
            return
        yield "\n".join(lines_of(map(str, self.answer.objections)))
        players = self.answer.players
        rows = [
            [
                str(player.no),
                player.called,
                figure(player.points),
                player.versus,
                # The change over the event, or an unrated player's first rating.
                *(
                    show.cell_text(after.new_rating) if after.change is None else show.cell_text(after.change, "signed")
                    for after in player.results
                ),
                *(after.places for after in player.results),
            ]
            for player in players
        ]
        yield show.filled(ROUND, rows, left=("name",))
        yield "\n".join(
            lines_of(f"{player.no} {player.called}, {said}" for player in players for said in norm_words(player))
        )

    def _one_player(self) -> str:
        player = self.answer.players[0]
        rows = [
            [
                after.result,
                figure(after.points),
                after.places,
                show.cell_text(after.change, "signed"),
                show.cell_text(after.new_rating),
            ]
            for after in player.results
        ]
        opponent = "" if player.met is None else player.met.called
        title = " ".join(filter(None, (f"{player.no} {player.called}", "–", player.versus, opponent)))
        return "\n".join([title, show.filled(ONE_PLAYER, rows, left=("result",)), *map(str, norm_words(player))])


@shows(TieBreaks)
class TieBreaksView(AnswerReply[TieBreaks]):
    """The tie-breaks, in as many tables as they need."""

    def paragraphs(self) -> Iterator[str]:
        for table in self.answer.tables():
            yield _in_blocks(table, len(self.answer.criteria))


@shows(EventStandings)
class StandingsView(AnswerReply[EventStandings]):
    """The standings, the crosstable if asked for, the prizes, and where the ranks in the file differ."""

    def paragraphs(self) -> Iterator[str]:
        answer, crosstable = self.answer, getattr(self.asked and self.asked.question, "crosstable", False)
        for table in answer.tables():
            if table.key == "places":
                yield _in_blocks(table, len(answer.criteria))
            elif table.key != "crosstable" or crosstable:
                yield declared(table)
        if answer.differences:
            yield "\n".join(lines_of(difference_lines(answer.differences, answer.lines)))


def _in_blocks(table: Table, last: int) -> str:
    """A table of which the last columns, if they do not fit on a line, go into further tables."""
    columns = list(table.for_door("screen").columns)
    widths = [
        max(len(show.heading(column.key)), *(len(show.cell_text(column.value(row), column.form)) for row in table.rows))
        for column in columns
    ]
    first = len(columns) - last
    name = widths[[column.key for column in columns].index("name")]
    room = WIDTH - sum(width + 2 for width in widths[:first]) + max(name - SHORTEST_NAME, 0)
    blocks, left = [columns[:first]], room
    for column, width in zip(columns[first:], widths[first:], strict=True):
        if width + 2 > left and len(blocks[-1]) > first:
            blocks.append(columns[:first])
            left = room
        blocks[-1] = [*blocks[-1], column]
        left -= width + 2
    return "\n\n".join(declared(table._replace(columns=block)) for block in blocks)


@shows(FileCheck)
class CheckView(AnswerReply[FileCheck]):
    """The verdict on a file; or, for an office, what prevents a submission."""

    def summary(self, style: Style) -> str:
        return self._in_itself(style) if self.answer.office is None else self._for_office(self.answer.office, style)

    def remarks(self) -> Iterable[Message]:
        return ()

    def answer_working(self) -> str:
        return "" if self.answer.office is None else super().answer_working()

    def needs_a_look(self) -> bool:
        if self.answer.office is not None:
            return not self.answer.ready
        return not self.answer.consistent or any_serious(self.answer.oddities)

    def _for_office(self, office: str, style: Style) -> str:
        key = "ready" if self.answer.ready else "not_ready"
        head = say(f"command.check.office.{key}", office=office.upper())
        good = say("command.check.good", ready=sum(item.state == READY for item in self.answer.items))
        shown = [style("strong", str(head)), *lines_of(to_do(self.answer.items)), str(good)]
        if self.answer.parts:
            shown += ["", *self._parts(style)]
        if self.answer.comments:
            shown += ["", *self._comments(style)]
        return "\n".join(shown)

    def _parts(self, style: Style) -> list[str]:
        """Which rounds belong to which report of a long event."""
        title = str(say("command.check.parts", parts=len(self.answer.parts)))
        return [style("faint", title), *lines_of(part.says for part in self.answer.parts)]

    def _comments(self, style: Style) -> list[str]:
        """What the program that wrote the file says in it."""
        title = str(say("command.check.comments", comments=len(self.answer.comments)))
        return [style("faint", title), *oddity_lines(self.answer.comments)]

    def _in_itself(self, style: Style) -> str:
        """What is inconsistent or was left out, then what is odd."""
        every, tournament = getattr(self.asked and self.asked.question, "all", False), self.answer.tournament
        serious = [
            *as_oddities(tournament, self.answer.found),
            *(oddity for oddity in tournament.oddities if oddity.serious),
        ]
        odd = [oddity for oddity in tournament.oddities if not oddity.serious]
        name = tournament.name or say("command.check.unnamed")
        head = str(say("command.check.head", name=name, size=size_of(tournament)))
        found = say("command.check.findings", findings=len(serious)) if serious else say("command.check.consistent")
        gap = " " if len(head) + len(str(found)) < WIDTH else "\n"
        parts = [f"{head}{gap}{style('strong', str(found))}"]
        if serious:
            parts.append("\n".join(oddity_lines(serious, every=every)))
        if odd:
            title = str(say("command.check.odd", odd=len(odd)))
            parts.append("\n".join([style("faint", title), *oddity_lines(odd, every=every)]))
        if self.answer.parts:
            parts.append("\n".join(self._parts(style)))
        if self.answer.comments:
            parts.append("\n".join(self._comments(style)))
        if not every and len(by_kind([*serious, *odd])) < len(serious) + len(odd):
            parts.append(str(say("command.check.all")))
        return "\n\n".join(parts)
