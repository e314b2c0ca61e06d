"""Views of whole tournaments: rating reports, a single player's report, norms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from arpad.calculation.explain import WIDTH, wrapped
from arpad.calculation.serialise import success
from arpad.cli import show
from arpad.cli.files import any_serious, as_oddities, oddity_lines, progress_bar, reading_bar, size_of
from arpad.cli.show import Reply, Style, in_lines
from arpad.cli.views import answered, view
from arpad.core.tournaments import by_kind
from arpad.formats.saving import check_outputs
from arpad.messages import figure, say
from arpad.questions.titles import CertificateOf
from arpad.questions.tournaments import EventOf, FileCheck, SentFile
from arpad.reports import check_report, check_sheets, write_report, write_sheets
from arpad.reports.page import norms_of, order_of
from arpad.systems.answers import ending, opponent_of
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
from arpad.tournaments.standings import EventStandings, difference_lines
from arpad.tournaments.submission import READY, to_do
from arpad.tournaments.tiebreaks import PlayerTies, TieBreaks

if TYPE_CHECKING:
    from arpad.core.tournaments import Entrant
    from arpad.messages import Message
    from arpad.questions import Asked
    from arpad.questions.tournaments import NormsOf
    from arpad.tournaments.event.player import EventGame
    from arpad.tournaments.next_round import AfterResult, PairedPlayer
    from arpad.tournaments.norms.answer import Norm, NormLine
    from arpad.tournaments.norms.conditions import Condition
    from arpad.tournaments.tiebreaks import TeamTies


# The columns of FIDE's own tournament reports, then the new rating and the performance.
EVENT = ("no", "name", "Rc", "Ro", "w", "n", "chg", "k", "K×chg", "new", "Rp")
GAMES = ("rd", "colour", "no", "opponent", "rating", "result", "expected", "change")
NORMS = ("no", "name", "", "fed", "rating", "score", "norm")
LONGEST_NAME = 20
MANY = 500  # from so many players on, a progress bar is shown


@answered.register(SentFile)
def _(question: NormsOf, asked: Asked) -> Reply:
    with reading_bar(question.path) as step:
        return view(replace(question, progress=step).answer(), asked)


@answered.register(EventOf)
def _(question: EventOf, asked: Asked) -> Reply:
    if question.to is not None:
        check_report(question.to, force=question.force)
        inputs = [path for path in (question.path, question.table_path) if path is not None]
        check_outputs([question.to], inputs, force=question.force)
    with reading_bar(question.path) as step:
        report = replace(question, progress=step, one_by_one=_with_bar).report()
    reply = _write_report(report, question) if question.to is not None else view(question.chosen(report), asked)
    return reply._replace(look=_needs_a_look(report))


def _with_bar(entrants: Sequence[Entrant]) -> Iterator[Entrant]:
    """The entrants one by one, with a progress bar if there are many."""
    with progress_bar(" players", total=len(entrants), shown=len(entrants) >= MANY) as step:
        for done, entrant in enumerate(entrants, start=1):
            yield entrant
            step(done)


def _write_report(report: EventReport, question: EventOf) -> Reply:
    """Write the report, and say where it is and what it contains."""
    path, order = question.to or "", order_of(report, question.names, unrated=question.unrated)
    write_report(report, path, force=question.force, norms=norms_of(report), order=order, cards=question.cards)
    wrote = "\n".join(in_lines(say("command.wrote", path=path)))
    reply = Reply.to(report)
    return reply._replace(
        summary=lambda style: f"{show.facts(report.summary(), style)}\n\n{wrote}",
        json=lambda: {**reply.json(), "written": path},
    )


@view.register(EventReport)
def _(answer: EventReport, asked: Asked) -> Reply:
    every = bool(getattr(asked.question, "all", False))
    oddities = answer.event.oddities
    serious = [*as_oddities(answer.event, answer.findings), *(oddity for oddity in oddities if oddity.serious)]
    odd = [oddity for oddity in oddities if not oddity.serious]

    def summary(style: Style) -> str:
        """Problems with the file come first, a line for each kind."""
        warned = [style("strong", str(say("command.event.serious", findings=len(serious))))] if serious else []
        table = "\n".join([*filter(None, wrapped(_title(answer))), _players(answer)])
        first = "\n".join([*warned, *oddity_lines(serious, every=False)])
        parts = (first, table, "\n".join(_remarks(answer)), show.facts(answer.summary(), style))
        return "\n\n".join(filter(None, parts))

    def footer() -> list[str]:
        lines = reply.footer()
        if serious and every:
            title = str(say("command.event.inconsistencies", findings=len(serious)))
            lines += ["", title, *oddity_lines(serious)]
        if odd:
            lines += ["", str(say("command.event.odd", odd=len(odd))), *oddity_lines(odd, every=every)]
        return lines

    reply = Reply.to(answer)
    return reply._replace(summary=summary, footer=footer)


def _needs_a_look(report: EventReport) -> bool:
    """Whether the file contradicts itself, part of it was not understood, or a player could not be rated."""
    event = report.event
    unclear = bool(event.time_control) and event.pace is None  # the games are rated in the list that was chosen
    return unclear or bool(report.findings or report.totals.refused) or any_serious(event.oddities)


def _title(report: EventReport) -> str:
    event = report.tournament
    days = dict.fromkeys(day for day in (event.start, event.end) if day is not None)
    when = "" if not days else str(say(f"command.event.days.{len(days)}", first=min(days), last=max(days)))
    return ", ".join(filter(None, (event.name, event.city, event.federation, when)))


def _players(report: EventReport) -> str:
    """A line per player, in FIDE's layout."""
    rows = [
        [
            str(player.no),
            player.called,
            _number(player.average),
            _number(player.rating),
            figure(player.score) if player.calculated else "",
            str(player.games) if player.calculated else "",
            "" if player.chg is None else figure(player.chg, signed=True),
            _number(player.k),
            "" if player.change is None else figure(player.change, signed=True),
            _number(player.new_rating),
            _number(player.performance),
        ]
        for player in report.players
    ]
    return show.fitted(EVENT, rows, "name", left=("name",))


