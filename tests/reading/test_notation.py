"""The one notation: every spelling of a game, a list of games and a day, and what is refused.

The forms are those of docs/start.md and of the help; what each one means is written out there.
"""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.core import DRAW, LOSS, WIN, Game, Pace, number
from arpad.errors import BadInput
from arpad.messages import section
from arpad.reading import (
    FORFEITS,
    RESULTS,
    parse_age,
    parse_birth_year,
    parse_date,
    parse_game,
    parse_pace,
    parse_pairing,
    read_paste,
    score_of,
    split_games,
)

START = (Path(__file__).parents[2] / "docs/start.md").read_text(encoding="utf-8")
WINS = ("win", "w", "1", "1.", "1.0", "1,0", "won", "1-0", "1:0", "1 - 0", "WIN")
DRAWS = ("draw", "d", "0.5", "0,5", ".5", "0.50", "½", "1/2", "=", "drawn", "½-½", "1/2-1/2", "0.5-0.5")
LOSSES = ("loss", "l", "0", "0.", "0.0", "lost", "0-1", "0:1")
SPELT = [*((word, WIN) for word in WINS), *((word, DRAW) for word in DRAWS), *((word, LOSS) for word in LOSSES)]


@pytest.mark.parametrize(("word", "score"), SPELT)
def test_a_result_in_any_spelling(word, score):
    """A result means the same behind a colon and behind a space, alone, on a schedule, in a list and pasted."""
    for game in (f"1950:{word}", f"1950 {word}"):
        assert parse_game(game) == Game(1950, score, colour=parse_game(game).colour)
        assert parse_pairing(game).score == score
        assert [parse_game(one).score for one in split_games([f"1800:win, {game}; 1700:0"])] == [WIN, score, LOSS]
    pasted = read_paste(f"1950 {word}").games if " " not in word else ()
    assert [parse_game(one.notation).score for one in pasted] in ([score], [])


@pytest.mark.parametrize("word", FORFEITS)
def test_a_forfeit_in_any_spelling(word):
    """A forfeit is one behind a colon and behind a space."""
    assert parse_game(f"1950:{word}") == parse_game(f"1950 {word}")
    assert (parse_game(f"1950:{word}").how, parse_game(f"1950:{word}").score) == ("forfeit", FORFEITS[word])


@given(st.integers(100, 4000), st.sampled_from(sorted(RESULTS)), st.sampled_from(["", "@w", "@b"]))
def test_opponent_and_result_are_never_mixed_up(rating, word, colour):
    """Whatever the rating: the opponent is the number before, the score is the word's, the colour the player's."""
    if colour == "@b" and word in ("1-0", "0-1"):
        return
    for text in (f"{rating}:{word}{colour}", f"{rating}{colour}:{word}", f"{rating}{colour} {word}"):
        game = parse_game(text)
        assert (game.opponent.rating, game.score) == (rating, RESULTS[word])
        assert game.colour == {"": None, "@w": "white", "@b": "black"}[colour]


@given(st.lists(st.integers(100, 4000), min_size=1), st.sampled_from([" ", ",", ", ", ";", "; "]))
def test_a_list_of_opponents(ratings, between):
    """Commas, semicolons and spaces part opponents alike, in one word or in several."""
    texts = [str(rating) for rating in ratings]
    assert split_games([between.join(texts)]) == split_games(between.join(texts).split()) == split_games(texts) == texts


@pytest.mark.parametrize(("typed", "games"), [
    (["1950", "win", "1800", "draw", "1700"], ["1950:win", "1800:draw", "1700"]),
    (["1950 win 1800 ½"], ["1950:win", "1800:½"]),
    (["1950:0,5,1800:1"], ["1950:0.5", "1800:1"]),
    (["1950:0,1800:1"], ["1950:0", "1800:1"]),
    (["Carlsen, Magnus:win", "Holm, D"], ["Carlsen, Magnus:win", "Holm, D"]),
    (["2450gm/GER,2480im/POL"], ["2450gm/GER", "2480im/POL"]),
    (["bye,unrated:1"], ["bye", "unrated:1"]),
    (["1700", "1"], ["1700", "1"]),  # a number alone may be a rating: it is not taken for a result
    (["@9900015 win", "@9900016"], ["@9900015 win", "@9900016"]),
    (["1950", "b", "½", "1800", "w", "0,5"], ["1950@b:½", "1800@w:0.5"]),
    (["1950", "w", "1800", "W", "d", "1700:"], ["1950:w", "1800@w:d", "1700:"]),
    (["1950 w ½ 1800 b 0"], ["1950@w:½", "1800@b", "0"]),
    (["1950:", "win", "1800", ":", "draw"], ["1950:win", "1800:draw"]),
    (["1950 win, 1800"], ["1950 win", "1800"]),
    (["beat 1950, 1800"], ["beat 1950, 1800"]),  # beaten too, or still to come? Nobody reads it
    (["beat", "1950", "1800"], ["beat 1950, 1800"]),
    (["won, Elo 1900, DWZ 1850"], ["won Elo 1900, DWZ 1850"]),
    (["beat 1950, 1800 draw"], ["beat 1950", "1800 draw"]),
])  # fmt: skip
def test_games_apart(typed, games):
    """What belongs together stays together: a name and its forename, a rating and its result, the comma of 0,5."""
    assert split_games(typed) == games


