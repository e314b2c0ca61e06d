"""Entry lists: the field and its norms, players found on a rating list, and the starting list as a file."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from arpad.core import EloStanding, Player
from arpad.core.players import FEDERATIONS, TITLES
from arpad.core.tournaments import EVENT_KINDS, Entrant, Oddity, Tournament, grouped
from arpad.errors import BadFile, UnknownName
from arpad.formats import read_bytes
from arpad.messages import say
from arpad.questions import readers
from arpad.questions.declare import NO_PAGE, Place, defaulting, flag, optional, question
from arpad.questions.fields import COMMAND_ALONE, LONGEST_PATH
from arpad.questions.tournaments import LONGEST_FILE, NEEDS, SentFile
from arpad.reading.tables.columns import FIELDS, UNKNOWN, roles_of
from arpad.reading.tables.rows import split
from arpad.tournaments.entries import EntryList, entry_list
from arpad.tournaments.start_list import BY_ID, BY_NAME, EntryLine, ListMatch, entry_notes, start_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from arpad.core.players import Title
    from arpad.core.tournaments import FromList
    from arpad.messages import Message

PACES = ("standard", "rapid", "blitz")
ID = re.compile(r"@?\d{5,11}")
BORN = re.compile(  # a year that says that it is one of birth, or a whole date
    r"(?:\*\s*|\bborn\s+)((?:19|20)\d\d)\b|\b((?:19|20)\d\d)-\d\d-\d\d\b|\b\d{1,2}\.\d{1,2}\.((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
NUMBER = re.compile(r"\d+")
IN_A_LIST = re.compile(r"^\s*\d{1,4}[.)]\s")  # the number of an item, as in `12. Horvat, Mirjana`


def _pace(typed: str, place: Place) -> str:
    """Which of FIDE's ratings."""
    if typed not in PACES:
        raise UnknownName("pace", typed, known=PACES, at=place.at)
    return typed


@question(
    "entries",
    needs=NEEDS,
    examples=(
        {"path": "docs/examples/entries.csv", "rounds": 9, "host": "ITA"},
        {"path": "docs/examples/norms.trf", "on": "2026-09-05"},
        {"path": "docs/examples/entries.csv", "rounds": 9, "to": "start.trf", "file_format": "trf26"},
    ),
    **NO_PAGE,
)
@dataclass(frozen=True, kw_only=True)
class EntriesOf(SentFile):
    """The field of an entry list, which norms it allows, and everybody sorted, numbered and looked up."""

    rounds: int | None = optional(readers.count, example="9", group="event")
    host: str | None = optional(readers.federation, example="ITA", group="event")
    event_kind: str | None = optional(readers.text, example="swiss", group="event", choices=EVENT_KINDS)
    on: date | None = optional(readers.day, example="2026-09-05", group="rules")
    rating_list: str = defaulting(_pace, PACES[0], example="rapid", option="pace", group="event", choices=PACES)
    to: str | None = optional(readers.path, example="start.trf", group="files", longest=LONGEST_PATH, **COMMAND_ALONE)
    file_format: str | None = optional(
        readers.text, example="swiss-manager", group="files", only_with=("to",), **COMMAND_ALONE
    )
    force: bool = flag(group="files", only_with=("to",), **COMMAND_ALONE)

    entries: ClassVar[bool] = True
    by_name: ClassVar[bool] = True

    def answer(self) -> EntryList:
        """The field."""
        return self.started()[1]

    def started(self) -> tuple[Tournament, EntryList]:
        """The starting list as a tournament that has not begun, and the field."""
        found, matches = settled(self.tournament())
        day = self.on or found.start or self.today
        numbered, lines = start_list(found, matches)
        field = entry_list(found, on=day, rounds=self.rounds, host=self.host, kind=self.event_kind)
        answer = replace(
            field,
            entries=lines,
            listed=found.from_list is not None,
            remarks=partial(_notes, field, found, lines),
        )
        event = replace(
            numbered,
            rounds=self.rounds or numbered.rounds,
            federation=numbered.federation or self.host,
            start=numbered.start or self.on,
        )
        return event, answer

    def in_file(self) -> Tournament:
        """The entries: a table with headings, or lines of names with federations and IDs."""
        written = self._written()
        columns = headed(written) if self.columns is None else None
        if columns is not None:
            name = self.path or self.file or str(say("questions.the_file"))
            return read_bytes(written.encode(), name, columns, self.progress, entries=True)
        try:
            return super().in_file()
        except BadFile:
            plain = plain_entries(written)
            if plain is None:
                raise
            return plain

    def _written(self) -> str:
        """The entries as text; empty if they are in a file that is not text."""
        try:
            data = self._bytes() if self.path is None else Path(self.path).read_bytes()[:LONGEST_FILE]
            return data.decode("utf-8-sig")
        except (OSError, ValueError):
            return ""

    def began(self, tournament: object) -> date | None:  # noqa: ARG002
        return self.day

    def pace(self, tournament: Tournament) -> str:  # noqa: ARG002
        """Which ratings to take from the list."""
        return self.rating_list


