"""Players as people write them: ratings with their marks, titles, federations, starting numbers, shares of points."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from string import ascii_letters
from typing import TYPE_CHECKING

from arpad.core import (
    HIGHEST_RATING,
    LOWEST_RATING,
    TITLES,
    UNRATED,
    EloStanding,
    GlickoStanding,
    Player,
    Rating,
    Sex,
    Title,
    as_title,
    deviation_of,
    is_federation,
    number,
    rating_of,
    refused,
)
from arpad.errors import BadInput, UnknownName
from arpad.messages import say
from arpad.reading.text import fold, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from arpad.core import Shares

SEXES: Mapping[str, Sex] = {"m": "m", "w": "w", "f": "w"}
AMBIGUOUS_TITLE = "MF"  # in capitals a French FM, and also the French woman international master
LONGEST_NO = 9  # digits
HUNDRED = 100  # percent
# A rating as pages print it: 1 950, 1643P12 (provisional), 2103* and 1502?, 1672 F (FIDE), 1523 (+8).
THOUSANDS = re.compile(r"([1-3])[ .,']([0-9]{3})")
MARKED = re.compile(r"([0-9]{3,4}) ?(?:[Pp] ?/?[0-9]{1,3}|[*?!]|[FNE]|er)")
PROVISIONAL = re.compile(r"([0-9]{3,4}) ?[Pp] ?/?([0-9]{1,3})")
CHANGED = re.compile(r"([0-9]{3,4}) ?\(? ?[+\-−±] ?[0-9]{1,3}(?:[.,][0-9]{1,2})? ?\)?")
LONGEST_MARKED = 30
RATING_AMONG_WORDS = re.compile(r"(?<![\w@.,])[0-9]{3,4}(?![\w.,])")


def unmarked(text: str) -> str:
    """A rating without its marks: `1643P12` is 1643, `1 950` is 1950, `1523 (+8)` is 1523."""
    text = plain(text).strip()
    if text.isdecimal() or len(text) > LONGEST_MARKED:
        return text
    if found := THOUSANDS.fullmatch(text):
        return found[1] + found[2]
    if text[:1] == "(" and text[-1:] == ")" and text[1:-1].strip().isdecimal():
        return text[1:-1].strip()
    found = MARKED.fullmatch(text) or CHANGED.fullmatch(text)
    return found[1] if found else text


def parse_rating(text: str, *, at: str | None = None) -> Rating | None:
    """`1750` or `unrated`; also `1643P12`, `2103*`, `1523 (+8)`, `1 950`."""
    text = unmarked(text)
    return None if is_unrated(text) else rating_of(text, at=at)


def is_unrated(text: str) -> bool:
    """Whether a text says that there is no rating: `unrated`, `ohne Elo`, `sin elo`."""
    text = text.strip().lower()
    if not text or text[0].isdecimal() or text == "unrated":
        return text == "unrated"
    from arpad.reading.vocabulary import words

    return words("results").meaning(" ".join(fold(text).split())) == "unrated"


def plain_opponent(text: str, *, at: str | None = None) -> Player:
    """`1950`, `unrated`, `2100s` with only a standard rating, `1400/30` with a deviation, `1643P6` after 6 games.

    For norms, a title goes before or after the rating and a federation after a slash: `GM 2450`, `2450gm/GER`.
    """
    text = plain(text).strip()
    text, slash, behind = text.partition("/")
    if slash and behind.strip().isalpha():
        return replace(plain_opponent(text, at=at), federation=parse_federation(behind, at=at))
    if slash:
        return Player(GlickoStanding(rating_of(text, at=at), deviation=deviation_of(behind, at=at)))
    if found := PROVISIONAL.fullmatch(text):
        return Player(EloStanding(rating_of(found[1], at=at), games=int(found[2])))
    rating, title = _without_title(text)
    if title is not None:
        return Player(parse_rating(rating, at=at), title=title)
    if text[-1:].lower() == "s" and text[:-1].isdecimal():
        return Player(EloStanding(standard=rating_of(text[:-1], at=at)))
    if text.startswith("@"):
        raise BadInput(say("reading.somebodys_id", text=text), at=at)
    try:
        own = parse_rating(text, at=at)
    except BadInput:
        raise refused(text, "opponent", low=LOWEST_RATING, high=HIGHEST_RATING, at=at) from None
    return UNRATED if own is None else Player(own)


def _without_title(text: str) -> tuple[str, Title | None]:
    """A rating without the title before or after it, and the title."""
    digits = text.rstrip(ascii_letters)
    if digits and (title := as_title(text[len(digits) :].upper())):
        return digits.strip(), title
    first, _, rest = text.partition(" ")
    title = as_title(first.upper()) if rest else None
    return (text if title is None else rest.strip()), title


def parse_federation(text: str, *, at: str | None = None) -> str:
    """`GER`: a federation by its three letters."""
    federation = text.strip().upper()
    if not is_federation(federation):
        raise BadInput(say("reading.not_a_federation", text=text), at=at)
    return federation


def parse_title(text: str, *, at: str | None = None) -> Title:
    """`GM`: a title by its letters."""
    title = as_title(text.strip().upper())
    if title is None:
        raise UnknownName("title", text, known=TITLES, at=at)
    return title


def parse_no(text: str, *, at: str | None = None) -> int:
    """`12`: a starting number."""
    number = plain(text)
    if not (number.isascii() and number.isdecimal() and len(number) <= LONGEST_NO):
        raise BadInput(say("reading.not_a_number", text=text[:20]), at=at)
    return int(number)


def parse_sex(text: str, *, at: str | None = None) -> Sex:
    """`w` for a woman and `m` for a man; F and M as in FIDE's lists also work."""
    sex = SEXES.get(text.strip().lower())
    if sex is None:
        raise BadInput(say("reading.not_a_sex", text=text), at=at)
    return sex


