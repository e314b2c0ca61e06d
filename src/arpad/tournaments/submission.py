"""Before a report is sent to a rating office: what is ready, what is missing and what is doubtful, with the rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Annotated, NamedTuple

from arpad.calculation.step import Step, ruled
from arpad.core import EloStanding
from arpad.core.tournaments import ABSENT, ASSUMED, PENDING, PLAYED, Round, day_of, event_kind
from arpad.errors import BadInput, UnknownName
from arpad.messages import Message, say
from arpad.rulebooks import Rule, Rulebook, positive, text
from arpad.systems import rulebook_of
from arpad.systems.fide.k import development_coefficient
from arpad.systems.fide.rules import FideRules
from arpad.tournaments.checks import inconsistencies, without_standings
from arpad.tournaments.points import points_by_round

if TYPE_CHECKING:
    from arpad.core.tournaments import Entrant, FromList, Tournament


READY, MISSING, DOUBTFUL = STATES = ("ready", "missing", "doubtful")
OFFICES = ("fide",)
PACES = ("standard", "rapid", "blitz")
FACTS = {
    "012": "name",
    "022": "city",
    "032": "federation",
    "042": "start",
    "052": "end",
    "102": "arbiter",
    "132": "round_days",
}
FIDE_ID = re.compile(r"\d{5,11}")
LISTED = ("rating", "birth_year", "federation", "title", "sex")  # facts that may differ between file and list
BOTH_SIDES, MINUTES = 2, 60
OUTSIDE = Round(ABSENT)  # a round of another part
# The item for each kind of inconsistency, and its state.
FINDINGS = {
    "opponent": ("results", MISSING),
    "result": ("results", MISSING),
    "colour": ("colours", DOUBTFUL),
    "points": ("points", DOUBTFUL),
    "rank": ("ranks", DOUBTFUL),
    "bye": ("byes", DOUBTFUL),
    "date": ("dates", MISSING),
    "federation": ("federations", MISSING),
    "id": ("duplicate_ids", MISSING),
    "team": ("teams", MISSING),
}


def submission_items(tournament: Tournament) -> tuple[CheckItem, ...]:
    """All requirements of FIDE's rating office, in the order of a report."""
    rules = rulebook().at(tournament.start or rulebook().checked)
    checks: tuple[Callable[[Tournament, ReportRules], Iterator[CheckItem]], ...] = (
        _header,
        _days,
        _time,
        _arbiters,
        _event,
        _consistency,
        _players,
        _listed,
    )
    return tuple(item for check in checks for item in check(tournament, rules))


@dataclass(frozen=True, slots=True)
class CheckItem:
    """One requirement of a rating office: its state, what was found, and what to do."""

    key: str
    state: Annotated[str, STATES]
    what: Message
    do: Message | None


def to_do(items: Iterable[CheckItem]) -> Iterator[Message]:
    """What is missing, then what is doubtful, each with advice."""
    for item in sorted((item for item in items if item.state != READY), key=lambda item: item.state != MISSING):
        yield say("submission.item", state=say(f"submission.state.{item.state}"), what=item.what, do=item.do)


def check_office(name: str) -> None:
    """Refuse an office whose requirements are not known."""
    if name not in OFFICES:
        raise UnknownName("office", name, known=OFFICES, at="office")


def _header(tournament: Tournament, rules: ReportRules) -> Iterator[CheckItem]:
    """The lines that a report must have, and those that it usually has."""
    for code in rules.header.value:
        value = getattr(tournament, FACTS[code])
        given = any(value) if isinstance(value, tuple) else bool(value)
        yield _item(f"header.{code}", READY if given else MISSING)
    source = tournament.source
    if source is not None and source.format.startswith("trf"):
        codes = {line[:3].decode("latin-1") for line in source.data.splitlines()}
        for code in rules.usual.value:
            yield _item(f"header.{code}", READY if code in codes else DOUBTFUL)
        announced = codes & {"142", "XXR"} or tournament.round_days
        yield _item("header.142", READY if announced else DOUBTFUL)


