"""The parts of bulk that are written twice agree with what they are written after."""

from datetime import date
from decimal import Decimal

import numpy as np
import pytest
from bulk_games import draw
from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad.bulk import compiled, kernel, whole
from arpad.bulk.intake import Span, read_games
from arpad.bulk.rejects import Rejects
from arpad.bulk.roster import read_roster
from arpad.bulk.rulings import REACH, editions, ruling
from arpad.bulk.source import sources
from arpad.core import roundings as rounding


@pytest.mark.parametrize("name", rounding.ROUNDINGS)
@given(number=st.integers(-(10**6), 10**6))
def test_roundings_of_arrays_are_the_named_ones(name, number):
    """An array is rounded as a single number is by the rounding of that name; half down is for positive numbers."""
    assert whole.ROUNDINGS.keys() == rounding.ROUNDINGS.keys()
    found = whole.ROUNDINGS[name](np.array([number]), 100)[0]
    assert found == rounding.ROUNDINGS[name](Decimal(number) / 100)


@pytest.mark.parametrize("system", ["fide-standard", "fide-rapid", "fide-blitz"])
def test_compiled_tables_are_the_rulebook(system):
    """On every day on which a rule changed, the arrays give what the system's own expectation gives."""
    book = arpad.system(system)
    for day in sorted({max(rule.since, book.rulebook.covered_from) for rule in book.rulebook}):
        found = ruling(book.rulebook.at(day), system.removeprefix("fide-"))
        for gap in (-900, -736, -735, -401, -400, -100, -4, -3, 0, 3, 4, 92, 400, 401, 735, 736, 900):
            table = found.other if not found.one_of_an_event else found.expected
            assert table[gap + REACH] == 100 * book.expected_score(gap, on=day)


@pytest.mark.parametrize(("system", "since", "on"), [
    ("fide-standard", date(2025, 9, 1), date(2025, 10, 31)),
    ("fide-standard", date(2022, 1, 1), date(2022, 2, 28)),
    ("fide-rapid", date(2024, 11, 1), date(2024, 12, 31)),
])  # fmt: skip
def test_the_compiled_kernel_is_the_array_kernel(system, since, on):
    """Both kernels give the same sums and the same counts on games with every feature, under several editions."""
    chapter, book = system.removeprefix("fide-"), arpad.rules(system)
    drawn = draw(chapter, since, on, games=30_000, players=3000, seed=3)
    rejects = Rejects()
    roster = read_roster(sources(drawn.players, "players"), {}, rejects)
    taken = read_games(sources(drawn.games, "games"), {}, roster, Span(since, on, book.covered_from), rejects)
    found = editions(book, chapter, date(2021, 1, 1), on)
    games = taken.games._replace(edition=found.of(taken.games.start))
    basis = kernel.Basis(roster.used, found.editions, taken.paces)
    for one, other in zip(kernel.sums(basis, games), compiled.sums(basis, games), strict=True):
        assert (one == other).all()
    assert len(found.editions) > 1
    assert (kernel.sums(basis, games).why[: kernel.TOO_FAR] > 0).all()


def test_many_games_of_one_player_do_not_overflow():
    """Games and gains share a number in the kernel; 200,000 games of one player keep both apart."""
    found = ruling(arpad.rules("fide-standard").at(date(2026, 11, 1)), "standard")
    count = 200_000
    basis = kernel.Basis(np.array([2000, 2000], dtype=np.int32), (found,), np.zeros(0))
    games = kernel.Games(np.zeros(count, np.int32), np.ones(count, np.int32), np.zeros(count, np.int8))
    sums = kernel.sums(basis, games)
    assert sums.games.tolist() == [count, count]
    assert sums.gain.tolist() == [-50 * count, 50 * count]
