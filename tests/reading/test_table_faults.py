"""Tables as organisers and pages write them: what a column, a cell and a line means, or that it is asked about."""

from decimal import Decimal

import pytest
from report_files import said

import arpad
from arpad.errors import ArpadError, BadInput
from arpad.formats import read_bytes
from arpad.reading import read_paste

WIN, DRAW, LOSS = Decimal(1), Decimal("0.5"), Decimal(0)

POLISH = """Nr st.;Nazwisko;Ranking;Fed;Pkt;1.Rd
1;Kowalski, Jan;2101;POL;1;2w1
2;Nowak, Ewa;1950;POL;0;1b0
"""
RUSSIAN = """Ном.;Имя;Рейт.;ФЕД.;1.Тур;2.Тур;Очки
1;Иванов Пётр;2000;RUS;2б1;2ч½;1,5
2;Петрова Анна;1900;RUS;1ч0;1б½;0,5
"""
SERBIAN = """Ст.бр.;Име;Рејт.;Фед.;1.Коло;2.Коло;Бодови
1;Петровић Ана;2000;SRB;2б1;2ц½;1,5
2;Јовић Бора;1900;SRB;1ц0;1б½;0,5
"""
HUNGARIAN = """Rsz.;Név;Élő;1. Forduló;2. Forduló;Pont
1;Kovács Anna;2000;2v1;2s½;1,5
2;Szabó Béla;1900;1s0;1v½;0,5
"""
CZECH = """St.č.;Příjmení;Jméno;Elo;1.Kolo;2.Kolo;Body
1;Novák;Jan;2000;2b1;2č½;1,5
2;Malá;Eva;1900;1č0;1b½;0,5
"""
TURKISH = """Baş.No;İsim;ELO;1.Tur;2.Tur;Puan
1;Yılmaz Ayşe;2000;2b1;2s½;1,5
2;Demir Can;1900;1s0;1b½;0,5
"""


@pytest.mark.parametrize("table", [RUSSIAN, SERBIAN, HUNGARIAN, CZECH, TURKISH])
def test_headings_of_every_language_in_a_file(table):
    """The same event under headings and colours of five languages, as a file and pasted."""
    first, second = read_bytes(table.encode(), "open.csv").entrants
    assert (first.player.rating, second.player.rating, first.points) == (2000, 1900, Decimal("1.5"))
    assert [(one.opponent, one.colour, one.score) for one in first.rounds] == [(2, "white", WIN), (2, "black", DRAW)]
    assert [(one.opponent, one.colour, one.score) for one in second.rounds] == [(1, "black", LOSS), (1, "white", DRAW)]
    games = read_paste(table, player=second.player.name).games
    assert [(one.opponent, one.result, one.colour) for one in games] == [
        (2000, "loss", "black"),
        (2000, "draw", "white"),
    ]


def test_ranking_is_a_rating_where_its_cells_are():
    """In Polish tables `Ranking` is the rating: the cells say so, in a file and pasted."""
    assert [one.player.rating for one in read_bytes(POLISH.encode(), "open.csv").entrants] == [2101, 1950]
    assert [one.opponent for one in read_paste(POLISH, player="Nowak").games] == [2101]


def test_ranking_is_a_rank_where_its_cells_count():
    """Where the cells are 1, 2, 3 it is the rank."""
    table = POLISH.replace("2101", "1").replace("1950", "2")
    assert [(one.rank, one.player.rating) for one in read_bytes(table.encode(), "open.csv").entrants] == [
        (1, None), (2, None),
    ]  # fmt: skip


def test_a_word_of_two_meanings_is_asked_about():
    """Where the cells are neither, the refusal names the column, both meanings, and how to say which."""
    table = POLISH.replace("2101", "II").replace("1950", "IV")
    with pytest.raises(arpad.BadFile) as refused:
        read_bytes(table.encode(), "open.csv")
    assert refused.value.at == "open.csv, line 1"
    for words in ("'Ranking'", "the rank or the rating", "rank=Ranking or rating=Ranking"):
        assert words in refused.value.message
    named = read_bytes(table.encode(), "open.csv", {"rank": "Ranking"})
    assert [one.player.name for one in named.entrants] == ["Kowalski, Jan", "Nowak, Ewa"]
    with pytest.raises(BadInput, match="the rank or the rating"):
        read_paste(table, player="Nowak")


