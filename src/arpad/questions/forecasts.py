"""Upcoming games: need, outlook, season, strength."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, ClassVar, cast

from arpad.core import Pace, Pairing, PlannedEvent, Player, Rating, Shares
from arpad.errors import BadInput
from arpad.forecast.needs import NeededRating, NeededScore, rating_needed, score_needed
from arpad.forecast.norm_simulation import KINDS, SEED
from arpad.forecast.opponents import expected_opponents
from arpad.forecast.outlook import Outlook
from arpad.forecast.plans import Plan, PlanComparison, enter_one_list, look_ahead_plans
from arpad.forecast.pupils import PupilsAhead, pupils_ahead
from arpad.forecast.season import Season
from arpad.forecast.strength import LikelyStrength, likely_strength
from arpad.forecast.typical import Reliability, reliability_of, typical_is_known
from arpad.formats.pupils import pupils_of, read_pupils
from arpad.messages import FieldName, say
from arpad.questions import readers
from arpad.questions.declare import DOORS, NO_PAGE, Place, Spec, defaulting, flag, nested, optional, question, several
from arpad.questions.fields import (
    COMMAND_ALONE,
    LONGEST_PATH,
    Asking,
    ListFields,
    OpponentFields,
    PairingObject,
    PersonFields,
    RuleFields,
    check_used,
)
from arpad.questions.files import STANDARD_INPUT, pasted_text, plan_fields
from arpad.questions.read import People
from arpad.reading import split_games
from arpad.reading.tables.people import PlayerList
from arpad.reading.text import LONGEST_PASTE
from arpad.systems.chances import FITTED_ON, MODELS, DrawModel, draw_model
from arpad.tournaments.norms.rules import NORMS

if TYPE_CHECKING:
    from arpad.core.tournaments import EventKind
    from arpad.systems.base import System
    from arpad.systems.chances import DrawModelName
    from arpad.tournaments.norms.rules import NormTitle


MOST_TARGETS = 20
MOST_NORMS = 4  # there are four titles with norms
# Groups of fields that an expected score does not depend on; of several fields, the first of these is named.
FOR_A_TARGET = ("event", "draws", "player", "ahead")


def _titles(texts: Sequence[str]) -> list[str]:
    """The titles in texts such as `GM, IM`."""
    return [title for text in texts for title in text.replace(",", " ").split()]


@dataclass(frozen=True, kw_only=True)
class DrawFields(Asking):
    """The model of chances: how likely win, draw and loss are."""

    draws: str = defaulting(readers.text, "calibrated", example="labelle", group="draws", choices=MODELS)
    draw_rate: Rating | None = optional(readers.share, example="0.4", group="draws")
    white: Rating | None = optional(readers.points, example="35", group="draws")

    def draw_model(self) -> DrawModel:
        """The model of chances asked for."""
        return draw_model(cast("DrawModelName", self.draws), draw_rate=self.draw_rate, white=self.white)


@dataclass(frozen=True, kw_only=True)
class StrengthFields(RuleFields, DrawFields, PersonFields):
    """How strong the player is assumed to be when chances are calculated."""

    strength: Rating | None = optional(readers.rating, example="1800", group="ahead")
    typical: bool = flag(group="ahead")
    by_rating: bool = flag(group="ahead")

    def _typical(self, system: System, player: Player) -> bool:
        """Whether to use the strength typical for the age: the default where it is known and nothing else was asked."""
        if self.typical and self.by_rating:
            raise BadInput(say("questions.typical_or_rating"), at="by_rating")
        known = typical_is_known(system, self.day) and player.birth_year is not None
        return self.typical or (known and self.strength is None and not self.by_rating)


@question(
    "need",
    tool=True,
    needs=("against", "reach|expected"),
    slow=True,  # on Lichess, each score means rating every game one by one
    examples=(
        {"rating": 1780, "reach": 1800, "against": [1700, 1750, 1800, 1820, 1850, 1900, 1920]},
        {"expected": 0.75, "against": [1700]},
        {"rating": 1500, "system": "lichess", "reach": 1520, "against": ["1480/50", "1550/90"]},
    ),
)
@dataclass(frozen=True, kw_only=True)
class Need(StrengthFields, OpponentFields, ListFields):
    """The score that reaches a target, or the rating for an expected score."""

    # Only a target needs a rating.
    rating: Player | None = optional(readers.player, example="1780", word=True)  # type: ignore[assignment]
    against: tuple[Player, ...] = several(readers.opponent, split=split_games, example="1700", takes=None)
    reach: tuple[Rating, ...] = several(readers.rating, split=split_games, example="1800", most=MOST_TARGETS)
    expected: Rating | None = optional(readers.share, example="0.75")
    time: Pace | None = optional(readers.pace, example="90+30", group="event")

    spec: ClassVar[Spec]

    def answer(self) -> NeededScore | NeededRating:
        """The score, or the rating."""
        chosen = self.rating_system()
        against = [self.opponent_known(opponent, chosen) for opponent in self.against]
        if not self.reach and self.expected is not None:
            if self.rating is not None:
                raise BadInput(say("questions.rating_sought"), at="rating")
            self._check_expected_alone()
            if self.deviation is not None:
                check_used(self.spec.fields["deviation"], chosen)
            return rating_needed(chosen, against, expected=self.expected, on=self.day, deviation=self.deviation)
        if not self.reach or self.expected is not None:
            raise BadInput(say("questions.reach_or_expected"), at="reach")
        if self.rating is None:
            raise BadInput(say("questions.own_rating"), at="rating")
        player = self.player(chosen)
        return score_needed(
            chosen,
            player,
            against,
            reach=self.reach,
            on=self.day,
            pace=self.time,
            strength=self.strength,
            draws=self.draw_model(),
            typical=self._typical(chosen, player),
        )

    def _check_expected_alone(self) -> None:
        """Refuse fields that only matter for a target when an expected score is given."""
        fields = [
            given
            for given in self.spec.fields.values()
            if given.group in FOR_A_TARGET and given.name not in ("deviation", "opponent_deviation")
        ]
        for given in sorted(fields, key=lambda one: FOR_A_TARGET.index(one.group)):
            if getattr(self, given.name) != given.default:
                said = say("questions.not_together", field_name=FieldName(given.name), other=FieldName("expected"))
                raise BadInput(said, at=given.name)


@dataclass(frozen=True, kw_only=True)
class Opponents:
    """The games of an event, played or not, and what is known of opponents in rounds that are not paired yet."""

    game: tuple[Pairing, ...] = several(
        readers.pairing, split=split_games, example="1800:?", word=True, as_object=PairingObject
    )
    against: tuple[Pairing, ...] = several(
        readers.pairing, split=split_games, example="1820@b", group="ahead", takes=None
    )
    field: Rating | None = optional(readers.rating, example="1850", group="ahead")
    spread: Rating | None = optional(readers.points, example="120", group="ahead")
    rounds: int | None = optional(readers.count, example="3", group="ahead")
    time: Pace | None = optional(readers.pace, example="90+30", group="event")
    qc_approved: bool = flag(group="event")

    def planned(self, asked: AheadFields, player: Player, listed: PlayerList | None, path: str = "") -> PlannedEvent:
        """The event; rounds that are not paired are games against a field, with notes on what was assumed."""
        named = (*self.game, *self.against)
        unpaired = expected_opponents(
            player,
            named,
            rounds=self.rounds,
            average=self.field,
            spread=self.spread,
            entries=() if listed is None else listed.entries,
            titles=(asked.field_titles or ()) if self.rounds else (),
            federations=(asked.field_federations or ()) if self.rounds else (),
            kind=cast("EventKind", asked.event_kind),
            path=path,
        )
        doubtful = () if listed is None else listed.doubtful
        left_out = [say("notes.field.left_out", lines=len(doubtful), first=doubtful[0].line)] if doubtful else []
        return PlannedEvent(
            (*named, *unpaired.pairings),
            pace=self.time,
            qc_approved=self.qc_approved,
            complete=self.rounds is not None,
            assumed=(*unpaired.assumed, *left_out),
        )


@dataclass(frozen=True, kw_only=True)
class AheadEvent(Opponents):
    """An upcoming event."""

    name: str | None = optional(readers.text, example="Winter Open", group="event")
    on: date | None = optional(readers.day, example="2027-01-10", group="event")
    plan: str | None = optional(
        readers.text,
        example="league",
        group="event",
        doors=frozenset({"api", "page"}),
        why="at the command each plan is a file",
    )


@dataclass(frozen=True, kw_only=True)
class AheadFields(Opponents, StrengthFields, ListFields):
    """Games of one event, or events of a season or of several plans, and what to work out for them."""

    event: tuple[AheadEvent, ...] = nested(AheadEvent, group="event")
    entries: PlayerList | None = optional(
        readers.players,
        example="2520gm/POL 2430im/HUN",
        longest=LONGEST_PASTE,
        as_it_is=True,
        group="ahead",
        doors=frozenset({"api", "page"}),
        why="at the command a list is a file",
    )
    entries_file: PlayerList | None = optional(
        lambda path, place: readers.players(pasted_text(path), place),
        example="entries.csv",
        option="entries",
        group="ahead",
        longest=LONGEST_PATH,
        **COMMAND_ALONE,
    )
    # Of all events with rounds that are not paired yet.
    field_titles: Shares | None = optional(
        readers.title_shares, example="GM 10%, IM 30%", group="ahead", only_with=("rounds", "event")
    )
    field_federations: Shares | None = optional(
        readers.federation_shares, example="GER 60%, POL 10%", group="ahead", only_with=("rounds", "event")
    )
    reach: tuple[Rating, ...] = several(
        readers.rating, split=split_games, example="1800", group="ahead", most=MOST_TARGETS
    )
    lose: Rating | None = optional(readers.points, example="20", group="ahead")
    uncertain: Rating | None = optional(readers.points, example="60", group="ahead")
    inactive: bool = flag(group="ahead")
    norm: tuple[str, ...] = several(
        readers.text, split=_titles, example="IM", group="ahead", most=MOST_NORMS, choices=NORMS
    )
    event_kind: str = defaulting(
        readers.text, "swiss", example="swiss", group="ahead", only_with=("norm", "rounds"), choices=KINDS
    )
    seed: int = defaulting(readers.count, SEED, example="7", group="ahead", only_with=("norm",))
    plan: tuple[str, ...] = several(
        readers.path, example="open.toml", group="ahead", longest=LONGEST_PATH, expand=plan_fields, **COMMAND_ALONE
    )

    def answer(self) -> Outlook | Season | PlanComparison:
        """The outlook of one event or list, of a season, or of plans side by side."""
        system, plans = self.rating_system(), self._plans()
        return look_ahead_plans(
            system,
            plans,
            on=self.day,
            norm=cast("tuple[NormTitle, ...]", self.norm),
            kind=cast("EventKind", self.event_kind),
            seed=self.seed,
            reach=self.reach,
            lose=self.lose,
            strength=self.strength,
            draws=self.draw_model(),
            typical=self._typical(system, plans[0].player),
            uncertain=self._uncertainty(system, plans),
        )

    def _uncertainty(self, system: System, plans: Sequence[Plan]) -> Rating | Reliability | None:
        """How uncertain the strength is: as given, or judged by few games, a year without games, or results so far."""
        if self.uncertain is not None:
            if self.inactive:
                raise BadInput(say("questions.uncertain_or_inactive"), at="inactive")
            return self.uncertain
        player, events = plans[0].player, plans[0].events
        if not self.inactive and (system.name != FITTED_ON or len(plans) > 1 or not enter_one_list(events, self.day)):
            return None
        found = reliability_of(system, player, on=self.day, inactive=self.inactive)
        pairings = [pairing for event in events for pairing in event.pairings if pairing.how == "played"]
        under_way = len({pairing.score is None for pairing in pairings}) > 1  # some have a score, others do not
        return found if found.doubtful or under_way else None

    def _plans(self) -> list[Plan]:
        """The plans with their events; an event without a plan belongs to every plan."""
        player = self.player(self.rating_system())
        events = list(self._events(player))
        names = list(dict.fromkeys(plan for plan, _ in events if plan is not None))
        if len(names) < 2:
            return [Plan(player, tuple(event for _, event in events))]
        return [Plan(player, tuple(event for plan, event in events if plan in (None, name)), name) for name in names]

    def _events(self, player: Player) -> Iterator[tuple[str | None, PlannedEvent]]:
        """The games outside any event as an event of their own, then each event; each with the plan it belongs to."""
        loose = self.planned(self, player, self.entries or self.entries_file)
        if loose.pairings or not self.event:
            yield None, loose
        for place, event in enumerate(self.event):
            planned = event.planned(self, player, None, path=f"event[{place}].")
            if not planned.pairings:
                raise BadInput(say("questions.planned_games", event=place + 1), at=f"event[{place}].against")
            yield event.plan, replace(planned, on=event.on, name=event.name)


AHEAD = ("rating", "against|game|field|rounds|event")


@question(
    "outlook",
    tool=True,
    needs=AHEAD,
    slow=True,
    examples=(
        {"rating": 1780, "born": 2010, "against": [1700, 1750, 1800, 1820], "reach": 1800},
        {"rating": 1780, "game": ["1700:win", "1750:draw", "1800:?", "1820@b"], "reach": [1790, 1800]},
        {"rating": 1780, "field": 1850, "spread": 120, "rounds": 9, "lose": 20},
        {"rating": 2460, "norm": "gm", "federation": "GER", "against": ["2550gm/FRA", "2480im/POL"]},
    ),
)
@dataclass(frozen=True, kw_only=True)
class OutlookOf(AheadFields):
    """Possible rating changes from upcoming games, with probabilities."""

    chart: str | None = optional(readers.path, example="out.svg", group="files", longest=LONGEST_PATH, **COMMAND_ALONE)
    force: bool = flag(group="files", **COMMAND_ALONE)


@question(
    "season",
    tool=True,
    needs=AHEAD,
    slow=True,
    doors=frozenset({"api", "page"}),
    why="at the command a season is an outlook of several events",
    examples=(
        {
            "rating": 2380,
            "born": 1990,
            "games": 200,
            "reach": 2400,
            "event": [
                {"name": "Winter Open", "on": "2027-01-10", "against": [2300, "2350@w"]},
                {"name": "League", "on": "2027-02-07", "plan": "league", "against": [2380, "2400@b"]},
                {"name": "Spring Open", "on": "2027-03-03", "plan": "open", "against": [2330, 2360, 2410]},
            ],
        },
    ),
)
@dataclass(frozen=True, kw_only=True)
class SeasonOf(AheadFields):
    """Where a rating may be after the events of several lists, and which of several plans is better."""


@question(
    "strength",
    doors=DOORS - {"page"},
    why="the page of an outlook has it",
    needs=("rating", "game"),
    slow=True,
    examples=(
        {"rating": 1780, "game": ["1700:win", "1750:draw", "1800:loss", "1820:win"]},
        {"rating": "unrated", "game": ["1700@w:win", "1750@b:draw"]},
    ),
)
@dataclass(frozen=True, kw_only=True)
class StrengthOf(RuleFields, ListFields, DrawFields):
    """Estimate playing strength from results, with a 95 % interval."""

    rating: Player = optional(readers.player, example="1780", word=True)  # type: ignore[assignment]  # `needs` asks for it
    game: tuple[Pairing, ...] = several(
        readers.pairing, split=split_games, example="1700:win", word=True, as_object=PairingObject
    )

    def answer(self) -> LikelyStrength:
        """The strength."""
        results, model = self.game, self.draw_model()
        return likely_strength(self.rating_system(), self.rating.rating, results, on=self.day, draws=model)


LONGEST_PUPILS = 100_000  # characters of a pasted table


@question(
    "pupils", tool=True, needs=("path|text",), slow=True, examples=({"path": "docs/examples/pupils.csv"},), **NO_PAGE
)
@dataclass(frozen=True, kw_only=True)
class PupilsOf(RuleFields, ListFields):
    """A coach's table: for each pupil the chance to reach the target, what is needed, K and the day it changes."""

    path: str | None = optional(readers.path, example="pupils.csv", word=True, longest=LONGEST_PATH, **COMMAND_ALONE)
    text: str | None = optional(
        readers.text,
        longest=LONGEST_PUPILS,
        doors=frozenset({"api"}),
        why="at the command a file is given by its path",
    )

    to: str | None = optional(readers.path, example="table.csv", group="report", longest=LONGEST_PATH, **COMMAND_ALONE)
    force: bool = flag(group="report", **COMMAND_ALONE)

    def answer(self) -> PupilsAhead:
        """The table."""
        system, people = self.rating_system(), People(list=self.list, data=self.folder)

        def find(text: str) -> Player:
            return readers.player(text, Place(text, self.day, system.name, people))

        if self.path == STANDARD_INPUT:
            pupils = pupils_of(pasted_text(self.path), str(say("questions.standard_input")), find)
        elif self.path is not None:
            pupils = read_pupils(self.path, find)
        else:
            pupils = pupils_of(self.text or "", str(say("questions.the_table")), find)
        return pupils_ahead(system, pupils, on=self.day, looked_up=people.notes)
