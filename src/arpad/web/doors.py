"""Which question a door's form asks: it follows from what is typed, and nothing is a mode.

A door has one form that grows: a second event makes games a period, a later month makes it a diary; a game without a
result is to come. `question_of` is the one place that decides. `brought_to` takes what was typed at one door to
another, and `fitted` leaves out what only another question of the same form would use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from arpad.questions import spec_of
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.reading import OPEN, split_game
from arpad.systems import SYSTEMS, family
from arpad.web.forms import event_fields, plain_fields, split_at_events, until_the_last
from arpad.web.rows import CELLS, UNRATED_ROW, Query, joined_row
from arpad.web.site import STARTING

GAMES = ("game", "against", "opponent", UNRATED_ROW)
GROWN = (("add", "target"), ("add", "norm"))
# Fields about games to come that a question about a single game has no use for.
AIMS = ("reach", "norm", "field", "rounds", "entries", "lose", "strength", "uncertain", "inactive", "draws", "white")
MONTH = 7  # characters of a date that name the month


class Typed(NamedTuple):
    """What a form or a link has, as far as it decides which question is asked."""

    rated: bool  # whether the player's own rating is given
    games: int
    played: int  # games with a result
    events: int
    months: int  # in which the events began
    corrected: bool  # whether an event has a rating of its own, or the list a corrected base
    aims: bool  # at a target or a norm, or with rounds that are not paired
    one_value: bool  # whether the opponents, and nothing that `need` does not take, are given as a link to it has them
    lacks: frozenset[str]  # the questions that the system cannot answer
    starts: bool  # whether an unrated player's first game changes a rating that the system starts from


# For each door, the questions and when each is asked; the first that fits.
ASKED: dict[str, tuple[tuple[str, Callable[[Typed], bool]], ...]] = {
    "played": (
        ("diary", lambda it: it.events > 0 and not it.corrected and (it.months > 1 or "period" in it.lacks)),
        ("period", lambda it: it.events > 0),
        ("performance", lambda it: not it.rated and it.played > 0),
        ("rate", lambda _: True),
    ),
    "ahead": (
        ("season", lambda it: it.events > 0),
        ("need", lambda it: it.one_value),
        ("expect", lambda it: it.games <= 1 and it.played == 0 and not it.aims),
        ("outlook", lambda _: True),
    ),
    "first": (
        ("rate", lambda it: it.starts),
        ("first", lambda _: True),
    ),
}


def question_of(door: str, given: Sequence[tuple[str, str]]) -> str:
    """The question that a door's form or link asks."""
    it = _typed(given)
    return next(question for question, fits in ASKED[door] if fits(it))


def _typed(given: Sequence[tuple[str, str]]) -> Typed:
    pairs = _as_games(given)
    outside, events = split_at_events(pairs)
    top = {name for name, text in outside if text.strip()}
    system = next((text for name, text in pairs if name == "system"), DEFAULT_SYSTEM)
    began = {text[:MONTH] for event in events for name, text in event if name == "on" and text}
    games = [(name, text) for name, text in pairs if name in GAMES]
    return Typed(
        rated="rating" in top or any(name == "rating" and text for name, text in pairs),
        games=len(games),
        played=sum(name == "game" and split_game(text)[1] not in (None, OPEN) for name, text in games),
        events=len(events) + ("event" in [text for name, text in given if name == "add"]),
        months=len(began),
        corrected=bool(top & {"base", "formula", "opponent_deviation"})
        or any(name == "rating" and text for event in events for name, text in event),
        aims=any(text.strip() for name, text in pairs if name in AIMS)
        or any(name == "norm" or (name, text) in GROWN for name, text in given),  # a norm may still be chosen
        one_value=bool(top & {"against", "expected"}) and not top & {"game", *AIMS} - {"reach"},
        lacks=SYSTEMS[system].lacks if system in SYSTEMS else frozenset(),
        starts=family(system) in STARTING,
    )


def _as_games(given: Sequence[tuple[str, str]]) -> Query:
    """The fields with the rows of a form as games."""
    pairs = plain_fields(given)
    found: Query = []
    in_row = False
    for place, (name, text) in enumerate(pairs):
        in_row = name == "row" or (in_row and name in CELLS)
        if name == "row":
            found += joined_row(text.strip(), pairs[place + 1 : place + 1 + len(CELLS)], "outlook")
        elif not in_row:
            found.append((name, text))
    return found


def brought_to(door: str, given: Sequence[tuple[str, str]]) -> Query:
    """What was typed at another door, as this one takes it.

    Before games, those that have a result keep it while others are to come; if none are, all opponents are met again.
    After them, a game without a result is a row that waits for one, and the day is not before the last event.
    """
    pairs = [pair for pair in _as_games(given) if pair[0] != "from"]
    ahead = door == "ahead"
    waiting = any(name != "game" or split_game(text)[1] in (None, OPEN) for name, text in pairs if name in GAMES)
    kept: Query = []
    for name, text in pairs:
        if name not in GAMES:
            kept.append((name, text))
            continue
        opponent, result = split_game(text) if name in ("game", "against") else (text.rpartition(":")[0] or text, None)
        if ahead and opponent:
            kept.append(("game", f"{opponent}:{result if result and waiting else OPEN}"))
        elif not ahead:
            played = result not in (None, OPEN)
            kept.append(("game", text) if played else (UNRATED_ROW, f"{opponent}:{OPEN}"))
    question = question_of(door, kept)
    known = {*spec_of(question).fields, *GAMES, "who", "name"}
    # An event's own rating is one of a period, and elsewhere would be a second rating of the player.
    of_events = known - {*event_fields("period")} | {*event_fields(question)}
    outside, events = split_at_events(kept)
    brought = [pair for pair in outside if pair[0] in known]
    brought += [pair for event in events for pair in event if pair[0] in of_events]
    if door == "first" and question == "rate":
        return unrated(brought)
    return brought if ahead else until_the_last(brought)


def unrated(given: Sequence[tuple[str, str]]) -> Query:
    """What was typed, as a player without a rating types it at the first door."""
    return [("rating", "unrated"), *(pair for pair in given if pair[0] != "rating")]


def fitted(door: str, question: str, given: Sequence[tuple[str, str]]) -> Query:
    """The fields of a door's form without those that only its other questions use."""
    known = {*spec_of(question).fields, *event_fields(question), *GAMES}
    others = {name for other, _ in ASKED[door] for name in spec_of(other).fields if name not in known}
    return [
        ("game", f"{text}:{OPEN}") if name == "opponent" and question != "expect" else (name, text)
        for name, text in given
        if name not in others
    ]
