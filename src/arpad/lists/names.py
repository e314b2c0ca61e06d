"""Names as they are searched: without accents, capitals and signs, in Latin letters, and by sound."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import zip_longest

# Letters that Unicode does not decompose.
LETTERS = str.maketrans(
    {"ø": "o", "œ": "oe", "æ": "ae", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŋ": "n"}
)
# Signs between words.
BLANKS = {sign: " " for sign in range(128) if not chr(sign).isalnum()}
# Letters that are written plain or as two letters: Müller is Muller or Mueller on a list.
IN_TWO = str.maketrans({"ü": "ue", "ö": "oe", "ä": "ae", "å": "aa", "ø": "oe"})
TWO = ("ue", "oe", "ae", "aa")
# Lengths of a plain word that may have another spelling: Mueller for Muller, but not Mue for Mu.
SHORTEST, LONGEST = 4, 20
# Cyrillic and Greek as passports transliterate them; `SOUNDS` covers other transliterations.
CYRILLIC = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфыэєіїґ", "abvgdeziiklmnoprstufyeeiig", strict=True))
    | {
        "ё": "e",
        "ж": "zh",
        "х": "kh",
        "ц": "ts",
        "ч": "ch",
        "ш": "sh",
        "щ": "shch",
        "ъ": "",
        "ь": "",
        "ю": "yu",
        "я": "ya",
    }
)
GREEK = str.maketrans(
    dict(zip("αβγδεζηικλμνξοπρστυφωςχ", "avgdeziiklmnxoprstyfosh", strict=True)) | {"θ": "th", "ψ": "ps"}
)
OTHER_LETTERS = LETTERS | CYRILLIC | GREEK
# Spellings of the same sound, replaced in this order on both sides of a comparison.
SOUNDS = (
    ("tsch", "ch"), ("shch", "sh"), ("sch", "sh"), ("tch", "ch"), ("cz", "ch"), ("dzh", "j"), ("zh", "z"), ("kh", "h"),
    ("ph", "f"), ("th", "t"), ("ck", "k"), ("ks", "x"), ("ue", "u"), ("oe", "o"), ("ae", "a"), ("ou", "u"), ("y", "i"),
    ("j", "i"), ("w", "v"), ("q", "k"), ("ii", "i"), ("ff", "v"), ("ss", "s"), ("ll", "l"), ("nn", "n"), ("tt", "t"),
    ("pp", "p"), ("mm", "m"), ("rr", "r"),
)  # fmt: skip


def folded(name: str) -> str:
    """A name in lower case, without accents and signs: `Müller-Žižka, Łukasz` is `muller zizka lukasz`."""
    text = name.lower()
    if not text.isascii():
        plain = (sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
        text = "".join(plain).translate(OTHER_LETTERS)
        text = "".join(sign if sign.isalnum() else " " for sign in text)
    return " ".join(text.translate(BLANKS).split())


def sound(words: str) -> str:
    """Words as they sound: `tschigorin` and `chigorin` are the same."""
    for spelt, heard in SOUNDS:
        words = words.replace(spelt, heard)
    return words


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a search: its spellings as typed, and other spellings of the same name in plain letters."""

    spellings: tuple[str, ...]
    variants: tuple[str, ...] = ()

    @property
    def plain(self) -> str:
        """The word without accents."""
        return self.spellings[0]


def words_of(query: str) -> list[Word]:
    """The words of a search: `Müller` means muller or mueller; `Mueller` means mueller first, then muller."""
    text = unicodedata.normalize("NFC", query.lower())
    plain, in_two = folded(text).split(), folded(text.translate(IN_TWO)).split()
    return [
        Word((word,), _variants(word)) if word == other else Word((word, other))
        for word, other in zip_longest(plain, in_two, fillvalue="")
    ]


def begins(text: str, name: str) -> bool:
    """Whether every word of a text, as typed, is a word of the name or the beginning of one."""
    has = folded(name).split()
    return all(any(part.startswith(word.spellings) for part in has) for word in words_of(text))


def is_called(text: str, name: str) -> bool:
    """Whether a text is the whole name, with its words in any order."""
    has, words = folded(name).split(), words_of(text)
    spelt = [[word.spellings[min(turn, len(word.spellings) - 1)] for word in words] for turn in (0, 1)]
    return sorted(has) in map(sorted, spelt)


def _variants(word: str) -> tuple[str, ...]:
    """Other spellings of a word in plain letters: one letter instead of two, or two instead of one."""
    if not SHORTEST <= len(word) <= LONGEST or not word.isascii():
        return ()
    single = word
    for letters in TWO:
        single = single.replace(letters, letters[0])
    doubled = [
        f"{word[:place]}{letters}{word[place + 1 :]}"
        for place, letter in enumerate(word)
        for letters in TWO
        if letters[0] == letter and word[place + 1 : place + 2] not in ("e", letter)
    ]
    return tuple(found for found in dict.fromkeys((single, *doubled)) if found != word and len(found) >= SHORTEST)
