"""`arpad outlook`: what the games ahead can do to a rating."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.calculation.explain import figure, wrapped
from arpad.cli import show
from arpad.cli.options import (
    add_draws,
    add_pace,
    add_player,
    add_system,
    given_day,
    given_of,
    people_of,
    the_day,
    the_draws,
    the_player,
    the_system,
    told_of,
)
from arpad.cli.people import add_people
from arpad.cli.rate import split_events
from arpad.cli.writing import add_chart, add_force, check_chart, drawn
from arpad.core import PlannedEvent, updated
from arpad.core.tournament import SWISS
from arpad.errors import BadInput
from arpad.forecast.chances import UNLIKELY, percent, signed
from arpad.forecast.outlook import Outlook
from arpad.forecast.plans import Intended, look_ahead_plans
from arpad.forecast.season import SHARES, Season
from arpad.reading.notation import parse_field, parse_pace
from arpad.reading.results import apart

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from arpad.cli.options import Parser
    from arpad.cli.people import People
    from arpad.forecast.plans import Plans

SUMMARY = "what games ahead can do to a rating, with every chance"
EXAMPLES = (
    "arpad outlook 1780 --born 2010 --against 1700 1750 1800 1820 --reach 1800",
    "arpad outlook 1780 1700:win 1750:draw 1800:? 1820@b --reach 1790",
    "arpad outlook 1780 --field 1850 --spread 120 --rounds 9 --lose 20",
    "arpad outlook 2380 --event --against 2300 --on 2027-01 --event --against 2380",
    "arpad outlook 1780 --reach 1800 --plan open.toml --plan league.toml",
    "arpad outlook 2460 --norm gm --federation GER --against 2550gm/FRA 2480im/POL",
)
EVENT_OPTIONS = ("on", "name", "time", "against", "field", "spread", "rounds")
MOST_ROWS = 60
BY_RESULT = "A score has several lines where it matters which games were won."
LONGEST_NAME = 16  # of a plan, so that the table fits a terminal


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad outlook`."""
    parser.usage = "arpad outlook RATING [GAME ...] [--against N ...] [--event ...] [options]"
    parser.add_argument(
        "words", nargs="*", metavar="RATING GAME", help="own rating, then games: 1700:win, 1800:? or 1800, 1820@w"
    )
    _add_ahead(parser)
    group = parser.add_argument_group("questions")
    group.add_argument("--reach", metavar="TARGET", help="the chance to reach a rating")
    group.add_argument("--lose", metavar="POINTS", help="the chance to lose more than so many points")
    group.add_argument("--norm", metavar="TITLE", help="the chance of a norm for GM, IM, WGM or WIM: 2450gm/GER")
    group.add_argument("--event-kind", default=SWISS, metavar="KIND", help="of the norm's event (default swiss)")
    group.add_argument("--strength", metavar="RATING", help="true strength (default: the rating)")
    add_chart(group, "the chances")
    add_force(group)
    add_draws(parser)
    add_player(parser)
    add_system(parser)
    add_people(parser)


