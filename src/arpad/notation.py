"""The one notation for games, dates and time controls, shared by every door."""

from __future__ import annotations

from datetime import date
from itertools import takewhile
from string import ascii_letters
from typing import Any

from arpad.errors import BadInput, UnknownName
from arpad.model import (
    DRAW,
    LOSS,
    MOST_GAMES,
    UNRATED,
    WIN,
    Field,
    Game,
    Pace,
    Pairing,
    Player,
    Rating,
    number,
    rating_of,
)

RESULTS = {
    "win": WIN, "w": WIN, "1": WIN, "1.": WIN,
    "draw": DRAW, "d": DRAW, "0.5": DRAW, ".5": DRAW, "½": DRAW, "1/2": DRAW, "=": DRAW,
    "loss": LOSS, "l": LOSS, "0": LOSS, "0.": LOSS,
}  # fmt: skip
OPEN = "?"
MOST_SPREAD = 1000
COLOURS = {"w": "white", "white": "white", "b": "black", "black": "black"}
TITLES = ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")
SEXES = {"m": "m", "w": "w", "f": "w"}
FORFEITS = {"+": WIN, "-": LOSS, "−": LOSS}
LONGEST_NO = 9  # digits
EXAMPLE = "1950"
ALLOWED = "win, draw or loss (also w d l, 1 0.5 ½ 0), or + and - for a forfeit"


def parse_rating(text: str, *, at: str | None = None) -> Rating | None:
    """`1750` or `unrated`."""
    text = text.strip()
    if text.lower() == "unrated":
        return None
    try:
        return rating_of(text, at=at)
    except BadInput as error:
        raise BadInput(f"{error.message.rstrip('.')}, or 'unrated'.", at=at) from None


def parse_opponent(text: str, *, at: str | None = None) -> Player:
    """`1950`, `unrated`, `2100s` for somebody with a standard rating alone; `1400/30` with a deviation.

    For norms a title stands behind the rating and a federation behind a stroke: `2450gm/GER`, `2450gm`, `unrated/GER`.
    """
    text = text.strip()
    text, slash, behind = text.partition("/")
    if slash and behind.strip().isalpha():
        return parse_opponent(text, at=at)._replace(federation=parse_federation(behind, at=at))
    if slash:
        return Player(rating_of(text, at=at), deviation=behind)
    digits = text.rstrip(ascii_letters)
    title = text[len(digits) :].upper()
    if digits and title in TITLES:
        return Player(rating_of(digits, at=at), title=title)
    if text[-1:].lower() == "s" and text[:-1].isdigit():
        return Player(None, standard=rating_of(text[:-1], at=at))
    rating = parse_rating(text, at=at)
    return UNRATED if rating is None else Player(rating)


def parse_federation(text: str, *, at: str | None = None) -> str:
    """`GER`: a federation by its three letters."""
    federation = text.strip().upper()
    if len(federation) != len("GER") or not (federation.isascii() and federation.isalpha()):
        raise BadInput(f"'{text}' is not a federation; it has three letters, for example GER.", at=at)
    return federation


def parse_title(text: str, *, at: str | None = None) -> str:
    """`GM`: a title by its letters."""
    title = text.strip().upper()
    if title not in TITLES:
        raise UnknownName("title", text, known=TITLES, at=at)
    return title


def parse_no(text: str, *, at: str | None = None) -> int:
    """`12`: a starting number."""
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_NO):
        raise BadInput(f"'{text[:20]}' is not a starting number; give a whole number.", at=at)
    return int(text)


def parse_game(text: str, *, at: str | None = None) -> Game:
    """`1950:win`, `unrated:½`, `2100s:0`, `1400/30:win@w` with the own colour, a forfeit `1950:+`, or `bye`."""
    at = at or f"game '{text}'"
    text, colour = _without_colour(text, at)
    if text.lower() == "bye":
        return Game(UNRATED, LOSS, "bye")
    opponent, colon, result = text.rpartition(":")
    if not colon:
        raise BadInput(f"'{text}' is not a game; write opponent:result, for example {_guess(text)}.", at=at)
    result = result.strip().lower()
    if result in FORFEITS:
        return Game(parse_opponent(opponent, at=at), FORFEITS[result], "forfeit")
    score = RESULTS.get(result.rstrip("0") if "." in result[:2] else result)
    if score is None:
        raise BadInput(f"'{result}' is not a result; a result is {ALLOWED}.", at=at)
    return Game(parse_opponent(opponent, at=at), score, colour=colour)


