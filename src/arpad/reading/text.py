"""Characters made plain before anything is read, and words and names made comparable.

`plain` keeps a text as a person reads it; `fold` and `bare` look words up, `name_words` compares names.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from unicodedata import combining, normalize

LONGEST_PASTE = 500_000  # characters: about 20,000 games, which take a few seconds to read
SPACES = (0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)
INVISIBLE = (*range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2060, 0xAD, 0xFEFF)
ZEROS = (0x660, 0x6F0, 0x966)  # of digits in Arabic, Persian and Devanagari
FULL_WIDTH = range(0xFF01, 0xFF5F)
TO_ASCII = 0xFEE0
MANY_WORDS = 20_000  # kept in memory, so that each is folded once
# What phones, web pages and other keyboards write, as plain ASCII digits, signs and spaces.
PLAIN_CHARACTERS = {
    **{code: chr(code - TO_ASCII) for code in FULL_WIDTH},
    **dict.fromkeys(SPACES, " "),
    **dict.fromkeys(INVISIBLE, ""),
    **{zero + digit: str(digit) for zero in ZEROS for digit in range(10)},
}
# Letters that Unicode does not split into a plain letter and an accent.
LETTERS = {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i", "’": "'"}


def plain(text: str) -> str:
    """Text with ordinary digits and spaces: `１９５０` is 1950, a non-breaking space is a space."""
    return text if text.isascii() else text.translate(PLAIN_CHARACTERS)


@lru_cache(maxsize=MANY_WORDS)
def fold(text: str) -> str:
    """A word for comparison with the vocabulary: lower case without accents, so that `GANÉ` is `gane`."""
    if text.isascii():
        return text.lower()
    letters = normalize("NFKD", text.casefold())
    return "".join(LETTERS.get(letter, letter) for letter in letters if not combining(letter))


def bare(text: str) -> str:
    """A heading for comparison with the vocabulary: folded, without dots, spaces and signs."""
    return "".join(letter for letter in fold(text) if letter.isalnum())


def name_words(name: str) -> tuple[str, ...]:
    """The folded words of a name in alphabetical order: `Harrowgate, Wren` and `wren HARROWGATE` are the same."""
    letters = "".join(letter if letter.isalnum() or letter in "-_'" else " " for letter in fold(plain(name)))
    return tuple(sorted(letters.split()))


def same_person(name: str, other: str) -> bool:
    """Whether two names have the same words."""
    return name_words(name) == name_words(other)


def persons_called(player: str, names: Iterable[str]) -> list[int]:
    """The places of the names with the same words as a player's, or else of those with all of the player's words."""
    listed = [name_words(name) for name in names]
    wanted = name_words(player)
    same = [place for place, words in enumerate(listed) if words == wanted]
    return same or [place for place, words in enumerate(listed) if wanted and set(wanted) <= set(words)]