def _notes(field: EntryList, found: Tournament, lines: Sequence[EntryLine]) -> Iterator[Message]:
    """Those on the field, what could not be read, the list that was used, and who is not settled."""
    yield from field.notes
    yield from grouped(oddity for oddity in found.oddities if oddity.lost)
    if found.from_list is not None:
        yield from found.from_list.notes
        yield from entry_notes(lines)


def headed(text: str) -> dict[str, str] | None:
    """The columns that the first line names, a name among them; None if it is no line of headings.

    In such a list a name is enough, so two headings are as well: `Name;Club`.
    """
    first = next(filter(str.strip, text.splitlines()), "")
    for separator in ("\t", ";", "|", ","):
        cells = split(first, separator) if separator in first else []
        roles = roles_of(cells, separator).roles
        sure = not any(role in UNKNOWN for role in roles) if separator == "," else bool(roles)
        if sure and {"name", "surname"} & {*roles}:
            return {role: cell for role, cell in zip(roles, cells, strict=True) if role in FIELDS}
    return None


def plain_entries(text: str) -> Tournament | None:
    """Entries one on a line, without headings: a name, and perhaps a title before it, a federation, an ID and a year.

    None if it is not that. The lines may be numbered (`12.` or `12)`). A year of birth follows “born” or *, or is part
    of a whole date. Another number may be a year or a rating: such a line is left out and named.
    """
    entrants: list[Entrant] = []
    odd: list[Oddity] = []
    for number, line in enumerate(text.splitlines(), start=1):
        born = [next(filter(None, years)) for years in BORN.findall(line)]
        words = re.split(r"[\s;|]+", BORN.sub(" ", IN_A_LIST.sub("", line, count=1)).strip())
        title = words.pop(0) if len(words) > 1 and words[0] in TITLES else None
        ids = [word for word in words if ID.fullmatch(word)]
        rest = [word for word in words if word and word not in ids]
        homes = [word.strip("()") for word in rest if word.strip("()") in FEDERATIONS]
        name = " ".join(word for word in rest if word.strip("()") not in FEDERATIONS)
        if (not rest and not ids) or (not entrants and "unknown" not in roles_of([line]).roles):
            continue
        if len(ids) > 1 or len(homes) > 1 or len(born) > 1 or NUMBER.search(name) or not (name or ids):
            odd.append(Oddity(say("questions.entries.line"), number, lost=True))
            continue
        player = Player(
            EloStanding(None),
            title=cast("Title | None", title),
            name=name.strip(" ,") or None,
            federation=homes[0] if homes else None,
            fide_id=int(ids[0].lstrip("@")) if ids else None,
            birth_year=int(born[0]) if born else None,
        )
        entrants.append(Entrant(len(entrants) + 1, player, line=number))
    return Tournament(tuple(entrants), oddities=tuple(odd)) if entrants else None


def settled(found: Tournament) -> tuple[Tournament, dict[int, ListMatch]]:
    """The entries with what the list says about those it settles, and for the others everybody who may be meant.

    A FIDE ID settles who it is, unless the list has another name for it; so do the whole name and the year of birth,
    if one player alone has them. Nothing else does.
    """
    used = found.from_list
    if used is None:
        return found, {}
    matches: dict[int, ListMatch] = {entrant.no: ListMatch(BY_ID) for entrant, _ in used.found}
    players: dict[int, Player] = {}
    by_id = {entrant.no: player for entrant, player in used.found}
    for entrant, _ in used.other_name:  # perhaps a slip in the ID: the entry stays as it was written
        players[entrant.no] = entrant.player
        matches[entrant.no] = ListMatch(None, (by_id[entrant.no],))
    for entrant, candidates in used.by_name:
        sure = list(_sure(entrant.player, candidates))
        if len(sure) == 1:
            players[entrant.no] = sure[0]
            matches[entrant.no] = ListMatch(BY_NAME)
        else:
            matches[entrant.no] = ListMatch(None, candidates)
    entrants = tuple(replace(entrant, player=players.get(entrant.no, entrant.player)) for entrant in found.entrants)
    return replace(found, entrants=entrants, from_list=_without_names(used)), matches


def _sure(player: Player, candidates: Iterable[Player]) -> Iterable[Player]:
    """Those with the whole name and the year of birth."""
    from arpad.lists.search import is_called

    return (
        listed
        for listed in candidates
        if player.birth_year is not None
        and listed.birth_year == player.birth_year
        and is_called(player.name or "", listed.name or "")
    )


def _without_names(used: FromList) -> FromList:
    """The list without what the notes on the entries say in more detail."""
    return replace(used, other_name=(), by_name=(), without_id=())


def start_file(event: Tournament, path: str, format: str | None) -> tuple[bytes, tuple[Oddity, ...]]:
    """A starting list as a file, and what its format has no place for; without a format, the name's ending decides."""
    from arpad.formats import FORMATS, file_bytes
    from arpad.formats.swiss_manager_text import NAME, player_text

    if format is not None and format not in (*FORMATS, NAME):
        raise UnknownName("format", format, known=(*FORMATS, NAME), at="file_format")
    return player_text(event) if format == NAME else file_bytes(event, format, path)