@pytest.mark.parametrize(("typed", "games"), [
    ("1950 1 1800 0", ["1950:1", "1800:0"]),
    ("1950 b 1 unrated 0", ["1950@b:1", "unrated:0"]),
    ("1950 w 1 1800 w", ["1950@w:1", "1800:w"]),
])  # fmt: skip
def test_where_all_games_were_played_a_number_behind_an_opponent_is_the_result(typed, games):
    """`1950 1` is a win wherever nobody can stand without a result, in one word and in several."""
    assert split_games(typed.split(), played=True) == split_games([typed], played=True) == games


@pytest.mark.parametrize(("game", "words"), [
    ("1950:0-1@b", "'0-1' with Black may be your score or White's"),
    ("1950 b 1-0", "'1-0' with Black may be your score or White's"),
    ("1950,5:win", "'1950,5' is not a rating"),
    ("1950 1800", "'1950 1800' is not a game"),
    ("1e3:win", "'1e3' is not a rating"),
    ("1950 ½ 1", "is not a rating"),
    ("lost 1-0 to 1950", "is not a game"),
    ("1950 hat mich won", "is not a game"),
    ("@9900015:win", "'@9900015' is a player's ID"),
])  # fmt: skip
def test_what_may_mean_two_things_is_refused(game, words):
    """What is not sure is refused, and the sentence quotes what was typed."""
    with pytest.raises(BadInput) as refused:
        parse_game(game)
    assert words in refused.value.message


@given(st.dates(min_value=date(1900, 1, 1)))
def test_a_day_with_dots(day):
    """D.M.YYYY is the same day as YYYY-MM-DD, with and without noughts."""
    assert (
        parse_date(f"{day.day}.{day.month}.{day.year}") == parse_date(f"{day:%d.%m.%Y}") == parse_date(str(day)) == day
    )


@given(st.dates(min_value=date(1900, 1, 1)))
def test_a_day_in_other_ways(day):
    """A day that can mean only one day is read; where day and month may be either, both are in the refusal."""
    for way in ("%Y%m%d", "%Y/%m/%d", "%d %b %Y", "%B %d, %Y", "%d. %B %Y", "%d-%b-%Y"):
        assert parse_date(day.strftime(way)) == day
    for way in ("%d/%m/%Y", "%m/%d/%Y"):
        if day.day > 12 or day.day == day.month:
            assert parse_date(day.strftime(way)) == day
            continue
        with pytest.raises(BadInput) as refused:
            parse_date(day.strftime(way))
        assert str(day) in refused.value.message
        assert str(day.replace(month=day.day, day=day.month)) in refused.value.message


@pytest.mark.parametrize("text", [
    "15 November 2026", "15. November 2026", "Nov 15th, 2026", "le 15 novembre 2026", "15 de noviembre de 2026",
    "15 novembre 2026", "15 ноября 2026 г.", "15 listopada 2026", "15 november 2026", "15. новембар 2026",
    "１５.１１.２０２６",
])  # fmt: skip
def test_a_day_in_words(text):
    """The names of the months in ten languages; the day is the same."""
    assert parse_date(text) == date(2026, 11, 15)


@pytest.mark.parametrize(("text", "year"), [
    ("2010", 2010), ("2010-05-12", 2010), ("12.05.2010", 2010), ("05/12/2010", 2010), ("May 2010", 2010),
    ("5/2010", 2010), ("12 мая 2010", 2010), ("20100512", 2010),
])  # fmt: skip
def test_a_year_of_birth_from_a_day(text, year):
    """`--born 2010-05-12` is understood: the year is clear, even where day and month are not."""
    assert parse_birth_year(text) == year
    for bad in ("10", "05.10", "in May", "2010-05-40"):
        with pytest.raises(BadInput):
            parse_birth_year(bad)


