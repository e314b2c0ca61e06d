"""`arpad rate`: what a game, an event or a period does to a rating."""

from __future__ import annotations

from arpad.cli import show
from arpad.cli.options import (
    NOTATION,
    add_pace,
    add_player,
    add_system,
    the_day,
    the_games,
    the_pace,
    the_player,
    the_system,
)
from arpad.errors import BadInput
from arpad.model import Event, Period, Player, rating_of
from arpad.notation import parse_date, parse_pace, parse_rating
from arpad.render import figure
from arpad.systems import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from arpad.answers import RatingChange
    from arpad.cli.options import Parser

SUMMARY = "what a game, an event or a rating period does to a rating"
EXAMPLES = (
    "arpad rate 1750 1950:win --born 2010",
    "arpad rate 1750 1950:win 1800:draw --k 20 --explain",
    "arpad rate 2395 --event 2103:1 2250:½ --on 2026-10-03 --event 2310:1 --rating 2400",
    "arpad rate 1500 1700:win --system elo --k 32",
    "arpad rate --period november.toml",
)
EVENT_OPTIONS = ("rating", "on", "name", "time")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `arpad rate`."""
    parser.usage = "arpad rate RATING GAME ... [--event GAME ...] [options]"
    parser.add_argument("words", nargs="*", metavar="RATING GAME", help=f"own rating, then the games. {NOTATION}")
    add_player(parser)
    add_system(parser)
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


def split_events(parser: Parser, words: Sequence[str]) -> argparse.Namespace:
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
            if name not in EVENT_OPTIONS and name != "words" and value != defaults[name]:
                setattr(options, name, value)
    options.events = events
    return options


def run(options: argparse.Namespace) -> show.Reply:
    """Rate what was asked."""
    change = _rated(options)
    if not options.formula:
        return show.Reply.to(change, lambda _: _games(change))
    formula = _by_formula(change)
    return show.Reply.to(change, lambda _: _games(change), lambda _: _formula(formula), formula=formula.value())


def _rated(options: argparse.Namespace) -> RatingChange:
    if options.period is not None:
        from arpad.files.period import read_period

        file = read_period(options.period)
        chosen = the_system(options) if file.system is None else system(file.system)
        day = the_day(options) if options.on is not None or file.on is None else file.on
        return chosen.rate_period(file.player, file.period, on=day)
    if not options.words:
        raise BadInput(
            "A rating and at least one game are needed, for example `arpad rate 1750 1950:win`.", at="rating"
        )
    rating, *games = options.words
    base = None if options.base is None else rating_of(options.base, at="--base")
    events = [event_of(event) for event in options.events]
    if games:
        events.insert(0, Event(tuple(the_games(games)), pace=the_pace(options), name=options.name))
    day = the_day(options) if options.on is not None else max((e.on for e in events if e.on), default=the_day(options))
    return the_system(options).rate_period(the_player(options, rating), Period(tuple(events), base), on=day)


def event_of(options: argparse.Namespace) -> Event:
    """The event behind one `--event`."""
    rating = getattr(options, "rating", None)
    return Event(
        tuple(the_games(options.words)),
        None if rating is None else parse_rating(rating, at="--rating"),
        None if options.on is None else parse_date(options.on, at="--on"),
        options.name,
        None if options.time is None else parse_pace(options.time, at="--time"),
    )


def _by_formula(change: RatingChange) -> RatingChange:
    """The same games by plain Elo with the same K."""
    events = Period(tuple(event.event for event in change.events), change.rating)
    return system("elo").rate_period(Player(change.rating, k=change.k_used), events, on=change.on)


def _games(change: RatingChange) -> str:
    """The games of each event."""
    parts = []
    for event in change.events:
        title = " ".join(filter(None, (event.event.name, f"({event.event.on})" if event.event.on else None)))
        heading = f"{title or 'event'}, rated {figure(event.rating.value)}: {figure(event.change.value, signed=True)}\n"
        parts.append((heading if len(change.events) > 1 else "") + show.games(event.per_game))
    return "\n\n".join(parts)


def _formula(formula: RatingChange) -> str:
    """Plain Elo's figures, to stand beside the table's."""
    return (
        f"By plain Elo's formula: expected {figure(formula.expected)}, change {figure(formula.change, signed=True)}, "
        f"new rating {formula.new_rating}."
    )
