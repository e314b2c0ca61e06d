"""The tables of bulk say what the scalar rules say, and the kernel adds up without loss."""

from datetime import date
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad.bulk.fide import kernel
from arpad.bulk.fide.lookups import REACH, KTable, RoundingTable, compile_edition, limited_k
from arpad.bulk.tables.columns import asked_once
from arpad.bulk.tables.games import GameColumns
from arpad.core import EloStanding
from arpad.core.numbers import ROUNDINGS
from arpad.systems.fide.games import capped_difference

NO_PACES = np.zeros(0, dtype=np.int64)
LISTS = ["fide-standard", "fide-rapid", "fide-blitz"]


def turning_days(system):
    """Every day on which a rule changed."""
    book = arpad.system(system).rulebook
    return sorted({max(rule.since, book.covered_from) for rule in book})


@pytest.mark.parametrize("name", ROUNDINGS)
@given(number=st.integers(-(10**6), 10**6))
def test_roundings_of_arrays_are_the_named_ones(name, number):
    """An array is rounded as a single number is by the rounding of that name."""
    assert RoundingTable.of(name).round(np.array([number]))[0] == ROUNDINGS[name](Decimal(number) / 100)


@pytest.mark.parametrize("system", LISTS)
def test_expected_scores_are_the_rulebook(system):
    """On every day on which a rule changed, the arrays give what the system's own expectation gives."""
    book = arpad.system(system)
    for day in turning_days(system):
        rules = book.rulebook.at(day)
        found = compile_edition(rules, system.removeprefix("fide-"), NO_PACES)
        for own in (1400, 2400, 2649, 2650, 2800):
            for gap in (-900, -736, -735, -401, -400, -100, -4, -3, 0, 3, 4, 92, 400, 401, 735, 736, 900):
                one_cut = found.one_cut is not None
                counted = gap if one_cut else capped_difference(gap, own, rules)
                assert found.expected[found.times.level[own], gap + REACH] == 100 * book.expected_score(counted, on=day)


@pytest.mark.parametrize("system", LISTS)
def test_k_of_arrays_is_k_of_one_player(system):
    """K by the table is K of `expect`, for every peak, age and number of games about which a rule turns."""
    book = arpad.system(system)
    peaks, ages, games = (1500, 2299, 2300, 2399, 2400, 2700), (-1, 0, 17, 18, 19, 40), (-1, 0, 29, 30, 31, 500)
    for day in turning_days(system):
        table = KTable.of(book.rulebook.at(day), day)
        for peak in peaks:
            for age in ages:
                for played in games:
                    born = -1 if age < 0 else day.year - age
                    k, assumed = table.look_up(*(np.array([fact]) for fact in (peak, born, played)))
                    player = arpad.Player(EloStanding(peak, games=known(played)), birth_year=known(born))
                    alone = book.expect(player, 1500, on=day)
                    assert k[0] == alone.value()["k"]
                    assert assumed[0] == any(note.key.startswith("notes.k.assumed") for note in alone.notes)


def known(number):
    """A number, or None for −1."""
    return None if number < 0 else number


def test_k_stays_within_the_limit():
    """K times games is at most 700 (8.3.3): K 40 in 18 games is 38, in 17 games 40."""
    rules = arpad.system("fide-standard").rulebook.at(date(2026, 11, 1))
    assert limited_k(np.array([40, 40, 20, 10]), np.array([17, 18, 100, 0]), rules).tolist() == [40, 38, 7, 10]


@pytest.mark.parametrize("width", [3, 10_000])
def test_a_rule_is_asked_once_for_each_set_of_facts(width):
    """Equal facts get one answer, whether the facts are few enough for a table or not."""
    asked = []

    def rule(one, other):
        asked.append((one, other))
        return 10 * one + other

    facts = np.array([2, 0, 2, 1, width]), np.array([1, width, 1, 0, width])
    assert asked_once(rule, *facts).tolist() == [21, width, 21, 10, 11 * width]
    assert sorted(asked) == sorted({(2, 1), (0, width), (1, 0), (width, width)})


def test_many_games_of_one_player_do_not_overflow():
    """Games and gains share a number in the kernel; 200,000 games of one player keep both apart."""
    found = compile_edition(arpad.system("fide-standard").rulebook.at(date(2026, 11, 1)), "standard", NO_PACES)
    count = 200_000
    basis = kernel.Basis(np.array([2000, 2000], dtype=np.int32), (found,))
    games = GameColumns(np.zeros(count, np.int32), np.ones(count, np.int32), np.zeros(count, np.int8))
    sums = kernel.add_up(basis, games)
    assert sums.games.tolist() == [count, count]
    assert sums.gain.tolist() == [-50 * count, 50 * count]
