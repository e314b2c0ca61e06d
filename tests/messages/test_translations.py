"""The languages: their files as translators' programs read them, their plural forms, and what they still lack."""

import pickle
import sys
from configparser import ConfigParser
from copy import copy
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from babel import Locale as Cldr
from message_files import german_that_ships, languages_in
from offenders import none_of

from arpad import messages
from arpad.errors import UnknownName
from arpad.messages import (
    AsTyped,
    Quoted,
    figure,
    fixed,
    languages,
    listed,
    locale_of,
    say,
    shipped,
    speaking,
    thousands,
)
from arpad.messages.locale import PLURALS, nearest, plural_form, preferred
from arpad.messages.texts import own_texts
from conftest import ROOT

sys.path.append(str(ROOT / "tools"))
import translations


@pytest.mark.parametrize("language", PLURALS)
def test_a_count_takes_the_form_that_cldr_gives_it(language):
    """Every whole number of a game, an event or a list; the source is CLDR, as Babel has it."""
    names, rule = PLURALS[language]
    cldr = Cldr.parse(language).plural_form
    counts = [*range(1200), 9999, 10_000, 99_999, 250_021]
    none_of([f"{count}: {names[rule(count)]}" for count in counts if names[rule(count)] != cldr(count)])


def test_a_round_million_is_written_like_any_other_number():
    """CLDR has a form of its own for it in Spanish and French, which people use with the word, not with digits."""
    assert {Cldr.parse(one).plural_form(1_000_000) for one in ("es", "fr", "it", "pt", "ca")} == {"many"}
    assert plural_form("es", 1_000_000, ["partida", "partidas"]) == "partidas"


def test_russian_counts_in_three_forms():
    """1 партия, 2 партии, 5 партий, 11 партий, 21 партия."""
    forms = ["партия", "партии", "партий"]
    assert [plural_form("ru", count, forms) for count in (1, 2, 5, 11, 21, 112, 122)] == [
        "партия", "партии", "партий", "партий", "партия", "партий", "партии",
    ]  # fmt: skip


def test_a_language_has_no_faults():
    """Known keys, the same places, the right number of forms, files that an INI parser reads; nothing of `locale`."""
    none_of([fault for one in languages() for fault in (*translations.faults(one), *translations.locale_faults(one))])


def test_a_language_that_ships_is_complete():
    """One in the making may lack texts, and `make translations` says how many."""
    none_of([f"{one}: {key}" for one in shipped() for key in translations.missing(one)])
    assert "100 %, ships" in translations.summary("en")


@pytest.mark.parametrize("language", languages())
def test_a_parser_of_ini_reads_what_arpad_reads(language):
    """Another reader, made for INI files, finds the same keys and texts."""
    for path in sorted(Path(messages.FOLDER, language).glob("*.txt")):
        parser = ConfigParser(delimiters=("=",), comment_prefixes=("#",), interpolation=None)
        parser.optionxform = str
        parser.read_string(path.read_text("utf-8"))
        found = {}
        for section in parser.sections():
            for key, text in parser[section].items():
                owners, dot, last = key.rpartition(".")
                start = "" if section == path.stem else f"{section}."
                found |= {f"{start}{owner}{dot}{last}": " ".join(text.split()) for owner in owners.split("|")}
        texts = {key: " ".join(text.split()) for key, text in own_texts(language, path.stem).items()}
        assert found == texts, path.name


@pytest.mark.parametrize(("text", "fault"), [
    ("{games:Partie} am {on}", "needs 2 forms"),
    ("{games:Partie|Partien}", "has the places"),
    ("{games:diese Partie|diese {games} Partien} am {on}", "a place within a place"),
    ("{games:Partie|Partien} am {on} mit `arpad rate`", "between backticks"),
    ("{games:Partie|Partien am {on}", "cannot be read"),
    ("*{games:Partie|Partien} am {on}", "asterisk"),
    ("{games:Partie|Partien} am {on:eins|zwei}", "counts, and in English it does not"),
    ("'{games:Partie|Partien}' am {on}", "straight quotation marks"),
])  # fmt: skip
def test_a_fault_in_a_text_is_found(text, fault):
    """The tests above can fail."""
    assert [one for one in translations.text_faults("{games:game|games} on {on}", text, "de") if fault in one]


def test_a_fault_in_a_file_is_found(tmp_path):
    """A key outside sections, a key twice, and a semicolon that would begin a comment."""
    for text, fault in [
        ("a = b\n", "no section"),
        ("[a]\nb = c\nb = d\n", "already exists"),
        ("[a]\nb = c ; d\n", "semi"),
    ]:
        (tmp_path / "x.txt").write_text(text)
        assert [one for one in translations.ini_faults(tmp_path / "x.txt") if fault in one]


LOCALE = """
name = Probe
ships = no
reviewed = no
decimal = ,
thousands = {before}.{group}
first_day = 1
thousands_from = 10000
quotes = «…»
list = {before}; {item}
last = {before} {word} {item}
apart = {before}; {item}
more = {shown} und {more} weitere
date = {d}.{m}.{year}
day = {d}. {short_month} {year}
long_day = {d}. {month_of_day} {year}
month = {month_alone} {year}
"""