def _number(value: object) -> str:
    return "" if value is None else figure(value)


def _remarks(report: EventReport) -> Iterator[str]:
    """Players without a new rating, and games that do not count, each with the reason."""
    for reason in report.totals.no_rating:
        yield from in_lines(report.remark(reason))
    for games in report.totals.not_counted:
        yield from in_lines(games.says)


@view.register(PlayerReport)
def _(answer: PlayerReport, asked: Asked) -> Reply:  # noqa: ARG001
    return Reply.to(answer, lambda _: _games(answer.per_game))


def _games(games: tuple[EventGame, ...]) -> str:
    """The games of one player, and below them why some do not count."""
    rows = [
        [
            str(game.round),
            game.colour or "",
            _number(game.no),
            game.how if game.no is None else game.called,
            "" if game.no is None else opponent_of(game),
            ending(game),
            "" if game.expected is None else figure(game.expected) + "*" * show.is_cut(game),
            _change(game),
        ]
        for game in games
    ]
    why = show.reasons("round", ((game.round, game.why, show.is_cut(game)) for game in games))
    return "\n".join([show.fitted(GAMES, rows, "opponent", left=("colour", "opponent", "result")), *why])


def _change(game: EventGame) -> str:
    if game.change is not None:
        return figure(game.change, signed=True)
    return "" if game.rated else str(say("answers.not_rated"))


@view.register(NormsReport)
def _(answer: NormsReport, asked: Asked) -> Reply:  # noqa: ARG001
    return Reply.to(answer, lambda style: _norms(answer, style))


def _norms(report: NormsReport, style: Style) -> str:
    """Players who made a norm, can still make one, or missed one by a single condition; and what is not known."""
    shown, lines = norm_lines(report), []
    if shown:
        table = show.table(NORMS, [_norm_row(line) for line in shown], left=["name", "", "fed", "norm"])
        heads, *rows = table.splitlines()
        margin = max(len(line) for line in (heads, *rows)) + 2
        lines.append(heads)
        for row, line in zip(rows, shown, strict=True):
            first, *rest = wrapped(_norm_words(line.norm), WIDTH - margin)
            said = style("up", first) if line.norm.met else first
            lines += [f"{row:<{margin}}{said}", *(f"{'':<{margin}}{row}" for row in rest)]
    besides = unlisted(report) or _others(len(report.players) - len({line.player.no for line in shown}))
    if besides is None:
        return "\n".join(lines)
    return "\n".join([*lines, *([""] if lines else []), *in_lines(besides)])


def _others(players: int) -> Message | None:
    """Says that the other players are further from a norm; None if there are none."""
    return say(f"command.norms.other{'s' * (players > 1)}", players=players) if players else None


def _norm_words(norm: Norm) -> str:
    said = in_words(norm)
    return str(say("command.norms.made", said=said)) if norm.met else said


def _norm_row(line: NormLine) -> list[str]:
    player = line.player
    return [
        str(player.no),
        player.called[:LONGEST_NAME],
        player.title or "",
        player.federation or "",
        _number(player.rating),
        f"{figure(player.score)}/{player.games}",
        line.norm.title,
    ]