SCORE_OF_GAMES = """Round;White;Rtg;Black;Rtg;Score
1;Abel Ana;2000;Bohm Ben;1900;1-0
2;Bohm Ben;1900;Abel Ana;2000;½-½
"""
SCORE_OF_PLAYERS = """No;Name;Rtg;R1;R2;Score
1;Abel Ana;2000;2w1;2b½;1.5
2;Bohm Ben;1900;1b0;1w½;0.5
"""


def test_score_is_a_result_or_the_points():
    """`Score` is the result in a list of games, and the points beside rounds."""
    games, players = (read_bytes(table.encode(), "club.csv") for table in (SCORE_OF_GAMES, SCORE_OF_PLAYERS))
    assert [one.points for one in players.entrants] == [Decimal("1.5"), Decimal("0.5")]
    assert [one.rounds for one in games.entrants] == [one.rounds for one in players.entrants]


STANDING = """Rang;Name;Elo;Land;Punkte
1;Abel Ana;2000;GER;1
2;Bohm Ben;1900;GER;0
"""


def test_points_or_result_in_a_table_of_one_number():
    """Beside a rank `Punkte` are points; in a card without a result they may be it, which is asked about."""
    assert read_paste(STANDING).layout == "standing"
    card = STANDING.replace("Rang", "Runde")
    with pytest.raises(BadInput, match="'Punkte' may be the points or the result"):
        read_paste(card)


@pytest.mark.parametrize(("headings", "points"), [
    ("Rodada;Adversário;Rating;Pontos", "1 ½ 0"), ("Ronde;Adversaire;Elo;Score", "1 1 0"),
    ("Ronda;Oponente;Elo;Puntos", "½ 1 ½"), ("Runde;Gegner;Elo;Punkte", "1 0 1"),
    ("Ronde;Adversaire;Elo;Score", "gain nulle perte"),
])  # fmt: skip
def test_what_goes_down_is_no_total(headings, points):
    """In a card of three games or more, figures of at most 1 that go down again are results, under whatever heading."""
    names = ("Bohm Ben", "Dahl Dan", "Eder Eva")
    rows = [f"{no};{name};1900;{cell}" for no, (name, cell) in enumerate(zip(names, points.split(), strict=True), 1)]
    results = {"1": "win", "½": "draw", "0": "loss", "gain": "win", "nulle": "draw", "perte": "loss"}
    games = read_paste("\n".join([headings, *rows])).games
    assert [game.result for game in games] == [results[cell] for cell in points.split()]


@pytest.mark.parametrize(("headings", "points"), [
    ("Rodada;Adversário;Rating;Pontos", "1 1 1"), ("Ronde;Adversaire;Elo;Score", "0 ½ 1"),
    ("Ronda;Oponente;Elo;Puntos", "1 0"),
])  # fmt: skip
def test_what_only_goes_up_may_be_a_total(headings, points):
    """The same card is asked about where its figures may be a total, or where there are only two."""
    rows = [f"{no};Bohm Ben {no};1900;{cell}" for no, cell in enumerate(points.split(), 1)]
    with pytest.raises(BadInput, match="may be the points or the result"):
        read_paste("\n".join([headings, *rows]))


def test_ordinals_head_rounds():
    """`1.ª` and `2.ª` are rounds in Portuguese."""
    table = "Nº;Nome;Rtg;1.ª;2.ª;Pontos\n1;Abel Ana;2000;2B1;2P½;1,5\n2;Bohm Ben;1900;1P0;1B½;0,5\n"
    assert results(table) == [(2, "played", WIN), (2, "played", DRAW)]


APART = """No,Name,Rtg,R1,R2
1,Abel Ana,2000,2 1,2 ½
2,Bohm Ben,1900,1 0,1 ½
"""
RESULT_FIRST = """No,Name,Rtg,R1,R2
1,Abel Ana,2000,1w2,½b3
2,Bohm Ben,1900,0b1,
3,Cole Cid,1800,,½w1
"""
FRENCH = """Pl;Nom;Elo;R1;R2
1;ABEL Ana;2000;> 2B;+ 2N
2;BOHM Ben;1900;< 1N;- 1B
"""
TWO_POINTS = """Round;White;Rtg;Black;Rtg;Result
1;Abel Ana;2000;Bohm Ben;1900;2:0
2;Bohm Ben;1900;Abel Ana;2000;1:1
"""