def _add_ahead(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("ahead")
    group.add_argument("--against", nargs="+", default=[], metavar="OPPONENT", help="opponents to be met, 1820@b")
    group.add_argument("--field", metavar="AVERAGE", help="the average of an open whose pairings are not known")
    group.add_argument("--spread", metavar="POINTS", help="the standard deviation round that average (default 0)")
    group.add_argument("--rounds", metavar="N", help="how many of that field will be met")
    group.add_argument("--event", action="store_true", help="the next event starts here; it has its own --on")
    group.add_argument("--name", help="this event's name")
    group.add_argument(
        "--plan", action="append", default=[], metavar="FILE", help="a TOML file with events; may repeat"
    )
    add_pace(group)


def parse(parser: Parser, words: Sequence[str]) -> argparse.Namespace:
    """Cut the words at each `--event`."""
    return split_events(parser, words, EVENT_OPTIONS)


def run(options: argparse.Namespace) -> show.Reply:
    """Look ahead over one list, over a season, or over several plans."""
    return people_of(options).noted(_looked(options), untold=True)


def _looked(options: argparse.Namespace) -> show.Reply:
    check_chart(options)
    found = look_ahead_plans(
        the_system(options),
        _from_files(options) if options.plan else [_typed(options)],
        on=the_day(options),
        norm=options.norm,
        kind=options.event_kind,
        reach=options.reach,
        lose=options.lose,
        strength=options.strength,
        draws=the_draws(options),
    )
    written = drawn(options, lambda path: _draw(found, path))
    reply = show.Reply.to(found, lambda _: _table(found), who=people_of(options).own_figures())
    return reply._replace(footer=lambda: [*reply.footer(), *written])


def _draw(found: Outlook | Season | Plans, path: str) -> None:
    from arpad.charts.chances import chances_pictures
    from arpad.charts.saving import on_paper, save

    save(on_paper(chances_pictures(found)), path)


def _typed(options: argparse.Namespace) -> Intended:
    """The events of the command line: what stands before the first `--event`, if anything, and then each one's."""
    if not options.words:
        raise BadInput("An outlook needs the own rating, for example `arpad outlook 1780 --against 1700`.", at="rating")
    rating, *games = options.words
    people = people_of(options)
    first = games or options.against or options.field is not None or not options.events
    events = [_event(options, games, people)] if first else []
    events += [_event(part, part.words, people.since(part.on)) for part in options.events]
    return Intended(the_player(options, rating), events)


def _event(options: argparse.Namespace, words: Sequence[str], people: People) -> PlannedEvent:
    """The event of one part of the command line."""
    named = [people.pairing(word, at=f"game '{word}'") for word in apart([*words, *options.against])]
    field = parse_field(options.field, options.spread, options.rounds, at="--field")
    return PlannedEvent(
        (*named, *field),
        given_day(options),
        options.name,
        None if options.time is None else parse_pace(options.time, at="--time"),
    )


def _from_files(options: argparse.Namespace) -> list[Intended]:
    """The events of each plan file; of its player, what was typed counts more, field by field."""
    from arpad.formats.plan import overridden, read_plan

    beside = ["games"] * (len(options.words) > 1) + ["--event"] * bool(options.events)
    beside += [name for name in given_of(options, _add_ahead) if name != "--plan"]
    if beside:
        raise BadInput(f"With --plan the files have the events; leave out {', '.join(beside)}.", at="--plan")
    told = the_player(options, options.words[0]) if options.words else told_of(options)
    plans = []
    for file in map(read_plan, options.plan):
        if not options.words and not file.has_rating:
            raise BadInput("A plan needs the player's rating, in front or in the file (`rating = 1780`).", at=file.name)
        for sentence in overridden(file, told):
            people_of(options).say(sentence)
        player = updated(file.player, told)
        plans.append(Intended(player._replace(rating=told.rating) if options.words else player, file.events, file.name))
    return plans


def _table(found: Outlook | Season | Plans) -> str:
    if isinstance(found, Outlook):
        return _outcomes(found)
    return _lists(found) if isinstance(found, Season) else _side_by_side(found)


def _outcomes(outlook: Outlook) -> str:
    """A line for each outcome, and the chance of it or better."""
    live = outlook.so_far is not None
    better = 1.0
    rows = []
    for one in outlook.outcomes:
        row = [
            "" if one.score is None else figure(one.score),
            "" if one.remaining is None or not live else figure(one.remaining),
            figure(one.change, signed=True),
            "unrated" if one.new_rating is None else figure(one.new_rating),
            percent(one.probability) or "",
            percent(min(1.0, max(0.0, better))) or "",
        ]
        better -= one.probability
        rows.append(row)
    if len(rows) > MOST_ROWS:
        head = ["chances below", "new rating"]
        rows = [[f"{100 * share:.0f} %", str(outlook.quantile(share) or "unrated")] for share in SHARES]
    else:
        head = ["score", "remaining", "change", "new rating", "chance", "this or more"]
    repeated = wrapped(BY_RESULT) if len({row[0] for row in rows if row[0]}) < sum(bool(row[0]) for row in rows) else []
    return "\n".join([show.filled(head, rows), *repeated, *show.why(outlook.per_game, rated=False)])


def _lists(season: Season) -> str:
    """A line for each list."""
    rows = [
        [
            one.month,
            ", ".join(name.removeprefix("event of ") for name in one.names),
            str(one.games),
            "/".join(figure(step.value) for step, _ in one.k),
            "unrated" if one.mean is None else f"{one.mean:.1f}",
            *(str(one.quantile(share) or "unrated") for share in SHARES),
            "" if one.deviation is None else f"{one.deviation:.1f}",
            percent(one.reach) or "",
        ]
        for one in season.lists
    ]
    shares = [f"{100 * share:.0f} %" for share in SHARES]
    head = ["list", "event", "games", "K", "mean", *shares, "deviation", "target"]
    table = show.filled(head, rows, left=["event"], yields="event")
    return "\n".join([table, *(line for said in season.uncounted for line in wrapped(said))])


def _side_by_side(comparison: Plans) -> str:
    """A line for each plan."""
    at_risk = any(season.unrated >= UNLIKELY for _, season in comparison.plans)
    rows = [
        [
            name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…",
            "" if season.mean is None else signed(season.mean),
            percent(season.reach) or "",
            percent(season.reached) or "",
            percent(season.gain) or "",
            percent(season.lose) or "",
            percent(season.unrated) or "" if at_risk else "",
            season.lists[-1].between(0.05, 0.95),
            "" if season.method == "exact" else season.method,
        ]
        for name, season in comparison.plans
    ]
    head = ["plan", "gain", "target", "on the way", "to gain", "to lose", "unrated", "nine in ten", ""]
    return show.filled(head, rows, left=["plan"])
