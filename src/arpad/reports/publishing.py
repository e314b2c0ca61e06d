"""An event as static pages for any web host, and the folder they are kept in, where only what changed is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from arpad.errors import ArpadError, BadFile, BadInput, cause
from arpad.formats import file_bytes
from arpad.formats.saving import left_behind, save
from arpad.messages import figure, say, voice
from arpad.reports.documents.boards import pairing_grid
from arpad.reports.documents.paper import Box, Boxes, PrintedGrid, PrintedSheet, columns_of, grid, remarks
from arpad.reports.documents.tables import after, crosstable_grid, order_remarks, standings_grid, title_sheets
from arpad.reports.page import TEMPLATES, by_the_rules, templates
from arpad.reports.sheets import comma_separated
from arpad.tournaments.pairings import paired_rounds, pairings, result_of
from arpad.tournaments.points import points_of

if TYPE_CHECKING:
    from arpad.core.tournaments import Entrant, Oddity, Team, Tournament
    from arpad.messages import Message
    from arpad.reports.documents import EventDocuments
    from arpad.reports.documents.paper import Block
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.standings import EventStandings

T = TypeVar("T")
INDEX, STYLE, PLAYERS, CROSSTABLE, NORMS = "index.html", "style.css", "players.html", "crosstable.html", "norms.html"
TRF, TABLE, GAMES = "event.trf", "ratings.csv", "games.pgn"
LIST = "arpad-files.txt"  # the files we wrote: nothing else in the folder is touched
PLAYED = ("round", "colour", "no", "name", "rating", "result", "expected", "change")
CHANGES = ("no", "title", "name", "fed", "rating", "points", "change", "new")
LISTED = ("no", "title", "name", "fed", "rating", "points")


def event_pages(event: EventDocuments, pgn: bytes | None = None) -> dict[str, bytes]:
    """Every file of a published event by its name: pages, style and downloads; the same event gives the same bytes."""
    return _Pages(event, pgn).files()


def publish(files: Mapping[str, bytes], folder: str, *, force: bool = False) -> Published:
    """Write files into a folder: those that changed; what was published before and is no longer there is removed.

    Raises BadInput for a folder with files that were not published by this function, unless `force` is set.
    """
    before = published_names(folder)
    if before is None and not force and os.path.isdir(folder) and len(os.listdir(folder)) > len(left_behind(folder)):
        raise BadInput(say("publish.not_ours", list=LIST), at=folder)
    try:
        os.makedirs(folder, exist_ok=True)
        for name in left_behind(folder):
            _remove(os.path.join(folder, name))
        if not files.keys() <= set(before or ()):  # a page is in the list before it is there, whatever ends the work
            _write(os.path.join(folder, LIST), _listed({*files, *(before or ())}))
        written = [name for name in files if _write(os.path.join(folder, name), files[name])]
        gone = [name for name in before or () if name not in files and _remove(os.path.join(folder, name))]
        _write(os.path.join(folder, LIST), _listed(files))
    except OSError as error:
        raise BadFile(say("formats.file.unwritable", why=cause(error)), at=folder) from None
    return Published(tuple(written), tuple(gone), len(files))


def _listed(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in sorted(names)).encode()


class Published(NamedTuple):
    """What a folder got: the files written, those removed, and how many there are altogether."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    files: int


def published_names(folder: str) -> list[str] | None:
    """The files published there before; None if nothing was. Only plain names in the folder itself are taken."""
    try:
        with open(os.path.join(folder, LIST), encoding="utf-8") as file:
            names = file.read().splitlines()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise BadFile(say("formats.file.unreadable", why=cause(error)), at=folder) from None
    return [name for name in names if name and name == os.path.basename(name) and name not in (".", "..")]


def _write(path: str, data: bytes) -> bool:
    """Write a file unless it has these bytes already; return whether it was written."""
    try:
        with open(path, "rb") as file:
            if file.read() == data:
                return False
    except FileNotFoundError:
        pass
    save(data, path, force=True, wait=False)
    return True


