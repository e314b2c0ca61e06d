"""Names as they are searched: without accents, capitals and signs, and as they sound in any alphabet's spelling."""

from __future__ import annotations

import unicodedata

# Letters that Unicode does not take apart.
LETTERS = str.maketrans(
    {"ø": "o", "œ": "oe", "æ": "ae", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŋ": "n"}
)
# Cyrillic and Greek as passports write them; what they spell otherwise, `SOUNDS` forgives.
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
# Spellings of one sound, in this order; both sides of a comparison go through it.
SOUNDS = (
    ("tsch", "ch"), ("shch", "sh"), ("sch", "sh"), ("tch", "ch"), ("cz", "ch"), ("dzh", "j"), ("zh", "z"), ("kh", "h"),
    ("ph", "f"), ("th", "t"), ("ck", "k"), ("ks", "x"), ("ue", "u"), ("oe", "o"), ("ae", "a"), ("ou", "u"), ("y", "i"),
    ("j", "i"), ("w", "v"), ("q", "k"), ("ii", "i"), ("ff", "v"), ("ss", "s"), ("ll", "l"), ("nn", "n"), ("tt", "t"),
    ("pp", "p"), ("mm", "m"), ("rr", "r"),
)  # fmt: skip


def folded(name: str) -> str:
    """Small letters and digits with a blank between words: `Müller-Žižka, Łukasz` is `muller zizka lukasz`."""
    text = name.lower()
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.translate(LETTERS).translate(CYRILLIC).translate(GREEK))
        text = "".join(sign for sign in text if not unicodedata.combining(sign))
    return " ".join("".join(sign if sign.isalnum() else " " for sign in text).split())


def sound(words: str) -> str:
    """A word, or many with blanks between them, as they sound: `tschigorin` and `chigorin` are one."""
    for spelt, heard in SOUNDS:
        words = words.replace(spelt, heard)
    return words
