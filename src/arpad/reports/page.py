"""A report as one self-contained page: no script, no network, light or dark as the reader's browser prefers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.explain import label_of
from arpad.calculation.serialise import to_json
from arpad.charts.drawing import PLAIN_ZERO, Theme, altair, dressed, svg
from arpad.core.tournaments import by_kind, grouped
from arpad.errors import ArpadError, MissingExtra
from arpad.messages import Message, apart, figure, halves, say, section, voice
from arpad.tournaments.next_round import MOST_RESULTS, NextRound, next_round, norm_words, round_to_come
from arpad.tournaments.norms.answer import STANDS, in_words, norm_lines, unlisted
from arpad.tournaments.norms.report import NORM_LIST, find_norms
from arpad.tournaments.standings import difference_lines, standings

if TYPE_CHECKING:
    from jinja2 import Environment

    from arpad.core import Rating
    from arpad.tournaments.event.player import PlayerReport
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.norms.answer import NormsReport
    from arpad.tournaments.standings import EventStandings
    from arpad.tournaments.tiebreaks.scoreboard import Shown


TEMPLATES = Path(__file__).parent / "templates"


def page(rated: EventReport, norms: Norms | None = None, order: Order | None = None, *, cards: bool = True) -> str:
    """The complete page, with or without a card for each player."""
    shown = _shown(rated, norms, order, cards=cards)
    return templates().get_template("page.html").render(**shown, style=whole_style())


def body(
    rated: EventReport, norms: Norms | None = None, order: Order | None = None, ahead: NextRound | None = None
) -> str:
    """The report alone, for a page that has its own head; it needs `stylesheet`.

    The next round, if there is one, is worked out unless it is given.
    """
    shown = _shown(rated, norms, order, cards=True, ahead=ahead)
    return templates().get_template("report.html").render(**shown)


def whole_style() -> str:
    """The CSS of a page of its own, including the report's."""
    return (TEMPLATES / "page.css").read_text(encoding="utf-8") + stylesheet()


def stylesheet() -> str:
    """The CSS of a report, in the colours that the page around it defines."""
    return (TEMPLATES / "report.css").read_text(encoding="utf-8")


def _shown(
    rated: EventReport, norms: Norms | None, order: Order | None, *, cards: bool, ahead: NextRound | None = None
) -> dict[str, Any]:
    try:
        drawn, undrawn = charts(rated), None
    except ArpadError as missing:  # the charts are an extra
        drawn, undrawn = [], missing.message
    return {
        "rated": rated,
        "event": rated.event,
        "norms": norms,
        "order": order or Order(None),
        "ahead": ahead or ahead_of(rated),
        "cards": cards,
        "charts": drawn,
        "undrawn": undrawn,
        "language": voice().language,
    }


@cache
def templates() -> Environment:
    """The templates, with the filters and functions they use."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise MissingExtra(say("reports.needs_jinja")) from None
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    made.filters.update(
        figure=lambda value: "" if value is None else figure(value),
        signed=lambda value: "" if value is None else figure(value, signed=True),
        way=_way,
        score=score_text,
    )
    made.globals.update(
        label=label_of,
        words=words,
        facts=_facts,
        by_the_rules=by_the_rules,
        card_line=card_line,
        why_line=why_line,
        reasons=reasons,
        grouped=grouped,
        by_kind=by_kind,
        not_ahead=not_ahead,
        norm_words=norm_words,
        difference_lines=difference_lines,
    )
    return made


def ahead_of(rated: EventReport) -> NextRound | None:
    """The next round; None if every pairing has a result, or the event is too large."""
    return None if round_to_come(rated.event) is None or not_ahead(rated) else next_round(rated)


def not_ahead(rated: EventReport) -> str:
    """Says that an event is too large for a page to show its next round; empty for all others."""
    number, results = round_to_come(rated.event), len(rated.event.entrants) * rated.event.rounds
    if number is None or results <= MOST_RESULTS:
        return ""
    return words("next_left_out", round=number, results=results, most=MOST_RESULTS)


def words(key: str, **values: object) -> str:
    """A text of the report by its key."""
    return str(say(f"reports.{key}", **values))


def _facts(rated: EventReport) -> str:
    """Where and when the event was, in one line."""
    event = rated.event
    days = None if event.start is None else str(event.start)
    if event.start is not None and event.end not in (None, event.start):
        days = words("days", start=event.start, end=event.end)
    facts = (
        event.city,
        event.federation,
        days,
        words("rounds", rounds=event.rounds) if event.rounds else None,
        event.kind,
        event.time_control,
        words("arbiter", arbiter=event.arbiter) if event.arbiter else None,
    )
    return " · ".join(filter(None, facts))


def card_line(player: PlayerReport) -> str:
    """The figures on a player's card in one line."""
    if not player.calculated:
        return ""
    parts = [words("score", score=score_text(player.score), games=player.games)]
    if player.expected is not None:
        parts.append(words("expected", expected=player.expected))
    if player.performance is not None:
        parts.append(words("performance", performance=player.performance))
    if player.k is not None:
        parts.append(words("k", k=player.k) if player.k_why is None else words("k_why", k=player.k, why=player.k_why))
    return apart(parts)


