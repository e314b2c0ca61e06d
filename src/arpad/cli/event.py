"""`arpad event`: the rating report of a whole tournament."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from arpad.calculation.explain import figure, words, wrapped
from arpad.cli import show
from arpad.cli.options import add_system, given_day, the_system
from arpad.cli.tournaments import add_file, add_rating_list, finding_lines, oddity_lines, the_tournament, with_list
from arpad.core import k_of
from arpad.reading.notation import parse_no
from arpad.tournaments.event import rate_event

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from arpad.core.tournament import Entrant
    from arpad.tournaments.event.entrant import EntrantRating
    from arpad.tournaments.event.report import EventRating

SUMMARY = "the rating report of a whole tournament, from its file"
EXAMPLES = (
    "arpad event docs/examples/open.trf",
    "arpad event docs/examples/open.trf --player 7 --explain",
    "arpad event open.trf --k-table players.csv --to report.html",
    "arpad event rapid.trf --system fide-rapid --list fide --to report.csv",
)
# FIDE's own columns, as its tournament reports have them; then the new rating and the performance.
HEAD = ("no", "name", "Rc", "Ro", "w", "n", "chg", "K", "K×chg", "new", "Rp")
GAMES = ("rd", "colour", "no", "opponent", "rating", "result", "expected", "change")
LONG = 500  # players from which the command shows how far it is


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad event`."""
    add_file(parser)
    parser.add_argument("--player", metavar="NO", help="this player alone, by starting number")
    group = parser.add_argument_group("players")
    group.add_argument("--k", metavar="K", help="one K for all; otherwise it is worked out")
    group.add_argument(
        "--k-table", metavar="FILE", help="a CSV table: no or fide_id, then k, born, games, peak, standard, rating"
    )
    add_rating_list(parser)
    group = parser.add_argument_group("report")
    group.add_argument("--to", metavar="FILE", help="write it: report.html, .pdf, .xlsx, .csv or .json")
    group.add_argument("--cards", action="store_true", help="print everybody's games into a PDF too")
    group.add_argument("--force", action="store_true", help="write over a file that is there already")
    add_system(parser, day="the day the event began, 2026-11-15; default: what the file says")


def run(options: argparse.Namespace) -> show.Reply:
    """Rate the tournament; show it, one player of it, or write it to a file."""
    if options.to is not None:
        from arpad.reports import check_report

        check_report(options.to, force=options.force)
    tournament, people = with_list(options, the_tournament(options))
    rated = rate_event(
        tournament,
        the_system(options),
        on=given_day(options),
        k=None if options.k is None else k_of(options.k, at="--k"),
        known=_known(options),
        watch=watched,
    )
    if options.to is not None:
        return people.noted(_written(rated, options))
    return people.noted(_all(rated) if options.player is None else _one(rated, options.player))


def _known(options: argparse.Namespace) -> Any:
    """What the table says of the players."""
    if options.k_table is None:
        return None
    from arpad.formats.k_table import read_k_table

    return read_k_table(options.k_table)


def watched(entrants: Sequence[Entrant]) -> Iterable[Entrant]:
    """The entrants, with a line that says how far it is: on a terminal, and if there are many."""
    if len(entrants) < LONG or not sys.stderr.isatty():
        return entrants
    try:
        from tqdm import tqdm
    except ImportError:
        return entrants
    return tqdm(entrants, desc="rating", unit=" players", leave=False)


def _written(rated: EventRating, options: argparse.Namespace) -> show.Reply:
    from arpad.reports import write_report
    from arpad.reports.norms import norms_of

    write_report(rated, options.to, force=options.force, norms=norms_of(rated), cards=options.cards)

    def said(style: show.Style) -> str:
        return f"{show.facts(rated.figures(), style)}\n\nWritten to {options.to}."

    return show.Reply.to(rated, written=options.to)._replace(summary=said)


