"""The terms of ratings in each language are those of a glossary outside this repository, which names its sources."""

import csv
import re

import pytest
from offenders import none_of

from arpad.messages import ORIGINAL, shipped
from arpad.messages.texts import own_texts
from conftest import ROOT, shared

# Terms that a language says in other words, mostly because it says Elo where English says rating.
OTHERWISE = {
    "de": {"rating difference", "average rating of opponents", "rating floor", "to rate (an event)",
           "peak rating (highest published)"},
    "es": {"rating difference", "average rating of opponents", "provisional rating",
           "peak rating (highest published)", "rating report (submission)"},
    "fr": {"average rating of opponents", "rating report (submission)"},
    "ru": {"rated event"},
}  # fmt: skip
# Words that would be wrong, unless the English text says one of the others: the traps of glossary.md.
TRAPS = {
    "de": ("entwicklungskoeffizient", r"\bj\b|development"),  # of FIDE it is the K-Faktor
    "es": ("puntuación", "scor|point|expected|result"),  # the score, not the rating
    "ru": ("раунд", "$^"),  # a round is a тур
}
LANGUAGES = [one for one in shipped() if one != ORIGINAL]


def texts_of(language):
    """All texts of a language, in small letters, by key."""
    subjects = [file.stem for file in (ROOT / "src/arpad/messages" / ORIGINAL).glob("*.txt")]
    return {f"{one}.{key}": text.lower() for one in subjects for key, text in own_texts(language, one).items()}


def ways(term):
    """The ways to write a term: 'valoración (Elo)' has two."""
    return [way.strip().lower() for way in re.split(r"[(),;/]", term) if way.strip()]


def says(text, way):
    """Whether a text has each word of a term, whatever its ending."""
    return all(word[: max(4, len(word) - 3)] in text for word in way.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_terms_are_those_of_the_glossary(language):
    """Of the texts that have a term in English, at least one has it in the other language."""
    english, other = texts_of(ORIGINAL), texts_of(language)
    with shared("reference/glossary.csv").open(encoding="utf-8", newline="") as file:
        terms = list(csv.DictReader(file))
    assert len(terms) >= 60
    missing = set()
    for term in terms:
        words = "|".join(map(re.escape, ways(term["en"])))
        texts = [other[key] for key, text in english.items() if key in other and re.search(rf"\b(?:{words})s?\b", text)]
        if texts and not any(says(text, way) for text in texts for way in ways(term[language])):
            missing.add(term["en"])
    assert missing == OTHERWISE[language]


@pytest.mark.parametrize("language", TRAPS)
def test_a_trap_of_the_glossary_catches_nobody(language):
    """A word that means something else over the board stands only where it is right."""
    word, right = TRAPS[language]
    english = texts_of(ORIGINAL)
    none_of([f"{key}: {text}" for key, text in texts_of(language).items()
             if word in text and not re.search(right, english[key])])  # fmt: skip
