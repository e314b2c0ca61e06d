"""What a pasted text says about the player and the event: found by its labels in ten languages, never guessed."""

import pytest
from pastes import SAMPLES

from arpad.reading import read_paste

GAMES = "Rd.\tBo.\tSNo\t\tName\tRtg\tFED\tPts.\tRes.\n1\t2\t3\t\tOakhanger, Miles\t1702\tENG\t3\tw 1\n"
# Labels as chess-results.com writes them, with the player of sample 02.
CARDS = {
    "en": ("Name", "Rating national", "Rating international", "Federation", "Fide-ID", "Year of birth"),
    "de": ("Name", "Elo national", "Elo international", "Föderation", "Fide-ID", "Geburtsjahr"),
    "es": ("Nombre", "Elo nacional", "Elo internacional", "Federación", "Código FIDE", "Año de nacimiento"),
    "fr": ("Nom", "Elo national", "Elo international", "Fédération", "Code FIDE", "Année naissance"),
    "it": ("Nome", "Elo nazionale", "Elo internazionale", "Federazione", "Codice FIDE", "Anno di nascita"),
    "pt": ("Nome", "Rating nacional", "Rating internacional", "Federação", "ID FIDE", "Ano de nascimento"),
    "ru": ("Имя", "Рейтинг национальный", "Рейтинг международный", "Федерация", "код FIDE", "Год рождения"),
    "cs": ("Jméno", "Národní rating", "Mezinárodní rating", "Federace", "FIDE ID", "Rok narození"),
    "pl": ("Nazwisko", "Ranking krajowy", "Ranking FIDE", "Federacja", "FIDE ID", "Rok urodzenia"),
    "nl": ("Naam", "Nationale rating", "Internationale rating", "Federatie", "FIDE-ID", "Geboortejaar"),
}  # fmt: skip
VALUES = ("Harrowgate, Wren", "1901", "1873", "ENG", "4100018", "1998")
TOLD = {"name": "Harrowgate, Wren", "national": 1901, "international": 1873, "federation": "ENG", "fide_id": 4100018,
        "born": 1998}  # fmt: skip


def told_by(text, player=None):
    """What a text says, without the lines."""
    return {name: one.value for name, one in read_paste(text, player=player).about.stated.items()}


@pytest.mark.parametrize("language", CARDS)
@pytest.mark.parametrize("separator", ["\t", ": ", ":\t"])
def test_a_card_in_ten_languages(language, separator):
    """Each label is understood in each language, and its line is not left out."""
    card = "\n".join(f"{label}{separator}{value}" for label, value in zip(CARDS[language], VALUES, strict=True))
    paste = read_paste(f"{card}\n\n{GAMES}")
    assert {name: one.value for name, one in paste.about.stated.items()} == TOLD
    assert not any(line.line <= len(VALUES) for line in paste.left_out)
    assert [game.opponent for game in paste.games] == [1702]
    assert paste.player == "Harrowgate, Wren"


@pytest.mark.parametrize(("number", "told"), [
    ("02", {"name": "Harrowgate, Wren", "rating": 1873, "national": 1901, "international": 1873, "federation": "ENG",
            "born": 1998}),
    ("15", {"international": 1873, "k": 20, "system": "fide-standard"}),
    ("16", {"rating": 1384, "games": 12, "system": "uschess-regular"}),  # 1384P12: provisional, 12 games
    ("18", {"system": "lichess"}),
    ("19", {"system": "lichess"}),
    ("20", {"system": "chesscom"}),
    ("24", {"rating": 1799, "k": 40}),  # the ID is not said to be FIDE's
    ("01", {"k": 20}),
    ("04", {"k": 20}),
    ("06", {"rating": 2190}),
    ("08", {"rating": 2044, "federation": "ENG"}),
    ("10", {"rating": 1787}),
    ("12", {"rating": 1801}),
    ("21", {"international": 1806}),  # 1806 F: FIDE's; the federation may be FRA or BRE, which is a league
    ("22", {"national": 1760, "federation": "FRA", "event": "Open de Kerbihan 2026"}),  # 1760 N
    ("25", {"system": "dwz"}),
    ("31", {"rating": 1053}),
    ("03", {}),
    ("26", {}),
])  # fmt: skip
def test_what_the_samples_say(number, told):
    """The figures on the cards themselves; starting rank, points and performance are not the player's."""
    assert told_by(SAMPLES[number].text, SAMPLES[number].player) == told


