"""Four pages that are no plain tables: of Lichess's arenas, Chess.com's archive, FIDE's calculations, and US Chess."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import NamedTuple

from arpad.messages import say
from arpad.reading.days import parse_date
from arpad.reading.particulars import class_named
from arpad.reading.pasted import (
    HEADING,
    OTHERS,
    OWN_ROW,
    PARTICULARS,
    RULE,
    Account,
    PastedEvent,
    PastedGame,
    PastedLine,
)
from arpad.reading.players import PROVISIONAL
from arpad.reading.results import Colour, Result, compact
from arpad.reading.tables.boards import BoardRow, Seat
from arpad.reading.tables.cells import (
    RatingCell,
    count_in,
    is_count,
    is_federation,
    is_figure,
    is_rating,
    is_wordy,
    name_and_title,
    rating_in,
    title_in,
    us_cell,
)
from arpad.reading.tables.own import read_boards
from arpad.reading.tables.rows import PastedRow, headings_of
from arpad.reading.text import fold
from arpad.reading.vocabulary import titles, words

ARENA_PANEL = ("berserk rate", "games played")
SPACED_WIDTH, SPACED_RATING = 4, 2  # of a panel whose tabs became spaces: number, name, rating, points
ARENA_WIDTH = 7  # number, name, rating, berserk, colour, points, berserk
WINS_FOR_A_STREAK = 2
ARCHIVE_SCORES = ("1", "0", "½", "1/2", "0.5")
LONGEST_SEAT = 60  # characters of a line with a name and a rating
FIDE_SCORES: dict[str, Result] = {"1.00": "win", "0.50": "draw", "0.00": "loss"}
LEAST_BEHIND = 4  # one game, its change, K and K times the change
TOTALS = "Rc"
FIDE_TOTALS, OWN_RATING, OWN_K = 7, 1, 5  # the figures of an event, and where the player's own are among them
US_COLOURS: dict[str, Colour] = {"W": "white", "B": "black"}
US_FIRST_ROUND = 3  # after pair number, name and total
US_BEFORE, US_AFTER = "R:", "->"  # the ratings before and after the event


def read_chesscom(account: Account) -> bool:
    """Read the games of Chess.com's archive: two lines with name and rating, White first, then the scores.

    False if the text is something else.
    """
    lines = [line for line in account.lines if not line.is_blank]
    games = _archived_games(lines)
    if not any(game.score for game in games):
        return False
    account.layout = "Chess.com archive"
    account.state("system", "chesscom", lines[games[0].place])
    account.in_every_game([seat.name or "" for game in games for seat in game.seats], len(games))
    starts = [max(game.place - 1, 0) for game in games]  # the line above has the time control
    boards = [
        BoardRow(*game.seats, game.score, tuple(line for line in lines[start:end] if headings_of(line.text) is None))
        for game, start, end in zip(games, starts, [*starts[1:], len(lines)], strict=True)
    ]
    read_boards(account, boards, colours=True)
    for line in lines:
        if line.number not in account.left_out:
            account.leave([line], HEADING if headings_of(line.text) else OTHERS)
    return True


class ArchivedGame(NamedTuple):
    """A game of the archive: the place of its first name, both players, and both scores if they are there."""

    place: int
    seats: tuple[Seat, Seat]
    score: str


def _archived_games(lines: Sequence[PastedLine]) -> list[ArchivedGame]:
    games: list[ArchivedGame] = []
    seats = [_seat(line.text) for line in lines]
    place = 0
    while place + 1 < len(lines):
        white, black = seats[place : place + 2]
        if white is None or black is None:
            place += 1
            continue
        scores: list[str] = []
        for line in lines[place + 2 : place + 4]:
            marks = [compact(word) for word in line.text.split()]
            if not all(mark in ARCHIVE_SCORES for mark in marks):
                break
            scores += marks
        games.append(ArchivedGame(place, (white, black), "-".join(scores) if len(scores) == 2 else ""))
        place += 2
    return games


def _seat(line: str) -> Seat | None:
    """`harrowwren (1204)`: a name and a rating in brackets."""
    text = line.strip()
    before, bracket, behind = text.rpartition("(")
    if not bracket or not behind.endswith(")") or len(text) > LONGEST_SEAT or not before.strip() or "\t" in before:
        return None
    rating = rating_in(behind[:-1])
    name, title = name_and_title(before)
    return Seat(name, title, rating) if rating is not None and rating.rating is not None else None


def read_fide(account: Account) -> bool:
    """Read the games of FIDE's individual calculations: the name on a line, then title, rating, federation and figures.

    False if the text is something else.
    """
    lines = [line for line in account.lines if not line.is_blank]
    rows = {place: cells for place, line in enumerate(lines) if (cells := _fide_cells(line.text)) is not None}
    if not rows:
        return False
    account.layout = "FIDE's individual calculations"
    totals = [place for place, line in enumerate(lines) if line.text.split()[:1] == [TOTALS]]
    event: str | None = None
    for place, line in enumerate(lines):
        if place in totals:
            account.leave([line], HEADING)
            event = _read_fide_event(account, lines, place)
        elif place in rows:
            _read_fide_row(account, lines, place, rows[place], event)
        elif place < min(totals, default=0) and (system := _system_of_list(line.text)):
            account.state("system", system, line)
    account.leave((line for line in lines if line.number not in account.left_out), PARTICULARS)
    if any(game.capped for game in account.games):
        account.note(say("reading.note.capped"))
    return True


def _fide_cells(line: str) -> list[str] | None:
    """The cells of a game's line; None if it is not one."""
    cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.replace(" *", "*").split()
    for place, cell in enumerate(cells):
        behind = cells[place + 1 :]
        if is_federation(cell) and place and (rating := rating_in(cells[place - 1])) and rating.rating:
            enough = len(behind) >= LEAST_BEHIND and sum(map(is_figure, behind)) >= LEAST_BEHIND
            return cells if enough and place <= 3 else None
    return None