@pytest.fixture
def probe(tmp_path, monkeypatch):
    """A language in the making: how it writes, and two texts."""
    with languages_in(tmp_path, monkeypatch) as folder:
        (folder / "ru").mkdir()
        months = (folder / "en" / "locale.txt").read_text("utf-8").partition("[month_of_day]")[2]
        (folder / "ru" / "locale.txt").write_text(f"[locale]{LOCALE}\n[month_of_day]{months}", "utf-8")
        texts = "[too]\nmany_games = {games:партия|партии|партий} сразу нельзя обсчитать, не больше {most}.\n"
        (folder / "ru" / "values.txt").write_text(texts, "utf-8")
        yield folder


@pytest.mark.usefixtures("probe")
def test_a_language_in_the_making_speaks_english_where_it_has_no_words():
    """Key by key, with the plural rule of the language that the text is in."""
    with speaking("ru", door="page"):
        assert (
            str(say("values.too.many_games", games=12000, most=5))
            == "12.000 партий сразу нельзя обсчитать, не больше 5."
        )
        assert str(say("values.too.many_games", games=22, most=5)).startswith("22 партии ")
        assert str(say("hero.detail.count", games=2)) == "2 games"
        assert str(say("hero.detail.count", games=21)) == "21 games"
        assert str(say("notes.k.assumed.born", k=20)).count("«Year of birth»") == 1
    assert "ru" in languages()
    assert "ru" not in shipped()
    assert "hero.detail.count" in translations.missing("ru")
    assert "[detail]" in translations.lacking("ru", "hero")
    assert "many_games" not in translations.lacking("ru", "values")
    assert translations.lacking("ru", "hero", "detail").startswith("[detail]")
    assert "[hero]" not in translations.lacking("ru", "hero", "detail")
    assert [translations.main("ru", one) for one in ("hero.detail", "hero.details", "heroes")] == [0, 1, 1]
    assert len([one for one in translations.unfinished("ru") if "hero." in one and "more" in one]) == 1


@pytest.mark.usefixtures("probe")
def test_a_language_writes_numbers_days_and_lists_in_its_own_way():
    """Decimal mark, thousands, days and lists follow `locale.txt`."""
    with speaking("ru"):
        assert figure(Decimal("-4.80")) == "−4,80"
        assert fixed(0.5, 2) == "0,50"
        assert [thousands(one) for one in (1500, 15000)] == ["1500", "15.000"]
        assert figure(date(2026, 2, 1)) == "1.2.2026"
        assert messages.dated(date(2026, 2, 1), "long_day") == "1. February 2026"
        assert listed(range(10)) == "0; 1; 2; 3; 4; 5; 6; 7 und 2 weitere"
    assert figure(date(2026, 2, 1)) == "2026-02-01"


@pytest.fixture
def german_ships(tmp_path, monkeypatch):
    with german_that_ships(tmp_path, monkeypatch):
        yield


@pytest.mark.usefixtures("german_ships")
@pytest.mark.parametrize(("header", "language"), [
    ("de", "de"), ("de-AT,de;q=0.9,en;q=0.5", "de"), ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "en"),
    ("xx, *", "en"), ("", None), ("xx", None), ("de;q=0, en", "en"), ("de;q=broken", None),
    ("en;q=0.2, de;q=0.3", "de"),
])  # fmt: skip
def test_a_browser_says_which_language_it_likes_best(header, language):
    """By weight, then by order (RFC 9110, 12.5.4), among the languages that ship."""
    assert preferred(header) == language


@pytest.mark.usefixtures("german_ships")
@pytest.mark.parametrize(("tag", "language"), [("de_DE.UTF-8", "de"), ("DE", "de"), ("C.UTF-8", None), ("POSIX", None)])
def test_the_locale_of_a_terminal_names_a_language(tag, language):
    """As `LANG` has it."""
    assert nearest(tag) == language
    assert locale_of("de").name == "Deutsch"


@pytest.mark.parametrize(("language", "said"), [
    ("en", "No system is called 'fidex'. Did you mean 'fide'?"), ("de", "Kein System heißt „fidex“. Meinst du „fide“?"),
    ("fr", "Aucun système ne s’appelle « fidex ». Vouliez-vous dire « fide » ?"),
])  # fmt: skip
def test_what_was_typed_is_quoted_as_the_language_quotes(language, said):
    """In a sentence, in a list of suggestions, and what stands for it where it cannot be printed."""
    error = UnknownName("system", "fidex", known=["fide", *"abcdefgh"])
    with speaking(language):
        assert str(error.said).replace("\u00a0", " ") == said
        assert str(AsTyped("a\nb"))[1:-1].strip("\u00a0") == r"a\nb"


def test_what_a_rule_says_follows_the_language_of_the_reader():
    """A text of a rule file is English inside, also if it was first read, copied or sent to a process in Russian."""
    english = "K is 20 for everyone"
    with speaking("ru"):
        copies = [copy(Quoted(english)), Quoted(Quoted(english)), pickle.loads(pickle.dumps(Quoted(english)))]  # noqa: S301
        assert {str(one) for one in copies} == {"K равен 20 для всех"}
        assert f"{copies[0]}" == "K равен 20 для всех"
    assert {str(one) for one in copies} == {english}
    assert str(Quoted("a rule of a club's own")) == "a rule of a club's own"
