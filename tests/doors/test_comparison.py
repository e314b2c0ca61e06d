"""The same games under several systems."""

from datetime import date

import pytest

import arpad
from arpad import BadInput, EloStanding, GlickoStanding, Player, draw, win
from arpad.cli import main
from arpad.systems.elo import with_plain_elo
from doors import asked

ON = date(2026, 11, 15)
LINE = ["compare", "1750", "1950:win", "1800:draw", "--born", "2010", "--on", "2026-11-15"]


def test_each_line_is_what_the_system_itself_says():
    """Every figure of the comparison is the figure of the system alone; every system is there."""
    value = asked([*LINE, "--json"])["value"]
    assert [line["system"] for line in value["systems"]] == arpad.system_names()
    for line in value["systems"]:
        if line["rated"]:
            alone = asked(["rate", *LINE[1:], "--system", line["system"], "--json"])["value"]
            alone["events"][0]["on"] = None  # a comparison has one day, and no event of its own
            assert line["answer"] == alone
            assert {name: line[name] for name in ("expected", "change", "new_rating")}.items() <= alone.items()


def test_a_system_that_cannot_rate_these_games_says_why():
    """FIDE's ratings are whole numbers, so 1750.5 is refused there with a reason, and rated by plain Elo."""
    lines = arpad.compare(Player("1750.5"), [win(1950)], on=ON, systems=["elo", "fide-standard"]).value()["systems"]
    assert [line["rated"] for line in lines] == [True, False]
    assert lines[1]["why"] == "1750.5 is not a FIDE rating; FIDE ratings are whole numbers."


def test_why_they_differ_comes_from_the_rules(capsys):
    """Table and formula, cap and K are named from the rules that were applied; no pool is converted."""
    main(["compare", "1750", "2300:loss", "--on", "2026-11-15", "--born", "1990", "--systems", "fide-standard,elo,dwz"])
    out = " ".join(capsys.readouterr().out.split())
    assert "the table of scoring probabilities by rating difference" in out
    assert "1 / (1 + 10 ^ (−difference / scale))" in out
    assert "counts as 400" in out
    assert "the normal curve" in out
    assert "no formula converts" in out


def test_plain_elo_beside_a_system_has_its_own_place():
    """US Chess calls its own formula `formula`; plain Elo's answer stands under another key, and needs a K."""
    line = ["rate", "1500", "1600:win", "1500:+", "--system", "uschess-regular", "--on", "2026-11-15", "--formula"]
    value = asked([*line, "--games", "30", "--json"])["value"]
    assert (value["formula"], value["plain_elo"]["system"]) == ("standard", "elo")
    assert [game["how"] for game in value["per_game"]] == ["played", "forfeit"]
    change = arpad.system("uschess-regular").rate(Player(EloStanding(1500, games=3)), [win(1600)], on=ON)
    with pytest.raises(BadInput, match="uschess-regular has none here"):
        with_plain_elo(change)


def test_numbers_are_numbers():
    """A rating with decimals is a number in the answer, of the player and of a Glicko opponent."""
    compared = arpad.compare(Player(GlickoStanding(1500.5, deviation=50)), win(1400.5), on=ON, systems=["glicko"])
    game = compared.value()["systems"][0]["answer"]["per_game"][0]
    assert (compared.value()["rating"], game["opponent"], game["how"]) == (1500.5, 1400.5, "played")
    assert game["counted"] == game["difference"] == 100


def test_explain_shows_the_working_of_each_system():
    """`--explain` has each system's working, and a club's own file may stand beside them."""
    comparison = arpad.compare(Player(EloStanding(1750, k=20)), [draw(1950)], on=ON, systems=["elo", "ecf"])
    text = comparison.explain()
    assert "By the rules of elo" in text
    assert "By the rules of ecf" in text


@pytest.mark.parametrize(("line", "words"), [
    (["compare"], "`arpad compare` needs RATING; for example"),
    (["compare", "1750"], "`arpad compare` needs GAME or --paste; for example"),
    (["compare", "1750", "1950:win", "--systems", "elo,fyde"], "No system is called 'fyde'"),
    (["compare", "1750", "1950:win", "--systems", ""], "--systems requires a value"),
    (["compare", "abc", "1950:win"], "'abc' is not a rating"),
    (["compare", "1750", "1950:win", "--rules", "nowhere.toml"], "cannot be read"),
])  # fmt: skip
def test_bad_input(line, words, capsys):
    """What cannot be compared is refused in one sentence."""
    assert main(line) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("line", [
    LINE,
    [*LINE, "--explain"],
    ["match", "--pairs", "332", "433", "498", "333", "334", "--sprt", "0", "5", "--explain"],
    ["match", "--wins", "3", "--losses", "0", "--draws", "0", "--sprt", "0", "5", "--explain"],
    ["rate", "1111", "1000:0", "1200:½", "--system", "dwz", "--explain", "--on", "2026-11-15"],
], ids=lambda line: " ".join(line)[:50])  # fmt: skip
def test_a_comparison_fits_the_terminal(line, capsys):
    """Nothing is wider than 80 columns, and `--plain` is ASCII."""
    assert main(line) == 0
    assert [text for text in capsys.readouterr().out.splitlines() if len(text) > 80] == []
    main([*line, "--plain"])
    assert capsys.readouterr().out.isascii()
