"""Tables in ten languages that nobody had tried: odd headings, words for results and footers."""

import pytest

from arpad.errors import BadInput
from arpad.reading import read_paste

ENGLISH = """\
Spring Open, 4 April 2026
Rd|Col|Opponent|Grade|Club|Outcome
1|W|Halloran, Tim|1744|Ealing|Won
2|B|Okoye, Ada|1902|Barnet|Lost
3|W|Pike, Jo|1655|Ealing|Drawn
4||BYE||| ½
Total||||| 2 points
"""
GERMAN = """\
Runde;Gegner;Wertungszahl;Farbe;Ausgang
1;Meiler, Kurt;1722;S;gewonnen
2;Opitz, Jana;1850;W;verloren
3;Zander, Uli;1690;S;kampflos gewonnen
Summe;;;;2
Turnierseite erstellt mit dem Vereinsprogramm
"""
SPANISH = """\
Ronda\tColor\tRival\tElo rival\tClub\tRes.
1\tBlancas\tRuiz Soler, Pau\t1810\tSants\t1
2\tNegras\tVega Gil, Inés\t1733\tGràcia\t½
3\tBlancas\tMora, Luis\t2004\tSants\t0
Puntuación: 1,5 de 3
"""
FRENCH = """\
Rd\tCoul.\tAdversaire\tClassement\tScore
1\tB\tDURAND Paul\t1640 F\t1
2\tN\tPETIT Léa\t1811 F\t0
3\tB\tEXEMPT\t\t1
Perf : 1725
"""
ITALIAN = """\
T\tColore\tAvversario\tElo\tRisultato
1\tbianco\tConti Aldo\t1588\tvittoria
2\tnero\tSerra Ida\t1933\tsconfitta
3\tbianco\tVilla Ugo\t1702\tpatta
Aggiornato al 12 marzo 2026
"""
PORTUGUESE = """\
Rd;Cor;Adversário;Rating;Resultado;Prancha
1;B;Nunes, Rui;1699;1-0;4
2;P;Castro, Eva;1820;1-0;3
3;B;Lobo, Gil;1911;½-½;2
"""
DUTCH = """\
| Ronde | Kleur | Tegenstander | Rating | Uitslag |
|---|---|---|---|---|
| 1 | wit | Bos, Kees | 1705 | 1 |
| 2 | zwart | Vos, Ans | 1888 | remise |
| 3 | wit | Mol, Piet | 1650 | 0 |
| Totaal | | | | 1,5 |
"""
POLISH = """\
Runda;Kolor;Przeciwnik;Ranking przeciwnika;Wynik
1;białe;Kos, Jan;1650;wygrana
2;czarne;Lis, Ewa;1800;porażka
3;białe;pauza;;1
Źródło: strona klubu
"""
RUSSIAN = """\
Тур\tЦвет\tСоперник\tРейтинг\tИтог
1\tбелые\tЗимин Олег\t1750\tпобеда
2\tчёрные\tЛебедева Анна\t1901\tничья
3\tбелые\tГром Пётр\t1644\tпоражение
Всего очков: 1,5
"""
SWEDISH = """\
Rond\tFärg\tMotståndare\tLASK\tResultat
1\tvit\tÅberg, Nils\t1712\tvinst
2\tsvart\tÖhman, Eva\t1830\tförlust
3\tvit\tfrirond\t\t1
Sponsor: Bröderna Brunos Bageri
"""
LETTERS = """\
Ronde;Blancs;Elo B;Résultat;Noirs;Elo N
1;DURAND Paul;1640;1-0;PETIT Léa;1811
2;ROUX Jean;1500;0-1;PETIT Léa;1811
"""
GAMES = {
    ENGLISH: [(1744, "win", "white"), (1902, "loss", "black"), (1655, "draw", "white"), (None, "bye", None)],
    GERMAN: [(1722, "win", "black"), (1850, "loss", "white"), (1690, "forfeit-win", "black")],
    SPANISH: [(1810, "win", "white"), (1733, "draw", "black"), (2004, "loss", "white")],
    FRENCH: [(1640, "win", "white"), (1811, "loss", "black"), (None, "bye", None)],
    ITALIAN: [(1588, "win", "white"), (1933, "loss", "black"), (1702, "draw", "white")],
    PORTUGUESE: [(1699, "win", "white"), (1911, "draw", "white")],
    DUTCH: [(1705, "win", "white"), (1888, "draw", "black"), (1650, "loss", "white")],
    POLISH: [(1650, "win", "white"), (1800, "loss", "black"), (None, "bye", None)],
    RUSSIAN: [(1750, "win", "white"), (1901, "draw", "black"), (1644, "loss", "white")],
    SWEDISH: [(None, "win", "white"), (None, "loss", "black"), (None, "bye", None)],
}  # fmt: skip


