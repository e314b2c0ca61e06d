"""Documents that are tables: standings, crosstable, wall charts, rating report, prizes, norms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import accumulate
from typing import TYPE_CHECKING

from arpad.calculation.explain import label_of
from arpad.charts.drawing import THEMES, can_draw
from arpad.core.tournaments import FIXED_PAIRINGS, grouped
from arpad.errors import BadInput
from arpad.messages import figure, fixed, say
from arpad.reading.text import fold
from arpad.reports.documents.paper import (
    CENTRE,
    RIGHT,
    GridColumn,
    Lines,
    Picture,
    PrintedGrid,
    PrintedSheet,
    columns_of,
    declared,
    grid,
    head_of,
    remarks,
    together,
)
from arpad.reports.page import Norms, by_the_rules, charts
from arpad.tournaments.next_round import next_round, norm_words
from arpad.tournaments.pairings import round_cell
from arpad.tournaments.points import points_by_round
from arpad.tournaments.standings import ITSELF

if TYPE_CHECKING:
    from arpad.core.tournaments import Tournament
    from arpad.reports.documents import EventDocuments
    from arpad.reports.documents.paper import Block
    from arpad.tournaments.event.player import EventGame, PlayerReport
    from arpad.tournaments.next_round import AfterResult
    from arpad.tournaments.standings import EventStandings
    from arpad.tournaments.tiebreaks import PlayerTies, TeamTies

PAPER = THEMES["light"]
# Advice about options and what the pairing program says in its file, which nobody needs to read on a wall.
FOR_THE_ARBITER = (
    "notes.ties.name_them", "notes.ties.dropped", "notes.norms.kind", "notes.file.comments", "notes.file.comments.more",
)  # fmt: skip
UPRIGHT = 10  # more columns of results than this need the long side of the paper
ROUND_ROBIN_UPRIGHT = 8  # with so few rows, larger letters are worth it
PLACES = ("place", "no", "title", "name", "fed", "rating", "points")
TEAM_PLACES = ("place", "no", "name", "match_points", "game_points")


def standings_sheets(event: EventDocuments) -> tuple[PrintedSheet, ...]:
    """The players or teams in order, with the tie-breaks."""
    found = event.standings
    return (
        PrintedSheet(title=_title("standings"), subtitle=after(found), blocks=(standings_grid(found), *_below(found))),
    )


def standings_grid(found: EventStandings) -> PrintedGrid:
    """The table of the standings."""
    if found.teams:
        columns = columns_of((*TEAM_PLACES, *found.criteria))
        return grid(
            columns,
            (
                (team.place, team.no, team.called, team.match_points, team.game_points, *_values(team, found.criteria))
                for team in found.teams
            ),
        )
    columns = columns_of((*PLACES, *found.criteria), left=("title", "fed"))
    return grid(columns, ((*person(line), line.points, *_values(line, found.criteria)) for line in found.players))


def person(line: PlayerTies) -> tuple[object, ...]:
    """A player's place, number, title, name, federation and rating."""
    player = line.entrant.player
    return line.place, line.no, player.title, line.called, player.federation, line.rating


def _values(line: PlayerTies | TeamTies, criteria: Sequence[str]) -> tuple[object, ...]:
    return tuple(line.values[name] for name in criteria)


def after(found: EventStandings) -> str:
    """How far the event is, as the answer itself says it, and which group is shown."""
    parts = [
        f"{label_of(item.key)} {figure(item.value)}" if item.key == "standings.round" else figure(item.value)
        for item in found.progress()
    ]
    return " · ".join([*parts, *([] if found.group is None else [found.group])])


def _below(found: EventStandings) -> tuple[Lines, ...]:
    """What was dropped or assumed, and how many ranks in the file differ: which ones is the arbiter's business."""
    differences = [say("documents.differences", ranks=len(found.differences))] if found.differences else []
    return remarks([*order_remarks(found), *differences])


def order_remarks(found: EventStandings) -> list[object]:
    """What readers of standings should know about their order."""
    return [*found.dropped, *(note for note in found.notes if note.key not in FOR_THE_ARBITER)]


def crosstable_sheets(event: EventDocuments) -> tuple[PrintedSheet, ...]:
    """Every result in order of place."""
    found = event.standings
    upright = ROUND_ROBIN_UPRIGHT if found.chosen.kind in FIXED_PAIRINGS else UPRIGHT
    return (
        PrintedSheet(
            title=_title("crosstable"),
            subtitle=after(found),
            landscape=len(found.crosstable.columns) > upright,
            blocks=(crosstable_grid(found), *_below(found)),
        ),
    )


