"""Documents of one round: the pairing list, result slips, and cards for the boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.messages import figure, say
from arpad.reports.documents.paper import (
    CENTRE,
    LEFT,
    RIGHT,
    BoardCard,
    Cards,
    CardSide,
    GridColumn,
    GridRow,
    PrintedGrid,
    PrintedSheet,
    grid,
    head_of,
    remarks,
)
from arpad.tournaments.pairings import pairings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from decimal import Decimal

    from arpad.core.tournaments import Entrant
    from arpad.reports.documents import EventDocuments
    from arpad.reports.documents.paper import Block
    from arpad.tournaments.pairings import PairedBoard, RoundPairings

COLUMNS = (
    ("board", RIGHT, False), ("no", RIGHT, False), ("title", LEFT, False), ("white", LEFT, True),
    ("rating", RIGHT, False), ("points", RIGHT, False), ("result", CENTRE, False), ("points", RIGHT, False),
    ("title", LEFT, False), ("black", LEFT, True), ("rating", RIGHT, False), ("no", RIGHT, False),
)  # fmt: skip


def pairing_sheets(event: EventDocuments) -> tuple[PrintedSheet, ...]:
    """The boards of a round; in a team event by match."""
    found = pairings(event.tournament, event.round)
    lines = [say(f"documents.bye.{bye.kind}", no=bye.entrant.no, name=bye.entrant.called) for bye in found.byes]
    order = say("documents.match_order" if found.matches else "documents.board_order")
    unsure = [] if all(board.colours for board in found.boards) else [say("documents.no_colours")]
    blocks: tuple[Block, ...] = (pairing_grid(found), *remarks(lines, _words("byes")), *remarks([order, *unsure]))
    return (PrintedSheet(title=_words("title.pairings"), subtitle=_round(event, found.round), blocks=blocks),)


def pairing_grid(found: RoundPairings) -> PrintedGrid:
    """The table of a round."""
    columns = tuple(GridColumn(head_of(key), align, wide) for key, align, wide in COLUMNS)
    if not found.matches:
        return grid(columns, map(_cells, found.boards))
    boards = grid(columns, map(_cells, found.boards))
    cells = iter(boards.rows)
    rows: list[GridRow] = []
    for match in found.matches:
        names = say("documents.match", number=match.number, first=match.first.name, second=match.second.name)
        score = "" if match.points is None else f"   {figure(match.points[0])} – {figure(match.points[1])}"
        rows.append(GridRow((f"{names}{score}",), heading=True, keep=len(match.boards) + 1))
        rows += [GridRow(next(cells).cells) for _ in match.boards]
    return PrintedGrid(columns=boards.columns, rows=tuple(rows))


def _cells(board: PairedBoard) -> tuple[object, ...]:
    white, black = board.white.player, board.black.player
    return (
        board.board, board.white.no, white.title, board.white.called, white.rating, board.white_points,
        board.result or "–", board.black_points, black.title, board.black.called, black.rating, board.black.no,
    )  # fmt: skip


def slip_sheets(event: EventDocuments) -> tuple[PrintedSheet, ...]:
    """A result slip for each board, to be signed by both players."""
    return _cards(event, "slips")


def card_sheets(event: EventDocuments) -> tuple[PrintedSheet, ...]:
    """A card for each board, to stand on the table."""
    return _cards(event, "cards")


def _cards(event: EventDocuments, kind: str) -> tuple[PrintedSheet, ...]:
    found = pairings(event.tournament, event.round)
    what = _round(event, found.round)
    teams = {no: team.name for team in event.tournament.teams for no in team.members}
    made = tuple(
        BoardCard(
            str(board.board) if board.match is None else f"{board.match}.{board.board}",
            what,
            _side("white", board.white, board.white_points, teams),
            _side("black", board.black, board.black_points, teams),
        )
        for board in found.boards
    )
    return (PrintedSheet(title=_words(f"title.{kind}"), subtitle=what, blocks=(Cards(cards=made, kind=kind),)),)


def _side(colour: str, entrant: Entrant, points: Decimal, teams: Mapping[int, str]) -> CardSide:
    player = entrant.player
    rating = None if player.rating is None else figure(player.rating)
    about = [player.title, player.federation, rating, teams.get(entrant.no)]
    return CardSide(
        _words(colour),
        entrant.called,
        " ".join(filter(None, about)),
        str(say("documents.number", no=entrant.no)),
        str(say("documents.points", points=points)),
    )


def _round(event: EventDocuments, number: int) -> str:
    """The round, and its day if the file has it."""
    days = event.tournament.round_days
    day = days[number - 1] if number <= len(days) else None
    return str(
        say("documents.round", round=number) if day is None else say("documents.round_on", round=number, day=day)
    )


def _words(key: str) -> str:
    return str(say(f"documents.{key}"))