def _remove(path: str) -> bool:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return False
    return True


def report_file(tournament: Tournament) -> tuple[bytes, tuple[Oddity, ...]]:
    """The event as a report for a rating office, and what that has no place for: the file itself if it is a TRF."""
    source = tournament.source
    kept = source is not None and source.format.startswith("trf")
    return file_bytes(tournament, None if kept else "trf26", TRF)


@dataclass(frozen=True)
class Link:
    """A line of the navigation, or a download."""

    to: str
    says: str


class _Pages:
    """The pages of one event."""

    def __init__(self, event: EventDocuments, pgn: bytes | None) -> None:
        self.event = event
        self.tournament: Tournament = event.tournament
        self.name = self.tournament.name or str(say("reports.tournament"))
        self.pgn = pgn
        self.trf, self.lost = report_file(self.tournament)
        self.standings, self.unranked = _tried(lambda: event.standings)
        self.rated, self.unrated = _tried(lambda: event.rated)
        self.norms, self.unjudged = _tried(lambda: title_sheets(event)[0])
        self.rounds = paired_rounds(self.tournament)

    def files(self) -> dict[str, bytes]:
        """Every file by its name."""
        made: dict[str, bytes] = {STYLE: (TEMPLATES / "published.css").read_bytes(), **self._downloads()}
        made[INDEX] = self._page(INDEX, self._index())
        made[PLAYERS] = self._page(PLAYERS, self._players())
        if self.standings is not None:
            made[CROSSTABLE] = self._page(CROSSTABLE, self._crosstable(self.standings))
        if self.norms is not None:
            made[NORMS] = self._page(NORMS, replace(self.norms, blocks=tuple(map(self._linked, self.norms.blocks))))
        for number in self.rounds:
            made[f"round-{number}.html"] = self._page(f"round-{number}.html", self._round(number))
        for entrant in {entrant.no: entrant for entrant in reversed(self.tournament.entrants)}.values():
            made[_player(entrant.no)] = self._page(_player(entrant.no), self._player(entrant))
        for team in self.tournament.teams:
            made[_team(team.no)] = self._page(_team(team.no), self._team(team))
        return made

    def _downloads(self) -> dict[str, bytes]:
        """The event as a file for other programs, the rating changes as a table, and its games if they are known."""
        made = {TRF: self.trf}
        if self.rated is not None:
            made[TABLE] = comma_separated(self.rated)
        if self.pgn is not None:
            made[GAMES] = self.pgn
        return made

    def _page(self, name: str, sheet: PrintedSheet) -> bytes:
        """A sheet as a page of the site."""
        links = [Link(INDEX, _words("nav.standings"))]
        links += [Link(f"round-{number}.html", _words("nav.round", round=number)) for number in self.rounds]
        if self.standings is not None:
            links.append(Link(CROSSTABLE, _words("nav.crosstable")))
        links.append(Link(PLAYERS, _words("nav.players")))
        if self.norms is not None:
            links.append(Link(NORMS, _words("nav.norms")))
        downloads = [TRF, *([TABLE] if self.rated is not None else []), *([GAMES] if self.pgn is not None else [])]
        page = (
            templates()
            .get_template("published.html")
            .render(
                event=self.name,
                about=self._about(),
                sheet=sheet,
                here=name,
                links=links,
                downloads=[Link(file, _words(f"download.{file}")) for file in downloads] if name == INDEX else [],
                words={
                    "pages": _words("nav.name"),
                    "downloads": _words("downloads"),
                    "skip": _words("skip"),
                    "made": _words("made"),
                },
                language=voice().language,
                hidden=False,
                feed="",
                scripts=(),
            )
        )
        return page.encode("utf-8", "replace")

    def _about(self) -> str:
        from arpad.reports.documents import whole

        return whole(self.tournament, ()).about

    def _index(self) -> PrintedSheet:
        """What the event is, and where it stands."""
        event = self.tournament
        facts = {
            "rounds": event.rounds or None,
            "players": len(event.entrants),
            "time_control": event.time_control,
            "kind": event.kind,
            "arbiter": event.arbiter,
        }
        boxes = tuple(Box(_words(f"fact.{key}"), figure(value), 2) for key, value in facts.items() if value)
        blocks: list[Block] = [Boxes(boxes=boxes)]
        lost = [say("publish.lost", says=oddity.says) for oddity in self.lost]
        if self.standings is None:
            return PrintedSheet(title=self.name, blocks=(*blocks, *remarks([self.unranked, *lost])))
        found = self.standings
        blocks += [self._standings(found), *remarks([*order_remarks(found), *lost])]
        return PrintedSheet(title=_words("nav.standings"), subtitle=after(found), blocks=tuple(blocks))

    def _standings(self, found: EventStandings, heading: str = "") -> PrintedGrid:
        return replace(
            self._linked_to(standings_grid(found), [self._line(line.no, found) for line in found.lines]),
            heading=heading,
        )

    @staticmethod
    def _line(no: int, found: EventStandings) -> str:
        """The page of a line of the standings: a player's, or a team's."""
        return _team(no) if found.teams else _player(no)

    def _round(self, number: int) -> PrintedSheet:
        """The boards of a round with their results, and the standings after it."""
        found = pairings(self.tournament, number)
        boards = pairing_grid(found)
        places = [place for place, column in enumerate(boards.columns) if column.wide]
        played = iter(found.boards)
        rows = []
        for row in boards.rows:
            if row.heading:
                rows.append(row)
                continue
            board = next(played)
            links = [""] * len(row.cells)
            for place, no in zip(places, (board.white.no, board.black.no), strict=True):
                links[place] = _player(no)
            rows.append(replace(row, links=tuple(links)))
        byes = remarks(
            say(f"documents.bye.{bye.kind}", no=bye.entrant.no, name=bye.entrant.called) for bye in found.byes
        )
        blocks: list[Block] = [replace(boards, rows=tuple(rows), heading=_words("boards")), *byes]
        order = "documents.match_order" if found.matches else "documents.board_order"
        blocks += remarks([say(order)])
        if self.standings is not None and number <= self.standings.round:
            then = self.event.standings_after(number)
            blocks.append(self._standings(then, _words("after", round=number)))
        days = self.tournament.round_days
        day = days[number - 1] if number <= len(days) else None
        return PrintedSheet(
            title=_words("nav.round", round=number), subtitle="" if day is None else str(day), blocks=tuple(blocks)
        )

    def _crosstable(self, found: EventStandings) -> PrintedSheet:
        table = self._linked_to(crosstable_grid(found), [self._line(line.no, found) for line in found.lines])
        return PrintedSheet(title=_words("nav.crosstable"), subtitle=after(found), blocks=(table,))

    def _players(self) -> PrintedSheet:
        """Everybody by starting number, with the rating change if there is one."""
        entrants = self.tournament.entrants
        rated = self.rated
        rows = []
        for entrant in entrants:
            player = entrant.player
            row = (
                entrant.no,
                player.title,
                entrant.called,
                player.federation,
                player.rating,
                points_of(entrant, self.tournament),
            )
            rows.append((*row, *self._change(rated, entrant.no)))
        columns = (
            columns_of(CHANGES, left=("title", "fed"))
            if rated is not None
            else columns_of(LISTED, left=("title", "fed"))
        )
        table = self._linked_to(grid(columns, rows), [_player(entrant.no) for entrant in entrants])
        said = [self.unrated] if rated is None else [by_the_rules(rated), *rated.notes]
        return PrintedSheet(title=_words("nav.players"), blocks=(table, *remarks(filter(None, said))))

    @staticmethod
    def _change(rated: EventReport | None, no: int) -> tuple[object, ...]:
        if rated is None:
            return ()
        player = rated.player(no)
        return (None if player.change is None else figure(player.change, signed=True), player.new_rating)

    def _player(self, entrant: Entrant) -> PrintedSheet:
        """A player's facts, and every round with its rating change."""
        player, rated = entrant.player, None if self.rated is None else self.rated.player(entrant.no)
        facts: dict[str, object] = {
            "no": entrant.no,
            "federation": player.federation,
            "rating": player.rating,
            "fide_id": player.fide_id and str(player.fide_id),
            "points": points_of(entrant, self.tournament),
        }
        if rated is not None:
            change = None if rated.change is None else figure(rated.change, signed=True)
            facts |= {"k": rated.k, "performance": rated.performance, "change": change, "new": rated.new_rating}
        boxes = tuple(Box(_words(f"fact.{key}"), figure(value), 2) for key, value in facts.items() if value is not None)
        why = [] if rated is None or rated.why is None else [str(rated.why)]
        reasons = (
            {} if rated is None else {game.round: str(game.why) for game in rated.per_game if game.why is not None}
        )
        said = [say("reports.in_round", rounds=number, why=text) for number, text in reasons.items()]
        title = " ".join(filter(None, (player.title, entrant.called)))
        return PrintedSheet(title=title, blocks=(Boxes(boxes=boxes), self._games(entrant), *remarks([*why, *said])))

    def _games(self, entrant: Entrant) -> PrintedGrid:
        """The rounds of a player, with the change of each game."""
        rated = {} if self.rated is None else {game.round: game for game in self.rated.player(entrant.no).per_game}
        known = {other.no: other for other in self.tournament.entrants}
        rows, links = [], []
        for number, played in enumerate(entrant.rounds, start=1):
            other, game = known.get(played.opponent or 0), rated.get(number)
            change = None if game is None or game.change is None else figure(game.change, signed=True)
            rows.append(
                (
                    number,
                    None if played.colour is None else str(say(f"documents.{played.colour}")),
                    None if other is None else other.no,
                    _words(f"kind.{played.kind}") if other is None else other.called,
                    None if other is None else other.player.rating,
                    result_of(played, self.tournament),
                    None if game is None else game.expected,
                    change,
                )
            )
            links.append("" if other is None else _player(other.no))
        return self._linked_to(grid(columns_of(PLAYED, left=("colour",)), rows, _words("games")), links)

    def _team(self, team: Team) -> PrintedSheet:
        """The players of a team in board order."""
        members = [self.tournament.entrant(no) for no in team.members]
        rows = [
            (
                one.no,
                one.player.title,
                one.called,
                one.player.federation,
                one.player.rating,
                points_of(one, self.tournament),
            )
            for one in members
        ]
        table = grid(columns_of(LISTED, left=("title", "fed")), rows)
        return PrintedSheet(title=team.name, blocks=(self._linked_to(table, [_player(one.no) for one in members]),))

    def _linked(self, block: Block) -> Block:
        """A table whose first column is the starting number, with links to the players."""
        if not isinstance(block, PrintedGrid):
            return block
        return self._linked_to(block, [_player(int(row.cells[0])) for row in block.rows])

    @staticmethod
    def _linked_to(table: PrintedGrid, targets: Sequence[str]) -> PrintedGrid:
        """A table whose names lead to pages, row by row."""
        place = next((place for place, column in enumerate(table.columns) if column.wide), None)
        if place is None:
            return table
        rows = [
            replace(row, links=tuple(to if at == place else "" for at in range(len(row.cells))))
            for row, to in zip(table.rows, targets, strict=True)
        ]
        return replace(table, rows=tuple(rows))


def _tried(work: Callable[[], T]) -> tuple[T | None, Message | str | None]:
    """The value of some work and nothing, or nothing and the reason why there is none."""
    try:
        return work(), None
    except ArpadError as error:
        return None, error.said


def _player(no: int) -> str:
    return f"player-{no}.html"


def _team(no: int) -> str:
    return f"team-{no}.html"


def _words(key: str, **values: object) -> str:
    return str(say(f"publish.{key}", **values))
