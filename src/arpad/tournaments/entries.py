"""An entry list before the event: averages, rating bands, titles, federations, and which norms are possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from arpad.calculation.answer import Answer, Figure, Table, TableColumn, date_notes, hidden
from arpad.calculation.step import ruled
from arpad.core.numbers import half_up_of
from arpad.core.tournaments import FIXED_PAIRINGS, event_kind
from arpad.messages import Message, apart, say
from arpad.rulebooks import Rule
from arpad.tournaments.norms.conditions import AT_LEAST, FID, CountedGame, least_games, raised
from arpad.tournaments.norms.rules import NORMS, Edition, edition, rulebook
from arpad.tournaments.start_list import EntryLine

if TYPE_CHECKING:
    from arpad.core import Player
    from arpad.core.tournaments import Tournament


SYSTEM = "fide-titles"
BAND = 200  # width of a rating band in points
START = (
    TableColumn("no"),
    TableColumn("title", form="text"),
    TableColumn("name", form="text"),
    TableColumn("federation", form="text"),
    TableColumn("rating", form="rating"),
    TableColumn("born"),
    TableColumn("fide_id"),
    TableColumn("missing", "lacks", "text"),
)


def entry_list(
    tournament: Tournament, *, on: date, rounds: int | None = None, host: str | None = None, kind: str | None = None
) -> EntryList:
    """The field of a tournament that has not begun."""
    players = [entrant.player for entrant in tournament.entrants]
    ratings = [int(player.rating) for player in players if player.rating is not None]
    bands = Counter(rating // BAND * BAND for rating in ratings)
    found, _ = event_kind(tournament, kind)
    rules = edition(on)
    home = host or tournament.federation
    usual = len(players) - 1 if found in FIXED_PAIRINGS else rules.titles.games.value[0].least
    number = rounds or tournament.rounds or usual
    norms = tuple(_outlook(title, players, number, found, home, rules) for title in NORMS)
    return EntryList(
        system=SYSTEM,
        on=on,
        trail=tuple(
            ruled(
                f"entries.{part.name}",
                part.rule,
                part.found,
                words={"title": norm.title, "needed": part.needed, "bound": AT_LEAST},
            )
            for norm in norms
            for part in norm.conditions
        ),
        remarks=partial(_notes, on, home, number if not (rounds or tournament.rounds) else None),
        players=len(players),
        rated=len(ratings),
        average=half_up_of(sum(ratings), len(ratings)) if ratings else None,
        bands=tuple(RatingBand(low, bands[low]) for low in sorted(bands, reverse=True)),
        titles=_counted(player.title for player in players),
        federations=_counted(player.federation for player in players),
        host=home,
        rounds=number,
        event_kind=found,
        norms=norms,
    )


@dataclass(frozen=True, kw_only=True)
class EntryList(Answer):
    """The players who have entered, and the norms this field allows."""

    players: int
    rated: int
    average: int | None  # of those with a rating, rounded half up
    bands: tuple[RatingBand, ...]
    titles: Mapping[str, int]
    federations: Mapping[str, int]
    host: str | None
    rounds: int
    event_kind: str
    norms: tuple[NormOutlook, ...]
    entries: tuple[EntryLine, ...] = ()  # sorted and numbered
    listed: bool = hidden(default=False)  # whether they were looked up in a rating list

    def tables(self) -> Iterator[Table]:
        """The starting list, if the players were looked up."""
        if self.listed:
            yield Table("start", START, self.entries)

    def summary(self) -> Sequence[Figure]:
        shown = [
            Figure("players", self.players, say("tournaments.entries.rated", rated=self.rated)),
            Figure("field.average", self.average, say("tournaments.event.of_rated")),
            Figure("entries.bands", _listed({f"{band.low}+": band.players for band in self.bands})),
            Figure("entries.titles", _listed(self.titles)),
            Figure(
                "entries.federations", len(self.federations), say("answers.as_said", text=_listed(self.federations))
            ),
        ]
        for norm in self.norms:
            key = "possible" if norm.possible else "not_possible"
            missing = [
                say(
                    "tournaments.entries.missing",
                    name=say(f"tournaments.entries.{part.name}"),
                    found=part.found,
                    needed=part.needed,
                )
                for part in norm.missing
            ]
            lacks = say("answers.as_said", text=apart(missing)) if missing else None
            shown.append(Figure("entries.norm", say(f"tournaments.entries.{key}", title=norm.title), lacks))
        return shown


@dataclass(frozen=True, slots=True, kw_only=True)
class NormOutlook:
    """Whether the field allows a norm for a title, for a player of the host federation."""

    title: str
    possible: bool
    conditions: tuple[FieldCondition, ...]

    @property
    def missing(self) -> tuple[FieldCondition, ...]:
        """What the field lacks."""
        return tuple(condition for condition in self.conditions if not condition.met)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCondition:
    """A condition of a norm for the field: how many the list has at best, and how many are needed."""

    name: str
    met: bool
    found: int
    needed: int
    article: str
    rule: Rule[object] = hidden()


@dataclass(frozen=True, slots=True)
class RatingBand:
    """The players with a rating from `low` up to the next band."""

    low: int
    players: int


def _outlook(
    title: str, players: Sequence[Player], rounds: int, kind: str, host: str | None, rules: Edition
) -> NormOutlook:
    """A norm for a title, judged by the best opponents on the list for a player of the host federation."""
    titles = rules.titles
    needed_games = least_games(rounds, kind, titles)
    others = [player for player in players if player.federation not in titles.no_federation.value]
    same = [player for player in others if player.title in titles.same_title.value.titles[title]]
    titled = [player for player in others if player.title in titles.titled.value.titles]
    foreign = {player.federation for player in others if player.federation not in (None, FID, host)}
    abroad = sum(player.federation not in (None, host) for player in others)
    games = max(min(rounds, len(others) - 1), 0)  # nobody plays themselves
    best = sorted((int(player.rating) for player in others if player.rating is not None), reverse=True)[:games]
    average = 0
    if best:  # the lowest rating is raised to the floor
        used = raised(title, [CountedGame(rating) for rating in best], titles)
        average = half_up_of(sum(used), len(used))
    facts: list[tuple[str, int, int, Rule[object]]] = [
        ("games", games, needed_games.least, titles.games),
        ("titled", len(titled), titles.titled.value.share.least(rounds), titles.titled),
        ("same_title", len(same), titles.same_title.value.needed(rounds), titles.same_title),
        ("average", average, titles.average.value[title], titles.average),
    ]
    if not _exempt(others, host, rules):
        facts += [
            ("federations", len(foreign), titles.federations.value, titles.federations),
            ("foreign", abroad, rounds - titles.own_federation.value.most(rounds), titles.own_federation),
        ]
    conditions = tuple(
        FieldCondition(name=name, met=found >= needed, found=found, needed=needed, article=rule.cite, rule=rule)
        for name, found, needed, rule in facts
    )
    return NormOutlook(title=title, possible=all(condition.met for condition in conditions), conditions=conditions)


def _exempt(players: Sequence[Player], host: str | None, rules: Edition) -> bool:
    """Whether the field is large enough for exemption d, if everybody plays every round."""
    needed = rules.titles.exempt_d.value
    foreign = [player for player in players if player.rating is not None and player.federation not in (None, FID, host)]
    titled = sum(player.title in needed.titles for player in foreign)
    federations = len({player.federation for player in foreign})
    return (
        host is not None
        and len(foreign) >= needed.players
        and federations >= needed.federations
        and titled >= needed.titled
    )


def _notes(on: date, host: str | None, assumed: int | None) -> Iterator[Message]:
    yield from date_notes(rulebook(), on)
    yield say("notes.entries.field")
    if assumed is not None:
        yield say("notes.entries.rounds", rounds=assumed)
    if host is None:
        yield say("notes.entries.no_host")


def _counted(values: Iterable[str | None]) -> dict[str, int]:
    """How often each value occurs, most frequent first."""
    return dict(Counter(filter(None, values)).most_common())


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())