@pytest.mark.parametrize("text", ["14", " 14 ", "14 years", "14 Jahre", "14 ans", "14 лет", "１４"])
def test_an_age(text):
    """`--age 14` and an age with its unit."""
    assert parse_age(text) == 14
    for bad in ("14 months", "x", "", "-1", "500"):
        with pytest.raises(BadInput):
            parse_age(bad)


@pytest.mark.parametrize("text", ["2026-W46-7", "2026-13", "31.2.2026", "15.11.26", "2026-11-15T10", "5 Foo 2026"])
def test_what_is_no_day(text):
    """No week, no short year, no unknown month, and no day that the calendar does not have."""
    with pytest.raises(BadInput):
        parse_date(text)


@pytest.mark.parametrize("text", ["6/2026", "06.2026"])
def test_a_month_turned_round_is_refused_with_the_month(text):
    """June 2026 is to be written as 2026-06."""
    with pytest.raises(BadInput, match=r"write it as 2026-06\."):
        parse_date(text)


@pytest.mark.parametrize("text", ["2026-02-30", "31.02.2026", "31/02/2026", "2026/2/30", "30 February 2026", "2026-13"])
def test_a_day_that_the_calendar_does_not_have(text):
    """A well written 30 February is not told to be written otherwise."""
    with pytest.raises(BadInput, match=f"'{text}' is not in the calendar; check the day and the month"):
        parse_date(text)


@pytest.mark.parametrize("text", ["90+30", "90|30", "90 + 30", "90m+30s", "90 min + 30 sec", "90'+30''", "90′+30″"])
def test_a_time_control_with_its_units(text):
    """Minutes and seconds may be named; seconds alone are no time for a game."""
    assert parse_pace(text) == Pace(90, 30)
    with pytest.raises(BadInput, match="'30s' is not a time control"):
        parse_pace("30s")


@pytest.mark.parametrize(("text", "exact"), [("0,75", "0.75"), ("12,5", "12.5"), ("0,059", "0.059"), ("-0,5", "-0.5")])
def test_a_decimal_comma(text, exact):
    """The comma that most of Europe writes is read as the point it is."""
    assert number(text) == Decimal(exact)


@pytest.mark.parametrize("text", ["1,750", ",5", "5,", "1e3", "1_950", "１９５０", "0x10", "inf", "nan", "", "1.2.3"])
def test_a_number_is_written_in_plain_figures(text):
    """What Python takes for a number and people do not write is none."""
    with pytest.raises(BadInput):
        number(text)


def test_every_form_is_documented():
    """The help and docs/start.md name the ways to write a game that are read beside the plain one."""
    assert all(
        form in " ".join(section("en", "command.notation").values())
        for form in ("'1950 win'", "1950:won", "1950:0,5", "1950:1-0")
    )
    forms = (
        "1950 win",
        "1950 b 1",
        "win 1950",
        "1950:won",
        "1950:0,5",
        "1950:1-0",
        "1950 0:1",
        "1950:1k",
        "15.11.2026",
    )
    assert all(f"`{form}`" in START for form in forms)
    assert score_of("maybe") is None


@pytest.mark.parametrize(("typed", "games"), [
    ("gestern gegen 1905 und 1820 gewonnen", ["1905:win", "1820:win"]),
    ("drew with 1905 and 1820", ["1905:draw", "1820:draw"]),
    ("beat Kim (1900), lost to Lee (1800)", ["beat Kim (1900)", "lost to Lee (1800)"]),
    ("almost beat 1905 and 1820", ["almost beat 1905 and 1820"]),
])  # fmt: skip
def test_one_verb_for_several_opponents(typed, games):
    """A sentence about several games is split where it is understood, and else stays whole."""
    assert split_games([typed]) == games


@pytest.mark.parametrize(("typed", "why"), [
    ("almost beat 1850", "it does not say that it happened"),
    ("beat 1950, 1800", "no result here; write one for each opponent"),
])  # fmt: skip
def test_a_sentence_is_no_game_to_come(typed, why):
    """Where games may be still to come, a sentence that is not understood is refused with its reason."""
    with pytest.raises(BadInput, match=why):
        parse_pairing(typed)