def _system_of_list(text: str) -> str | None:
    """The system in a line such as `Standard Ratings April 2026`; None if it names none."""
    named, *behind = text.split()
    listed = bool(behind) and words("events").phrase(fold(behind[0])) == "list"
    return class_named(named) if listed else None


def _read_fide_event(account: Account, lines: Sequence[PastedLine], place: int) -> str | None:
    """Read the lines around the headings of an event: its name and days above, the player's rating and K below."""
    below = lines[place + 1] if place + 1 < len(lines) else None
    figures = [] if below is None else below.text.split()
    if below is not None and len(figures) == FIDE_TOTALS and figures[OWN_RATING].isdecimal():
        account.state("international", int(figures[OWN_RATING]), below)
        if figures[OWN_K].isdecimal() and int(figures[OWN_K]):
            account.state("k", int(figures[OWN_K]), below)
    if place < len(("name", "days")):
        return None
    line, days = lines[place - 2], lines[place - 1]
    name = line.text.strip()
    with suppress(ValueError):  # there are no two days
        first, last = (parse_date(word) for word in days.text.split()[-2:])
        both = days.number - line.number + 1
        account.events.append(PastedEvent(name=name, on=first, ended=last, line=line.number, lines=both))
    return name


def _read_fide_row(
    account: Account, lines: Sequence[PastedLine], place: int, cells: Sequence[str], event: str | None
) -> None:
    """Read a game from its line and the name above it."""
    federation = next(at for at, cell in enumerate(cells) if is_federation(cell) and at)
    above = lines[place - 1] if place else None
    if above is not None and (not is_wordy(above.text) or "\t" in above.text.strip()):
        above = None  # it is no name
    own = [lines[place]] if above is None else [above, lines[place]]
    result = FIDE_SCORES.get(cells[federation + 1].replace(",", "."))
    if result is None:
        account.leave(own, say("reading.why.no_score"), doubtful=True)
        return
    rating = rating_in(cells[federation - 1])
    game = PastedGame(
        result=result,
        opponent=rating.rating if rating else None,
        rating_state="rated",
        name=None if above is None else above.text.strip(),
        title=next(filter(None, map(title_in, cells[: federation - 1])), None),
        federation=cells[federation],
        capped=bool(rating and rating.capped),
        event=event,
        read_from=cells[federation + 1],
    )
    account.add(game, own)


def read_uschess(account: Account) -> bool:
    """Read the player's games of US Chess's crosstable; false if the text is not such a table."""
    players = _pair_lines(account.lines)
    if not players or not any(player.rating for player in players):
        return False
    account.layout = "US Chess crosstable"
    inside = {line.number for player in players for line in player.lines}
    for line in account.lines:
        if line.number not in inside:
            account.leave([line], RULE if not line.text.strip("-= ") else HEADING if "|" in line.text else PARTICULARS)
    own = account.whose([player.name for player in players])
    by_number = {player.number: player for player in players}
    for place, player in enumerate(players):
        if place == own:
            for game in _us_games(player, by_number):
                account.add(game, player.lines)
            _state_us_player(account, player)
        account.leave(player.lines, OWN_ROW if place == own else OTHERS)
    return True


def _state_us_player(account: Account, player: PairLines) -> None:
    """State the player's rating before the event and its system, and the games so far if it is provisional."""
    line = player.lines[-1]
    cell = line.text.split("|")[1]
    if US_BEFORE not in cell.split():
        return  # of another kind, such as quick chess
    account.state("system", "uschess-regular", line)
    if player.rating is not None:
        account.state("rating", player.rating.rating or "unrated", line)
    if provisional := PROVISIONAL.search(cell.partition(US_AFTER)[0]):
        account.state("games", int(provisional[2]), line)


def _pair_lines(lines: Sequence[PastedLine]) -> list[PairLines]:
    """The players of the table: two lines each, the results above the rating and the colours."""
    players: list[PairLines] = []
    rows = [(line, [cell.strip() for cell in line.text.split("|")]) for line in lines if line.text.count("|") >= 2]
    for (line, cells), behind in zip_longest(rows, rows[1:]):
        if not cells[0].isdecimal() or len(cells[0]) > 5 or not is_wordy(cells[1]):
            continue
        player = PairLines(int(cells[0]), cells[1], None, tuple(cells[US_FIRST_ROUND:]), (), (line,))
        if behind is not None and US_AFTER in behind[1][1]:
            below_line, below = behind
            rating, colours = _rating_before(below[1]), tuple(below[US_FIRST_ROUND:])
            player = player._replace(rating=rating, colours=colours, lines=(line, below_line))
        players.append(player)
    return players


