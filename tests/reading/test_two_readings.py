"""What can mean two things is a question, unless the rest of the table proves one; and then it is said."""

import pytest

from arpad.errors import BadInput
from arpad.reading import parse_game, read_paste

# The four players in the order of the ranking; the numbers in the cells are those of the starting list.
RANK_AND_NUMBER = """\
Rk.\tSNo\tName\tRtg\t1.Rd\t2.Rd\tPts.
1\t3\tAbel Ana\t1900\t1w1\t2b1\t2
2\t1\tBohm Ben\t2000\t3b0\t4w1\t1
3\t4\tCole Cid\t1800\t2b1\t1b0\t1
4\t2\tDorn Dan\t1950\t4w0\t3w0\t0
"""
# With draws alone both columns fit: by number 1 plays 2 and 3 plays 4, by rank 3 plays 2 and 1 plays 4.
EITHER = """\
Rk.\tSNo\tName\tRtg\t1.Rd\tPts.
1\t3\tCole Cid\t1800\t4w½\t½
2\t4\tDorn Dan\t1950\t3b½\t½
3\t1\tAbel Ana\t1900\t2w½\t½
4\t2\tBohm Ben\t2000\t1b½\t½
"""


def test_the_column_of_numbers_that_every_opponent_fits_is_taken_and_said():
    """With rank and starting number both there, the one by which every opponent's row mirrors the game is proved."""
    paste = read_paste(RANK_AND_NUMBER, player="Cole")
    assert [(game.name, game.opponent, game.result, game.colour) for game in paste.games] == [
        ("Dorn Dan", 1950, "win", "black"),
        ("Bohm Ben", 2000, "loss", "black"),
    ]
    assert any("the starting number" in str(note) and "the rank" in str(note) for note in paste.notes)


def test_where_both_columns_fit_nothing_is_read():
    """Then the row is left out with both readings and what to do."""
    paste = read_paste(EITHER, player="Abel Ana")
    assert paste.games == ()
    (doubt,) = paste.doubtful
    assert "the starting number or the rank" in str(doubt.why)
    assert "paste the table with one of the two columns" in str(doubt.why)


def test_a_result_that_the_opponents_row_contradicts_is_left_out():
    """Both rows claim the win: neither is believed, and both cells are named."""
    table = (
        "No.\tName\tRtg\t1.Rd\t2.Rd\n1\tAbel Ana\t1900\t2w1\t3b½\n2\tBohm Ben\t2000\t1b1\t\n3\tCole Cid\t1800\t\t1w½\n"
    )
    paste = read_paste(table, player="Abel Ana")
    assert [(game.round, game.result) for game in paste.games] == [(2, "draw")]
    assert ["2w1" in str(line.why) and "1b1" in str(line.why) for line in paste.doubtful] == [True]


def test_a_player_who_would_meet_himself_is_not_believed():
    """A number that is the player's own is refused, and the other rounds stay."""
    table = "No.\tName\tRtg\t1.Rd\t2.Rd\n1\tAbel Ana\t1900\t1w1\t2b½\n2\tBohm Ben\t2000\t\t1w½\n"
    paste = read_paste(table, player="Abel Ana")
    assert [(game.round, game.result) for game in paste.games] == [(2, "draw")]
    assert ["their own opponent" in str(line.why) for line in paste.doubtful] == [True]


def test_one_row_of_a_crosstable():
    """A row alone has results and colours; the opponents' ratings are in rows that are not there, and that is said."""
    paste = read_paste("3\t\tHall Wren\t2044\tENG\t6b1\t1b½\t-½\t2w0\t8b\t2")
    assert [(game.round, game.result, game.rating_state) for game in paste.games] == [
        (1, "win", "unknown"), (2, "draw", "unknown"), (3, "bye", "unknown"), (4, "loss", "unknown"),
        (5, "to-come", "unknown"),
    ]  # fmt: skip
    assert any("paste the whole table" in str(note) for note in paste.notes)


@pytest.mark.parametrize(("letters", "colours"), [
    ("wb", ("white", "black")), ("ws", ("white", "black")), ("bn", ("white", "black")), ("bc", ("white", "black")),
    ("bč", ("white", "black")), ("бч", ("white", "black")), ("WB", ("white", "black")), ("bb", (None, None)),
])  # fmt: skip
def test_the_letters_of_a_table_decide_what_b_is(letters, colours):
    """`b` is Black beside w, White beside n, c or č; where it is the only letter it may be either, and is neither."""
    table = f"No.\tName\tRtg\t1.Rd\t2.Rd\n1\tAbel\t1900\t2{letters[0]}1\t2{letters[1]}½\n2\tBohm\t2000\t\t\n"
    assert tuple(game.colour for game in read_paste(table, player="Abel").games) == colours


@pytest.mark.parametrize(("text", "both"), [
    ("1950 b 1-0", ("your score", "White's")),
    ("lost 1-0 to 1950", ("two results",)),
    ("1 950 ½", None),
    ("Abel (1900) vs Bohm (2000) 1-0", ("which one you are",)),
    ("beat 1900 2000", ("more than one number",)),
])  # fmt: skip
def test_a_typed_game_that_can_mean_two_things(text, both):
    """The refusal names both readings or says how to decide; in a field `1 950` can only be a rating."""
    if both is None:
        assert parse_game(text).opponent.rating == 1950
        return
    with pytest.raises(BadInput) as refused:
        parse_game(text)
    assert all(words in refused.value.message for words in both)


def test_a_round_or_a_thousand():
    """`1 950 ½` in a list may be 1950 or round 1 against 950: it is asked, unless the lines count the rounds."""
    (doubt,) = read_paste("1 950 ½").doubtful
    assert "1950" in str(doubt.why)
    assert "round 1 against 950" in str(doubt.why)
    assert [(game.round, game.opponent) for game in read_paste("1 950 ½\n2 875 1\n3 990 0").games] == [
        (1, 950), (2, 875), (3, 990),
    ]  # fmt: skip


def test_points_or_result_without_headings():
    """Behind round, board and number a lone last 1 may be the opponent's points: it is not read as a win."""
    rows = "1\t14\t63\tNovak, Jan\t1702\tCZE\t1\n2\t9\t12\tMaly, Petr\t1731\tCZE\t0"
    paste = read_paste(rows)
    assert paste.games == ()
    assert {str(line.why) for line in paste.doubtful} == {
        "the last number may be the opponent's points or the result; paste the headings too"
    }


def test_with_black_a_score_of_both_sides_in_a_card():
    """`1-0` beside Black may be White's score or the player's; beside White it is the same, and is read."""
    card = "Rd.\tName\tRtg\tCol\tRes.\n1\tAbel\t1900\tw\t1-0\n2\tBohm\t2000\tb\t1-0\n3\tCole\t1800\tb\t½-½\n"
    paste = read_paste(card)
    assert [(game.round, game.result) for game in paste.games] == [(1, "win"), (3, "draw")]
    (doubt,) = paste.doubtful
    assert "may be the player's score or White's" in str(doubt.why)
