"""Small words that change what a sentence says: a habit, a doubt, somebody else's game, money, a year of birth.

None of these lines is a game that was played, or it is not clear whose; each is asked about, never read in silence.
"""

import pytest

from arpad.reading import read_paste

ASKED_ABOUT = {
    "a habit": """
        I normally beat 1900 | sometimes lost to 1900 | gegen 1900 meist verloren | gegen 1900 stets gewonnen
        em geral ganhei ao 1900 | in generale vinto con 1900 | soms gewonnen van 1900 | iedere 1900 verslagen
        czasem wygrałem z 1900 | ibland vann jag mot 1900 | в основном выиграл у 1900 | en general gané a un 1900
    """,
    "a doubt, or taken back": """
        beat 1900, nvm | beat 1900 iirc | sort of beat 1900 | beat 1900, I thought | gegen 1900 gewonnen, dachte ich
        gegen 1900 gewonnen oder so | gegen 1900 sozusagen gewonnen | boh, vinto con 1900 | pois sim, ganhei ao 1900
        gewonnen van 1900, dacht ik | pewnie wygrałem z 1900 | wygrałem z 1900, myślałem | tydligen vann jag mot 1900
        ну конечно, выиграл у 2300 | mais oui bien sûr, gagné contre 2300
    """,
    "rated nowhere": """
        unofficial win vs 1900 | casual: beat 1900 | gegen 1900 ungewertet gewonnen | gegen 1900 gewonnen (inoffiziell)
        onofficieel gewonnen van 1900 | gagné contre 1900, officieux
    """,
    "a wish": "please beat 1900 | lets go beat 1900 | gegen 1900 lieber Remis",
    "somebody else": """
        another beat 1900 | the other lost to 1900 | some beat 1900 | that one lost to 1900 | my side lost to 1900
        guys beat 1900 | a fellow beat 1900 | der gewann gegen 1900 | dieser verlor gegen 1900 | die won van 1900
        der Jüngere verlor gegen 1900 | den där vann mot 1900 | tränarn slog 1900 | тот выиграл у 1900
        молодой выиграл у 1900 | старший проиграл 1900 | юный выиграл у 1900 | второй выиграл у 1900
        young beat 1900 | de jonge won van 1900 | der Junge gewann gegen 1900 | den unge vann mot 1900
        młody wygrał z 1900 | il giovane ha vinto con 1900 | le jeune a gagné contre 1900
        gegen 1900 gewann Brett 3 | gegen 1900 verlor Brett 3 | tegen 1900 won bord 3 | mot 1900 vann bord 3
    """,
    "the player of a colour": """
        black resigned vs 1900 | white won 1900 | schwarz gab auf gegen 1900 | Weiß gewann gegen 1900
        gegen 1900 gewann Schwarz | noir abandonne contre 1900 | il nero ha vinto contro 1900
        las negras perdieron contra 1900 | białe wygrały z 1900 | белые выиграли у 1900 | wit won van 1900
        zwart verloor van 1900 | vit vann mot 1900 | svart gav upp mot 1900 | as pretas perderam contra 1900
    """,
    "the opponent's win or loss": """
        1900 unterlag | 1900 verlor | 1900 gewann | 1900 verloor | 1900 vann | 1900 förlorade
    """,
    "done to the opponent, by whom is not said": "1900 was beaten | 1900 wurde geschlagen | 1900 wurde besiegt",
    "money": "won 1900 EUR | 1900 EUR gewonnen | won 1900 USD | gewann 1900 CHF | wygrałem 1900 PLN | vann 1900 SEK",
    "a year of birth": "gegen Jahrgang 2010 verloren | gegen Baujahr 2010 verloren | förlorade mot årgång 2010",
    "no game of two players": "tied for first with 1900 | was drawn against 1900 | empatado a puntos con 1900",
    "a year of birth behind a child": """
        perdu contre un gamin de 2010 | gegen ein Kind von 2010 verloren | perdí con un niño de 2010
        perso con un ragazzo del 2010 | perdi com um miúdo de 2010 | verloren van een kind van 2010
        przegrałem z chłopcem z 2010 | проиграл ребёнку 2010 года | förlorade mot en kille från 2010
        lost to a kid from 2010
    """,
    "something else that was won or lost": """
        Mannschaftskampf gewonnen gegen 1900 | Turnier gewonnen gegen 1900 | Endspiel verloren gegen 1900
        won the middlegame vs 1900 | I won the endgame vs 1900 | team match won vs 1900 | won the tournament vs 1900
        gané el torneo contra 1900 | gané el medio juego contra 1900 | gagné le match par équipes contre 1900
        gagné la finale contre 1900 | vinto il torneo contro 1900 | ganhei o torneio contra 1900
        teamwedstrijd gewonnen tegen 1900 | eindspel gewonnen tegen 1900 | wygrałem turniej z 1900
        выиграл дебют у 1900 | выиграл турнир у 1900 | vann slutspelet mot 1900 | vann lagmatchen mot 1900
    """,
    "points": """
        lost 1500 elo | won 1500 elo | I lost 1500 elo | lost 1500 rating | 1500 Elo verloren | verloren 1500 DWZ
        perdí 1500 elo | perdu 1500 elo | perso 1500 elo | perdi 1500 elo | verloren 1500 elo | przegrałem 1500 elo
        проиграл 1500 эло | förlorade 1500 elo
    """,
    "a count of opponents": """
        beat 1900 opponents | 1900 Gegner geschlagen | gané a 1900 jugadores | battu 1900 adversaires
        battuto 1900 avversari | ganhei a 1900 adversários | 1900 tegenstanders verslagen | slog 1900 motståndare
        pokonałem 1900 przeciwników | обыграл 1900 соперников
    """,
    "a sign that contradicts the words": "beat 1900 ❌ | lost 1900 ✅ | gegen 1900 gewonnen 👎 | 1900 win ❌",
    "equal in the standings": """
        gelijk met 1900 | pari con 1900 in classifica | pari con 1900 | level with 1900 | igualado con 1900
        punktgleich mit 1900 | à égalité avec 1900 | empatado em pontos com 1900 | lika med 1900 | na równi z 1900
        наравне с 1900
    """,
    "no game at all": """
        Average 1750 | Schnitt 1750 | Moyenne 1750 | my new rating 1750 | TPR 1750 | Perf 1750 | Perf. 1750 | Rp 1750
        Leistung 1750 | Table 1900 | Tisch 1900 | Board 1900 | Brett 1900 | Mesa 1900 | Échiquier 1900 | Tavolo 1900
        Bord 1900 | Szachownica 1900 | Стол 1900 | Доска 1900
    """,
    "a sign or a letter that may be the result": """
        1900 ✅ | 1900 ❌ | 1900 😭 | 1900 G | 1900 P | 1900 T | 1900 e | G 1900 | lots to 1790 in round 2
    """,
}


