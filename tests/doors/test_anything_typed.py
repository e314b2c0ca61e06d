"""Whatever is typed ends in an answer or a sentence."""

import contextlib

from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from arpad import ArpadError, Game
from arpad.cli import main
from arpad.reading.notation import parse_game


@examples(300)
@given(st.text(max_size=20))
def test_any_text_is_a_game_or_a_clear_refusal(text):
    """The notation never fails in another way than by a sentence."""
    with contextlib.suppress(ArpadError):
        assert isinstance(parse_game(text), Game)


TYPED = [
    "rate",
    "first",
    "expect",
    "need",
    "1750",
    "1950:win",
    "--k",
    "20",
    "--on",
    "2026-11-15",
    "--json",
    "--event",
    "x",
    "-1",
    "--against",
    "--reach",
    "--explain",
    "1950:½",
    "unrated",
    "--born",
    "2010",
    "--system",
    "fide-rapid",
    "bye",
    "--base",
]


@examples(150)
@given(st.lists(st.sampled_from(TYPED), max_size=8))
def test_any_command_line_ends_well(words):
    """Whatever is typed, the exit code is 0 or 2: never a fault of our own."""
    assert main(words) in (0, 2)
