"""`arpad norms`: title norms in a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.calculation.explain import WIDTH, figure, wrapped
from arpad.cli import show
from arpad.cli.options import add_reading, given_day, readings_of
from arpad.cli.tournaments import add_file, add_rating_list, the_tournament, with_list
from arpad.core.tournament import EVENT_KINDS
from arpad.reading.notation import parse_no
from arpad.tournaments.norms.lines import compared, condition_name, in_words, norm_lines, unlisted
from arpad.tournaments.norms.report import find_norms
from arpad.tournaments.norms.rules import NORMS

if TYPE_CHECKING:
    import argparse

    from arpad.tournaments.norms.answer import Norm, NormReport, PlayerNorms

SUMMARY = "title norms in a tournament, and what is still needed for one"
EXAMPLES = (
    "arpad norms docs/examples/norms.trf",
    "arpad norms docs/examples/norms.trf --player 1 --title GM",
)
HEAD = ("no", "name", "", "fed", "rating", "score", "norm")
LONGEST_NAME = 20
MARKS = {True: "yes", False: "no", None: "not known"}


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad norms`."""
    add_file(parser)
    parser.add_argument("--player", metavar="NO", help="all conditions of this starting number")
    parser.add_argument("--title", metavar="TITLE", help=f"this title alone: {', '.join(NORMS)}")
    group = parser.add_argument_group("event")
    group.add_argument("--event-kind", metavar="KIND", help=f"one of {', '.join(EVENT_KINDS)} (default: as written)")
    group.add_argument("--host", metavar="FED", help="the federation that registered the event (default: as written)")
    group.add_argument("--exempt", metavar="a|b|c", help="an exemption of 1.4.3 that no file shows; d is worked out")
    group.add_argument("--on", metavar="DATE", help="the day the event began (default: as written)")
    add_reading(parser)
    add_rating_list(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Judge everybody, or show one player in full."""
    tournament, people = with_list(options, the_tournament(options))
    report = find_norms(
        tournament,
        on=given_day(options),
        titles=NORMS if options.title is None else (options.title.upper(),),
        kind=options.event_kind,
        host=options.host,
        exempt=options.exempt,
        readings=readings_of(options),
    )
    if options.player is None:
        return people.noted(show.Reply.to(report, lambda style: _table(report, style)))
    player = report.player(parse_no(options.player, at="--player"))
    shown = [norm for norm in player.norms if options.title or (not norm.held and norm.verdict.condition("sex").met)]
    return people.noted(show.Reply.to(player, *(lambda style, norm=norm: _conditions(norm, style) for norm in shown)))


def _table(report: NormReport, style: show.Style) -> str:
    """Who has made a norm, can still make one, or missed one by a single condition; and what cannot be said."""
    shown, lines = norm_lines(report), []
    if shown:
        heads, *rows = show.table(HEAD, [_row(*one) for one in shown], left=["name", "", "fed", "norm"]).splitlines()
        margin = max(len(line) for line in (heads, *rows)) + 2
        lines.append(heads)
        for row, (_, norm) in zip(rows, shown, strict=True):
            first, *rest = wrapped(_told(norm), WIDTH - margin)
            told = style("up", first) if norm.verdict.met else first
            lines += [f"{row:<{margin}}{told}", *(f"{'':<{margin}}{line}" for line in rest)]
    others = len(report.players) - len({player.entrant.no for player, _ in shown})
    besides = unlisted(report)
    if besides is None and others:
        are = "other is" if others == 1 else "others are"
        besides = f"{others} {are} farther from a norm; --player NO shows anybody's conditions."
    return "\n".join([*lines, *([""] if lines and besides else []), *wrapped(besides or "")])


def _told(norm: Norm) -> str:
    return f"{'made: ' * bool(norm.verdict.met)}{in_words(norm)}"


def _row(player: PlayerNorms, norm: Norm) -> list[str]:
    value = player.value()
    rating = "" if value["rating"] is None else figure(value["rating"])
    name = player.entrant.called[:LONGEST_NAME]
    score = f"{figure(value['score'])}/{value['games']}"
    return [str(value["no"]), name, value["title"] or "", value["federation"] or "", rating, score, norm.title]


def _conditions(norm: Norm, style: show.Style) -> str:
    """Every condition of a norm with what was found and what is needed, and what is still to be done."""
    rows = []
    for one in (*norm.verdict.conditions, *norm.beside):
        needed = "" if one.needed is None else f"{one.bound} {figure(one.needed)}".strip()
        found = "none" if one.found is None and one.needed is None else compared(one)
        met = "lifted" if one.lifted else "" if one.name == "exemption" else MARKS[one.met]
        cite = "" if one.rule is None else one.rule.cite
        rows.append([condition_name(one), found, needed, met, cite])
    head = [f"{norm.title} norm", "found", "needed", "met", "article"]
    listed = show.table(head, rows, left=head)
    tells = norm.needs or norm.verdict.met or norm.verdict.short or norm.hangs
    under = wrapped(f"{norm.title}: {_told(norm)}.") if tells else []
    heads, _, rest = listed.partition("\n")
    return "\n".join([style("strong", heads), rest, *under])