def _guess(text: str) -> str:
    """What somebody may have meant who wrote a game without a colon."""
    opponent = "".join(takewhile(str.isdigit, text))
    result = text[len(opponent) :].strip(" -=/_.").lower()
    return f"{opponent or EXAMPLE}:{result if result in RESULTS else 'win'}"


def parse_pairing(text: str, *, at: str | None = None) -> Pairing:
    """A game, or one still to be played: `1950`, `1950:?`, `1950@w` with White."""
    at = at or f"game '{text}'"
    opponent, colour = _without_colour(text, at)
    opponent, colon, result = opponent.partition(":")
    if opponent.lower() != "bye" and (not colon or result.strip() == OPEN):
        return Pairing(parse_opponent(opponent, at=at), colour=colour)
    game = parse_game(text, at=at)
    return Pairing(game.opponent, game.score, game.colour, game.how)


def _without_colour(text: str, at: str) -> tuple[str, str | None]:
    """A game without its `@w` or `@b`, which stands behind the opponent or behind the result, and the colour."""
    before, sign, rest = text.strip().partition("@")
    if not sign:
        return before, None
    colour, colon, behind = rest.partition(":")
    if colour.strip().lower() not in COLOURS:
        raise BadInput(f"'{colour}' is not a colour; write @w or @b for your own, for example 1950:win@w.", at=at)
    return f"{before}{colon}{behind}", COLOURS[colour.strip().lower()]


def parse_field(average: Any, spread: Any, rounds: Any, *, at: str | None = None) -> tuple[Pairing, ...]:
    """An open known by its average, the spread round it (standard deviation) and its rounds; nothing if not given."""
    if average is None:
        if spread is not None or rounds is not None:
            raise BadInput("A spread or rounds belong to a field; give its average, for example --field 1850.", at=at)
        return ()
    allowed = f"a spread is a number from 0 to {MOST_SPREAD}"
    wide = number(0 if spread is None else spread, "a spread", allowed, at=at)
    if not 0 <= wide <= MOST_SPREAD:
        raise BadInput(f"{spread} is not a spread; {allowed}.", at=at)
    allowed = f"an event has from 1 to {MOST_GAMES} rounds"
    if rounds is None:
        raise BadInput("A field needs the number of rounds, for example --rounds 9.", at=at)
    games = number(rounds, "a number of rounds", allowed, at=at)
    if not isinstance(games, int) or not 1 <= games <= MOST_GAMES:
        raise BadInput(f"{rounds} is not a number of rounds; {allowed}.", at=at)
    return (Pairing(Field(rating_of(average, at=at), wide)),) * games


def parse_date(text: str, *, at: str | None = None) -> date:
    """`2026-11-15`, or `2026-11` for the first of the month."""
    try:
        return date.fromisoformat(f"{text}-01" if len(text) == len("2026-11") else text)
    except ValueError:
        raise BadInput(f"'{text}' is not a date; write it as 2026-11-15 or 2026-11.", at=at) from None


def parse_span(text: str, *, at: str | None = None) -> tuple[date, date]:
    """`2013-01-01..2026-11-15`: two days, the earlier one first."""
    after, dots, until = text.partition("..")
    if not dots:
        raise BadInput(f"'{text}' is not a span of days; write it as 2013-01-01..2026-11-15.", at=at)
    span = parse_date(after, at=at), parse_date(until, at=at)
    if span[0] > span[1]:
        raise BadInput(f"{after} is after {until}; the earlier day comes first.", at=at)
    return span


def parse_sex(text: str, *, at: str | None = None) -> str:
    """`w` for a woman and `m` for a man, as FIDE's lists have it as well: F and M."""
    sex = SEXES.get(text.strip().lower())
    if sex is None:
        raise BadInput(f"'{text}' is not m or w; women's titles are open to whoever is w.", at=at)
    return sex


def parse_pace(text: str, *, at: str | None = None) -> Pace:
    """`90+30`: minutes for the game plus seconds a move; `60` has no increment."""
    allowed = "a time control is minutes+seconds, for example 90+30"
    minutes, _, increment = text.partition("+")
    pace = Pace(*(number(part or "0", "a time control", allowed, at=at) for part in (minutes, increment)))
    if pace.minutes < 0 or pace.increment < 0 or not any(pace):
        raise BadInput(f"'{text}' is not a time control; {allowed}.", at=at)
    return pace


def names_somebody(text: str) -> bool:
    """Whether `@1503014` or `Carlsen, Magnus` stands where a rating may stand."""
    if text[:1] == "@":
        return True
    if text[:1].isdigit() or "/" in text or text.strip().lower() in ("unrated", "bye"):
        return False
    return sum(sign.isalpha() for sign in text) > 1
