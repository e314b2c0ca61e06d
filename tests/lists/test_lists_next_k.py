"""K on the next list, from what the list has and from what its K gives away."""

from datetime import date

import pytest

from arpad.calculation.explain import sentence
from arpad.lists import ListedPlayer, ListedRating, RatingList, next_k


@pytest.mark.parametrize(
    ("born", "rating", "k", "expected", "says"),
    [
        (1970, 1600, 40, 40, "fewer than 30 rated games completed"),
        (1970, 1600, 20, 20, "30 games completed"),
        (None, 1600, 40, 40, "or a junior"),
        (198, 1600, 40, 40, "or a junior"),
        (2010, 1600, 40, 40, "year they turn 18"),
        (2010, 1600, 20, 20, "2400 never reached"),
        (1970, 2300, 10, 10, "has reached 2400"),
        (2008, 1600, 40, 20, "30 games completed"),
        (1970, 1600, 15, 20, "30 games completed"),
    ],
)
def test_the_printed_k_tells_what_the_list_does_not(born, rating, k, expected, says):
    """FIDE 8.3.3 on the list of December 2026, for that of January 2027, when nobody born in 2008 is a junior."""
    december = RatingList(1, "fide", date(2026, 12, 1), ("standard",), "combined", "", 0, 0)
    ratings = {"standard": ListedRating(december, rating, 0, k)}
    player = ListedPlayer(1, None, None, None, None, born, None, (None,) * 3, ratings, {"standard": rating})
    found = next_k(player, "standard").next
    assert found.value == expected
    assert says in sentence(found)
    assert player.player("standard").birth_year == (None if born == 198 else born)
