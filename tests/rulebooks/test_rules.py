"""The rule files: every rule is exercised, dated and cited, and every way to be wrong has its message."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from worked_cases import CASES

import arpad
from arpad import matches as match_rules
from arpad.calculation.explain import PLAIN, words
from arpad.cli import main
from arpad.errors import BadRulebook, UncoveredDate, UnknownName
from arpad.questions.rules import rulebook_names
from doors import calculation

BOOKS = {
    **{name: arpad.rules(name) for name in rulebook_names()},
    **{f"match-{program}": match_rules.rulebook(program) for program in match_rules.PROGRAMS},
}
FILES = {name: book.name for name, book in BOOKS.items()}  # several systems may go by one file
# Rules that decide who is rated, or rated again, and are no step of a calculation: ICU's are in the cases of whole
# events, DWZ's in tests/tournaments/test_national_events.py.
OF_EVENTS = {("dwz", "guests"), ("dwz", "far_above"), ("icu", "guests"), ("icu", "second_round")}
# The order of tie-breaks if a file names none is chosen, not calculated: tests/tournaments/test_standings.py has it.
OF_EVENTS |= {("fide-ties", "recommended")}


def test_every_rule_is_exercised_by_a_case():
    """A rule that no worked example by its own rule file rests on fails the build, whoever else includes it."""
    used = {
        (FILES.get(answer.system, answer.system), rule.name, rule.since, rule.article, rule.reading)
        for param in CASES
        for answer in [calculation(param.values[1].get("system", param.values[0]), param.values[1])]
        for rule in answer.clauses
    }
    written = {
        (book.name, rule.name, rule.since, rule.article, None)
        for book in BOOKS.values()
        for rule in book
        if rule.value is not None  # an entry without a value says that a rule ended
        and (book.name, rule.name) not in OF_EVENTS
    }
    assert sorted(str(key) for key in written - used) == []


def test_every_reading_is_exercised_by_a_case():
    """Each other reading of a disputed rule has a case that chooses it."""
    chosen = {(rule, reading) for param in CASES for rule, reading in param.values[1].get("readings", {}).items()}
    offered = {(rule.name, other) for book in BOOKS.values() for rule in book for other in rule.others}
    assert offered - chosen == set()


@pytest.mark.parametrize("name", BOOKS)
def test_rules_are_complete_from_the_first_day(name):
    """Every rulebook covers its first day, and refuses the day before."""
    book = BOOKS[name]
    assert book.in_force(book.covered_from)
    with pytest.raises(UncoveredDate, match=str(book.covered_from)):
        book.at(book.covered_from - timedelta(days=1))


def test_changes_between_two_days():
    """Between two days the changes are listed once, oldest first, with what was before; 2014 brought K 40."""
    changes = arpad.rules("fide-standard").changes(after=date(2014, 6, 30), until=date(2014, 7, 1))
    k = next(change for change in changes if change.after.name == "k")
    assert (k.before.since, k.after.since) == (date(2011, 7, 1), date(2014, 7, 1))
    assert "40" in k.after.says
    assert arpad.rules("fide-standard").changes(after=date(2014, 7, 1), until=date(2014, 7, 2)) == []


def test_a_rule_issued_again_unchanged_is_no_change():
    """The edition of 2024 repeats the 700 rule; nothing changed for it."""
    changes = arpad.rules("fide-standard").changes(after=date(2024, 2, 29), until=date(2024, 3, 1))
    assert "k_limit" not in {change.after.name for change in changes}
    assert {"floor", "cap", "first_rating"} <= {change.after.name for change in changes}


@pytest.mark.parametrize(("readings", "words"), [
    ({"cap": "somehow"}, "both-sides"),
    ({"gravity": "off"}, "Known: "),
])  # fmt: skip
def test_unknown_reading(readings, words):
    """A reading that does not exist is refused with those that do."""
    with pytest.raises(UnknownName, match=words):
        arpad.system("fide-standard", readings=readings)


def test_every_step_has_words():
    """Every key a calculation uses has a label in English, unless it is never shown."""
    missing = set()
    for param in CASES:
        for step in calculation(param.values[1].get("system", param.values[0]), param.values[1]).steps:
            key = step.key
            if key in PLAIN:
                continue
            while key and key not in words("label"):
                key = key.rpartition(".")[0]
            missing |= set() if key else {step.key}
    assert missing == set()


BROKEN = Path(__file__).parents[1] / "cases" / "broken"


@pytest.mark.parametrize("file", sorted(BROKEN.glob("elo-*.toml")), ids=lambda file: file.stem)
def test_broken_rule_file(file):
    """Each way for a rule file to be wrong has a message that names file and rule; the first line holds its words."""
    from arpad.rulebooks import Rulebook
    from arpad.systems.elo import READERS, EloRules

    words = file.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").split(" | ")
    with pytest.raises(BadRulebook) as caught:
        Rulebook("elo", EloRules, READERS, path=str(file))
    assert [word for word in (*words, file.name) if word not in str(caught.value)] == []


def test_absent_rule_file():
    """A rule file that is not there is refused by name."""
    from arpad.rulebooks import Rulebook
    from arpad.systems.elo import READERS, EloRules

    with pytest.raises(BadRulebook, match=r"nowhere\.toml"):
        Rulebook("elo", EloRules, READERS, path=str(BROKEN / "nowhere.toml"))


def test_rulebooks_that_were_long_not_checked(capsys):
    """Half a year after the check every rulebook is listed, and before that none."""
    checked = max(book.checked for book in BOOKS.values())
    assert main(["rules", "--stale", "--on", str(checked), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"]["rulebooks"] == []
    assert main(["rules", "--stale", "--on", str(checked + timedelta(days=200)), "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["value"]["rulebooks"]
    assert {one["name"] for one in listed} == set(rulebook_names())
    assert all(one["compared"] for one in listed)