def results(table, no=1):
    """Opponent, kind and score of each game of a player."""
    rounds = read_bytes(table.encode(), "club.csv").entrant(no).rounds
    return [(one.opponent, one.kind, one.score) for one in rounds if one.opponent]


def test_a_cell_has_one_answer():
    """`2 1` is a win against number 2 if number 2's line says so; `1w2`, `>2` and `2:0` are read by their table."""
    assert results(APART) == [(2, "played", WIN), (2, "played", DRAW)]
    assert results(RESULT_FIRST) == [(2, "played", WIN), (3, "played", DRAW)]
    assert results(FRENCH) == [(2, "forfeit", WIN), (2, "played", WIN)]
    assert results(TWO_POINTS) == [(2, "played", WIN), (2, "played", DRAW)]


def test_a_cell_that_nothing_proves_has_none():
    """Without the opponent's line `2 1` is left out, with its line and column; it is not a pairing with number 21."""
    tournament = read_bytes(APART.replace("1 0,1 ½", "3 0,3 ½").encode(), "club.csv")
    assert [one.rounds for one in tournament.entrants] == [(), ()]
    assert [(one.line, one.column, one.lost) for one in said(tournament, "does not confirm it")] == [
        (2, 4, True), (2, 5, True), (3, 4, True), (3, 5, True),
    ]  # fmt: skip


ROUND_ROBIN_PAGE = """Round 1 on 2026/10/11 at 14:30
Bo.\tNo.\tRtg\t\tName\tResult\tName\t\tRtg\tNo.
1\t1\t2000\t\tAbel, Ana\t1 - 0\tBohm, Ben\tFM\t2210\t2
Round 2 on 2026/10/12 at 14:30
Bo.\tNo.\tRtg\t\tName\tResult\tName\t\tRtg\tNo.
1\t2\t2210\tFM\tBohm, Ben\t½ - ½\tAbel, Ana\t\t2000\t1
"""


def test_a_white_opponents_rating_before_the_name():
    """A round robin's page has White's rating left of the name, and Black's right of it."""
    games = read_paste(ROUND_ROBIN_PAGE, player="Bohm").games
    assert [(one.round, one.opponent, one.colour, one.result) for one in games] == [
        (1, 2000, "black", "loss"), (2, 2000, "white", "draw"),
    ]  # fmt: skip
    first, second = read_bytes(ROUND_ROBIN_PAGE.encode(), "page.txt").entrants
    assert (first.player.rating, second.player.rating, second.player.title) == (2000, 2210, "FM")


FURNITURE = """Rk.;SNo;;Name;FED;Rtg;1.Rd;Pts.
1;2;GM;Abel, Ana;ENG;2000;1w1;1
2;1;;Bohm, Ben;ENG;1900;2b0;0
Rk.;SNo;;Name;FED;Rtg;1.Rd;Pts.
3;3;;Cole, Cid;ENG;1800;-1;1
Annotation:;;;;;;;
Tie Break1: Direct Encounter
You find all details to this tournament under https://chess-results.com/tnr1.aspx
Total;;;;;1900;;2
;;;Sponsored by the bank;;;;
Withdrawn: Dorn, Dan;;;;;;;
;;;Brewery Old Oak;;;;
"""


def test_a_line_is_a_player_only_if_it_has_what_players_have():
    """Footers, totals, repeated headings and sponsors are named with their lines, and are no players."""
    tournament = read_bytes(FURNITURE.encode(), "open.csv")
    assert [one.player.name for one in tournament.entrants] == ["Bohm, Ben", "Abel, Ana", "Cole, Cid"]
    assert [(one.line, one.lost) for one in said(tournament, "Left out")] == [
        (4, False), (6, False), (7, False), (8, False), (9, False), (10, False), (11, False), (12, True),
    ]  # fmt: skip
    kinds = [str(one.says).split(": ")[1] for one in said(tournament, "Left out")]
    added = "a line that was added to the table, not a player"
    assert kinds == [
        "a heading", added, added, added, "a total, not a game", added,
        "about somebody who stopped playing, not a player's row", "a line without a player's number, rating or games",
    ]  # fmt: skip