def test_the_events_of_fides_calculations():
    """Sample 15 has two events with their days; a text with one has them as the event's."""
    paste = read_paste(SAMPLES["15"].text)
    assert [(event.name, str(event.on), str(event.ended)) for event in paste.events] == [
        ("Rivermouth Open 2026", "2026-03-01", "2026-03-06"),
        ('3rd "Golden Rook" Tournament "A" group 2026', "2026-03-09", "2026-03-12"),
    ]
    first = SAMPLES["15"].text.partition('3rd "Golden')[0]
    told = told_by(first)
    assert (told["event"], told["on"], told["ended"]) == ("Rivermouth Open 2026", "2026-03-01", "2026-03-06")


@pytest.mark.parametrize(("line", "told"), [
    ("Time control (Rapid)\t10 min + 5 sec", {"system": "fide-rapid", "time": "10 min + 5 sec"}),
    ("Control de tiempo (Standard)\t90 min. + 30 seg.", {"system": "fide-standard", "time": "90 min. + 30 seg."}),
    ("Bedenkzeit (Blitz)\t3 min + 2 sec", {"system": "fide-blitz", "time": "3 min + 2 sec"}),
    ("Date\t2026/03/01 to 2026/03/07", {"on": "2026-03-01", "ended": "2026-03-07"}),
    ("Fecha\t2026/10/03 al 2026/11/07", {"on": "2026-10-03", "ended": "2026-11-07"}),
    ("Datum\t01.03.2026 bis 07.03.2026", {"on": "2026-03-01", "ended": "2026-03-07"}),
    ("Datum: 1. März 2026 - 7. März 2026", {"on": "2026-03-01", "ended": "2026-03-07"}),
    ("Date\t2026/03/01", {"on": "2026-03-01"}),
    ("Tournament: Autumn Open 2026", {"event": "Autumn Open 2026"}),
    ("Year of birth 1998", {"born": 1998}),
    ("Date of birth: 12/05/2010", {"born": 2010}),  # the year is clear, whatever the day
    ("Ranking\t1650", {"rating": 1650}),  # Polish; too large for a rank
    ("Rating international\t0", {"international": "unrated"}),
    ("K= 40, Elo=1799, ID=0000034", {"rating": 1799, "k": 40}),
])  # fmt: skip
def test_what_a_line_says(line, told):
    """Labels as chess-results.com, Vega and people write them."""
    assert told_by(f"{line}\n{GAMES}") == told


@pytest.mark.parametrize(("line", "told"), [
    ("Spring Open, 4 April 2026", {"event": "Spring Open", "on": "2026-04-04"}),
    ("15.11.2026 Herbst-Open Kassel", {"event": "Herbst-Open Kassel", "on": "2026-11-15"}),
    ("Stadtmeisterschaft Bonn 4.–6. April 2026", {"event": "Stadtmeisterschaft Bonn", "on": "2026-04-04",
                                                  "ended": "2026-04-06"}),
    ("Torneo de Otoño (3 de octubre de 2026)", {"event": "Torneo de Otoño", "on": "2026-10-03"}),
    ("Championnat de Lyon, 7 mars 2026", {"event": "Championnat de Lyon", "on": "2026-03-07"}),
    ("Campionato Provinciale, 12 marzo 2026", {"event": "Campionato Provinciale", "on": "2026-03-12"}),
    ("Torneio do Porto 2026-05-02", {"event": "Torneio do Porto", "on": "2026-05-02"}),
    ("Wijktoernooi Utrecht, 9 mei 2026", {"event": "Wijktoernooi Utrecht", "on": "2026-05-09"}),
    ("Turniej Wiosenny, 4 kwietnia 2026", {"event": "Turniej Wiosenny", "on": "2026-04-04"}),
    ("Кубок Москвы, 15 ноября 2026", {"event": "Кубок Москвы", "on": "2026-11-15"}),
    ("Vårturneringen 18 april 2026", {"event": "Vårturneringen", "on": "2026-04-18"}),
    ("Herbst-Open Kassel 2026", {"event": "Herbst-Open Kassel 2026"}),
    ("Sunday, 15 November 2026", {"on": "2026-11-15"}),
])  # fmt: skip
@pytest.mark.parametrize("games", [GAMES, "1950:win", "beat 1950"])
def test_an_event_and_its_day_above_the_games(line, told, games):
    """Without a label, above a table, typed games or a message; the line is used, and so it is not left out."""
    assert told_by(f"{line}\n{games}") == told
    assert line not in [left.text for left in read_paste(f"{line}\n{games}").left_out]
    assert told_by(f"{games}\n{line}") == {}  # a day below the games is any day


