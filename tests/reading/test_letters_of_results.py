"""Letters for results in the language of the table: V, N and D, or G, P and T; and figures under the wrong heading.

A letter that is a colour or a draw in one language is a win or a loss in another. Where the letters of a text do not
fit together in a language that is known, every one of them is asked about.
"""

import pytest

from arpad.errors import BadInput
from arpad.formats import read_bytes
from arpad.reading import read_paste

CARDS = {
    "English, with a T for a tie": "Rd,Opponent,Rating,Result\n1,Smith,1800,W\n2,Jones,1700,L\n3,Brown,1600,T",
    "two wins": "Rd,Opponent,Rating,Result\n1,Smith,1800,W\n2,Jones,1700,W",
    "Italian": "Turno;Avversario;Elo;Ris\n1;Rossi;1800;V\n2;Bianchi;1700;S\n3;Verdi;1650;P",
    "Polish": "Runda;Przeciwnik;Ranking;Wynik\n1;Nowak;1800;W\n2;Lis;1700;P",
    "German": "Runde;Gegner;DWZ;Erg\n1;Meyer;1800;S\n2;Kunz;1700;N",
    "Dutch": "Ronde;Tegenstander;Rating;Uitslag\n1;Jansen;1800;W\n2;De Vries;1700;V",
    "Spanish": "Rda;Rival;Elo;Res\n1;García;1800;G\n2;López;1700;P",
    "Portuguese": "Ronda;Adversário;Elo;Res\n1;Silva;1800;V\n2;Costa;1700;D\n3;Reis;1650;E",
}
LISTS = {
    "French": "Durand 1800 V\nPetit 1700 D\nRoux 1650 N", "without names": "1800 V\n1700 D\n1650 N",
    "Portuguese": "1800 V\n1700 E\n1650 D", "Spanish": "1800 G\n1700 P\n1650 T", "Dutch": "1800 W\n1700 V\n1650 R",
}  # fmt: skip


@pytest.mark.parametrize("text", [*CARDS.values(), *LISTS.values()], ids=[*CARDS, *map("list: {}".format, LISTS)])
def test_letters_that_may_be_results_are_asked_about(text):
    """No game, to come or played; every line with a rating is left out and doubtful."""
    paste = read_paste(text)
    assert paste.games == ()
    assert [line.doubtful for line in paste.left_out if any(map(str.isdecimal, line.text))] == [True] * len(
        [line for line in text.split("\n") if any(map(str.isdecimal, line))]
    )


@pytest.mark.parametrize(("text", "results"), [
    ("Rd,Opponent,Rating,Result\n1,Smith,1800,W\n2,Jones,1700,L\n3,Evans,1600,D", ["win", "loss", "draw"]),
    ("Runde;Gegner;DWZ;Erg\n1;Meyer;1800;w\n2;Kunz;1700;s", ["to-come", "to-come"]),
    ("1800 W\n1700 L\n1650 D", ["win", "loss", "draw"]), ("1800 w\n1700 b", ["to-come", "to-come"]),
    ("1800 b\n1700 n", ["to-come", "to-come"]),
])  # fmt: skip
def test_letters_that_fit_together_are_read(text, results):
    """W, L and D are results, and letters of the two colours are games to come."""
    assert [game.result for game in read_paste(text).games] == results


@pytest.mark.parametrize("text", [
    "Name;Rang;Ergebnis\nSchmitz;1800;1\nJansen;1700;0", "Nr;Gegner;Ergebnis\n1800;Schmitz;1\n1700;Jansen;0",
    "Gegner;Punkte;Ergebnis\nSchmitz;1800;1\nJansen;1700;0", "Name;Ranking;Result\nSmith;102;1\nJones;201;0",
])  # fmt: skip
def test_ratings_under_another_heading_are_asked_about(text):
    """Figures such as 1800 under `Rang` are not lost, and 102 under `Ranking` is no rating."""
    with pytest.raises(BadInput, match=r"may be the (rank|starting number|points) or the rating"):
        read_paste(text)


def test_years_are_no_ratings():
    """Without headings, years of birth beside ratings are not taken for FIDE's ratings."""
    paste = read_paste("1;Schmitz;2001;1650;1\n2;Jansen;1999;1720;0\n3;Ewald;2005;1500;½")
    assert paste.games == ()
    assert all(line.doubtful for line in paste.left_out)


def test_ratings_of_a_spreadsheet_program():
    """`1900.0` is 1900, as programs write a column with an empty cell."""
    paste = read_paste("Rd,Opponent,Rating,Result\n1,Smith,1900.0,1\n2,Jones,,0")
    assert [(game.opponent, game.rating_state) for game in paste.games] == [(1900, "rated"), (None, "unrated")]


def test_numbers_without_a_heading_are_no_titles():
    """The figures before the names of a round robin are starting numbers, and nothing is left out."""
    rows = ["\tName\tElo\t1\t2", "1\tAlpha, A\t1900\t*\t1", "2\tBeta, B\t1850\t0\t*"]
    tournament = read_bytes("\n".join(rows).encode(), "robin.tsv")
    assert [tournament.entrant(no).player.title for no in (1, 2)] == [None, None]
    assert not any("title" in str(one.says) for one in tournament.oddities)
