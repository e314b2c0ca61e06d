"""What the columns of a table are called, in the languages organisers use, and what a cell says about a round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple
from unicodedata import normalize

from arpad.core import DRAW, LOSS, WIN
from arpad.core.tournaments import (
    ABSENT,
    ALLOCATED_BYE,
    FORFEIT,
    FULL_BYE,
    HALF_BYE,
    PENDING,
    PLAYED,
    SHORT,
    ZERO_BYE,
    Round,
)
from arpad.errors import BadFile, BadInput
from arpad.formats.text import place
from arpad.messages import say

# One line per player. Headings are compared in lower case, without accents, blanks and signs; where two columns could
# be one field, the name that comes first here counts: FIDE's rating and ID before a national one.
PLAYER_NAMES = {
    "no": "no nr num number sno snr stno startno startnr startingnumber startingno startrank pairingno pairingnumber "
    "tnr startnummer numero dorsal nro np",
    "name": "name player spieler spielername joueur jugador giocatore nombre nom nome nazwisko jmeno speler naam "
    "fullname navn namn jatekos",
    "surname": "surname lastname familyname nachname familienname apellido apellidos cognome nomdefamille prijmeni",
    "given": "givenname firstname vorname prenom nombredepila forename imie",
    "rating": "fiderating fideelo elofide rtgi eloi ratingi rtgint ratingint intrating internationalrating wzint "
    "rating rtg elo fide",
    "title": "title titel titre titulo titolo tit ti tytul titul fidetitle",
    "federation": "federation fed land country foderation federacion federazione pays pais nation nat federacja",
    "id": "fideid fidenr fideno idfide fidecode codigofide codefide fidenumber id ident idno",
    "born": "born birth birthday birthdate dateofbirth dob birthyear yearofbirth geburtsdatum geburtsjahr geboren jahr "
    "naissance nacimiento nascita year yob bday gebdat geb bornyear jahrgang jg",
    "sex": "sex gender geschlecht sexe sexo sesso",
    "points": "points pts pkt punkte punti puntos pontos score total totalpoints pun ptos body pont",
    "rank": "rank rk rg rang platz pos position place clt classement clasificacion posto puesto ranking plac",
}

# One game per line; each side's columns begin with its colour.
GAME_NAMES = {
    "white": "white weiss blancs blancas bianco whiteplayer whitename wit biale bily branco playerwhite",
    "black": "black schwarz noirs negras nero blackplayer blackname zwart czarne cerny preto playerblack",
    "result": "result resultat ergebnis erg res resultado risultato score wynik vysledek uitslag",
    "round": "round rd runde ronde ronda turno runda kolo rodada rnd rond",
}
SIDES = {"white": "white w weiss blancs blancas", "black": "black b schwarz noirs negras"}
SIDE_FIELDS = {
    field: names
    for field, names in PLAYER_NAMES.items()
    if field in ("no", "rating", "title", "federation", "id", "born", "sex")
}
_ROUND = "r|rd|rnd|round|runde|ronde|ronda|turno|rodada|kolo|runda"
_NUMBER = r"(0{0,3}[1-9]\d{0,3})"
ROUND = re.compile(rf"(?:{_ROUND})?{_NUMBER}(?:{_ROUND}|pairing)?")
PART = re.compile(rf"(?:{_ROUND}){_NUMBER}(\D+)")
PARTS = {
    "opponent": "opponent opp gegner adversaire rival avversario no nr vs",
    "colour": "colour color col farbe couleur c",
    "result": "result res ergebnis erg resultat resultado score s pts points",
}
ACROSS = re.compile(rf"(?:vs|gegen|against){_NUMBER}")
_NAMES = {name: field for field, names in PLAYER_NAMES.items() for name in names.split()}
_GAMES = {name: field for field, names in GAME_NAMES.items() for name in names.split()}
_PARTS = {name: part for part, names in PARTS.items() for name in names.split()}
_SIDES = {
    f"{colour}{name}": f"{side}_{field}"
    for side, colours in SIDES.items()
    for colour in colours.split()
    for field, names in SIDE_FIELDS.items()
    for name in names.split()
}
FIELDS = frozenset({*PLAYER_NAMES, *GAME_NAMES, *_SIDES.values()})
COLOURS = {"w": "white", "b": "black", "s": "black", "?": None}  # s as in schwarz; ? is unknown
GAMES = {
    "1": (PLAYED, WIN), "½": (PLAYED, DRAW), "=": (PLAYED, DRAW), "0": (PLAYED, LOSS), "0.5": (PLAYED, DRAW),
    ".5": (PLAYED, DRAW), "0,5": (PLAYED, DRAW), "1/2": (PLAYED, DRAW), "1.0": (PLAYED, WIN), "0.0": (PLAYED, LOSS),
    "+": (FORFEIT, WIN), "-": (FORFEIT, LOSS), "1k": (FORFEIT, WIN), "0k": (FORFEIT, LOSS), "+k": (FORFEIT, WIN),
    "-k": (FORFEIT, LOSS), "w": (SHORT, WIN), "d": (SHORT, DRAW), "l": (SHORT, LOSS),
}  # fmt: skip
LETTER_FIRST = {
    "W": (PLAYED, WIN), "D": (PLAYED, DRAW), "L": (PLAYED, LOSS), "X": (FORFEIT, WIN), "F": (FORFEIT, LOSS),
}  # fmt: skip
SIGN_FIRST = {"+": (PLAYED, WIN), "=": (PLAYED, DRAW), "-": (PLAYED, LOSS)}

# A round without an opponent. `-1`, `-½` and `-0` are Swiss-Manager's; its `-1` is the pairing-allocated bye.
ALONE = {
    "-": ABSENT, "--": ABSENT, "---": ABSENT, "*": ABSENT, "-0": ABSENT, "-0.5": HALF_BYE, "-½": HALF_BYE,
    "-1": ALLOCATED_BYE, "u": ALLOCATED_BYE, "b": ALLOCATED_BYE, "bye": ALLOCATED_BYE, "spielfrei": ALLOCATED_BYE,
    "exempt": ALLOCATED_BYE, "exe": ALLOCATED_BYE, "free": ALLOCATED_BYE, "bye1": FULL_BYE, "1": FULL_BYE,
    "f": FULL_BYE, "-=": HALF_BYE, "h": HALF_BYE, "½": HALF_BYE, "0.5": HALF_BYE, "bye½": HALF_BYE, "bye0.5": HALF_BYE,
    "=": HALF_BYE, "z": ZERO_BYE, "0": ZERO_BYE, "bye0": ZERO_BYE, "absent": ABSENT, "x": ABSENT,
    "notpaired": ABSENT,
}  # fmt: skip

# In a table of US Chess, which writes W12, some letters mean something else: U is an unplayed round.
ALONE_AMONG_LETTERS = {"u": ABSENT, "b": FULL_BYE}
NOBODY = re.compile(r"([HUBZ])0+", re.IGNORECASE)  # `H 0`: a letter with 0 for no opponent
RESULT = r"1/2|0[.,]5|\.5|1\.0|0\.0|[10+\-]k|[10½=+\-wdl]"
NUMBER_FIRST = re.compile(rf"(\d{{1,6}})([wbs?])?({RESULT})?", re.IGNORECASE)
SCORES = frozenset({"1", "½", "=", "0", "0.5", ".5", "0,5", "1/2", "1.0", "0.0"})  # results that could be byes
COLOUR_FIRST = re.compile(rf"([wb])(\d{{1,6}}):?({RESULT})", re.IGNORECASE)
SIGN = re.compile(r"([+=\-])(\d{1,6})([wbs])?", re.IGNORECASE)
LETTER = re.compile(r"([WDLXF])(\d{1,6})([wb])?")
SIGNED = re.compile(r"[+=]\d{1,6}[wbs]?", re.IGNORECASE)
LETTERS = {ALLOCATED_BYE: "U", FULL_BYE: "F", HALF_BYE: "H", ZERO_BYE: "Z", ABSENT: "-"}
SIGNS = {game: sign.upper() for sign, game in reversed(GAMES.items()) if sign != "="}
BLANKS = str.maketrans({" ": None, "\t": None, "\xa0": None, "−": "-", "–": "-"})


class Headings:
    """The column of each field, from one line of headings."""

    def __init__(self, row: Sequence[str]) -> None:
        self.row = row
        names = [bare(cell) for cell in row]
        self.games = self._first(names, {**_SIDES, **_GAMES})
        self.is_games = "white" in self._sides() and "black" in self._sides() and "result" in self.games
        self.fields = self.games if self.is_games else self._first(names, _NAMES)
        taken = set(self.fields.values())
        self.rounds: dict[int, int] = {}
        self.bare_rounds = False  # whether rounds are headed by numbers alone, which may be opponents
        self.parts: dict[int, dict[str, int]] = {}
        self.across: dict[int, int] = {}
        self.chosen: frozenset[str] = frozenset()  # the fields whose columns the user names
        for column, name in enumerate(names):
            if column not in taken and not self.is_games:
                self._round(name, column)

    def _sides(self) -> set[str]:
        """The colours whose player has a column for a name, a number or an ID."""
        return {name.partition("_")[0] for name in self.games if name.endswith(("white", "black", "_id", "_no"))}

    @staticmethod
    def _first(names: Sequence[str], known: Mapping[str, str]) -> dict[str, int]:
        """The column of each field; if two columns fit, the one whose name comes first in `known`."""
        columns: dict[str, int] = {}
        for column, name in enumerate(names):
            columns.setdefault(name, column)
        found: dict[str, int] = {}
        for name, field in known.items():
            if name in columns:
                found.setdefault(field, columns[name])
        return found

    def _round(self, name: str, column: int) -> None:
        if match := ACROSS.fullmatch(name):
            self.across.setdefault(int(match[1]), column)
        elif (match := ROUND.fullmatch(name)) and (not name.isdigit() or int(name) == len(self.rounds) + 1):
            self.bare_rounds = name.isdigit() and (self.bare_rounds or not self.rounds)
            self.rounds.setdefault(int(match[1]), column)
        elif (match := PART.fullmatch(name)) and match[2] in _PARTS:
            self.parts.setdefault(int(match[1]), {}).setdefault(_PARTS[match[2]], column)

    @property
    def worth(self) -> int:
        """How much this line looks like the headings of a table; 0 if it cannot be."""
        rounds = len(self.rounds) + len(self.parts) + len(self.across)
        if self.is_games:
            return 2 + len(self.fields)
        return len(self.fields) + rounds if rounds and self.fields else 0

    @property
    def entries(self) -> int:
        """How much this line looks like the headings of an entry list, with players but no rounds; 0 if it cannot."""
        return len(self.fields) if not self.is_games and "name" in self.fields else 0

    def mapped(self, columns: Mapping[str, str], path: str, line: int) -> None:
        """Use the columns that the user names, instead of those recognised."""
        self.chosen = frozenset(columns)
        where = {cell.strip().casefold(): column for column, cell in enumerate(self.row)}
        for field, heading in columns.items():
            column = where.get(heading.strip().casefold())
            if column is None:
                there = ", ".join(filter(None, self.row))
                raise BadFile(say("formats.table.no_column", heading=heading, headings=there), at=place(path, line))
            match = ROUND.fullmatch(bare(field))
            if field in FIELDS:
                self.fields[field] = column
            elif match:
                self.rounds[int(match[1])] = column
                self.bare_rounds = False
            else:
                known = ", ".join(sorted(FIELDS))
                raise BadFile(say("formats.table.unknown_field", column=field, known=known), at=path)
        self.is_games = "result" in self.fields and {"white", "black"} <= {
            name.partition("_")[0] for name in self.fields
        }

    @property
    def unused(self) -> list[str]:
        """The headings that are not used."""
        parts = [column for part in self.parts.values() for column in part.values()]
        used = {*self.fields.values(), *self.rounds.values(), *self.across.values(), *parts}
        return [cell for column, cell in enumerate(self.row) if cell.strip() and column not in used]


def columns_of(text: str, *, at: str = "columns") -> dict[str, str]:
    """Columns named by the user, Arpad's name first: `no=Nr,name=Spieler`."""
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(equals and ours.strip() and theirs.strip() for ours, equals, theirs in pairs):
        raise BadInput(say("formats.table.not_columns", text=text), at=at)
    return {ours.strip(): theirs.strip() for ours, _, theirs in pairs}


