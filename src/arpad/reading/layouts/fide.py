"""FIDE's page of individual calculations: the name on a line, then title, rating, federation, score and changes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from arpad.messages import say
from arpad.reading.layouts.account import HEADING, PARTICULARS
from arpad.reading.layouts.cells import is_federation, is_wordy, rating_in, title_in
from arpad.reading.pasted import PastedGame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.reading.layouts.account import Account, PastedLine
    from arpad.reading.results import Result

SCORES: dict[str, Result] = {"1.00": "win", "0.50": "draw", "0.00": "loss"}
LEAST_BEHIND = 4  # one game, its change, K and K times the change
TOTALS = "Rc"


def read_fide(account: Account) -> bool:
    """Read the games of the page; false if the text is something else."""
    lines = [line for line in account.lines if not line.is_blank]
    rows = {place: cells for place, line in enumerate(lines) if (cells := _row(line.text)) is not None}
    if not rows:
        return False
    account.layout = "FIDE's individual calculations"
    event: str | None = None
    for place, line in enumerate(lines):
        if line.text.split()[:1] == [TOTALS]:
            account.leave([line], HEADING)
            event = lines[place - 2].text.strip() if place >= 2 else None
        elif place in rows:
            _read_row(account, lines, place, rows[place], event)
    account.leave((line for line in lines if line.number not in account.left_out), PARTICULARS)
    if any(game.capped for game in account.games):
        account.note(say("reading.note.capped"))
    return True


def _row(line: str) -> list[str] | None:
    """The cells of a game's line; None if it is not one."""
    cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.replace(" *", "*").split()
    for place, cell in enumerate(cells):
        behind = cells[place + 1 :]
        if is_federation(cell) and place and (rating := rating_in(cells[place - 1])) and rating.rating:
            enough = len(behind) >= LEAST_BEHIND and sum(_is_figure(following) for following in behind) >= LEAST_BEHIND
            return cells if enough and place <= 3 else None
    return None


def _is_figure(cell: str) -> bool:
    return cell.lstrip("-+").replace(".", "", 1).replace(",", "", 1).isdecimal()


def _read_row(
    account: Account, lines: Sequence[PastedLine], place: int, cells: Sequence[str], event: str | None
) -> None:
    """Read a game from its line and the name above it."""
    federation = next(at for at, cell in enumerate(cells) if is_federation(cell) and at)
    above = lines[place - 1] if place else None
    named = above is not None and is_wordy(above.text) and "\t" not in above.text.strip()
    own = [above, lines[place]] if named and above is not None else [lines[place]]
    result = SCORES.get(cells[federation + 1].replace(",", "."))
    if result is None:
        account.leave(own, say("reading.why.no_score"), doubtful=True)
        return
    rating = rating_in(cells[federation - 1])
    titles = [title for cell in cells[: federation - 1] if (title := title_in(cell))]
    game = PastedGame(
        result=result,
        opponent=rating.rating if rating else None,
        rating_state="rated",
        name=above.text.strip() if named and above is not None else None,
        title=titles[0] if titles else None,
        federation=cells[federation],
        capped=bool(rating and rating.capped),
        read_from=cells[federation + 1],
    )
    account.add(replace(game, event=event), own)
