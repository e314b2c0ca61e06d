"""The crosstable of US Chess: two lines per player, results with opponents' numbers above, colours below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arpad.reading.layouts.account import HEADING, OTHERS, OWN_ROW, PARTICULARS, RULE
from arpad.reading.layouts.cells import RatingCell, is_wordy, rating_in
from arpad.reading.layouts.crosscells import us_cell
from arpad.reading.pasted import PastedGame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.reading.layouts.account import Account, PastedLine
    from arpad.reading.results import Colour

COLOURS: dict[str, Colour] = {"W": "white", "B": "black"}
FIRST_ROUND = 3  # after pair number, name and total
BEFORE, AFTER = "R:", "->"


@dataclass(frozen=True, slots=True)
class PairLines:
    """A player's lines in the table."""

    number: int
    name: str
    rating: RatingCell | None
    results: tuple[str, ...]
    colours: tuple[str, ...]
    lines: tuple[PastedLine, ...]


def read_uschess(account: Account) -> bool:
    """Read the player's games; false if the text is not such a table."""
    players = _players(account.lines)
    if not players or not any(player.rating for player in players):
        return False
    account.layout = "US Chess crosstable"
    inside = {line.number for player in players for line in player.lines}
    for line in account.lines:
        if line.number not in inside:
            account.leave([line], RULE if not line.text.strip("-= ") else HEADING if "|" in line.text else PARTICULARS)
    place = account.whose([player.name for player in players])
    by_number = {player.number: player for player in players}
    for number, player in enumerate(players):
        if number != place:
            account.leave(player.lines, OTHERS)
            continue
        for game in _games(player, by_number):
            account.add(game, player.lines)
        account.leave(player.lines, OWN_ROW)
    return True


def _players(lines: Sequence[PastedLine]) -> list[PairLines]:
    players: list[PairLines] = []
    rows = [(line, [cell.strip() for cell in line.text.split("|")]) for line in lines if line.text.count("|") >= 2]
    for place, (line, cells) in enumerate(rows):
        if not cells[0].isdecimal() or len(cells[0]) > 5 or not is_wordy(cells[1]):
            continue
        below_line, below = rows[place + 1] if place + 1 < len(rows) else (None, [""])
        has_below = below_line is not None and len(below) > 1 and AFTER in below[1]
        players.append(
            PairLines(
                number=int(cells[0]),
                name=cells[1],
                rating=_rating(below[1]) if has_below else None,
                results=tuple(cells[FIRST_ROUND:]),
                colours=tuple(below[FIRST_ROUND:]) if has_below else (),
                lines=(line, below_line) if has_below and below_line is not None else (line,),
            )
        )
    return players


def _rating(cell: str) -> RatingCell | None:
    """The rating before the event: `00000013 / R: 1384P12->1440P16`."""
    _, mark, behind = cell.partition(BEFORE)
    before = (behind if mark else cell).partition(AFTER)[0]
    return rating_in(before.split("/")[-1].strip())


def _games(player: PairLines, by_number: Mapping[int, PairLines]) -> list[PastedGame]:
    games: list[PastedGame] = []
    for number, cell in enumerate(player.results, start=1):
        found = us_cell(cell)
        alone = cell.strip().isdecimal()
        if found is None and not alone:
            continue
        opponent_number = int(cell) if found is None else found.number
        opponent = by_number.get(opponent_number) if opponent_number is not None else None
        letter = player.colours[number - 1].upper() if number <= len(player.colours) else ""
        rating = opponent.rating if opponent else None
        games.append(
            PastedGame(
                result="to-come" if found is None else found.result,
                round=number,
                opponent=rating.rating if rating else None,
                rating_state=rating.state if rating else "unknown",
                name=opponent.name if opponent else None,
                colour=COLOURS.get(letter),
                points=found.points if found else None,
                read_from=cell if found else "",
            )
        )
    return games