def test_a_name_is_looked_for_in_every_table_of_a_text():
    """The player need not be in the first table; a name that nobody has is refused with the names that are there."""
    standing = "Rk.\tSNo\tName\tRtg\tPts.\n1\t9\tZorn, Zoe\t2300\t3\n\n"
    text = f"{ROUND_ROBIN_PAGE}\n{standing}"
    assert len(read_paste(text, player="Bohm, Ben").games) == 2
    with pytest.raises(BadInput, match=r"'Xu' is not in the text. Give one of these names: Abel, Ana; Bohm, Ben"):
        read_paste(text, player="Xu")
    with pytest.raises(BadInput, match=r"'Zorn' is in line 9, which is not a player's row.*Abel, Ana; Bohm, Ben"):
        read_paste(text, player="Zorn")


def test_births_follow_the_order_that_one_of_them_settles():
    """25/09/1985 begins with the day, so 03/04/1990 does too; alone it gives the year, and the day is asked for."""
    table = "No,Name,Rtg,Born,R1\n1,Abel Ana,2000,03/04/1990,2w1\n2,Bohm Ben,1900,{},1b0\n"
    settled = read_bytes(table.format("25/09/1985").encode(), "club.csv")
    assert str(settled.entrant(1).born) == "1990-04-03"
    alone = read_bytes(table.format("1985").encode(), "club.csv")
    assert (alone.entrant(1).born, alone.entrant(1).player.birth_year) == (None, 1990)
    assert [(one.line, one.column) for one in said(alone, "1990-03-04 or 1990-04-03")] == [(2, 4)]


CARD = "Rd.;Name;Rtg;Res.\n1;Abel Ana;2000;1\n2;Bohm Ben;1900;½\n"


def test_a_card_is_no_tournament():
    """One player's card is refused as a file, with the question that reads it."""
    with pytest.raises(arpad.BadFile, match="one player's card"):
        read_bytes(CARD.encode(), "card.csv")
    assert [(one.opponent, one.result) for one in read_paste(CARD).games] == [(2000, "win"), (1900, "draw")]


def games_of(table):
    """The games of a pasted card: opponent, result, colour, name."""
    return [(game.opponent, game.result, game.colour, game.name) for game in read_paste(table).games]


def test_letters_are_results_beside_a_column_of_colours():
    """W, L and D under `Result` are how the games ended where another column has the colours."""
    table = "Rd,Opp,Rating,Colour,Result\n1,Smith,1850,W,W\n2,Jones,1900,B,L\n3,Brown,2000,W,D\n"
    assert games_of(table) == [
        (1850, "win", "white", "Smith"), (1900, "loss", "black", "Jones"), (2000, "draw", "white", "Brown"),
    ]  # fmt: skip


def test_an_unknown_letter_is_no_result():
    """A letter that is neither a colour nor a result is left out with a reason, not a game to come."""
    paste = read_paste("Rd;Gegner;Elo;Farbe;Ergebnis\n1;Meier;1850;W;G\n2;Huber;1900;S;1\n")
    assert [game.opponent for game in paste.games] == [1900]
    assert [line.text for line in paste.left_out if line.doubtful] == ["1;Meier;1850;W;G"]


@pytest.mark.parametrize("line", ["Average;;1875;1/2", ";Average;1875;½", "Total;2 games;3750;1"])
def test_a_total_with_a_rating_is_no_game(line):
    """A line that adds up is listed as such, whatever figures it has."""
    paste = read_paste(f"Rd;Name;Elo;Result\n1;Meier;1850;1\n2;Schulz;1900;0\n{line}\n")
    assert [game.opponent for game in paste.games] == [1850, 1900]
    assert [str(left.why) for left in paste.left_out if left.text == line] == ["a total, not a game"]