def _rating_before(cell: str) -> RatingCell | None:
    """The rating before the event: `00000013 / R: 1384P12->1440P16`."""
    _, mark, behind = cell.partition(US_BEFORE)
    before = (behind if mark else cell).partition(US_AFTER)[0]
    return rating_in(before.split("/")[-1].strip())


def _us_games(player: PairLines, by_number: Mapping[int, PairLines]) -> Iterator[PastedGame]:
    for number, cell in enumerate(player.results, start=1):
        found = us_cell(cell)
        if found is None and not cell.strip().isdecimal():
            continue
        opponent = by_number.get(int(cell) if found is None else found.number or 0)
        letter = player.colours[number - 1].upper() if number <= len(player.colours) else ""
        rating = opponent.rating if opponent else None
        yield PastedGame(
            result="to-come" if found is None else found.result,
            round=number,
            opponent=rating.rating if rating else None,
            rating_state=rating.state if rating else "unknown",
            name=opponent.name if opponent else None,
            colour=US_COLOURS.get(letter),
            points=found.points if found else None,
            read_from=cell if found else "",
        )


class PairLines(NamedTuple):
    """A player's lines in the table."""

    number: int
    name: str
    rating: RatingCell | None
    results: tuple[str, ...]
    colours: tuple[str, ...]
    lines: tuple[PastedLine, ...]


def read_spaced_arena(account: Account) -> bool:
    """A panel whose tabs became spaces: number, name, rating and points; false if it is not an arena's."""
    rows = []
    for line in account.lines:
        words = line.text.split()
        titled = len(words) == SPACED_WIDTH + 1 and words[1] in titles()
        if (titled or len(words) == SPACED_WIDTH) and is_count(words[0]) and is_rating(words[-2]):
            rows.append(PastedRow([line], [words[0], " ".join(words[1:-2]), *words[-2:]]))
    if not rows or not is_arena(account, rows, SPACED_RATING):
        return False
    read_arena(account, rows, {0: "round", 1: "name", SPACED_RATING: "rating"})
    return True


def is_arena(account: Account, rows: Sequence[PastedRow], rating: int | None) -> bool:
    """Whether rows are from an arena: its panel is in the text, or some points are more than a game can bring."""
    if rating is None or not all(_arena_points(row, rating) is not None for row in rows):
        return False
    if len({count_in(row.cells[0]) for row in rows}) < len(rows):
        return False  # without the order of the games a streak cannot be followed
    panel = any(fold(line.text).startswith(ARENA_PANEL) for line in account.lines)
    own_width = {len(row.cells) for row in rows} <= {ARENA_WIDTH, SPACED_WIDTH}
    return panel or (own_width and any((_arena_points(row, rating) or 0) > 1 for row in rows))


def _arena_points(row: PastedRow, rating: int) -> int | None:
    """The arena points of a row; -1 for a game in progress, None if there are none."""
    cells = [cell.strip() for cell in row.cells[rating + 1 :] if cell.strip()]
    if not cells or cells == ["*"]:
        return -1
    return int(cells[-1]) if cells[-1] in "012345" and len(cells[-1]) == 1 else None


def read_arena(account: Account, rows: Sequence[PastedRow], roles: Mapping[int, str]) -> None:
    """Read every row as a game; the last number is arena points, not a result."""
    account.layout = "Lichess arena"
    account.state("system", "lichess", rows[0].lines[0])
    place = {role: at for at, role in roles.items()}
    results = _arena_results({count_in(row.cells[0]): _arena_points(row, place["rating"]) or 0 for row in rows})
    for row in rows:
        number = count_in(row.cells[0])
        rating = rating_in(row.cell(place["rating"]))
        name, title = name_and_title(row.cell(place.get("name")))
        account.add(
            PastedGame(
                result=results[number],
                round=number,
                opponent=rating.rating if rating else None,
                rating_state=rating.state if rating else "unknown",
                name=name,
                title=title,
                read_from=row.cells[-1].strip() or row.cell(place["rating"] + 3),
            ),
            row.lines,
        )
    account.note(say("reading.note.arena_points"))


def _arena_results(points: Mapping[int, int]) -> dict[int, Result]:
    """The result of each game by its number; the games were played in that order.

    0 is a loss and 1 a draw; 2 is a win, or a draw in a streak; 3 is a win with berserk, 4 and 5 are wins in a streak.
    A streak begins after two wins in a row and ends with anything else.
    """
    results: dict[int, Result] = {}
    wins = 0
    for number, scored in sorted(points.items()):
        if scored < 0:
            results[number] = "to-come"
            continue
        drawn = scored == 1 or (scored == 2 and wins >= WINS_FOR_A_STREAK)
        results[number] = "loss" if scored == 0 else "draw" if drawn else "win"
        wins = wins + 1 if results[number] == "win" else 0
    return results