class Notation(NamedTuple):
    """How a table writes its rounds, which decides what a cell such as `-1`, `U` or `1` means."""

    signed: bool = False  # +12 and =3: then -1 is a loss to number 1, and not a bye
    lettered: bool = False  # W12 and D3, as US Chess does
    paired: bool = True  # opponents are named: then a 1 alone is a bye

    @classmethod
    def of(cls, cells: Iterable[str]) -> Notation:
        """How the cells of a table are written."""
        plain = [cell.translate(BLANKS) for cell in cells]
        signed = any(SIGNED.fullmatch(cell) for cell in plain)
        lettered = any(LETTER.fullmatch(cell) for cell in plain)
        return cls(signed, lettered, signed or lettered or any(map(_names_opponent, plain)))


USUAL_NOTATION = Notation()


def _names_opponent(cell: str) -> bool:
    """Whether a cell has an opponent's number beside a colour or a result."""
    match = NUMBER_FIRST.fullmatch(cell)
    beside = match is not None and (match[2] or not (match[3] or "0").isdigit())
    return bool(beside) or COLOUR_FIRST.fullmatch(cell) is not None


def round_of(text: str, notation: Notation = USUAL_NOTATION) -> Round | None:
    """The round in a cell; None for a blank, a ValueError for anything that is not a round."""
    cell = text.translate(BLANKS)
    if not cell:
        return None
    if notation.signed and (match := SIGN.fullmatch(cell)) and int(match[2]):
        return _game(SIGN_FIRST[match[1]], match[2], match[3])
    alone = _without_opponent(cell, notation)
    if alone is not None:
        return alone
    if match := LETTER.fullmatch(cell):
        return _game(LETTER_FIRST[match[1]], match[2], match[3])
    if match := SIGN.fullmatch(cell):
        return _game(SIGN_FIRST[match[1]], match[2], match[3])
    if match := COLOUR_FIRST.fullmatch(cell):
        return _game(GAMES[match[3].lower()], match[2], match[1])
    if match := NUMBER_FIRST.fullmatch(cell):
        return _game(GAMES[match[3].lower()] if match[3] else (PENDING, None), match[1], match[2])
    raise ValueError(text)