def names_a_player(text: str) -> bool:
    """Whether a text names a player, by `@1503014`, `Carlsen, Magnus` or both, and has no rating."""
    if text[:1] == "@":
        return True
    if text[:1].isdecimal() or "/" in text or text.strip().lower() in ("unrated", "bye"):
        return False
    if RATING_AMONG_WORDS.search(text) is not None:
        return False  # `GM 2450`, `Müller (2103)`: the rating is there
    return sum(sign.isalpha() for sign in text) > 1


def parse_percentage(text: str, *, at: str | None = None) -> Decimal:
    """A share between 0 and 1: `75 %` and `0,75` are the same; a number above 1 needs a percent sign."""
    figure = plain(text).strip()
    share = Decimal(number(figure.removesuffix("%").strip(), "percentage", at=at))
    if figure.endswith("%"):
        share /= HUNDRED
    elif 1 < share <= HUNDRED:
        raise BadInput(say("reading.percent_sign", figure=figure), at=at)
    if not 0 <= share <= 1:
        raise refused(figure, "percentage", at=at)
    return share


def parse_shares(text: str, of: Callable[[str], str], *, at: str | None = None) -> Shares:
    """`GM 10%, IM 30%`: shares of titles or federations; `of` reads the name."""
    words = plain(text).replace(",", " ").replace(";", " ").replace(" %", "%").split()
    if not words or len(words) % 2:
        raise BadInput(say("reading.not_a_share", text=text, example="GM 10%, IM 30%"), at=at)
    pairs = zip(words[::2], words[1::2], strict=True)
    return tuple((of(name), float(parse_percentage(share, at=at))) for name, share in pairs)


def title_of(text: str) -> Title | None:
    """The title in a file, however it is spelt; None if it has none, a ValueError if it is not a title."""
    if text in ("", "-"):
        return None
    title = as_title(text.upper())
    if title is not None:
        return title
    from arpad.reading.vocabulary import title_letters

    if text == AMBIGUOUS_TITLE or text.lower() not in title_letters():
        raise ValueError(text)
    return as_title(title_letters()[text.lower()])
