"""What the page shows of a rated event: its head, the rows of its tables, its tabs, and how it was rated, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from arpad.core.numbers import half_up
from arpad.core.tournaments import ROUND_ROBIN, SWISS, by_kind, grouped
from arpad.messages import Message, figure, say
from arpad.reports.chances import ChancesPart, is_running
from arpad.reports.page import Norms, Order, ahead_of, not_ahead, reasons, why_line
from arpad.tournaments.next_round import NextRound, norm_words
from arpad.tournaments.submission import MISSING, READY, CheckItem
from arpad.web.hero_parts import HeroFact, long_day, points
from arpad.web.site import named, needs_approval

if TYPE_CHECKING:
    from arpad.questions.tournaments import FileCheck
    from arpad.tournaments.event.player import PlayerReport
    from arpad.tournaments.event.report import BiggestChange, EventReport

TABS = ("ratings", "standings", "crosstable", "next", "chances", "norms", "checks", "documents")
BAR = 48  # half the width of the drawing beside a change
THINNEST = 2
# What FIDE has files write about the usual kinds, in small letters; any other text is shown as the file has it.
USUAL_KINDS = {"individual: swiss-system": SWISS, "individual: round-robin": ROUND_ROBIN}
K_ASSUMED, EVENT_K = "notes.k.assumed.", "notes.event.k.assumed."  # of one player, and of all
NATIONAL = ("notes.event.dwz.", "notes.event.ecf.", "notes.event.icu.")  # what national systems assume about players
PLOT_WIDTH, PLOT_HEIGHT, EDGE = 640, 240, 28  # of the chart, with room for its labels
LEAST = 2  # with fewer players there is nothing to see


class RatedRow(NamedTuple):
    """A player in the table of ratings."""

    player: PlayerReport
    bar: int  # the width of the drawing, negative for a loss
    assumed: bool

    @property
    def why(self) -> str:
        """Why there is no new rating; empty if there is one."""
        return "" if self.player.new_rating is not None or self.player.why is None else why_line(self.player)

    @property
    def why_short(self) -> str:
        """The same in a few words, for the table."""
        if not self.player.first:
            return self.why
        missing = ", ".join(map(str, self.player.missing))
        return str(
            say("report_page.no_rating_yet.missing", missing=missing) if missing else say("report_page.no_rating_yet")
        )

    @property
    def working(self) -> str:
        """The change in figures, where it is K times the score above the expectation."""
        player = self.player
        if player.k is None or player.expected is None or player.change is None:
            return ""
        if player.k * (player.score - player.expected) != player.change:
            return ""
        said = {"k": figure(player.k), "score": points(player.score), "expected": figure(player.expected)}
        return str(say("report_page.worked", change=figure(player.change, signed=True), **said))

    @property
    def reasons(self) -> list[Message]:
        """Why some games do not count."""
        return reasons(self.player)


class Dot(NamedTuple):
    """A player in the chart."""

    x: float
    y: float
    gains: bool


class Plot(NamedTuple):
    """Everybody's change by rating: the dots, the level of no change, and the ends of both scales."""

    dots: list[Dot]
    level: float
    lowest: str
    highest: str
    most: str
    least: str
    says: Message


