"""Any text at all: no exception but BadInput, no hang, work that grows with the length of the text and no faster."""

import random
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pastes import SAMPLES

from arpad.core import HIGHEST_RATING
from arpad.errors import ArpadError, BadInput
from arpad.reading import (
    parse_age,
    parse_birth_year,
    parse_date,
    parse_game,
    parse_opponent,
    parse_pace,
    parse_pairing,
    parse_percentage,
    parse_rating,
    read_pace,
    read_paste,
    split_game,
    split_games,
)
from arpad.reading.pasted import Paste

SIZE = 64 * 1024
UNITS = ["1950 ", "beat 1950, ", "1\t", "(", "и ", '[White "', "|", "6b1\t", "1 - "]  # in one line and in lines of 1400
LINES = [
    "1950 1\n",
    "harrowgate (1500)\n",
    "Name\tRtg\tRes.\n",
    "1\tAb\t1950\t6b1\t7w0\n",
    "1.1\tA\t1500\t-\tB\t1600\t1 - 0\n",
]
HOSTILE = [*((unit, size) for unit in UNITS for size in (SIZE, 1400)), *((line, SIZE) for line in LINES)]
CALLS_A_CHARACTER = 250  # far above what is needed, and far below what anything quadratic would take
PARSERS = (
    parse_age, parse_birth_year, parse_date, parse_game, parse_opponent, parse_pace, parse_pairing, parse_percentage,
    parse_rating,
)  # fmt: skip


def calls(work):
    """How many functions a piece of work calls, built-in ones too."""
    count = 0

    def counted(_frame, event, _argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        work()
    except BadInput:
        pass
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(("unit", "length"), HOSTILE)
def test_hostile_text_takes_no_more_than_its_length(unit, length):
    """64 KB of one thing over and over, in one line or in many, cost a bounded number of calls for each character."""
    text = unit * (SIZE // len(unit))
    text = "\n".join(text[start : start + length] for start in range(0, len(text), length))
    assert calls(lambda: read_paste(text, player="Ab")) < CALLS_A_CHARACTER * len(text)


def sentences(read, *given, **options):
    """Everything that a reading or its refusal says, as text; anything but a refusal of ours is an error."""
    try:
        found = read(*given, **options)
    except ArpadError as refused:
        return [str(refused)]
    if isinstance(found, Paste):
        assert all(game.opponent is None or 0 < game.opponent <= HIGHEST_RATING for game in found.games)
        return [*map(str, found.notes), *(str(line.why) for line in found.left_out)]
    return [str(found)]


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text):
    """No text makes a reader raise anything but what it refuses with, and every reason is a sentence."""
    for read in (*PARSERS, read_pace, split_game):
        assert all(sentences(read, text))
    split_games([text])
    for player in (None, "a", text):
        assert all(sentences(read_paste, text, player=player))


@given(st.sampled_from(sorted(SAMPLES)), st.integers(0, 2**32), st.integers(1, 8))
def test_damaged_samples_are_read_or_refused(number, seed, damages):
    """Samples with pieces cut out, doubled, moved or replaced by others raise nothing else than BadInput."""
    chance = random.Random(seed)  # noqa: S311  # the same damage again for the same seed
    text = SAMPLES[number].text
    for _ in range(damages):
        start, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        end = min(end, start + chance.choice((1, 3, 20, 200)))
        other = SAMPLES[chance.choice(sorted(SAMPLES))].text
        at = chance.randrange(len(other))
        piece = chance.choice(("", "", "\t", "\n", " ", text[start:end] * 2, other[at : at + 40], "½", "0", "|"))
        text = text[:start] + piece + text[end:]
    for player in (SAMPLES[number].player, None):
        assert all(sentences(read_paste, text, player=player))


def test_a_paste_of_five_thousand_rows():
    """5,000 rows are read; one more than half a million characters is refused."""
    head = "Rd.\tBo.\tSNo\t\tName\tRtg\tFED\tPts.\tRes.\n"
    rows = "".join(f"{row}\t1\t{row}\t\tNovak, Jan\t1702\tCZE\t3,5\t\n½\n" for row in range(1, 5001))
    assert len(read_paste(head + rows).games) == 5000
    with pytest.raises(BadInput, match="at most 500,000 characters are read"):
        read_paste("x" * 500_001)
