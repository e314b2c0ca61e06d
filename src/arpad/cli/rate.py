"""`arpad rate`: what a game, an event or a period does to a rating."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from arpad.calculation.answers import RatingChange
from arpad.cli import show
from arpad.cli.options import (
    NOTATION,
    add_pace,
    add_player,
    add_system,
    given_day,
    given_of,
    people_of,
    the_day,
    the_games,
    the_pace,
    the_player,
    the_system,
)
from arpad.cli.people import add_people
from arpad.core import Event, Period, last_day, rating_of, with_pace
from arpad.errors import BadInput
from arpad.messages import figure
from arpad.reading.notation import parse_pace

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from datetime import date

    from arpad.calculation.contract import Rated
    from arpad.cli.options import Parser
    from arpad.cli.people import People

SUMMARY = "what a game, an event or a rating period does to a rating"
EXAMPLES = (
    "arpad rate 1750 1950:win --born 2010",
    "arpad rate 1750 1950:win 1800:draw --k 20 --explain",
    "arpad rate 2395 --event 2103:1 --on 2026-10-03 --event 2310:1 --rating 2400",
    "arpad rate 1500 1700:win --system elo --k 32",
    "arpad rate 1500 1400/30:win 1550/100:loss --deviation 200 --system glicko-2",
    "arpad rate --period november.toml",
)
EVENT_OPTIONS = ("rating", "on", "name", "time")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad rate`."""
    parser.usage = "arpad rate RATING GAME ... [--event GAME ...] [options]"
    parser.add_argument("words", nargs="*", metavar="RATING GAME", help=f"own rating, then the games. {NOTATION}")
    add_player(parser)
    add_system(parser)
    add_people(parser)
    _add_events(parser)


def _add_events(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("event and period")
    add_pace(group)
    group.add_argument("--event", action="store_true", help="the next event of the same period starts here")
    group.add_argument("--rating", help="own list rating at the start of this event")
    group.add_argument("--name", help="this event's name")
    group.add_argument("--base", metavar="RATING", help="the rating FIDE added the change to, if it corrected the list")
    group.add_argument("--period", metavar="FILE", help="a TOML file with the player and the events of a period")
    group.add_argument("--formula", action="store_true", help="plain Elo's formula beside the table")


def parse(parser: Parser, words: Sequence[str]) -> argparse.Namespace:
    """Cut the words at each `--event`."""
    return split_events(parser, words)


def split_events(parser: Parser, words: Sequence[str], of_event: Sequence[str] = EVENT_OPTIONS) -> argparse.Namespace:
    """What stands behind an `--event` belongs to that event, unless it is about the whole period."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == "--event":
            parts.append([])
        else:
            parts[-1].append(word)
    options, *events = [parser.parse_intermixed_args(part) for part in parts]
    defaults = vars(parser.parse_args([]))
    for event in events:
        for name, value in vars(event).items():
            if name not in of_event and name != "words" and value != defaults[name]:
                setattr(options, name, [*getattr(options, name), *value] if isinstance(value, list) else value)
    options.events = events
    return options


def run(options: argparse.Namespace) -> show.Reply:
    """Rate what was asked."""
    change = _rated(options)
    return people_of(options).noted(_reply(options, change))


def _reply(options: argparse.Namespace, change: Rated) -> show.Reply:
    people = people_of(options)
    below = [lambda _: _games(change, people)] if change.per_game else []
    if options.formula:
        from arpad.systems.comparison import by_formula

        formula = by_formula(change)
        below.append(lambda _: _formula(formula))
    return show.Reply.to(change, *below, who=people.own_figures())


def _rated(options: argparse.Namespace) -> Rated:
    if options.period is not None:
        from arpad.formats.period import read_period

        _alone(options)
        file = read_period(options.period)
        of_file = None if options.on is not None else file.on or last_day(file.period.events)
        day = of_file or the_day(options)
        return the_system(options, file.system).rate_period(file.player, file.period, on=day)
    if not options.words:
        raise BadInput(
            "A rating and at least one game are needed, for example `arpad rate 1750 1950:win`.", at="rating"
        )
    rating, *games = options.words
    player = the_player(options, rating)
    base = None if options.base is None else rating_of(options.base, at="--base")
    events = events_of(options, games)
    period = Period(tuple(events), base)
    return the_system(options).rate_period(player, period, on=day_of(options, games, events))


def _alone(options: argparse.Namespace) -> None:
    """A period file says everything about player and events; what is typed beside it would be lost."""
    beside = ["a rating or games"] * bool(options.words) + ["--event"] * bool(options.events)
    beside += [name for name in given_of(options, add_player, _add_events) if name not in ("--period", "--formula")]
    if beside:
        raise BadInput(f"With --period the file says it all; leave out {', '.join(beside)}.", at="--period")


def events_of(options: argparse.Namespace, games: Sequence[str]) -> list[Event]:
    """The games before the first `--event` as an event of their own, and then each one's; a time holds for all."""
    people = people_of(options)
    events = [event_of(options, games, people)] if games else []
    events += [event_of(event, event.words, people.since(event.on)) for event in options.events]
    if not games and (options.name is not None or getattr(options, "rating", None) is not None):
        raise BadInput("--name and --rating belong to an event; write them behind its --event.", at="--event")
    return with_pace(events, the_pace(options))


def event_of(options: argparse.Namespace, games: Sequence[str], people: People) -> Event:
    """An event with its own options."""
    rating = getattr(options, "rating", None)
    return Event(
        tuple(the_games(games, people)),
        None if rating is None else rating_of(rating, at="--rating"),
        given_day(options),
        options.name,
        None if options.time is None else parse_pace(options.time, at="--time"),
    )


def day_of(options: argparse.Namespace, games: Sequence[str], events: Sequence[Event]) -> date:
    """The day of the answer: given before any game, else that of the last event, else today."""
    if options.on is not None and not games:
        return the_day(options)
    return last_day(events) or the_day(options)


def _games(change: Rated, people: People) -> str:
    """The games, under the event they belong to where there are several."""
    if not isinstance(change, RatingChange) or len(change.events) == 1:
        return show.games(change.per_game, people.opponents)
    parts, names = [], iter(people.opponents)
    for event in change.events:
        title = " ".join(filter(None, (event.event.name, f"({event.event.on})" if event.event.on else None)))
        heading = f"{title or 'event'}, rated {figure(event.rating.value)}: {figure(event.change.value, signed=True)}\n"
        parts.append(heading + show.games(event.per_game, list(islice(names, len(event.games)))))
    return "\n\n".join(parts)


def _formula(formula: Rated) -> str:
    """Plain Elo's figures, to stand beside the table's."""
    return (
        f"By plain Elo's formula: expected {figure(formula.expected)}, change {figure(formula.change, signed=True)}, "
        f"new rating {formula.new_rating}."
    )