def test_a_rating_in_brackets_behind_the_name():
    """Without a column of ratings the number in brackets is the rating."""
    table = "Round;White;Black;Result\n1;Me;Smith (1850);1-0\n2;Jones (1900);Me;1-0\n"
    assert games_of(table) == [(1850, "win", "white", "Smith"), (1900, "loss", "black", "Jones")]
    assert games_of("Rd;Opponent;Result\n1;Smith (1850);1\n") == [(1850, "win", None, "Smith")]
    cross = """No;Name;R1;R2
1;Smith (1850);2w1;2b½
2;Jones (1900);1b0;1w½
"""
    assert [(one.player.name, one.player.rating) for one in read_bytes(cross.encode(), "cross.csv").entrants] == [
        ("Smith", 1850), ("Jones", 1900),
    ]  # fmt: skip
    games = read_paste(cross, player="Smith").games
    found = [(game.opponent, game.result, game.name) for game in games]
    assert found == [(1900, "win", "Jones"), (1900, "draw", "Jones")]


def test_elo_and_dwz_are_two_ratings():
    """Beside Elo, DWZ is the national rating; alone it is the rating."""
    game, _ = read_paste("Rd;Name;Elo;DWZ;Result\n1;Meier;1850;1790;1\n2;Schulz;1900;1888;0\n").games
    assert (game.opponent, game.national_rating) == (1850, 1790)
    assert [game.opponent for game in read_paste("Rd;Name;DWZ;Result\n1;Meier;1790;1\n").games] == [1790]


def test_a_table_of_two_columns():
    """Ratings and results are enough of a table if both headings say so."""
    assert games_of("Result;Rating\n1;1850\n0;1900\n") == [(1850, "win", None, None), (1900, "loss", None, None)]
    assert games_of("1\t1850\n0\t1900\n") == []


def test_a_column_that_looks_like_ratings_is_asked_about():
    """A heading that is not understood over ratings: refused at every door, not `0 rated`."""
    text = "No;Name;Zwibel;1.Rd\n1;Smith, Al;2105;2w1\n2;Jones, Bo;1998;1b0\n"
    with pytest.raises(ArpadError, match=r"Zwibel.*look like the rating"):
        read_bytes(text.encode(), "open.csv")
    with pytest.raises(ArpadError, match=r"Zwibel.*look like the rating"):
        read_paste(text, player="Smith")
    named = read_bytes(text.encode(), "open.csv", columns={"rating": "Zwibel"})
    assert [entrant.player.rating for entrant in named.entrants] == [2105, 1998]
    years = text.replace("2105", "1985").replace("1998", "2004")
    with pytest.raises(ArpadError, match="look like the rating or the year of birth"):
        read_bytes(years.encode(), "open.csv")


def test_a_game_of_pgn_that_was_not_played():
    """`Termination` says that a game was a forfeit, and `BYE` is nobody: pasted as in a file.

    `Time forfeit` is a loss on time (PGN standard, 9.8.1), and Lichess writes it below every such game.
    """
    tags = '[Round "{round}"]\n[White "Me, A"]\n[Black "{black}"]\n[Result "1-0"]\n[BlackElo "1900"]\n{more}\n1-0\n\n'
    text = tags.format(round=1, black="Foe, B", more='[Termination "Forfeit"]\n')
    text += tags.format(round=2, black="Dee, D", more='[Termination "Time forfeit"]\n') + tags.format(
        round=3, black="BYE", more=""
    )
    assert [game.result for game in read_paste(text, player="Me").games] == ["forfeit-win", "win", "bye"]
    played = {one.player.name: one.rounds for one in read_bytes(text.encode(), "open.pgn").entrants}["Me, A"]
    assert [round_.kind for round_ in played] == ["forfeit", "played"]


def test_the_players_own_row_above_a_card():
    """A table of one row above a card is about the player; a standing alone has no games, and says so."""
    own = "Pl\tNom\tElo\tCat\tFede\tPts\n1\tDUPONT Jean\t1900 F\tSenM\tFRA\t2\n"
    card = "Rd\tCoul\tAdversaire\tElo\tRes\n1\tB\tMARTIN Luc\t1750 N\t1\n2\tN\tPETIT Anne\t1820 F\t0\n"
    both = read_paste(own + card)
    assert [(game.result, game.opponent) for game in both.games] == [("win", 1750), ("loss", 1820)]
    assert (both.about.international.value, both.about.federation.value) == (1900, "FRA")
    assert not both.notes
    assert [note.key for note in read_paste(own).notes] == ["reading.note.standing"]
