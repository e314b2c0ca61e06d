"""What is needed is the least that is enough, on any input Hypothesis can think of."""

from datetime import date
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

import arpad
from arpad import EloStanding, Player

ratings = st.integers(1400, 2900)
FIDE = arpad.system("fide-standard")


@given(ratings, st.lists(ratings, min_size=1, max_size=9), st.integers(1400, 3000))
def test_the_score_needed_is_the_least(rating, opponents, target):
    """The score reaches the target, and half a point less does not."""
    needed = arpad.score_needed(FIDE, Player(EloStanding(rating, k=20)), opponents, reach=target, on=date(2026, 11, 15))
    reached = {line.score: (line.new_rating or 0) >= target for line in needed.table}
    if needed.score is None:
        assert not any(reached.values())
    else:
        assert reached[needed.score]
        assert not reached.get(needed.score - Decimal("0.5"), False)


@given(st.lists(ratings, min_size=1, max_size=9), st.integers(1, 99))
def test_the_rating_needed_is_the_lowest(opponents, percent):
    """The rating is expected to score so much, and one point less is not."""
    wanted = Decimal(percent * len(opponents)) / 100
    needed = arpad.rating_needed(FIDE, opponents, expected=wanted, on=date(2026, 11, 15))
    table = FIDE.rulebook.at(date(2026, 11, 15)).expected.value
    assert sum(table.expected(needed.rating - opponent) for opponent in opponents) >= wanted
    assert sum(table.expected(needed.rating - 1 - opponent) for opponent in opponents) < wanted
