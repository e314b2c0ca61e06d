"""Files of other programs made by the tests: Papi's Access tables, events of Sharly Chess, US Chess's tables and JSON.

The Access tables follow the description of Jet 4 by the mdbtools project (HACKING.md).
"""

import json
import sqlite3
import struct
from datetime import date
from io import BytesIO
from zipfile import ZipFile

PAGE = 4096
INT, LONG, BYTE, MOMENT, TEXT = 3, 4, 2, 8, 10
SIZES = {BYTE: 1, INT: 2, LONG: 4, MOMENT: 8}
FORMS = {BYTE: "<B", INT: "<h", LONG: "<i", MOMENT: "<d"}


def access_file(tables, *, big_map=False, version=1):
    """An Access database; a table is its columns, {name: type}, and its rows as dictionaries."""
    pages = [b"\x00\x01\x00\x00Standard Jet DB\x00" + bytes([version]), b"", b""]
    catalogue = []
    for name, (columns, rows) in tables.items():
        catalogue.append({"Id": _add_table(pages, columns, rows, big_map=big_map), "Name": name, "Type": 1})
    _add_table(pages, {"Id": LONG, "Name": TEXT, "Type": INT}, catalogue, number=2)
    return b"".join(page.ljust(PAGE, b"\x00") for page in pages)


def _add_table(pages, columns, rows, *, number=None, big_map=False):
    number = _new(pages) if number is None else number
    used = []
    records = [_record(columns, row) for row in rows]
    while records:
        taken, room = [], PAGE - 14
        while records and room >= len(records[0]) + 2:
            room -= len(records[0]) + 2
            taken.append(records.pop(0))
        used.append(_new(pages, _rows_page(number, taken)))
    bits = sum(1 << page for page in used).to_bytes(64, "little")
    if big_map:
        usage = b"\x01" + struct.pack("<I", _new(pages, b"\x05\x01\x00\x00" + bits)) + bytes(64)
    else:
        usage = b"\x00" + bytes(4) + bits
    where = _new(pages, _rows_page(0, [usage]))
    definition = _definition(columns, len(rows), where)
    following = 0
    for start in reversed(range(PAGE, len(definition), PAGE - 8)):  # the last page first
        following = _new(
            pages, b"\x02\x01\x00\x00" + struct.pack("<I", following) + definition[start : start + PAGE - 8]
        )
    pages[number] = definition[:4] + struct.pack("<I", following) + definition[8:PAGE]
    return number


def _new(pages, page=b""):
    pages.append(page)
    return len(pages) - 1


def _rows_page(owner, records):
    places, at = [], PAGE
    for record in records:
        at -= len(record)
        places.append(at)
    head = struct.pack(f"<BBHIIH{len(places)}H", 1, 1, 0, owner, 0, len(places), *places)
    return head.ljust(at, b"\x00") + b"".join(reversed(records))


def _definition(columns, rows, where):
    variable = sum(kind == TEXT for kind in columns.values())
    head = struct.pack("<BBHIIII", 2, 1, 0, 0, 0, 0, rows).ljust(40, b"\x00") + b"N"
    head += (
        struct.pack("<HHHII", len(columns), variable, len(columns), 0, 0)
        + b"\x00"
        + where.to_bytes(3, "little")
        + bytes(4)
    )
    layouts, fixed, text = b"", 0, 0
    for number, kind in enumerate(columns.values()):
        flags, offset, size = (0, 0, 100) if kind == TEXT else (1, fixed, SIZES[kind])
        layouts += struct.pack("<B4xHHH4xBB4xHH", kind, number, text, number, flags, 0, offset, size)
        fixed, text = fixed + SIZES.get(kind, 0), text + (kind == TEXT)
    names = b"".join(struct.pack("<H", 2 * len(name)) + name.encode("utf-16-le") for name in columns)
    return head + layouts + names


