"""Lines that people paste or type, one game each: what is read, and what is refused."""

import pytest

from arpad.reading import read_paste

LINES = [
    ("1950 win", "1950:win", None),
    ("1800 ½", "1800:draw", None),
    ("1950:1", "1950:1", None),
    ("draw 1800", "1800:draw", None),
    ("unrated w", "unrated:win", None),
    ("bye", "bye", None),
    ("1\t5\t12\tGM\tSmith, John\t1950\tENG\t4,5\tw 1", "1950@w:win", "Smith, John"),
    ("3 Garcia Lopez Maria 2004 ESP 2,5 s ½", "2004@b:draw", "Garcia Lopez Maria"),
    ("7 ; Müller ; 1875 ; 0,5", "1875:draw", "Müller"),
    ("8 12 Kim 950 - 1K", "950:+", "Kim"),
    ("2010 -", "2010:-", None),
    ("1950 won", "1950:win", None),
    ("1950 1.0", "1950:win", None),
    ("3 Kim 1950 1-0", "1950:win", "Kim"),
    ("1950 1:0", "1950:win", None),
    ("1400/30:win@w", "1400/30:win@w", None),
    ("2450gm/GER:½", "2450gm/GER:½", None),
    ("2100s:0", "2100s:0", None),
    ("Carlsen, Magnus (2830) ½", "2830:draw", "Carlsen, Magnus"),
    ("win vs. Smith (1950)", "1950:win", "Smith"),
    ("1950 [0]", "1950:loss", None),
    ("4 Kim 1950 - : +", "1950:-", "Kim"),
    ("4 Kim 1950 +:-", "1950:+", "Kim"),
    ("4 Kim 1950 + - -", "1950:+", "Kim"),
    ("１９５０ win", "1950:win", None),
    ("Kim Won 1950 ½", "1950:draw", "Kim Won"),
    ("drew with Beat Zumsteg 1960", "1960:draw", "Beat Zumsteg"),
]


@pytest.mark.parametrize(("line", "game", "name"), LINES)
def test_line(line, game, name):
    """Each of the ways people write a game is read, with the opponent's name where there is one."""
    (read,) = read_paste(line).games
    assert (read.notation, read.name) == (game, name)


@pytest.mark.parametrize("line", [
    "foo", "1950", "1 Smith 1950", "2010 1950 win", "9" * 50 + " 1", "3:1", "1950 Kim Won", "1950 s 1-0",
    "1950 ENG 1,0 b",
])  # fmt: skip
def test_what_has_no_result_or_could_be_read_in_two_ways_is_not_rated(line):
    """A line without one rating and one result never becomes a rated game, and the line before it stays one."""
    assert {game.result for game in read_paste(line).games} <= {"to-come"}
    first, *others = read_paste(f"1950 win\n{line}").games
    assert first.notation == "1950:win"
    assert {game.result for game in others} <= {"to-come"}


def test_a_suggestion_is_taken_only_if_it_is_accepted():
    """A line with a word nobody knows has the game it might be; `accept` takes it, and changes no other line."""
    text = "beat 1950\nbeat my flibber 1850\nalmost beat 2200"
    left = {line.line: line.suggestion for line in read_paste(text).left_out}
    assert left == {2: ("1850:win",), 3: ()}
    accepted = read_paste(text, accept=[1, 2, 3])
    assert [game.notation for game in accepted.games] == ["1950:win", "1850:win"]
    assert [line.line for line in accepted.left_out] == [3]