def why_line(player: PlayerReport) -> str:
    """Why a player has no calculation or no new rating, as a sentence."""
    parts = [str(player.why)]
    if player.missing:
        parts.append(words("missing", missing=", ".join(map(str, player.missing))))
    if player.so_far:
        parts.append(words("so_far", so_far=player.so_far))
    return words("no_new_rating", why=apart(parts))


def by_the_rules(rated: EventReport) -> Message:
    """The system, as people call it, and the day of its rules."""
    called = section(voice().language, "pages.system").get(rated.system, rated.system)
    return say("answers.by_the_rules", system=called, on=rated.on)


def _way(change: Decimal | None) -> str:
    """`up` or `down`, for the style of a change; empty for none."""
    return "" if not change else "up" if change > 0 else "down"


def score_text(score: Decimal | None) -> str:
    """A score as in a crosstable: `½`, `3½`."""
    return "" if score is None else halves(score)


def reasons(player: PlayerReport) -> list[Message]:
    """Each reason given for a player's games once, with the rounds."""
    found: dict[str, list[int]] = {}
    for board, line in player.played():
        if line is not None and line.why is not None:
            found.setdefault(str(line.why), []).append(board.round)
    return [
        say("reports.in_round" if len(rounds) == 1 else "reports.in_rounds", rounds=rounds, why=why)
        for why, rounds in found.items()
    ]


WIDTH, HEIGHT = 360, 220
COLOURS = Theme("var(--ink)", "var(--soft)", "var(--line)", "var(--up)", "var(--soft)", "var(--down)", "var(--card)")
LEAST = 2  # with fewer players there is nothing to see


class Drawn(NamedTuple):
    """A drawn chart with its title, and a sentence that says what it shows."""

    title: Message
    says: Message
    svg: str


def charts(rated: EventReport, colours: Theme = COLOURS) -> list[Drawn]:
    """Each player's change by rating, and each player's performance by rating."""
    moved = [(player, player.change) for player in rated.players if player.change is not None and player.games]
    if len(moved) < LEAST:
        return []
    rows = [
        {
            "rating": float(player.rating or 0),
            "change": float(change),
            "performance": player.performance,
            "gains": change > 0,
        }
        for player, change in moved
    ]
    players = len(moved)
    gained, lost = sum(change > 0 for _, change in moved), sum(change < 0 for _, change in moved)
    total = sum((change for _, change in moved), Decimal(0))
    better = sum((player.performance or 0) > (player.rating or 0) for player, _ in moved)
    return [
        Drawn(
            say("reports.chart.change.title"),
            say("reports.chart.change.says", gained=gained, players=players, lost=lost, total=total),
            _svg(rows, "change", "+.0f", 0, colours),
        ),
        Drawn(
            say("reports.chart.performance.title"),
            say("reports.chart.performance.says", better=better, players=players),
            _svg(rows, "performance", "d", None, colours),
        ),
    ]


def _svg(rows: list[dict[str, Any]], what: str, numbers: str, level: int | None, colours: Theme) -> str:
    """A dot for each player, and a line at a level, or where performance equals rating."""
    alt = altair()
    x = alt.X(
        "rating:Q",
        scale=alt.Scale(zero=False, nice=True),
        axis=alt.Axis(format="d", title=str(say("reports.chart.rating")), tickCount=6),
    )
    y = alt.Y(
        f"{what}:Q",
        scale=alt.Scale(zero=False),
        axis=alt.Axis(format=numbers, title=str(say(f"reports.chart.{what}")), tickCount=6, labelExpr=PLAIN_ZERO),
    )
    colour = alt.condition("datum.gains", alt.value(colours.win), alt.value(colours.loss))
    dots = alt.Chart(alt.Data(values=rows)).mark_circle(size=_size(len(rows)), opacity=0.75).encode(x, y, color=colour)
    ends = [min(row["rating"] for row in rows), max(row["rating"] for row in rows)]
    line = [{"rating": end, what: end if level is None else level} for end in ends]
    rule = (
        alt.Chart(alt.Data(values=line)).mark_line(color=colours.faint, strokeWidth=1, strokeDash=[4, 3]).encode(x, y)
    )
    chart = dressed((rule + dots).properties(width=WIDTH, height=HEIGHT, background="transparent"), colours)
    drawn = svg(chart.to_dict(validate=False))
    return drawn.replace("<svg", '<svg aria-hidden="true"', 1)  # the caption says what it shows