@pytest.mark.parametrize(
    "line", [line.strip() for lines in ASKED_ABOUT.values() for part in lines.split("\n") for line in part.split("|")
             if line.strip()]
)  # fmt: skip
def test_it_is_asked_about(line):
    """No game, and the line is listed as one that may hold a game."""
    paste = read_paste(line)
    assert paste.games == ()
    assert [left.text for left in paste.left_out] == [line]


@pytest.mark.parametrize(("line", "notation"), [
    ("finally beat a 1900", "1900:win"), ("yesterday a 1900 beat me", "1900:loss"),
    ("vanavond een 1900 verslagen", "1900:win"), ("I was beaten by a 1900", "1900:loss"),
    ("wurde von 1900 geschlagen", "1900:loss"), ("who's 1900? drew with 1850", None),
    ("lost 1900 😭", "1900:loss"), ("beat Sum (1900)", "1900:win"), ("the young 1900 beat me", "1900:loss"),
    ("Sieg gegen Dr. Petra Lohmeyer, 2051", "2051:win"), ("this time I beat a 1900", "1900:win"),
    ("as Black resigned vs 1900", "1900@b:loss"), ("gestern gewann ich gegen 1900", "1900:win"),
    ("gewann mit Weiß gegen 1900", "1900@w:win"), ("белыми выиграл у 1900", "1900@w:win"), ("1900 won", "1900:win"),
    ("won in the endgame vs 1900", "1900:win"), ("im Mannschaftskampf gewonnen gegen 1900", "1900:win"),
    ("lost to 1500 elo", "1500:loss"), ("beat a 1500 elo", "1500:win"), ("lost to an elo 1500", "1500:loss"),
    ("perdu contre un joueur de 2010", "2010:loss"), ("beat 1900 ✅", "1900:win"), ("Board 3 1900 win", "1900:win"),
    ("gegen 1900 Gegner gewonnen", "1900:win"),
])  # fmt: skip
def test_what_stands_near_is_read(line, notation):
    """The same words where they change nothing."""
    assert [game.notation for game in read_paste(line).games] == ([notation] if notation else [])