def _game(game: tuple[str, Decimal | None], opponent: str, colour: str | None) -> Round:
    kind, score = game
    if not int(opponent):
        if kind == FORFEIT:
            return Round(kind, score=score)
        raise ValueError(opponent)
    return Round(kind, int(opponent), COLOURS[colour.lower()] if colour else None, score)


def _without_opponent(cell: str, notation: Notation) -> Round | None:
    """A round without an opponent; None if the cell is not one."""
    small = cell.lower()
    if small in SCORES and not notation.paired:
        raise ValueError(cell)
    if notation.lettered and (match := NOBODY.fullmatch(small)):
        small = match[1]
    if notation.lettered and small in ALONE_AMONG_LETTERS:
        return Round(ALONE_AMONG_LETTERS[small])
    if small in ALONE:
        return Round(ALONE[small])
    if cell in ("+", "-k", "-0k"):
        return Round(FORFEIT, score=WIN if cell == "+" else LOSS)
    return None


def cell_of(played: Round) -> str:
    """A round as a cell such as `12w1`; an unknown colour is `?`, so that `2?1` is not read as 21."""
    if played.opponent is None:
        return LETTERS.get(played.kind) or ("0+" if played.score else "0-")
    sign = "" if played.kind == PENDING or played.score is None else SIGNS[played.kind, played.score]
    return f"{played.opponent}{played.colour[0] if played.colour else '?'}{sign}"


def bare(heading: str) -> str:
    """A heading without accents, blanks and signs, in lower case."""
    letters = normalize("NFKD", heading.replace("ß", "ss")).casefold()
    return "".join(letter for letter in letters if letter.isalnum())
