"""Message files of a test's own."""

import shutil
from contextlib import contextmanager
from pathlib import Path

from arpad import messages
from arpad.messages import locale, texts

GERMAN = {"name = English": "name = Deutsch", "decimal = .": "decimal = ,", "reviewed = yes": "reviewed = no"}


@contextmanager
def german_that_ships(folder, monkeypatch):
    """German as a language that ships: a few of its words, and English for the rest."""
    with languages_in(folder, monkeypatch) as files:
        shutil.copytree(files / "en", files / "de")
        for name, changes in {
            "locale": GERMAN,
            "steps": {"\nnew_rating = new rating": "\nnew_rating = neue Elo-Zahl"},
        }.items():
            text = (files / "de" / f"{name}.txt").read_text("utf-8")
            for english, german in changes.items():
                assert english in text
                text = text.replace(english, german)
            (files / "de" / f"{name}.txt").write_text(text, "utf-8")
        forget()
        yield files


@contextmanager
def languages_in(folder, monkeypatch):
    """Use the message files of a folder meanwhile: a copy of the English ones, and what the test writes beside them."""
    shutil.copytree(Path(messages.FOLDER, "en"), Path(folder, "en"))
    monkeypatch.setattr(texts, "FOLDER", str(folder))
    forget()
    yield Path(folder)
    monkeypatch.undo()
    forget()


def forget():
    """Read all message files again when they are needed."""
    kept = (texts.languages, texts.section, texts.subject_texts, texts.own_texts, texts.rule_texts, locale.locale_of)
    for known in kept:
        known.cache_clear()