@pytest.mark.parametrize("line", [
    "Spring Open 03/04/2026",  # either of two days
    "Next Spring Open 5 May 2027", "Meldeschluss Herbst-Open 15.11.2026", "Stand 12.03.2026",
    "Open Kassel, Runde 3, 15.11.2026",  # the day of a round
    "Aggiornato al 12 marzo 2026", "registration for the Spring Open, 5 May 2026",
    "Spring Open 1950",  # may be a rating
])  # fmt: skip
@pytest.mark.parametrize("games", [GAMES, "1950:win"])
def test_a_line_above_the_games_that_may_be_something_else(line, games):
    """Nothing is filled from it, and it is left out."""
    paste = read_paste(f"{line}\n{games}")
    assert paste.about.stated == {}
    assert [left.text for left in paste.left_out][:1] == [line]


@pytest.mark.parametrize("line", [
    "Date\t03/04/2026",  # either of two days
    "Time control\tas usual",
    "Federation\tEngland ( ENG )",  # of the event
    "Ranking\t17",
    "Starting rank\t135",
    "Performance rating\t1764",
    "Points\t4",
    "Ident-Number\t123456",
    "Fide-ID\t0",
    "K= 0, Elo=?, ID=0",
    "Year of birth\t0",
    "Rating\t18",
    "Tournament starts tomorrow",
])  # fmt: skip
def test_what_is_not_understood_stays_unknown(line):
    """The line is left out, and nothing is filled from it."""
    paste = read_paste(f"{line}\n{GAMES}")
    assert paste.about.stated == {}
    assert paste.left_out[0].text == line


def test_two_values_are_said_and_none_is_used():
    """A text with two ratings for the same label gives none."""
    paste = read_paste(f"Rating\t1873\nRating\t1901\nYear of birth\t1998\n{GAMES}")
    assert [*paste.about.stated] == ["born"]
    assert "1873" in str(paste.notes[0])
    assert "1901" in str(paste.notes[0])


def test_ratings_that_changed_from_game_to_game():
    """Sample 20: an archive has the player's rating at every game, so none is used, which is said."""
    paste = read_paste(SAMPLES["20"].text)
    assert paste.about.rating is None
    assert "1204, 1198, 1201" in str(paste.notes[-1])


def test_a_label_heads_no_table():
    """`FIDE rtg +/-` in sample 02 is a label, not the headings of a table without games."""
    paste = read_paste(SAMPLES["02"].text)
    assert not paste.notes
    assert [column.heading for column in paste.columns][:2] == ["Rd.", "Bo."]


def test_somebody_elses_card():
    """A card with another name than the player's says nothing about them."""
    card = f"Name\tHarrowgate, Wren\nRating\t1873\nDate\t2026/03/01\n{GAMES}"
    assert told_by(card, player="Wren Harrowgate")["rating"] == 1873
    assert told_by(card, player="Somebody Else") == {"on": "2026-03-01"}


PGN = """[Event "Club Championship"]
[Site "Oslo"]
[Date "2026.11.07"]
[White "Lindqvist, Ada"]
[Black "Smith, John"]
[Result "1-0"]
[WhiteElo "1750"]
[BlackElo "1950"]
[WhiteFideId "9900029"]
[TimeControl "5400+30"]

1. e4 e5 1-0

"""


def test_the_tags_of_a_pgn():
    """The player's rating and ID, the event, its days; a time control is in seconds (PGN standard, 9.6.1)."""
    told = {"rating": 1750, "fide_id": 9900029, "event": "Club Championship", "on": "2026-11-07", "time": "90+30"}
    assert told_by(PGN, "Lindqvist, Ada") == told
    assert told_by(PGN, "Smith, John")["rating"] == 1950
    later = PGN.replace("11.07", "11.08")
    assert told_by(PGN + later, "Lindqvist, Ada") == told | {"ended": "2026-11-08"}


def test_two_ratings_in_a_pgn_are_neither_taken():
    """Between two games a rating may have changed: it is said, and none is chosen."""
    paste = read_paste(PGN + PGN.replace("1750", "1760"), player="Lindqvist, Ada")
    assert "rating" not in paste.about.stated
    assert [note.key for note in paste.notes] == ["reading.note.two_values"]


def test_a_pgn_from_a_site_has_its_ratings():
    """The ratings of a game at Lichess are Lichess ratings."""
    assert told_by(PGN.replace("Oslo", "https://lichess.org/abcdefgh"), "Lindqvist, Ada")["system"] == "lichess"
