"""An entry list before the event: averages, bands, titles, federations, and whether norms are possible at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from arpad.calculation.answer import Answer, Figure, date_notes, hidden
from arpad.calculation.step import Step, ruled
from arpad.core.roundings import half_up_of
from arpad.core.tournaments import FIXED_PAIRINGS, event_kind
from arpad.messages import Message, say
from arpad.rulebooks.rulebook import Rule
from arpad.tournaments.norms.choice import least_games
from arpad.tournaments.norms.conditions import AT_LEAST, FID, CountedGame, raised
from arpad.tournaments.norms.rules import NORMS, Edition, edition, rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from arpad.core import Player
    from arpad.core.tournaments import Tournament

SYSTEM = "fide-titles"
BAND = 200  # points of a rating band


@dataclass(frozen=True, slots=True)
class RatingBand:
    """The players with a rating from `low` up to the next band."""

    low: int
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCondition:
    """What a norm asks of the field: at best so many in the list, so many needed."""

    name: str
    met: bool
    found: int
    needed: int
    article: str
    rule: Rule[object] = hidden()


@dataclass(frozen=True, slots=True, kw_only=True)
class NormOutlook:
    """Whether the field allows a norm of a title to a player of the host federation; what fails is missing."""

    title: str
    possible: bool
    conditions: tuple[FieldCondition, ...]

    @property
    def missing(self) -> tuple[FieldCondition, ...]:
        """What the field lacks."""
        return tuple(one for one in self.conditions if not one.met)


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

    def summary(self) -> Sequence[Figure]:
        shown = [
            Figure("players", self.players, say("tournaments.entries.rated", rated=self.rated)),
            Figure("field.average", self.average, say("tournaments.event.of_rated")),
            Figure("entries.bands", _listed({f"{one.low}+": one.players for one in self.bands})),
            Figure("entries.titles", _listed(self.titles)),
            Figure(
                "entries.federations", len(self.federations), say("answers.as_said", text=_listed(self.federations))
            ),
        ]
        for one in self.norms:
            key = "possible" if one.possible else "not_possible"
            missing = [
                say(
                    "tournaments.entries.missing",
                    name=say(f"tournaments.entries.{part.name}"),
                    found=part.found,
                    needed=part.needed,
                )
                for part in one.missing
            ]
            shown.append(Figure("entries.norm", say(f"tournaments.entries.{key}", title=one.title), _joined(missing)))
        return shown


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def _joined(parts: Sequence[Message]) -> Message | None:
    return say("answers.as_said", text="; ".join(map(str, parts))) if parts else None


def entry_list(
    tournament: Tournament, *, on: date, rounds: int | None = None, host: str | None = None, kind: str | None = None
) -> EntryList:
    """The field of a tournament that has not begun."""
    players = [one.player for one in tournament.entrants]
    ratings = [int(one.rating) for one in players if one.rating is not None]
    found, _ = event_kind(tournament, kind)
    rules = edition(on)
    home = host or tournament.federation
    usual = len(players) - 1 if found in FIXED_PAIRINGS else rules.titles.games.value[0].least
    number = rounds or tournament.rounds or usual
    norms = tuple(_outlook(title, players, number, found, home, rules) for title in NORMS)
    return EntryList(
        system=SYSTEM,
        on=on,
        trail=tuple(_step(one, part) for one in norms for part in one.conditions),
        remarks=partial(_notes, on, home, number if not (rounds or tournament.rounds) else None),
        players=len(players),
        rated=len(ratings),
        average=half_up_of(sum(ratings), len(ratings)) if ratings else None,
        bands=_bands(ratings),
        titles=_counted(one.title for one in players),
        federations=_counted(one.federation for one in players),
        host=home,
        rounds=number,
        event_kind=found,
        norms=norms,
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


def _bands(ratings: Sequence[int]) -> tuple[RatingBand, ...]:
    counts = Counter(rating // BAND * BAND for rating in ratings)
    return tuple(RatingBand(low, counts[low]) for low in sorted(counts, reverse=True))


def _outlook(
    title: str, players: Sequence[Player], rounds: int, kind: str, host: str | None, rules: Edition
) -> NormOutlook:
    """What the best opponents on the list would be for a player of the host federation without that title."""
    titles = rules.titles
    needed_games = least_games(rounds, kind, titles)
    others = [one for one in players if one.federation not in titles.no_federation.value]
    same = [one for one in others if one.title in titles.same_title.value.titles[title]]
    titled = [one for one in others if one.title in titles.titled.value.titles]
    foreign = {one.federation for one in others if one.federation not in (None, FID, host)}
    abroad = sum(one.federation not in (None, host) for one in others)
    games = max(min(rounds, len(others) - 1), 0)  # nobody meets themselves
    best = sorted((int(one.rating) for one in others if one.rating is not None), reverse=True)[:games]
    average = _average(title, best, rules) if best else 0
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
    return NormOutlook(title=title, possible=all(one.met for one in conditions), conditions=conditions)


def _average(title: str, best: Sequence[int], rules: Edition) -> int:
    """The highest average that so many opponents of the list can have, the lowest raised to the floor."""
    used = raised(title, [CountedGame(rating) for rating in best], rules.titles)
    return half_up_of(sum(used), len(used))


def _exempt(players: Sequence[Player], host: str | None, rules: Edition) -> bool:
    """Whether the field is large enough for exemption d, if everybody plays every round."""
    needed = rules.titles.exempt_d.value
    there = [one for one in players if one.rating is not None and one.federation not in (None, FID, host)]
    titled = sum(one.title in needed.titles for one in there)
    federations = len({one.federation for one in there})
    return (
        host is not None
        and len(there) >= needed.players
        and federations >= needed.federations
        and titled >= needed.titled
    )


def _step(one: NormOutlook, part: FieldCondition) -> Step:
    words = {"title": one.title, "needed": part.needed, "bound": AT_LEAST}
    return ruled(f"entries.{part.name}", part.rule, part.found, words=words)
