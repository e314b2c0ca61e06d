"""Files like those of Swiss-Manager, with made-up players: built from shared/reference/tunx.md, not from the reader."""

import struct

MARK = b"\xff\x89\x44"
VERSION = 20250319
BYE, AWAY = 0xFFFF, 0xFFFE
SECTIONS = {"rounds": 0xA3, "players": 0xA5, "pairings": 0xB3, "teams": 0xB5, "matches": 0xC3, "forbidden": 0xC5}

# Four players, each a dictionary of what differs from a nameless, unrated man.
FOUR = (
    {"surname": "Lindqvist", "given": "Aron", "title": "IM", "fed": "SWE", "rating": 2412, "id": 90000017,
     "born": 19880000},
    {"surname": "Brandauer", "given": "Lena", "title": "WIM", "fed": "AUT", "rating": 2247, "sex": 1, "born": 19990217},
    {"surname": "Castellani", "given": "Dario", "fed": "ITA", "rating": 2136, "national": 2150, "national_id": "4711"},
    {"surname": "Silva", "given": "Tomás", "title": "NM", "fed": "POR"},
)  # fmt: skip
TWO_ROUNDS = (((1, 3, 1), (4, 2, 2)), ((2, 1, 3), (3, BYE, 9), (4, AWAY, 3)))
SECRETS = ("someone@example.org", "C:\\Users\\Somebody\\games.pgn", "https://example.org/private")


def tunx(
    players=FOUR,
    rounds=TWO_ROUNDS,
    *,
    kind=0,
    paired=None,
    scheduled=None,
    texts=None,
    days=(20260815, 20260816),
    pace=1,
    ties=((84, b"\x01"), (84, b""), (81, b"")),
    teams=(),
    matches=(),
    boards=0,
    forbidden=None,
    version=VERSION,
):
    """A file; `rounds` has White, Black and the code of each game, `ties` a number and the beginning of its setup."""
    scheduled = len(rounds) if scheduled is None else scheduled
    sections = {
        "rounds": b"".join(
            _round(days[at] if at < len(days) else 0, _at(rounds, at), _at(matches, at)) for at in range(scheduled)
        ),
        "players": b"".join(_player(no, player) for no, player in enumerate(players, start=1)),
        "pairings": b"".join(struct.pack("<HHH15x", *game) for games in rounds for game in games),
    }
    if kind > 1:
        sections["teams"] = b"".join(_texts(5, {0: team, 1: team[:3]}) + bytes(96) for team in teams)
        sections["matches"] = b"".join(struct.pack("<HH11x", *pair) for pairs in matches for pair in pairs)
    if forbidden is not None:
        sections["forbidden"] = struct.pack(f"<{len(forbidden)}H", *forbidden)
    settings = bytearray(5_887)
    settings[:4] = bytes([0x95]) + MARK
    numbers = {15: kind, 21: len(rounds) if paired is None else paired, 23: len(players), 27: scheduled}
    numbers |= {31: len(ties), 51: len(teams), 53: boards}
    numbers |= {33 + 2 * place: number for place, (number, _) in enumerate(ties)}
    for at, number in numbers.items():
        struct.pack_into("<H", settings, at, number)
    for at, number in {11: version, 75: min(filter(None, days), default=0), 79: max(days, default=0)}.items():
        struct.pack_into("<I", settings, at, number)
    for place, (_, setup) in enumerate(ties):
        settings[655 + 19 * place : 655 + 19 * place + len(setup)] = setup
    settings[1267] = pace
    header = bytearray(0x6C)
    header[:4] = bytes([0x93]) + MARK
    struct.pack_into("<I", header, 0x1C, version)
    facts = {
        0: "Harbour Open",
        5: "Rijeka",
        14: "90 min + 30 s",
        20: "CRO",
        21: "IA Novak, Ana 90000100",
        35: "Kos; Babić",
    }
    secret = dict(zip((23, 7, 24), SECRETS, strict=True))
    data = bytes(header) + _texts(132, facts | secret | (texts or {})) + bytes(settings)
    places = []
    for name, section in sections.items():
        places.append(len(data))
        data += bytes([SECTIONS[name]]) + MARK + section
    places = [*places, len(data)]
    listed = struct.pack("<7I", *places, *[0] * (7 - len(places)))
    return data + bytes([0xD3]) + MARK + listed + bytes([0xE3]) + MARK


def team_file(rounds=None, matches=(((1, 2),), ((2, 1),)), **more):
    """Two teams of three with two boards a match; in the second round, a board of the second team is empty."""
    people = [
        {"surname": name, "rating": rating, "team": team, "board": board}
        for name, rating, team, board in (
            ("Ahn", 2100, 1, 1), ("Bose", 2000, 1, 2), ("Cruz", 1900, 1, 3),
            ("Diaz", 2050, 2, 1), ("Eder", 1950, 2, 2), ("Fox", 1850, 2, 3),
        )
    ]  # fmt: skip
    rounds = rounds or (((1, 4, 1), (5, 3, 2)), ((4, 1, 3), (2, 0, 4)))
    return tunx(people, rounds, kind=3, teams=("Hawks", "Owls"), matches=matches, boards=2, **more)


def _at(rows, at):
    return len(rows[at]) if at < len(rows) else 0


def _round(day, games, matches):
    return _texts(16, {0: "16:00"}) + struct.pack("<I2xHH66x", day, games, matches)


def _player(no, player):
    strings = {0: "surname", 1: "given", 4: "title", 5: "national_id", 10: "fed", 14: "mail", 17: "list"}
    texts = _texts(33, {at: player.get(name, "") for at, name in strings.items()})
    block = bytearray(104)
    for at, name in {0: "sex", 2: "rating", 4: "national", 22: "team", 24: "board"}.items():
        struct.pack_into("<H", block, at, player.get(name, 0))
    struct.pack_into("<H", block, 16, no)
    struct.pack_into("<h", block, 44, player.get("extra", 0))
    for at, name in {8: "born", 18: "id"}.items():
        struct.pack_into("<I", block, at, player.get(name, 0))
    block[52] = player.get("k", 0)
    return texts + bytes(block)


def _texts(count, known):
    texts = [known.get(at, "").encode("utf-16-le") for at in range(count)]
    return b"".join(struct.pack("<H", len(text) // 2) + text for text in texts)