def _size(dots: int) -> int:
    """The area of a dot: smaller if there are many."""
    return max(8, min(70, 7000 // dots))


@dataclass(frozen=True, slots=True)
class LiveState:
    """What a live page shows: the event's name, a body, the time it was made, and any problem since."""

    title: str = ""
    body: str = ""
    time: str = ""
    problem: str = ""
    version: int = 0


def live_page(state: LiveState) -> str:
    """The whole page."""
    return (
        templates()
        .get_template("live.html")
        .render(
            title=state.title,
            shown=state.body,
            time=state.time,
            problem=state.problem,
            version=state.version,
            style=whole_style(),
            language=voice().language,
        )
    )


def live_body(
    *,
    player: PlayerReport | None = None,
    standings: EventStandings | None = None,
    norms: Norms | None = None,
    ahead: NextRound | None = None,
    why: str = "",
) -> str:
    """Those given of a player, standings, norms and the next round; `why` says why that round is not shown."""
    made = templates().get_template("live_body.html")
    return made.render(player=player, found=standings, norms=norms, ahead=ahead, why=why)


def live_script() -> str:
    """The script that looks for a new state."""
    return (TEMPLATES / "live.js").read_text(encoding="utf-8")


class OrderLine(NamedTuple):
    """A player's place in a report, with the values of the criteria."""

    place: int
    player: PlayerReport
    values: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """The standings of an event, or why there are only the ranks in its file."""

    standings: EventStandings | None
    why: Message | str | None = None

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria after the players' points; none if teams are ranked, or nothing could be."""
        return () if self.standings is None or self.standings.teams else self.standings.criteria

    def lines(self, rated: EventReport) -> list[OrderLine]:
        """The players by the criteria; by the ranks in the file if teams are ranked, or nothing could be."""
        found = self.standings
        if found is None or found.teams:
            ranks = enumerate(rated.standings, start=1)
            return [OrderLine(player.rank or number, player, ()) for number, player in ranks]
        values = [tuple(player.values[name] for name in self.criteria) for player in found.players]
        return [
            OrderLine(player.place, rated.player(player.no), own)
            for player, own in zip(found.players, values, strict=True)
        ]

    @property
    def remarks(self) -> list[Message | str]:
        """Remarks on the order: what was dropped or assumed, and where the ranks in the file differ."""
        if self.standings is None:
            return [] if self.why is None else [self.why]
        notes = [note for note in self.standings.notes if note.key.startswith(("notes.ties.", "notes.standings."))]
        return [
            *map(str, self.standings.dropped),
            *notes,
            *difference_lines(self.standings.differences, self.standings.lines),
        ]

    def value(self) -> dict[str, Any]:
        """The standings as JSON, with the API's field names."""
        return {"players": [], "why": to_json(self.why)} if self.standings is None else self.standings.value()


def order_of(rated: EventReport, names: Sequence[str] = (), *, unrated: Rating | None = None) -> Order:
    """The standings of a rated event; criteria that were asked for but cannot be used are an error."""
    try:
        return Order(standings(rated.event, names, on=rated.on, unrated=unrated))
    except ArpadError as error:
        if names:
            raise
        return Order(None, error.said)


@dataclass(frozen=True, slots=True)
class NormRow:
    """A norm in a table: the player, the title, the verdict, and the figures behind it."""

    no: int
    name: str
    title: str
    stands: str  # made, possible, unknown or missed
    verdict: str  # the same in words
    figures: str


@dataclass(frozen=True, slots=True)
class Norms:
    """The norms of an event, or why they cannot be judged."""

    report: NormsReport | None
    why: Message | str | None = None

    @property
    def rows(self) -> list[NormRow]:
        """The norms that `arpad norms` lists, those made first."""
        lines = [] if self.report is None else norm_lines(self.report)
        lines.sort(key=lambda line: STANDS.index(line.stands))
        return [
            NormRow(
                line.player.no,
                line.player.called,
                line.norm.title,
                line.stands,
                str(say(f"tournaments.stands.{line.stands}")),
                in_words(line.norm),
            )
            for line in lines
        ]

    @property
    def says(self) -> Message | str | None:
        """The remark next to the rows, or instead of them."""
        return self.why if self.report is None else unlisted(self.report)

    @property
    def notes(self) -> list[Message]:
        """Notes about norms; those about the event are in the report itself."""
        return (
            [] if self.report is None else [note for note in self.report.notes if note.key.startswith("notes.norms.")]
        )

    def value(self) -> dict[str, Any]:
        """The norms as JSON, with the API's field names."""
        return {"players": [], "why": to_json(self.why)} if self.report is None else self.report.value()


def norms_of(rated: EventReport) -> Norms | None:
    """The norms of a standard event; None for rapid, blitz or another system."""
    if rated.system != NORM_LIST:
        return None
    try:
        return Norms(find_norms(rated.event, on=rated.on, qc_approved=rated.qc_approved))
    except ArpadError as error:
        return Norms(None, error.said)