@view.register(PlayerNorms)
def _(answer: PlayerNorms, asked: Asked) -> Reply:
    asked_for = getattr(asked.question, "title", None)
    shown = [norm for norm in answer.norms if asked_for or (not norm.held and norm.verdict.condition("sex").met)]
    below: list[Callable[[Style], str]] = [partial(_conditions, norm) for norm in shown]
    return Reply.to(answer, *below)


def _conditions(norm: Norm, style: Style) -> str:
    """Every condition of a norm with what was found and what is needed; then what is still to do."""
    rows = []
    for condition in (*norm.verdict.conditions, *norm.beside):
        needed = "" if condition.needed is None else " ".join(filter(None, (condition.bound, figure(condition.needed))))
        nothing = condition.found is None and condition.needed is None
        found = str(say("answers.none")) if nothing else compared(condition)
        rows.append(
            [
                condition_name(condition),
                found,
                needed,
                _met(condition),
                "" if condition.rule is None else condition.rule.cite,
            ]
        )
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


ROUND = ("no", "name", "points", "versus", "win", "draw", "loss", "if_won", "if_drawn", "if_lost")
ONE_PLAYER = ("result", "points", "places", "change", "new")


@view.register(NextRound)
def _(answer: NextRound, asked: Asked) -> Reply:  # noqa: ARG001
    return Reply.to(
        answer, lambda _: _one_player(answer.players[0]) if answer.player is not None else round_table(answer)
    )


def round_table(answer: NextRound) -> str:
    """A line per player: the event's rating change after a win, a draw and a loss, then the places; norms below."""
    rows = [
        [
            str(player.no),
            player.called,
            figure(player.points),
            player.versus,
            *(_change_after(after) for after in player.results),
            *(after.places for after in player.results),
        ]
        for player in answer.players
    ]
    lines = [show.filled(ROUND, rows, left=("name",))]
    norms = [
        row
        for player in answer.players
        for said in norm_words(player)
        for row in in_lines(f"{player.no} {player.called}, {said}")
    ]
    return "\n\n".join(filter(None, [*lines, "\n".join(norms)]))


def _one_player(player: PairedPlayer) -> str:
    """What each result would do to one player."""
    rows = [
        [
            after.result,
            figure(after.points),
            after.places,
            _signed(after.change),
            "" if after.new_rating is None else figure(after.new_rating),
        ]
        for after in player.results
    ]
    opponent = "" if player.met is None else player.met.called
    title = " ".join(filter(None, (f"{player.no} {player.called}", "–", player.versus, opponent)))
    return "\n".join([title, show.filled(ONE_PLAYER, rows, left=("result",), yields=""), *map(str, norm_words(player))])


def _change_after(after: AfterResult) -> str:
    """The change over the event, or an unrated player's first rating."""
    if after.change is not None:
        return _signed(after.change)
    return "" if after.new_rating is None else figure(after.new_rating)


def _signed(value: object) -> str:
    return "" if value is None else figure(value, signed=True)


NAME = 20  # columns a name is not cut below


@view.register(TieBreaks)
def _(answer: TieBreaks, asked: Asked) -> Reply:  # noqa: ARG001
    return Reply.to(answer, *([lambda _: _table(answer.lines, answer.criteria)] if answer.criteria else []))


@view.register(EventStandings)
def _(answer: EventStandings, asked: Asked) -> Reply:
    below: list[Callable[[Style], str]] = [lambda _: _table(answer.lines, answer.criteria)]
    if getattr(asked.question, "crosstable", False):
        below.append(lambda _: _crosstable(answer))
    if answer.prizes:
        below.append(lambda _: _prizes(answer))
    if answer.differences:
        sentences = difference_lines(answer.differences, answer.lines)
        below.append(lambda _: "\n".join(row for sentence in sentences for row in in_lines(sentence)))
    return Reply.to(answer, *below)


def _table(lines: Sequence[PlayerTies | TeamTies], criteria: Sequence[str]) -> str:
    """The players in order; criteria that do not fit on a line go into further tables."""
    rated = any(isinstance(line, PlayerTies) and line.rating is not None for line in lines)
    head = ["place", "no", "name", *(["rating"] if rated else []), "points"]
    rows = [
        [
            str(line.place),
            str(line.no),
            line.called,
            *([_cell(getattr(line, "rating", None))] if rated else []),
            _cell(line.points),
        ]
        for line in lines
    ]
    taken = sum(max(len(show.heading(name)), *(len(row[at]) for row in rows)) + 2 for at, name in enumerate(head))
    longest = max(len(line.called) for line in lines)
    blocks = _blocks(lines, criteria, WIDTH - taken + max(longest - NAME, 0))
    tables = [
        show.fitted(
            [*head, *block],
            [[*row, *(_cell(line.values[name]) for name in block)] for row, line in zip(rows, lines, strict=True)],
            "name",
            left=["name"],
        )
        for block in blocks
    ]
    return "\n\n".join(tables)