def _days(tournament: Tournament, rules: ReportRules) -> Iterator[CheckItem]:
    """The days of the rounds, the rounds and hours on one day, and the length of the event."""
    days = [day for day in tournament.round_days if day is not None]
    undated = [number for number in range(1, tournament.rounds + 1) if number > len(tournament.round_days)]
    undated += [number for number, day in enumerate(tournament.round_days, start=1) if day is None]
    if days:
        yield _wrong("round_days", undated)
        most, pace = max(Counter(days).values()), paces_of(tournament)
        allowed = rules.rounds_a_day.value[pace[0]] if pace else max(rules.rounds_a_day.value.values())
        yield _item("rounds_a_day", MISSING if most > allowed else READY, rounds=most, allowed=allowed)
        if tournament.pace is not None:
            hours = BOTH_SIDES * most * tournament.pace.total / MINUTES
            long = hours > rules.hours_a_day.value
            yield _item("hours_a_day", MISSING if long else READY, hours=hours, allowed=rules.hours_a_day.value)
    if tournament.start is not None and tournament.end is not None:
        length = (tournament.end - tournament.start).days + 1
        long = length > rules.days.value
        yield _item("length", DOUBTFUL if long else READY, days=length, allowed=rules.days.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPart:
    """The rounds of one rating period: they are reported together, and rated by the list of its month."""

    number: int
    month: date
    first: date
    last: date
    rounds: tuple[int, ...]

    @property
    def says(self) -> Message:
        """The part in words."""
        return say("tournaments.parts.says", number=self.number, rounds=list(self.rounds), month=f"{self.month:%Y-%m}")


def parts_of(tournament: Tournament) -> tuple[EventPart, ...]:
    """The parts in which an event is reported; none if one report is enough.

    None either if a round has no day, or the rounds are all in one month: nothing then says where to divide the event.
    """
    start, end, days = tournament.start, tournament.end, tournament.round_days
    if start is None or end is None or (end - start).days + 1 <= rulebook().at(start).days.value:
        return ()
    if len(days) < tournament.rounds or None in days:
        return ()
    by_month: dict[date, list[tuple[int, date]]] = {}
    for number, day in enumerate(days[: tournament.rounds], start=1):
        if day is not None:
            by_month.setdefault(day.replace(day=1), []).append((number, day))
    if len(by_month) == 1:
        return ()
    return tuple(
        EventPart(
            number=number,
            month=month,
            first=min(day for _, day in played),
            last=max(day for _, day in played),
            rounds=tuple(round for round, _ in played),
        )
        for number, (month, played) in enumerate(sorted(by_month.items()), start=1)
    )


def part_of(tournament: Tournament, number: int) -> Tournament:
    """The event as one of its reports has it: the days and the games of that part alone."""
    parts = parts_of(tournament)
    if not 0 < number <= len(parts):
        key = "no_such" if parts else "none"
        raise BadInput(say(f"tournaments.parts.{key}", number=number, parts=len(parts)), at="part")
    part = parts[number - 1]
    return replace(
        tournament,
        start=part.first,
        end=part.last,
        entrants=tuple(_in_part(entrant, part, tournament) for entrant in tournament.entrants),
    )


def _in_part(entrant: Entrant, part: EventPart, tournament: Tournament) -> Entrant:
    """A player with the games and the points of one part; nobody has a rank in it."""
    rounds = tuple(played if at in part.rounds else OUTSIDE for at, played in enumerate(entrant.rounds, start=1))
    found = replace(entrant, points=None, rank=None, rounds=rounds)
    return replace(found, points=sum(points_by_round(found, tournament), Decimal(0)))


def _time(tournament: Tournament, _: ReportRules) -> Iterator[CheckItem]:
    """Whether the time control is understood, and whether FIDE rates it."""
    written, paces = tournament.time_control, paces_of(tournament)
    if tournament.pace is None:
        yield _item("time", DOUBTFUL, written=written or "")
    else:
        yield _item("time", READY if paces else MISSING, written=str(tournament.pace), paces=paces)


def _arbiters(tournament: Tournament, _: ReportRules) -> Iterator[CheckItem]:
    """Whether the arbiters have a FIDE ID."""
    if tournament.arbiter:
        yield _item("arbiter_id", READY if FIDE_ID.search(tournament.arbiter) else DOUBTFUL, arbiter=tournament.arbiter)
    yield _wrong("deputy_ids", [name for name in tournament.deputies if not FIDE_ID.search(name)], DOUBTFUL)


def _event(tournament: Tournament, _: ReportRules) -> Iterator[CheckItem]:
    """The kind of event, its games, open games, results beyond its rounds, and lines that were not read."""
    yield _item("kind", DOUBTFUL if event_kind(tournament)[1] == ASSUMED else READY, kind=tournament.kind or "")
    rounds = [played for entrant in tournament.entrants for played in entrant.rounds]
    games = sum(played.kind == PLAYED for played in rounds) // BOTH_SIDES
    yield _item("games", READY if games else MISSING, games=games)
    open_games = _numbers(tournament, lambda entrant: any(played.kind == PENDING for played in entrant.rounds))
    yield _wrong("pending", open_games)
    beyond = [oddity.says for oddity in tournament.oddities if oddity.says.key == "formats.trf.beyond"]
    yield _wrong("beyond", beyond)
    lost = sum(oddity.lost for oddity in tournament.oddities)
    yield _item("unread", DOUBTFUL if lost else READY, lost=lost)


def _consistency(tournament: Tournament, _: ReportRules) -> Iterator[CheckItem]:
    """The inconsistencies in the file."""
    found: dict[str, list[str]] = {key: [] for key, _ in FINDINGS.values()}
    for finding in (*inconsistencies(tournament), *without_standings(tournament)):
        found[FINDINGS[finding.kind][0]].append(str(finding).rstrip("."))
    states = dict(FINDINGS.values())
    for key, says in found.items():
        yield _item(key, states[key] if says else READY, says=says[0] if says else "", more=len(says))


def _players(tournament: Tournament, rules: ReportRules) -> Iterator[CheckItem]:
    """Players without a name or an ID, or without what a new ID needs, and ratings and ages out of range."""
    host = tournament.federation
    without = [entrant for entrant in tournament.entrants if entrant.player.fide_id is None]
    foreign = [entrant for entrant in without if entrant.player.federation != host]
    own = [entrant for entrant in without if entrant.player.federation == host]
    incomplete = [
        entrant for entrant in own if None in (entrant.player.sex, entrant.player.birth_year, entrant.player.name)
    ]
    yield _wrong("foreign_ids", [entrant.no for entrant in foreign])
    yield _wrong("new_players", [entrant.no for entrant in incomplete])
    yield _wrong("own_ids", [entrant.no for entrant in own if entrant not in incomplete], DOUBTFUL)
    yield _wrong("names", _numbers(tournament, lambda entrant: not entrant.player.name))
    low, high = rules.ratings.value

    def bad_rating(entrant: Entrant) -> bool:
        rating = entrant.player.rating
        return rating is not None and not low <= rating <= high

    yield _wrong("ratings", _numbers(tournament, bad_rating), DOUBTFUL, low=low, high=high)
    if tournament.start is not None:
        year, (youngest, oldest) = tournament.start.year, rules.ages.value

        def bad_age(entrant: Entrant) -> bool:
            born = entrant.player.birth_year
            return born is not None and not youngest <= year - born <= oldest

        yield _wrong("births", _numbers(tournament, bad_age), DOUBTFUL, youngest=youngest, oldest=oldest)


def _listed(tournament: Tournament, _: ReportRules) -> Iterator[CheckItem]:
    """A comparison of each player with the rating list, if one was given."""
    used = tournament.from_list
    if used is None:
        return
    yield _wrong("list.not_found", [entrant.no for entrant in used.not_found], MISSING)
    yield _wrong("list.other_name", [entrant.no for entrant, _ in used.other_name], DOUBTFUL)
    yield _wrong("list.unrated", [entrant.no for entrant in used.unrated], DOUBTFUL)
    named = [
        say("submission.found", no=entrant.no, name=entrant.called, ids=[str(player.fide_id) for player in players])
        for entrant, players in used.by_name
    ]
    yield _wrong("list.by_name", named, DOUBTFUL)
    yield _wrong("list.k", list(_other_k(tournament, used)), DOUBTFUL)
    for fact in LISTED:
        pairs = ((entrant.no, getattr(entrant.player, fact), getattr(player, fact)) for entrant, player in used.found)
        differs = [
            say("submission.differs", no=no, here="–" if here is None else here, there=there)
            for no, here, there in pairs
            if there is not None and here != there
        ]
        yield _wrong(f"list.{fact}", differs, DOUBTFUL)


def _other_k(tournament: Tournament, used: FromList) -> Iterator[Message]:
    """Players whose K on the list differs from the file's, or from that for the file's birth year and rating."""
    day = day_of(tournament, None) if tournament.start else rulebook().checked
    rules = rulebook_of(f"fide-{next(iter(paces_of(tournament)), 'standard')}").of(FideRules).at(day)
    for entrant, on_list in used.found:
        listed, player = EloStanding.of(on_list).k, entrant.player
        if listed is None or player.rating is None:
            continue
        k = development_coefficient(player, player.rating, rules, day)
        band = k.words.get("band")
        # Without a junior's age or a high rating, K may still depend on the number of games or an earlier rating.
        sure = band is None or band.until_age is not None or band.peak_from is not None
        if sure and k.value != listed:
            yield say("submission.differs", no=entrant.no, here=k.value, there=listed)


def paces_of(tournament: Tournament) -> list[str]:
    """FIDE's lists in which a time control can be rated; without one, that of the organiser's mark, if there is one."""
    if tournament.pace is None:
        return [] if tournament.marked is None else [tournament.marked]
    on = day_of(tournament, None) if tournament.start else rulebook().checked
    found = []
    for pace in PACES:
        bands = rulebook_of(f"fide-{pace}").of(FideRules).at(on).time_control.value[pace]
        if any(tournament.pace.fits(band) for band in bands):
            found.append(pace)
    return found


def _item(key: str, state: str = READY, **values: object) -> CheckItem:
    do = None if state == READY else say(f"submission.do.{key}", **values)
    return CheckItem(key, state, say(f"submission.{'ready' if state == READY else 'what'}.{key}", **values), do)


def _wrong(key: str, wrong: Sequence[object], state: str = MISSING, **values: object) -> CheckItem:
    """An item that is ready unless something is wrong with some players or rounds."""
    return _item(key, state if wrong else READY, found=list(wrong), **values)


def _numbers(tournament: Tournament, wrong: Callable[[Entrant], bool]) -> list[int]:
    return [entrant.no for entrant in tournament.entrants if wrong(entrant)]


def rule_steps(on: date) -> tuple[Step, ...]:
    """The rules of a day as steps, so that each check can be traced to its article."""
    rules = rulebook().at(on)
    return tuple(ruled(f"check.{name}", rule, _shown(rule.value)) for name, rule in rules._asdict().items())


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {most}" for name, most in value.items())
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


@cache
def rulebook() -> Rulebook[ReportRules]:
    """The rulebook of rating reports."""
    return Rulebook("fide-reports", ReportRules, READERS)


class ReportRules(NamedTuple):
    """The rules of rating reports on a day."""

    header: Rule[tuple[str, ...]]
    usual: Rule[tuple[str, ...]]
    days: Rule[int]
    hours_a_day: Rule[int]
    rounds_a_day: Rule[Mapping[str, int]]
    ratings: Rule[tuple[int, ...]]
    ages: Rule[tuple[int, ...]]
    deputies: Rule[tuple[int, ...]]


def _codes(value: Iterable[object]) -> tuple[str, ...]:
    return tuple(text(code) for code in value)


def _bounds(value: Iterable[object]) -> tuple[int, ...]:
    low, high = value
    return positive(low), positive(high)


READERS: Mapping[str, Callable[..., object]] = {
    "header": _codes,
    "usual": _codes,
    "days": positive,
    "hours_a_day": positive,
    "rounds_a_day": lambda value: {text(name): positive(most) for name, most in value.items()},
    "ratings": _bounds,
    "ages": _bounds,
    "deputies": lambda value: tuple(positive(most) for most in value),
}