@dataclass(frozen=True)
class TournamentView:
    """A report with its standings, its norms and the check of its file, as the page shows them."""

    rated: EventReport
    order: Order
    norms: Norms | None
    check: FileCheck | None
    given: Mapping[str, str]
    chances: ChancesPart | None = None  # worked out only when asked for

    @property
    def name(self) -> str:
        """The name of the event."""
        return self.rated.tournament.name or str(say("pages.text.tournament"))

    @property
    def where(self) -> str:
        """Where and when it was, and how it was played."""
        event = self.rated.tournament
        days = None if event.start is None else long_day(event.start)
        if event.start is not None and event.end is not None and event.end != event.start:
            ends = {"start": _short(event.start, event.end), "end": long_day(event.end)}
            days = str(say("report_page.days", **ends))
        rounds = str(say("report_page.rounds", rounds=event.rounds)) if event.rounds else None
        when = ", ".join(filter(None, (event.city, days)))
        usual = USUAL_KINDS.get((event.kind or "").lower())
        kind = event.kind if usual is None else named("event_kind", usual)
        return " · ".join(filter(None, (when, ", ".join(filter(None, (rounds, kind, event.time_control))))))

    @property
    def says(self) -> Message:
        """The event in one sentence."""
        totals = self.rated.totals
        changes = [player.change for player in self.rated.players if player.change is not None]
        if not totals.games_rated:
            return say("report_page.unrated_event", players=totals.players)
        said = {
            "players": totals.players,
            "games": totals.games_rated,
            "gained": sum(change > 0 for change in changes),
            "lost": sum(change < 0 for change in changes),
        }
        if totals.first_ratings:
            return say("report_page.gained.first", first=totals.first_ratings, **said)
        return say("report_page.gained", **said)

    @property
    def warning(self) -> Message | None:
        """What stands in the way: an inconsistent file, or something that the rating office asks for."""
        if self.rated.serious:
            return say("report_page.serious", places=len(self.rated.serious))
        missing = sum(item.state == MISSING for item in self.to_do)
        return say("report_page.missing", things=missing) if missing else None

    @property
    def facts(self) -> list[HeroFact]:
        """The biggest gain, the biggest loss, and the sum of all changes."""
        totals = self.rated.totals
        found = [self._biggest("gain", totals.gain), self._biggest("loss", totals.loss)]
        changes = sum(player.change is not None for player in self.rated.players)
        if totals.inflation is not None:
            value = figure(half_up(totals.inflation), signed=True)
            found.append(HeroFact(say("report_page.sum"), value, say("report_page.sum_of", changes=changes)))
        return [fact for fact in found if fact is not None]

    def _biggest(self, key: str, biggest: BiggestChange | None) -> HeroFact | None:
        if biggest is None:
            return None
        player = self.rated.player(biggest.no)
        surname = player.called.partition(",")[0]
        remark = surname if player.k is None else say("report_page.with_k", name=surname, k=player.k)
        return HeroFact(say(f"report_page.{key}"), figure(half_up(biggest.change), signed=True), remark)

    @cached_property
    def rows(self) -> list[RatedRow]:
        """Everybody, the biggest gain first; those without a change last, in the order of the file."""
        most = max((abs(player.change) for player in self.rated.players if player.change), default=Decimal(1))
        known = [player for player in self.rated.players if player.change is not None]
        others = [player for player in self.rated.players if player.change is None]
        known.sort(key=lambda player: -(player.change or 0))
        return [RatedRow(player, _bar(player.change, most), bool(player.assumed)) for player in (*known, *others)]

    @cached_property
    def assumed_k(self) -> list[Message]:
        """Which K was assumed, for how many players, and why."""
        kinds: dict[str, list[Message]] = {}
        for player in self.rated.players:
            for note in player.assumed:
                if note.key.startswith(K_ASSUMED):
                    kinds.setdefault(note.key.removeprefix(K_ASSUMED), []).append(note)
        found = []
        for kind, notes in kinds.items():
            values = " / ".join(sorted({str(note.values["k"]) for note in notes}))
            k = say("report_page.assumed_k", k=values)
            games = notes[0].values.get("games")
            found.append(say(f"report_page.assumed.{kind}", k=k, players=len(notes), games=games))
        return found

    @property
    def assumed_by_system(self) -> list[Message]:
        """What a national system assumes about some players."""
        return [note for note in self.rated.notes if note.key.startswith(NATIONAL)]

    @property
    def how(self) -> Iterator[tuple[str, bool]]:
        """How it was rated, in parts of a line; true for what was assumed."""
        given = self.given
        yield named("system", self.rated.system), False
        yield str(say("report_page.how.rules", on=long_day(self.rated.on))), False
        yield str(say("report_page.how.with_table" if given.get("table") else "report_page.how.as_file")), False
        if given.get("k"):
            yield str(say("report_page.how.k", k=given["k"])), False
        players = sum(any(note.key.startswith(K_ASSUMED) for note in player.assumed) for player in self.rated.players)
        if players:
            yield str(say("report_page.how.assumed", players=players)), True
        if given.get("by"):
            yield str(say("report_page.how.by", by=given["by"])), False
        if given.get("qc_approved"):
            yield str(say("report_page.how.approved")), False
        if given.get("reading") or given.get("set"):
            yield str(say("report_page.how.readings")), False

    @property
    def fast(self) -> bool:
        """Whether the time control is one that FIDE must have approved."""
        return needs_approval(self.rated.event.pace, self.rated.system, self.rated.on)

    @property
    def tabs(self) -> list[tuple[str, str, int]]:
        """The tabs that this event has: name, words, and how many things there need attention."""
        there = {
            "crosstable": self.order.standings is not None,
            "next": self.ahead is not None,
            "chances": is_running(self.rated, self.order),
        }
        words = {"next": {"round": self.ahead.round if self.ahead is not None else 0}}
        badges = Counter(checks=len(self.to_do) + len(self.rated.serious))
        return [
            (name, str(say(f"report_page.tab.{name}", **words.get(name, {}))), badges[name])
            for name in TABS
            if there.get(name, True)
        ]

    @cached_property
    def ahead(self) -> NextRound | None:
        """The next round, if there is one and the event is not too large."""
        return ahead_of(self.rated)

    @property
    def not_ahead(self) -> str:
        """Says that the event is too large to look ahead; empty for all others."""
        return not_ahead(self.rated)

    @property
    def norms_ahead(self) -> list[tuple[str, str]]:
        """What the next round can do to norms, player by player."""
        players = () if self.ahead is None else self.ahead.players
        return [(player.called, str(said)) for player in players for said in norm_words(player)]

    @property
    def cross(self) -> list[tuple[int, int, str, tuple[str, ...], str]]:
        """The crosstable in the order of the standings: place, number, name, cells and points."""
        found = self.order.standings
        if found is None:
            return []
        cells = {line.no: line.cells for line in found.crosstable.lines}
        if found.teams:
            return [(one.place, one.no, one.called, cells[one.no], points(one.match_points)) for one in found.teams]
        lines = self.order.lines(self.rated)
        return [
            (line.place, line.player.no, line.player.called, cells[line.player.no], points(line.player.points or 0))
            for line in lines
            if line.player.no in cells
        ]

    @property
    def to_do(self) -> list[CheckItem]:
        """What the rating office would ask for: what is missing, then what is doubtful."""
        items = [] if self.check is None else [item for item in self.check.items if item.state != READY]
        return sorted(items, key=lambda item: item.state != MISSING)

    @property
    def ready(self) -> int:
        """How many points of the check are in order."""
        return 0 if self.check is None else sum(item.state == READY for item in self.check.items)

    @property
    def serious(self) -> list[str]:
        """What may make figures wrong."""
        return [str(says) for says in by_kind(self.rated.serious)]

    @property
    def odd(self) -> list[str]:
        """What is odd in the file, but changes nothing."""
        return [str(says) for says in grouped([oddity for oddity in self.rated.event.oddities if not oddity.serious])]

    @property
    def uncounted(self) -> list[Message]:
        """Results that do not count, with the reason."""
        return [reason.says for reason in self.rated.totals.not_counted]

    @property
    def no_rating(self) -> list[Message]:
        """Who has no new rating, and why."""
        return [self.rated.remark(reason) for reason in self.rated.totals.no_rating]

    @property
    def remarks(self) -> list[Message]:
        """What else to know; what was assumed about players is below the table."""
        return [note for note in self.rated.notes if not note.key.startswith((EVENT_K, *NATIONAL))]

    @cached_property
    def plot(self) -> Plot | None:
        """Everybody's change by rating; None for too few players."""
        moved = [
            (float(player.rating), float(player.change))
            for player in self.rated.players
            if player.change is not None and player.rating is not None and player.games
        ]
        if len(moved) < LEAST:
            return None
        ratings, changes = [rating for rating, _ in moved], [change for _, change in moved]
        low, high = min(ratings), max(ratings)
        down, up = min(*changes, 0.0), max(*changes, 0.0)
        wide, tall = PLOT_WIDTH - 2 * EDGE, PLOT_HEIGHT - 2 * EDGE

        def height(change: float) -> float:
            return round(EDGE + tall * (up - change) / ((up - down) or 1), 1)

        dots = [
            Dot(round(EDGE + wide * (rating - low) / ((high - low) or 1), 1), height(change), change > 0)
            for rating, change in moved
        ]
        said = say(
            "report_page.chart_says",
            gained=sum(change > 0 for change in changes),
            lost=sum(change < 0 for change in changes),
            players=len(moved),
            total=self.rated.totals.inflation,
        )
        whole = [half_up(Decimal(str(end))) for end in (low, high, up, down)]
        return Plot(
            dots,
            height(0),
            lowest=figure(whole[0]),
            highest=figure(whole[1]),
            most=figure(whole[2], signed=True),
            least=figure(whole[3], signed=True),
            says=said,
        )


def _short(start: date, end: date) -> str:
    """The first day of several: without month and year where the last one has the same."""
    first, last = long_day(start).split(), long_day(end).split()
    while len(first) > 1 and first[-1] == last[-1]:
        first, last = first[:-1], last[:-1]
    return " ".join(first)


def _bar(change: Decimal | None, most: Decimal) -> int:
    """The width of the drawing beside a change."""
    if not change:
        return 0
    width = max(THINNEST, int(BAR * abs(change) / most))
    return width if change > 0 else -width
