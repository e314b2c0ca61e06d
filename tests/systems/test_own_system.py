"""A system of one's own: a rule file from disk, with no code."""

import shutil
from datetime import date
from pathlib import Path

import pytest

import arpad
from arpad import Player, draw, win
from arpad.errors import BadRulebook, UncoveredDate, UnknownName, Unsupported

ROOT = Path(__file__).parents[2]
CLUB = ROOT / "docs" / "examples" / "riverside.toml"
BROKEN = sorted((Path(__file__).parents[1] / "cases" / "broken").glob("club-*.toml"))
SUMMER, AUTUMN = date(2026, 6, 1), date(2026, 10, 1)


@pytest.mark.parametrize("file", BROKEN, ids=lambda file: file.stem)
def test_broken_file(file):
    """Each way for a club's file to be wrong has a sentence with file and rule; the first line holds its words."""
    words = file.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ").split(" | ")
    with pytest.raises(BadRulebook) as caught:
        arpad.system_from(file)
    assert [word for word in (*words, file.name) if word not in str(caught.value)] == []


def test_own_rules_win_and_the_rest_is_the_base():
    """K is the club's (House 3: 24, then 16), the curve is plain Elo's: half of K for a win between equals."""
    club = arpad.system_from(CLUB)
    summer = club.rate(Player(1500), [win(1500)], on=SUMMER)
    assert (summer.k, summer.change, summer.new_rating, summer.system) == (24, 12, 1512, "riverside")
    assert club.rate(Player(1500), [win(1500)], on=AUTUMN).change == 8
    assert {rule.cite for rule in summer.clauses} == {"Riverside 3", "Riverside 4", "Elo"}


def test_expected_scores_go_by_the_same_rules():
    """`expect` has the club's K and the base's curve."""
    club = arpad.system_from(CLUB)
    assert club.expect(1500, 1500, on=SUMMER).win == 12
    assert club.expected_score(0, on=SUMMER) * 2 == 1


def test_what_the_base_cannot_do_is_refused():
    """Plain Elo has no first rating, so a club's system by it has none; the base decides, not the file's name."""
    club = arpad.system_from(CLUB)
    assert (club.name, club.base) == ("riverside", "elo")
    with pytest.raises(Unsupported, match="no first rating"):
        club.first_rating([win(1500)], on=SUMMER)


def test_the_file_says_from_when():
    """Before the club's first day there is no answer."""
    with pytest.raises(UncoveredDate, match="Riverside ladder: the rules are covered from 2026-01-01"):
        arpad.system_from(CLUB).rate(Player(1500), [win(1500)], on=date(2025, 12, 31))


def test_a_list_of_fide_can_be_the_base(tmp_path):
    """A club may keep FIDE's table and cap and change K alone: 30 × (1 − 0.24) = 22.8, by table 8.1.2."""
    file = tmp_path / "league.toml"
    file.write_text(
        'title = "League"\nbased_on = "fide-rapid"\ncovered_from = 2026-01-01\nchecked = 2026-11-15\n'
        '[document.L]\nshort = "League"\ntitle = "League rules"\neffective = 2026-01-01\nlink = ""\n'
        '[[rule.k]]\nsince = 2026-01-01\narticle = "L 1"\nsays = "K is 30"\nsure = "confirmed"\n'
        'value = [{k = 30, name = "other", says = "K is 30 for everybody"}]\n',
        encoding="utf-8",
    )
    change = arpad.system_from(file).rate(Player(1750), [win(1950)], on=SUMMER)
    assert (str(change.change), change.new_rating, change.system) == ("22.80", 1773, "league")


def test_a_file_may_include_its_neighbour(tmp_path):
    """An include is a packaged file or one in the same folder; a packaged name always means the packaged file."""
    shutil.copy(CLUB, tmp_path / "house.toml")
    text = CLUB.read_text(encoding="utf-8")
    head, rules = text[: text.index("[document")], text[text.index("[[rule.rounding]]") :]
    file = tmp_path / "rapid.toml"
    file.write_text(f'{head}includes = ["house"]\n{rules}', encoding="utf-8")
    assert arpad.system_from(file).rate(Player(1500), [draw(1500)], on=SUMMER).k == 24


def test_settings_of_the_base_still_work():
    """What the base can be told, the club's system can be told too; nothing else."""
    assert arpad.system_from(CLUB, k=10).rate(Player(1500), [win(1500)], on=SUMMER).change == 5
    with pytest.raises(UnknownName, match="luck"):
        arpad.system_from(CLUB, luck=1)


def test_the_walk_through_shows_the_file():
    """The file shown in the walk-through is the file that its commands use."""
    page = (ROOT / "docs" / "add-a-system.md").read_text(encoding="utf-8")
    shown = page.partition("```toml\n")[2].partition("```")[0]
    assert shown == CLUB.read_text(encoding="utf-8")