def _one(rated: EventRating, text: str) -> show.Reply:
    """One player in full."""
    one = rated.entrant(parse_no(text, at="--player"))
    reply = show.Reply.to(one.calculation, no=one.no, name=one.entrant.player.name)

    def summary(style: show.Style) -> str:
        title = style("strong", " ".join(filter(None, (str(one.no), one.entrant.player.title, one.name))))
        return "\n\n".join([f"{title}\n{show.facts(one.calculation.figures(), style)}", _games(one)])

    return reply._replace(summary=summary)


def _games(one: EntrantRating) -> str:
    """The games of one player, and under them why some do not count."""
    rows = []
    for board, line in one.lines():
        met = board.opponent
        result = figure(line.score) if met is None else words()["score"][figure(line.score)]
        rows.append(
            [
                str(board.round),
                board.game.colour or "",
                "" if met is None else str(met.no),
                line.how if met is None else met.called,
                "" if met is None else "unrated" if line.opponent is None else figure(line.opponent),
                result if line.how in ("played", "bye") else f"{result}, {line.how}",
                "" if line.expected is None else figure(line.expected) + "*" * (line.difference != line.counted),
                figure(line.change, signed=True) if line.change is not None else "" if line.rated else "not rated",
            ]
        )
    rounds = [board.round for board in one.boards]
    return "\n".join(
        [show.fitted(GAMES, rows, "opponent", left=("colour", "opponent", "result")), *_reasons(one, rounds)]
    )


def _reasons(one: EntrantRating, rounds: Sequence[int]) -> Iterator[str]:
    """Each reason once, with the rounds it is about."""
    reasons: dict[tuple[str, str], list[int]] = {}
    for number, line in zip(rounds, one.per_game, strict=True):
        if line.why is not None:
            star = "* " if line.rated and line.difference != line.counted else ""
            reasons.setdefault((star, line.why), []).append(number)
    for (star, why), numbers in reasons.items():
        yield from wrapped(f"{star}{_counted('round', numbers)}: {why}")


def _all(rated: EventRating) -> show.Reply:
    """The table of all players, the summary, and what is odd."""

    def summary(style: show.Style) -> str:
        table = "\n".join([*filter(None, wrapped(_title(rated))), _table(rated)])
        parts = (table, "\n".join(_remarks(rated)), show.facts(rated.figures(), style))
        return "\n\n".join(filter(None, parts))

    def footer() -> list[str]:
        wrong, odd = finding_lines(rated.tournament, rated.findings), oddity_lines(rated.oddities)
        lines = reply.footer()
        lines += ["", f"Does not fit together in the file ({len(rated.findings)}):", *wrong] if wrong else []
        return [*lines, *(["", f"Odd in the file ({len(rated.oddities)}):", *odd] if odd else [])]

    reply = show.Reply.to(rated)
    return reply._replace(summary=summary, footer=footer)


def _title(rated: EventRating) -> str:
    event = rated.tournament
    days = " to ".join(dict.fromkeys(str(day) for day in (event.start, event.end) if day is not None))
    return ", ".join(filter(None, (event.name, event.city, event.federation, days)))


def _table(rated: EventRating) -> str:
    """A line a player, in FIDE's layout."""
    rows = [
        [
            str(one.no),
            one.name,
            _whole(one.average),
            _whole(one.rating),
            figure(one.score) if one.calculated else "",
            str(one.games) if one.calculated else "",
            "" if one.chg is None else figure(one.chg, signed=True),
            _whole(one.k),
            "" if one.change is None else figure(one.change, signed=True),
            _whole(one.new_rating),
            _whole(one.performance),
        ]
        for one in rated.players
    ]
    return show.fitted(HEAD, rows, "name", left=("name",))


def _whole(value: Any) -> str:
    return "" if value is None else figure(value)


def _remarks(rated: EventRating) -> Iterator[str]:
    """Who has no new rating and why, and the games that do not count with the reason."""
    for reason in (*rated.summary.no_rating, *rated.summary.not_counted):
        yield from wrapped(str(reason))


def _counted(what: str, numbers: Sequence[int]) -> str:
    return f"{what}{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"