def crosstable_grid(found: EventStandings) -> PrintedGrid:
    """The crosstable; in a round robin opponents are called by their place in it."""
    results = found.crosstable
    cells = {line.no: line.cells for line in results.lines}
    by_opponents = found.chosen.kind in FIXED_PAIRINGS
    heads = range(1, len(results.columns) + 1) if by_opponents else results.columns
    rated = any(getattr(line, "rating", None) is not None for line in found.lines)
    columns = (
        *columns_of(("place", "no", "name", *(["rating"] if rated else []))),
        *(GridColumn(str(number), CENTRE) for number in heads),
        GridColumn(head_of("points"), RIGHT),
        *(GridColumn(name, RIGHT) for name in found.criteria),
    )
    return grid(
        columns,
        (
            (
                line.place,
                line.no,
                line.called,
                *([getattr(line, "rating", None)] if rated else []),
                *("■" if cell == ITSELF else cell for cell in cells[line.no]),
                line.points,
                *_values(line, found.criteria),
            )
            for line in found.lines
        ),
    )


def wall_by_rank(event: EventDocuments) -> tuple[PrintedSheet, ...]:
    """The wall chart in order of place."""
    found = event.standings
    order = [line.no for line in found.players] or [entrant.no for entrant in event.tournament.entrants]
    return _wall(event, found, order, "wall-by-rank")


def wall_by_name(event: EventDocuments) -> tuple[PrintedSheet, ...]:
    """The wall chart in order of names."""
    found = event.standings
    entrants = sorted(event.tournament.entrants, key=lambda entrant: fold(entrant.called))
    wanted = {line.no for line in found.players}
    order = [entrant.no for entrant in entrants if not wanted or entrant.no in wanted]
    return _wall(event, found, order, "wall-by-name")


def _wall(event: EventDocuments, found: EventStandings, order: Sequence[int], name: str) -> tuple[PrintedSheet, ...]:
    """Every player's rounds: opponent, colour and result, and below them the points so far."""
    places = {line.no: line.place for line in found.players}
    held = found.round
    rows = []
    for no in order:
        entrant = event.tournament.entrant(no)
        player, played = entrant.player, entrant.rounds[:held]
        sums = list(accumulate(points_by_round(entrant, event.tournament)[:held]))
        cells = [
            f"{round_cell(one, event.tournament)}\n{figure(total)}" for one, total in zip(played, sums, strict=True)
        ]
        head = (places.get(no), no, player.title, entrant.called, player.federation, player.rating)
        rows.append((*head, *cells, *[""] * (held - len(cells)), sums[-1] if sums else 0))
    columns = (
        *columns_of(PLACES[:-1], left=("title", "fed")),
        *(GridColumn(str(number), CENTRE) for number in range(1, held + 1)),
        GridColumn(head_of("points"), RIGHT),
    )
    teams = [say("documents.wall_teams")] if found.teams and name == "wall-by-rank" else []
    blocks: tuple[Block, ...] = (grid(columns, rows), *remarks([say("documents.wall_note"), *teams]))
    return (PrintedSheet(title=_title(name), subtitle=after(found), landscape=held > UPRIGHT - 2, blocks=blocks),)


def rating_sheets(event: EventDocuments) -> tuple[PrintedSheet, ...]:
    """The rating changes in FIDE's columns, and every remark about them."""
    rated = event.rated
    figures = [
        f"{label_of(item.key)}: {figure(item.value)}{'' if item.remark is None else f' ({item.remark})'}"
        for item in rated.summary()
        if item.value is not None
    ]
    said: list[object] = [
        by_the_rules(rated),
        *(rated.remark(reason) for reason in rated.totals.no_rating),
        *(reason.says for reason in rated.totals.not_counted),
        *rated.notes,
        *rated.findings,
        *grouped(rated.event.oddities),
    ]
    tables = [declared(table) for table in rated.tables()]
    cards = [card_grid(player) for player in rated.players if event.cards and player.boards]
    drawn = charts(rated, PAPER) if event.charts and can_draw() else []
    pictures = [Picture(svg=one.svg, heading=str(one.title), says=str(one.says)) for one in drawn]
    blocks: tuple[Block, ...] = (*remarks(figures), *tables, *pictures, *remarks(said, _title("remarks")), *cards)
    return (PrintedSheet(title=_title("rating-report"), subtitle=_held(rated.event), blocks=blocks),)