def _record(columns, row):
    values = [row.get(name) for name in columns]
    fixed, texts = b"", b""
    begins = []
    for kind, value in zip(columns.values(), values, strict=True):
        if kind != TEXT:
            fixed += struct.pack(FORMS[kind], value or 0)
    for kind, value in zip(columns.values(), values, strict=True):
        if kind == TEXT:
            begins.append(2 + len(fixed) + len(texts))
            texts += _text(value or "")
    end = 2 + len(fixed) + len(texts)
    mask = sum(1 << number for number, value in enumerate(values) if value is not None)
    tail = struct.pack(f"<{len(begins) + 2}H", end, *reversed(begins), len(begins))
    return struct.pack("<H", len(columns)) + fixed + texts + tail + mask.to_bytes((len(columns) + 7) // 8, "little")


def _text(text):
    """Single bytes after a mark, as Access stores what it can, or else UTF-16."""
    try:
        return b"\xff\xfe" + text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-16-le")


PLAYER_COLUMNS = {
    "Ref": LONG, "Nom": TEXT, "Prenom": TEXT, "Sexe": TEXT, "NeLe": MOMENT, "Elo": INT, "Rapide": INT, "Blitz": INT,
    "Federation": TEXT, "Fide": TEXT, "RapideFide": TEXT, "BlitzFide": TEXT, "FideCode": TEXT, "FideTitre": TEXT,
    "Adresse": TEXT, "EMail": TEXT,
}  # fmt: skip
ROUND_COLUMNS = {
    f"Rd{number:02}{part}": kind
    for number in range(1, 25)
    for part, kind in (("Cl", TEXT), ("Adv", INT), ("Res", BYTE))
}
FACTS = {
    "Nom": "Tournoi inventé", "Lieu": "Brest", "DateDebut": "03/04/2026", "DateFin": "05/04/2026", "Genre": "Suisse",
    "Cadence": "90 min + 30 s", "ClassElo": "Elo", "Arbitre": "DUPONT Anne", "NbrRondes": "3", "DecomptePoints": "NON",
    "PasswordFTP": "geheim",
}  # fmt: skip
# Three players and the one who is nobody: a game, a bye of the pairing, an absence, a half-point bye, a forfeit.
PLAYERS = (
    {"Ref": 1, "Nom": "EXEMPT"},
    {
        "Ref": 2, "Nom": "MARTIN", "Prenom": "Zoé", "Sexe": "F", "NeLe": date(2010, 5, 6), "Federation": "FRA",
        "Elo": 1812, "Rapide": 1700, "Blitz": 1650, "Fide": "F", "RapideFide": "F", "BlitzFide": "N",
        "FideCode": "12345678  ", "FideTitre": "ff", "Adresse": "1 rue de l'Échiquier", "EMail": "nobody",
        "rounds": (("B", 3, 3), ("N", 5, 2), ("B", 3, 0)),
    },
    {
        "Ref": 3, "Nom": "ŁUCZAK", "Prenom": "Jan", "Sexe": "M", "Federation": "POL",
        "Elo": 1600, "Rapide": 1500, "Blitz": 1500, "Fide": "N", "RapideFide": "E", "BlitzFide": "E",
        "rounds": (("N", 2, 1), ("B", 1, 6), ("N", 2, 0)),
    },
    {
        "Ref": 5, "Nom": "BERG", "Sexe": "M", "Federation": "NOR",
        "Elo": 2001, "Rapide": 1990, "Blitz": 1980, "Fide": "F", "RapideFide": "F", "BlitzFide": "F",
        "rounds": (("F", None, 2), ("B", 2, 2), ("R", None, 0)),
    },
)  # fmt: skip


def papi_file(*, facts=(), players=PLAYERS, **made):
    """A Papi file with an invented tournament, which facts and players may replace."""
    info = [{"Variable": name, "Value": value} for name, value in {**FACTS, **dict(facts)}.items()]
    rows = []
    for player in players:
        row = dict(player)
        for number, (colour, opponent, result) in enumerate(row.pop("rounds", ()), start=1):
            row |= {f"Rd{number:02}Cl": colour, f"Rd{number:02}Adv": opponent, f"Rd{number:02}Res": result}
        if "NeLe" in row:
            row["NeLe"] = (row["NeLe"] - date(1899, 12, 30)).days
        rows.append(row)
    tables = {"INFO": ({"Variable": TEXT, "Value": TEXT}, info), "JOUEUR": (PLAYER_COLUMNS | ROUND_COLUMNS, rows)}
    return access_file(tables, **made)


SHARLY = """
CREATE TABLE metadata (version TEXT, migration TEXT);
CREATE TABLE info (name TEXT, federation TEXT, location TEXT, update_password TEXT);
CREATE TABLE tournament (id INTEGER PRIMARY KEY, name TEXT, location TEXT, start_date TEXT, stop_date TEXT, rounds INTEGER,
  rating INTEGER, pairing TEXT, time_control_trf25 TEXT, pab_value INTEGER, three_points_for_a_win INTEGER, round_datetimes TEXT,
  plugin_data TEXT);
CREATE TABLE player (id INTEGER PRIMARY KEY, last_name TEXT, first_name TEXT, date_of_birth TEXT, year_of_birth INTEGER,
  gender TEXT, title TEXT, ratings TEXT, fide_id INTEGER, federation TEXT, mail TEXT, phone TEXT);
CREATE TABLE tournament_player (tournament_id INTEGER, player_id INTEGER, pairing_number INTEGER);
CREATE TABLE board (id INTEGER PRIMARY KEY, white_player_id INTEGER, black_player_id INTEGER);
CREATE TABLE pairing (tournament_id INTEGER, player_id INTEGER, round INTEGER, result INTEGER, board_id INTEGER);
INSERT INTO metadata VALUES ('4.0.5', 'm081');
INSERT INTO info VALUES ('Festival', 'FRA', 'Lorient', 'geheim');
INSERT INTO tournament VALUES (7, 'Open A', NULL, '2026-04-03', '2026-04-05', 3, 1, 'SWISS_STANDARD', '5400+30', 2, 0,
  '{"1": "2026-04-03 14:00", "2": null}', '{}');
INSERT INTO tournament VALUES (9, 'Rapide', 'Vannes', '2026-04-06', '2026-04-06', 1, 2, 'ROUND_ROBIN_BERGER', '900+5', 3, 1, NULL, '{}');
INSERT INTO player VALUES (1, 'MARTIN', 'Zoé', '2010-05-06', NULL, 'F', 'WFM', '{"1": {"fide": 1812}, "2": {"national": 1700}}', 12345678, 'FRA', 'x', 'y');
INSERT INTO player VALUES (2, 'BERG', NULL, NULL, 1988, 'M', '', '{"1": {"fide": 2001}, "2": {"fide": 1990}}', NULL, 'NOR', 'x', 'y');
INSERT INTO player VALUES (3, 'ŁUCZAK', 'Jan', NULL, NULL, '', '', '{"1": {"estimated": 1600, "fide": null}}', NULL, 'POL', 'x', 'y');
INSERT INTO tournament_player VALUES (7, 1, 2), (7, 2, 1), (7, 3, 3), (9, 1, 1), (9, 2, 2);
INSERT INTO board VALUES (1, 1, 2), (2, 3, NULL), (3, 2, 3), (4, 2, 1);
INSERT INTO pairing VALUES (7, 1, 1, 3, 1), (7, 2, 1, 1, 1), (7, 3, 1, 9, 2), (7, 1, 2, 8, NULL), (7, 2, 2, 4, 3), (7, 3, 2, 6, 3),
  (7, 1, 3, 0, NULL), (7, 2, 3, 7, NULL), (9, 1, 1, 12, 4), (9, 2, 1, 12, 4);
"""  # noqa: E501  # rows as they are


def sharly_file(changes=""):
    """An event of Sharly Chess with two invented tournaments, after some statements of SQL."""
    database = sqlite3.connect(":memory:")
    try:
        database.executescript(SHARLY + changes)
        return database.serialize()
    finally:
        database.close()


def dbase(columns, rows):
    """A dBase III table of texts; columns are {name: width}."""
    size = 1 + sum(columns.values())
    head = struct.pack("<BBBBIHH20x", 3, 126, 4, 5, len(rows), 33 + 32 * len(columns), size)
    fields = b"".join(struct.pack("<11sc4xB15x", name.encode(), b"C", width) for name, width in columns.items())
    records = (
        b" " + b"".join(str(row.get(name, "")).encode("cp1252")[:width].ljust(width) for name, width in columns.items())
        for row in rows
    )
    return head + fields + b"\r" + b"".join(records) + b"\x1a"


# The tables of a US Chess rating report: the columns, then the rows, with bars between the cells.
REPORT = {
    "THEXPORT.DBF": """
        H_FORMAT|H_EVENT_ID|H_NAME|H_CITY|H_STATE|H_BEG_DATE|H_END_DATE
        2C|1|Harbor Open|Salem|MA|20260403|20260405""",
    "TSEXPORT.DBF": """
        S_EVENT_ID|S_SEC_NUM|S_SEC_NAME|S_R_SYSTEM|S_TIMECTL|S_TRN_TYPE|S_TOT_RNDS|S_BEG_DATE
        1| 1|Open|R|G/90;+30|S|3|20260404
        1| 2|Reserve|Q|G/15;+5|R|1|""",
    "TDEXPORT.DBF": """
        D_EVENT_ID|D_SEC_NUM|D_PAIR_NUM|D_MEM_ID|D_NAME|D_RATING|D_RND01|D_RND02|D_RND03
        1| 1|1|30000001|BERG, OLA|2001|W   2W|X   3B|H   0
        1| 1|2|30000002|PEÑA, ANA|1812|L   1B|B   0|D   3W
        1| 1|3|30000003|COLE, JO||U   0|F   1W|D   2B
        1| 2|1|30000004|IRWIN, LEE|900|W   2B||
        1| 2|2|30000005|DIAZ, EVA|800|L   1W||""",
}


def report_tables(only=None):
    """The three tables of a report by their names; `only` the rows of one section."""
    found = {}
    for name, text in REPORT.items():
        head, *rows = (line.strip().split("|") for line in text.strip().splitlines())
        rows = [row for row in rows if only is None or row[1].strip() == only]
        found[name] = dbase(dict.fromkeys(head, 20), [dict(zip(head, row, strict=True)) for row in rows])
    return found


def zipped(files):
    """Files in a ZIP file."""
    data = BytesIO()
    with ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def outcome(number, result, opponent=0, color="Unknown"):
    """A round as the ratings API of US Chess gives it."""
    return {"roundNumber": number, "outcome": result, "color": color, "opponentPairingNumber": opponent}


def standing(no, last, rating, score, *outcomes):
    """A player in the standings of the API."""
    return {
        "ordinal": no, "pairingNumber": no, "memberId": f"3000000{no}", "firstName": "Jo", "lastName": last,
        "score": score, "fideId": None, "fideCountry": "USA", "roundOutcomes": list(outcomes),
        "ratings": [{"preRating": rating, "postRating": 1500, "ratingSystem": "R"}],
    }  # fmt: skip


GAMES = {  # the same games as in the report
    1: (outcome(1, "Win", 2, "White"), outcome(2, "WinForfeit", 3, "Black"), outcome(3, "ByeHalf")),
    2: (outcome(1, "Loss", 1, "Black"), outcome(2, "ByeFull"), outcome(3, "Draw", 3, "White")),
    3: (outcome(1, "Unpaired"), outcome(2, "Forfeit", 1, "White"), outcome(3, "Draw", 2, "Black")),
}
STANDINGS = {
    "items": [
        standing(1, "Berg", 2001, 2.5, *GAMES[1]),
        standing(2, "Peña", 1812, 1.5, *GAMES[2]),
        standing(3, "Cole", None, 0.5, *GAMES[3]),
    ],
    "offset": 0, "pageSize": 100, "hasPreviousPage": False, "hasNextPage": False,
}  # fmt: skip
SECTION = {
    "id": "s", "name": "Open", "number": 1, "playerCount": 3, "gameCount": 2, "roundCount": 3, "format": "Swiss",
    "startDate": "2026-04-04", "endDate": "2026-04-05", "timeControl": "G/90;+30", "ratingSystem": "R",
}  # fmt: skip


def api_file(*answers):
    """Answers of the API in one file."""
    return json.dumps(list(answers) if len(answers) > 1 else answers[0]).encode()


def report_players():
    """The table of a report with the players and results of its first section."""
    return report_tables(only="1")["TDEXPORT.DBF"]


def report_archive():
    """A report in a ZIP file."""
    return zipped(report_tables())


def standings_file():
    """A section and its standings from the API."""
    return api_file(SECTION, STANDINGS)


def sharly_open():
    """The event with one tournament only."""
    return sharly_file("DELETE FROM tournament WHERE id = 9;")


CHESS_RESULTS = """<?xml version="1.0"?>
<chessresults><tournamentdata><tournament key="1" type="0" name="Stadtmeisterschaft" rounds="3" federation="GER"
 from="20260403" to="05.04.2026" location="Halle" timecontrol="90 min + 30 s" chiefarbiter="Anna Kern"/>
</tournamentdata>
<rounds><round round="1" date="20260403"/><round round="2" date=""/></rounds>
<players>
<player no="1" lastname="Berg,Ola" title="" rtgfide="2001" rtgnat="1980" dob="1988" sex="M" fed="NOR" fideid="1"
 pts="2,5" rank="1"/>
<player no="2" lastname="Martin" firstname="Zoé" title="WFM" rtgfide="1812" dob="20100506" sex="w" fed="FRA" fideid="2"
 pts="1,0" rank="2"/>
<player no="3" lastname="Łuczak,Jan" rtgfide="0" rtgnat="1600" dob="0" sex="" fed="POL" pts="1,0" rank="3"/>
</players>
<playerpairings>
<playerpairing round="1" whiteno="1" blackno="2" reswhite="1.0" resblack="0.0" forfeit=""/>
<playerpairing round="1" whiteno="3" blackno="-1" reswhite="1.0" resblack="0.0" forfeit="K"/>
<playerpairing round="2" whiteno="3" blackno="1" reswhite="0" resblack="1" forfeit="K"/>
<playerpairing round="2" whiteno="2" blackno="-2" reswhite="0,5" resblack="" forfeit=""/>
<playerpairing round="3" whiteno="2" blackno="1" reswhite="0,5" resblack="0,5" forfeit="U"/>
<playerpairing round="3" whiteno="3" blackno="-2" reswhite="" resblack="" forfeit=""/>
</playerpairings><security key="geheim"/></chessresults>
"""


def xml_file():
    """A tournament as programs upload it to chess-results.com."""
    return CHESS_RESULTS.encode()