def _blocks(lines: Sequence[PlayerTies | TeamTies], criteria: Sequence[str], room: int) -> Iterator[list[str]]:
    """The criteria in groups that each fit `room` columns; at least one group, which may be empty."""
    block: list[str] = []
    left = room
    for name in criteria:
        width = max(len(name), *(len(_cell(line.values[name])) for line in lines)) + 2
        if block and width > left:
            yield block
            block, left = [], room
        block.append(name)
        left -= width
    yield block


def _cell(value: object) -> str:
    return "" if value is None else figure(value)


def _crosstable(answer: EventStandings) -> str:
    """A line for each player or team; the columns are rounds, or opponents in a round robin."""
    shown = answer.crosstable
    cells = {line.no: line.cells for line in shown.lines}
    head = ["place", "no", "name", *map(str, shown.columns), "points"]
    rows = [[str(line.place), str(line.no), line.called, *cells[line.no], _cell(line.points)] for line in answer.lines]
    return show.fitted(head, rows, "name", left=["name"])


def _prizes(answer: EventStandings) -> str:
    rows = [
        [str(line.no), line.name or "", line.condition, ", ".join(line.prizes), figure(line.amount), line.working]
        for line in answer.prizes
    ]
    head = ["no", "name", "condition", "prize", "amount", "working"]
    return show.filled(head, rows, left=["name", "condition", "prize", "working"])


@view.register(FileCheck)
def _(answer: FileCheck, asked: Asked) -> Reply:
    if answer.office is not None:
        return Reply(
            lambda style: _for_office(answer, style),
            lambda: success(answer),
            working=answer.explain,
            look=not answer.ready,
        )
    return Reply(
        lambda style: _summary(answer, style, every=getattr(asked.question, "all", False)),
        lambda: success(answer),
        look=not answer.consistent or any_serious(answer.oddities),
    )


def _for_office(answer: FileCheck, style: Style) -> str:
    """What the office requires; what prevents a submission comes first."""
    key = "ready" if answer.ready else "not_ready"
    head = say(f"command.check.office.{key}", office=(answer.office or "").upper())
    good = say("command.check.good", ready=sum(item.state == READY for item in answer.items))
    return "\n".join(
        [style("strong", str(head)), *(row for message in to_do(answer.items) for row in in_lines(message)), str(good)]
    )


def _summary(answer: FileCheck, style: Style, *, every: bool) -> str:
    """The verdict, then what is inconsistent or was left out, then what is odd."""
    tournament = answer.tournament
    serious = [*as_oddities(tournament, answer.found), *(oddity for oddity in tournament.oddities if oddity.serious)]
    odd = [oddity for oddity in tournament.oddities if not oddity.serious]
    name = tournament.name or say("command.check.unnamed")
    head = str(say("command.check.head", name=name, size=size_of(tournament)))
    verdict = str(say("command.check.findings", findings=len(serious)) if serious else say("command.check.consistent"))
    gap = " " if len(head) + len(verdict) < WIDTH else "\n"
    parts = [f"{head}{gap}{style('strong', verdict)}"]
    if serious:
        parts.append("\n".join(oddity_lines(serious, every=every)))
    if odd:
        title = str(say("command.check.odd", odd=len(odd)))
        parts.append("\n".join([style("faint", title), *oddity_lines(odd, every=every)]))
    shortened = not every and len(by_kind([*serious, *odd])) < len(serious) + len(odd)
    return "\n\n".join([*parts, *([str(say("command.check.all"))] if shortened else [])])


@answered.register(CertificateOf)
def _(question: CertificateOf, asked: Asked) -> Reply:  # noqa: ARG001
    if question.to is not None:
        check_sheets(question.to, force=question.force)
        check_outputs([question.to], [question.path] if question.path else [], force=question.force)
    with reading_bar(question.path) as step:
        answer = replace(question, progress=step).answer()
    reply = Reply.to(answer)
    if question.to is None:
        return reply
    write_sheets(answer, question.to, force=question.force)
    wrote = "\n".join(in_lines(say("command.wrote", path=question.to)))
    return reply._replace(
        summary=lambda style: f"{show.facts(answer.summary(), style)}\n\n{wrote}",
        json=lambda: {**Reply.to(answer).json(), "written": question.to},
    )
