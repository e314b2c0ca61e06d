"""The one notation for games, dates and time controls, shared by every door."""

from __future__ import annotations

from datetime import date

from arpad.errors import BadInput
from arpad.model import DRAW, LOSS, UNRATED, WIN, Game, Pace, Player, Rating, number, rating_of

RESULTS = {
    "win": WIN, "w": WIN, "1": WIN, "1.0": WIN,
    "draw": DRAW, "d": DRAW, "0.5": DRAW, ".5": DRAW, "½": DRAW, "1/2": DRAW, "=": DRAW,
    "loss": LOSS, "l": LOSS, "0": LOSS, "0.0": LOSS,
}  # fmt: skip
FORFEITS = {"+": WIN, "-": LOSS, "−": LOSS}
ALLOWED = "win, draw or loss (also w d l, 1 0.5 ½ 0), or + and - for a forfeit"


def parse_rating(text: str, *, at: str | None = None) -> Rating | None:
    """`1750` or `unrated`."""
    text = text.strip()
    return None if text.lower() == "unrated" else rating_of(text, at=at)


def parse_opponent(text: str, *, at: str | None = None) -> Player:
    """`1950`, `unrated`, `2100s` for somebody with a standard rating alone, or `1400/30` with a deviation."""
    text = text.strip()
    text, slash, deviation = text.partition("/")
    if slash:
        return Player(rating_of(text, at=at), deviation=deviation)
    if text[-1:].lower() == "s" and text[:-1].isdigit():
        return Player(None, standard=rating_of(text[:-1], at=at))
    rating = parse_rating(text, at=at)
    return UNRATED if rating is None else Player(rating)


def parse_game(text: str, *, at: str | None = None) -> Game:
    """`1950:win`, `unrated:½`, `2100s:0`, a forfeit `1950:+`, or `bye`."""
    at = at or f"game '{text}'"
    if text.strip().lower() == "bye":
        return Game(UNRATED, LOSS, "bye")
    opponent, colon, result = text.rpartition(":")
    if not colon:
        raise BadInput(f"'{text}' is not a game; write opponent:result, for example 1950:win.", at=at)
    result = result.strip().lower()
    if result in FORFEITS:
        return Game(parse_opponent(opponent, at=at), FORFEITS[result], "forfeit")
    if result not in RESULTS:
        raise BadInput(f"'{result}' is not a result; a result is {ALLOWED}.", at=at)
    return Game(parse_opponent(opponent, at=at), RESULTS[result])


def parse_date(text: str, *, at: str | None = None) -> date:
    """`2026-11-15`, or `2026-11` for the first of the month."""
    try:
        return date.fromisoformat(f"{text}-01" if len(text) == len("2026-11") else text)
    except ValueError:
        raise BadInput(f"'{text}' is not a date; write it as 2026-11-15 or 2026-11.", at=at) from None


def parse_pace(text: str, *, at: str | None = None) -> Pace:
    """`90+30`: minutes for the game plus seconds a move; `60` has no increment."""
    allowed = "a time control is minutes+seconds, for example 90+30"
    minutes, _, increment = text.partition("+")
    pace = Pace(*(number(part or "0", "a time control", allowed, at=at) for part in (minutes, increment)))
    if pace.minutes < 0 or pace.increment < 0 or not any(pace):
        raise BadInput(f"'{text}' is not a time control; {allowed}.", at=at)
    return pace
