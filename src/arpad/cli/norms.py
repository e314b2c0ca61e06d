"""`arpad norms`: title norms in a tournament."""

from __future__ import annotations

from arpad.cli import show
from arpad.cli.options import add_reading, readings_of
from arpad.cli.tournaments import add_file, add_list, the_tournament, with_list
from arpad.errors import BadInput
from arpad.norms.conditions import points
from arpad.norms.report import find_norms
from arpad.norms.rules import NORMS
from arpad.notation import parse_date
from arpad.render import WIDTH, figure, wrapped
from arpad.tournament import EVENT_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from arpad.norms.answer import Norm, NormReport, PlayerNorms
    from arpad.norms.conditions import Condition
    from arpad.norms.forecast import Demand, Needs

SUMMARY = "title norms in a tournament, and what is still needed for one"
EXAMPLES = (
    "arpad norms docs/examples/norms.trf",
    "arpad norms docs/examples/norms.trf --player 1 --title GM",
)
HEAD = ("no", "name", "", "fed", "rating", "score", "norm")
LONGEST_NAME = 20
MARKS = {True: "yes", False: "no", None: "not known"}
NEAR = 2  # half points: who is shorter of a performance is not listed


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad norms`."""
    add_file(parser)
    parser.add_argument("--player", metavar="NO", help="all conditions of this starting number")
    parser.add_argument("--title", choices=NORMS, help="this title alone")
    group = parser.add_argument_group("event")
    group.add_argument("--event-kind", metavar="KIND", help=f"one of {', '.join(EVENT_KINDS)} (default: as written)")
    group.add_argument("--host", metavar="FED", help="the federation that registered the event (default: as written)")
    group.add_argument("--exempt", metavar="a|b|c", help="an exemption of 1.4.3 that no file shows; d is worked out")
    group.add_argument("--on", metavar="DATE", help="the day the event began (default: as written)")
    add_reading(parser)
    add_list(parser)


def run(options: argparse.Namespace) -> show.Reply:
    """Judge everybody, or show one player in full."""
    tournament, people = with_list(options, the_tournament(options))
    report = find_norms(
        tournament,
        on=None if options.on is None else parse_date(options.on, at="--on"),
        titles=NORMS if options.title is None else (options.title,),
        kind=options.event_kind,
        host=options.host,
        exempt=options.exempt,
        readings=readings_of(options),
    )
    if options.player is None:
        return people.noted(show.Reply.to(report, lambda style: _table(report, style)))
    if not options.player.isdecimal():
        raise BadInput(f"'{options.player}' is not a starting number; give a whole number.", at="--player")
    player = report.player(int(options.player))
    shown = [norm for norm in player.norms if options.title or (not norm.held and norm.verdict.condition("sex").met)]
    return people.noted(show.Reply.to(player, *(lambda style, norm=norm: _conditions(norm, style) for norm in shown)))


def _table(report: NormReport, style: show.Style) -> str:
    """Who has made a norm, can still make one, or missed one by a single condition."""
    shown = [(player, norm) for player in report.players for norm in _listed(player)]
    if not shown:
        return "Nobody has made a norm, can still make one, or missed one by a single condition."
    heads, *rows = show.table(HEAD, [_row(*one) for one in shown], left=["name", "", "fed", "norm"]).splitlines()
    margin = max(len(line) for line in (heads, *rows)) + 2
    lines = [heads]
    for row, (_, norm) in zip(rows, shown, strict=True):
        first, *rest = wrapped(_summary(norm), WIDTH - margin)
        told = style("up", first) if norm.verdict.met else first
        lines += [f"{row:<{margin}}{told}", *(f"{'':<{margin}}{line}" for line in rest)]
    others = len(report.players) - len({player.entrant.no for player, _ in shown})
    if others:
        lines += ["", f"{others} others are farther from a norm; --player NO shows anybody's conditions."]
    return "\n".join(lines)


def _listed(player: PlayerNorms) -> list[Norm]:
    """The best norm made and what can still be above it; else the highest missed by little."""
    wanted = [norm for norm in player.norms if not norm.held]
    best = next((place for place, norm in enumerate(wanted) if norm.verdict.met), len(wanted))
    possible = [norm for norm in wanted[: best + 1] if norm.possible]
    return possible or [norm for norm in wanted if _near(norm)][:1]


def _near(norm: Norm) -> bool:
    """Whether one condition alone is missing, and a performance by little."""
    verdict = norm.verdict
    if len(verdict.failed) != 1 or not verdict.condition("sex").met:
        return False
    return verdict.failed[0].name != "performance" or (verdict.short is not None and verdict.short <= NEAR)


def _row(player: PlayerNorms, norm: Norm) -> list[str]:
    value = player.value()
    rating = "" if value["rating"] is None else figure(value["rating"])
    name = (value["name"] or "")[:LONGEST_NAME]
    score = f"{figure(value['score'])}/{value['games']}"
    return [str(value["no"]), name, value["title"] or "", value["federation"] or "", rating, score, norm.title]


def _summary(norm: Norm) -> str:
    """A norm in a few words: made, possible, or what is missing."""
    verdict = norm.verdict
    if verdict.met:
        parts = [f"made: {verdict.performance}, covers {norm.covers} games"]
        if verdict.dropped:
            parts.append(f"without round{'s' * (len(verdict.dropped) > 1)} {', '.join(map(str, verdict.dropped))}")
        parts += [show.name_of(f"norm.{one.name}") + " " + one.found for one in norm.beside if _used(one)]
        return "; ".join(parts)
    if norm.needs is not None and norm.needs.possible:
        return "; ".join(_needed(norm.needs))
    missed = [f"{show.name_of(f'norm.{one.name}')} {_compared(one)}" for one in verdict.failed]
    if verdict.short is not None:
        missed.append(f"{figure(points(verdict.short))} short")
    return "; ".join(missed)


def _used(one: Condition) -> bool:
    return one.name == "exemption" and one.found is not None


def _compared(one: Condition) -> str:
    found = "not known" if one.found is None else figure(one.found)
    return found if one.needed is None else f"{found} ({one.bound} {figure(one.needed)})"


def _needed(needs: Needs) -> list[str]:
    """What is still needed, in words."""
    if needs.made:
        return ["complete: the rounds left need not be played"]
    if needs.opponent is not None:
        who = f"against {needs.opponent.opponent}"
        performances = {one.result: one.verdict.performance for one in needs.trials}
        if needs.result is None:
            return [f"no result {who} is enough"]
        even = "even a " if needs.result == "loss" else ""
        return [f"{even}{needs.result} {who} ({performances[needs.result]})"]
    return [_demand(one) for one in needs.demands] or ["out of reach"]


def _demand(one: Demand) -> str:
    """A score in the games to come, and whom it must be made against."""
    among = f" of {one.games}" if one.games > 1 else ""
    rating = "anybody" if one.rating is None else f"{one.rating} or more{' on average' if one.games > 1 else ''}"
    being = f" ({', '.join(one.opponent)})" if one.opponent else ""
    return f"{figure(one.score)}{among} against {rating}{being}"


def _conditions(norm: Norm, style: show.Style) -> str:
    """Every condition of a norm with what was found and what is needed, and what is still to be done."""
    rows = []
    for one in (*norm.verdict.conditions, *norm.beside):
        needed = "" if one.needed is None else f"{one.bound} {figure(one.needed)}".strip()
        found = "none" if one.found is None and one.needed is None else _compared(one._replace(needed=None))
        met = "lifted" if one.lifted else "" if one.name == "exemption" else MARKS[one.met]
        cite = "" if one.rule is None else one.rule.cite
        rows.append([show.name_of(f"norm.{one.name}"), found, needed, met, cite])
    head = [f"{norm.title} norm", "found", "needed", "met", "article"]
    listed = show.table(head, rows, left=head)
    under = wrapped(f"{norm.title}: {_summary(norm)}.") if norm.needs or norm.verdict.met or norm.verdict.short else []
    heads, _, rest = listed.partition("\n")
    return "\n".join([style("strong", heads), rest, *under])