@pytest.mark.parametrize("table", GAMES)
def test_the_games_of_a_strange_table(table):
    """A heading may name the opponent, a cell the result in words; a footer is no game, a walkover a forfeit."""
    paste = read_paste(table)
    assert [(game.opponent, game.result, game.colour) for game in paste.games] == GAMES[table]
    assert [line.text for line in paste.doubtful] == (["2;P;Castro, Eva;1820;1-0;3"] if table is PORTUGUESE else [])


def test_what_a_strange_table_says_besides():
    """The event above it; and LASK, the Swedish rating, is a national one."""
    about = read_paste(ENGLISH).about
    assert (about.event.value, about.on.value) == ("Spring Open", "2026-04-04")
    assert [game.national_rating for game in read_paste(SWEDISH).games] == [1712, 1830, None]


@pytest.mark.parametrize(
    ("white", "black"), [("Elo B", "Elo N"), ("Elo blancs", "Elo noirs"), ("Rtg White", "Rtg Black")]
)
def test_the_colour_behind_a_heading(white, black):
    """`Elo N` is Black's beside `Elo B`, and a national rating elsewhere; the players are not unrated in silence."""
    paste = read_paste(LETTERS.replace("Elo B", white).replace("Elo N", black), player="PETIT Léa")
    assert [(game.opponent, game.result) for game in paste.games] == [(1640, "loss"), (1500, "win")]
    assert paste.about.rating.value == 1811


@pytest.mark.parametrize(("table", "column", "meaning"), [
    (FRENCH.replace("\t0\n", "\t1\n"), "Score", "the points or the result"),  # 1, 1, 1 may be a total
    (GERMAN.replace("Ausgang", "Xyz"), "Xyz", "the result"),
    (ENGLISH.replace("Grade", "Xyz"), "Xyz", "the rating"),
    ("No;Xyz;Rtg;1.Rd\n1;Rossi, Mario;2010;2w1\n2;Bianchi, Ugo;1950;1b0\n", "Xyz", "the name"),
])  # fmt: skip
def test_a_column_that_is_not_clear(table, column, meaning):
    """It is named, with what its cells look like."""
    with pytest.raises(BadInput) as refusal:
        read_paste(table)
    assert f"'{column}'" in str(refusal.value)
    assert meaning in str(refusal.value)


@pytest.mark.parametrize(("heading", "meaning"), [
    ("Elo rival", "rating"), ("Opponent's rating", "rating"), ("Opp. Rtg", "rating"), ("Rating Gegner", "rating"),
    ("Ranking przeciwnika", "rating"), ("Рейтинг соперника", "rating"), ("Elo adversaire", "rating"),
    ("Elo avversario", "rating"), ("Rating tegenstander", "rating"), ("Motståndarens rating", "rating"),
    ("Opponent Name", "name"), ("Cognome e nome", "name"), ("Nom, prénom", "name"), ("Фамилия и имя", "name"),
    ("Opp. FED", "federation"),
    ("Opponent result", "unknown"),  # whose result it is cannot be known
])  # fmt: skip
def test_a_heading_of_several_words(heading, meaning):
    """With the opponent in it a heading means what it means without; both parts of a name are a name."""
    columns = read_paste(f"Rd\t{heading}\tName\tRtgI\tRes.\n1\t1850\tMeier\t1700\t1\n").columns
    assert columns[1].meaning.partition("|")[0] == meaning


def test_a_column_of_two_meanings_without_a_cell():
    """`Ranking` with nothing below it is no rating, and no rank either."""
    columns = read_paste("Rd\tRanking\tName\tElo\tRes.\n1\t\tMeier\t1700\t1\n").columns
    assert columns[1].meaning == "unknown"