def _held(tournament: Tournament) -> str:
    """The rounds that have a result: all so far, or those of a part of a long event."""
    held = {
        number
        for entrant in tournament.entrants
        for number, played in enumerate(entrant.rounds, start=1)
        if played.opponent is not None and played.score is not None
    }
    if not held:
        return ""
    first, last = min(held), max(held)
    said = say("documents.round", round=first) if first == last else say("documents.rounds", first=first, last=last)
    return str(said)


GAMES = ("round", "colour", "no", "name", "rating", "score", "expected", "change")


def card_grid(player: PlayerReport) -> PrintedGrid:
    """A player's games with the change of each."""
    heading = " ".join(filter(None, (str(player.no), player.title, player.called)))
    change = "" if player.change is None else f" {figure(player.change, signed=True)}"
    made = grid(columns_of(GAMES, left=("colour",)), map(game_cells, player.per_game), f"{heading}{change}")
    return PrintedGrid(columns=made.columns, rows=together(made.rows), heading=made.heading)


def game_cells(game: EventGame) -> tuple[object, ...]:
    """One game: round, colour, opponent, rating, score, expected score and change."""
    colour = "" if game.colour is None else str(say(f"documents.{game.colour}"))
    change = figure(game.change, signed=True) if game.change is not None else str(say("answers.not_rated"))
    return (game.round, colour, game.no, game.called, game.opponent, game.score, game.expected, change)


def prize_sheets(event: EventDocuments) -> tuple[PrintedSheet, ...]:
    """Who wins which prize, with the working of every share."""
    found = event.standings
    if not found.prizes:
        raise BadInput(say("documents.no_prizes"), at="prizes")
    lines = {line.no: line for line in found.lines}
    columns = columns_of(("place", "no", "name", "points", "condition", "prize", "working", "amount"), left=(
        "condition", "prize", "working"))  # fmt: skip
    rows = [
        (lines[won.no].place, won.no, won.name, lines[won.no].points, won.condition, ", ".join(won.prizes), won.working,
         fixed(won.amount, 2))
        for won in found.prizes
    ]  # fmt: skip
    total = sum((won.amount for won in found.prizes), Decimal(0))
    sum_of_all = Lines(lines=(str(say("documents.prize_total", total=fixed(total, 2))),))
    share = str(say(f"documents.share.{event.share}"))
    return (
        PrintedSheet(
            title=_title("prizes"),
            subtitle=f"{after(found)} · {share}",
            blocks=(grid(columns, rows), sum_of_all, *_below(found)),
        ),
    )


def title_sheets(event: EventDocuments) -> tuple[PrintedSheet, ...]:
    """The norms of an event: those made first, then those that are possible or missed by little."""
    norms = Norms(event.norms)
    rows = [(row.no, *_who(event, row.no), row.title, row.verdict, row.figures) for row in norms.rows]
    keys = ("no", "title", "name", "fed", "fide_id", "norm", "verdict", "figures")
    columns = columns_of(keys, left=("title", "fed", "norm", "verdict"), wide=("name", "figures"))
    blocks: tuple[Block, ...] = (grid(columns, rows),) if rows else ()
    said = [norms.says, *event.norms.notes]
    held = _held(event.tournament)
    return (PrintedSheet(title=_title("titles"), subtitle=held, blocks=(*blocks, *remarks(filter(None, said)))),)


AHEAD = ("no", "name", "points", "versus", "win", "places", "draw", "places", "loss", "places")


def next_sheets(event: EventDocuments) -> tuple[PrintedSheet, ...]:
    """The next round: what each result would do to a rating, to the place by points, and to norms."""
    found = next_round(event.rated)
    rows = [
        (
            one.no,
            one.called,
            one.points,
            one.versus,
            *(cell for after in one.results for cell in (_changed(after), after.places)),
        )
        for one in found.players
    ]
    norms = [f"{one.no} {one.called}, {said}" for one in found.players for said in norm_words(one)]
    subtitle = str(say("documents.round", round=found.round))
    blocks: tuple[Block, ...] = (grid(columns_of(AHEAD), rows), *remarks(norms), *remarks(found.notes))
    return (PrintedSheet(title=_title("next"), subtitle=subtitle, blocks=blocks),)


def _changed(after: AfterResult) -> object:
    """The change, or the rating that an unrated player would have."""
    return after.new_rating if after.change is None else figure(after.change, signed=True)


def _who(event: EventDocuments, no: int) -> Iterable[object]:
    entrant = event.tournament.entrant(no)
    player = entrant.player
    return player.title, entrant.called, player.federation, player.fide_id and str(player.fide_id)


def _title(name: str) -> str:
    return str(say(f"documents.title.{name}"))
