"""Who a reported player is: the same ID, or the same name and year of birth, is sure; everything else is asked.

Nobody is guessed. A match is `sure`, the player is `new`, or it is `doubtful`, with candidates and reasons: then
somebody has to say who it is before anything is written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from itertools import permutations

from arpad.ledger.book import CLUB, FIDE, Person, Reported
from arpad.messages import Message, say
from arpad.reading.text import name_words

SURE, NEW, DOUBTFUL = "sure", "new", "doubtful"
SAME_NAME = "ledger.doubt.name"  # the only doubt that a club may settle for all entries at once
FAR = 400  # points between the reported and the ledger's rating that make a match by name doubtful
ALIKE = 0.85  # of two names, by difflib
FEW = 3  # candidates that are alike; words of a name that are tried in every order


@dataclass(frozen=True, slots=True)
class Matched:
    """A reported player: who they are if that is sure, otherwise who they may be, and why it is in doubt."""

    reported: Reported
    state: str
    person: str | None = None
    candidates: tuple[str, ...] = ()
    reasons: tuple[Message, ...] = ()

    @property
    def by_name_alone(self) -> bool:
        """Whether all that is in doubt is that a name without a year of birth is one person's."""
        return len(self.candidates) == 1 and [reason.key for reason in self.reasons] == [SAME_NAME]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What makes a match doubtful besides names and IDs: the days of the event, ratings, other events."""

    start: date
    end: date
    rating: Callable[[str], int | None]  # a person's rating in the pool before the event
    busy: Callable[[str], tuple[str, ...]]  # the other events on these days


class Matcher:
    """The people of a ledger by their IDs and names."""

    def __init__(self, people: Mapping[str, Person]) -> None:
        self.people = people
        self.by_id: dict[tuple[str, str], list[str]] = defaultdict(list)
        self.by_name: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for person in people.values():
            for scheme, value in person.ids.items():
                self.by_id[scheme, value].append(person.id)
            for words in {name_words(name) for name in person.names}:
                self.by_name[words].append(person.id)

    def match_all(self, reported: Iterable[Reported], around: Surroundings) -> list[Matched]:
        """Everybody; who is there twice is in doubt, however sure each match is alone."""
        found = [self.match(one, around) for one in reported]
        times: dict[str, list[int]] = defaultdict(list)
        for place, one in enumerate(found):
            key = one.person or (one.candidates[0] if len(one.candidates) == 1 else None)
            times[key or f"{name_words(one.reported.name)}"].append(place)
        for places in times.values():
            if len(places) > 1 and self._clash([found[place] for place in places]):
                for place in places:
                    one = found[place]
                    others = [found[other].reported.no for other in places if other != place]
                    candidates = one.candidates or ((one.person,) if one.person else ())
                    reason = say("ledger.doubt.twice", others=others)
                    found[place] = Matched(one.reported, DOUBTFUL, None, candidates, (*one.reasons, reason))
        return found

    @staticmethod
    def _clash(ones: list[Matched]) -> bool:
        """Whether several entries may be one person; new players born in different years are not."""
        born = {one.reported.born for one in ones}
        return any(one.state != NEW for one in ones) or None in born or len(born) < len(ones)

    def match(self, reported: Reported, around: Surroundings) -> Matched:
        """Who a player is, or may be."""
        ids = {FIDE: reported.fide, CLUB: reported.club}
        given = {scheme: value for scheme, value in ids.items() if value}
        holders = dict.fromkeys(id for scheme, value in given.items() for id in self.by_id.get((scheme, value), ()))
        if holders:
            return self._by_id(reported, given, tuple(holders), around)
        return self._by_name(reported, given, around)

    def _by_id(
        self, reported: Reported, given: Mapping[str, str], holders: tuple[str, ...], around: Surroundings
    ) -> Matched:
        reasons: list[Message] = []
        if len(holders) > 1:
            reasons.append(say("ledger.doubt.ids", people=[self._called(id) for id in holders]))
            return Matched(reported, DOUBTFUL, None, holders, tuple(reasons))
        person = self.people[holders[0]]
        if name_words(reported.name) not in {name_words(name) for name in person.names}:
            reasons.append(say("ledger.doubt.id_of", id=next(iter(given.values())), name=person.name))
        reasons += self._contradictions(reported, person, around)
        namesakes = [id for id in self.by_name.get(name_words(reported.name), ()) if id != person.id] if reasons else []
        if reasons:
            return Matched(reported, DOUBTFUL, None, (person.id, *namesakes), tuple(reasons))
        return Matched(reported, SURE, person.id)

    def _by_name(self, reported: Reported, given: Mapping[str, str], around: Surroundings) -> Matched:
        namesakes = tuple(self.by_name.get(name_words(reported.name), ()))
        near = tuple(id for scheme, value in given.items() for id in self._one_digit_off(scheme, value))
        if not namesakes:
            alike = self._alike(reported.name)
            reasons = [say("ledger.doubt.digit", name=self._called(id)) for id in near]
            reasons += [say("ledger.doubt.alike", name=self._called(id)) for id in alike if id not in near]
            reasons += _unborn(reported.born, around)
            state = DOUBTFUL if reasons else NEW
            return Matched(reported, state, None, tuple(dict.fromkeys((*near, *alike))), tuple(reasons))
        same_year = [id for id in namesakes if reported.born is not None and self.people[id].born == reported.born]
        open_year = [id for id in namesakes if None in (reported.born, self.people[id].born)]
        if len(same_year) == 1 and not open_year:
            person = self.people[same_year[0]]
            reasons = self._contradictions(reported, person, around)
            reasons += [
                say("ledger.doubt.other_id", theirs=person.ids[scheme], id=value)
                for scheme, value in given.items()
                if person.ids.get(scheme, value) != value
            ]
            reasons += _far(reported, around.rating(person.id))
            reasons += [say("ledger.doubt.busy", event=event) for event in around.busy(person.id)]
            if not reasons:
                return Matched(reported, SURE, person.id)
            return Matched(reported, DOUBTFUL, None, namesakes, tuple(reasons))
        if not same_year and not open_year:  # the years differ: another person, unless a year is wrong
            years = [f"{self.people[id].born}" for id in namesakes]
            return Matched(reported, DOUBTFUL, None, namesakes, (say("ledger.doubt.year", years=years),))
        several = len(namesakes) > 1
        reasons = [say("ledger.doubt.twins", people=len(namesakes)) if several else say(SAME_NAME)]
        if not several:
            person = self.people[namesakes[0]]
            reasons += self._contradictions(reported, person, around) + _far(reported, around.rating(person.id))
            reasons += [say("ledger.doubt.busy", event=event) for event in around.busy(person.id)]
            reasons += [
                say("ledger.doubt.other_id", theirs=person.ids[scheme], id=value)
                for scheme, value in given.items()
                if person.ids.get(scheme, value) != value
            ]
        return Matched(reported, DOUBTFUL, None, namesakes, tuple(reasons))

    def _contradictions(self, reported: Reported, person: Person, around: Surroundings) -> list[Message]:
        """What speaks against a person: another year of birth, or a birth after the event."""
        found = []
        if None not in (reported.born, person.born) and reported.born != person.born:
            found.append(say("ledger.doubt.year", years=[f"{person.born}"]))
        return found + _unborn(person.born or reported.born, around)

    def _one_digit_off(self, scheme: str, value: str) -> list[str]:
        """The people whose ID differs in one digit, or in two that were swapped."""
        return [
            id
            for (other_scheme, other), ids in self.by_id.items()
            if other_scheme == scheme and _nearly(value, other)
            for id in ids
        ]

    def _alike(self, name: str) -> list[str]:
        """The people whose names are spelt almost the same, whichever name comes first."""
        words = name_words(name)
        orders = [" ".join(order) for order in (permutations(words) if len(words) <= FEW else [words])]
        found = []
        for theirs, ids in self.by_name.items():
            matcher = SequenceMatcher(None, orders[0], " ".join(theirs), autojunk=False)
            if matcher.real_quick_ratio() < ALIKE or matcher.quick_ratio() < ALIKE:  # which ask for no order
                continue
            for order in orders:
                matcher.set_seq1(order)
                if matcher.ratio() >= ALIKE:
                    found += ids
                    break
        return list(dict.fromkeys(found))[:FEW]

    def _called(self, id: str) -> str:
        return f"{self.people[id].name} ({id})"


def _nearly(value: str, other: str) -> bool:
    if len(value) != len(other):
        return False
    wrong = [place for place, (one, two) in enumerate(zip(value, other, strict=True)) if one != two]
    swapped = len(wrong) == 2 and wrong[1] == wrong[0] + 1 and value[wrong[0]] == other[wrong[1]]
    return len(wrong) == 1 or (swapped and value[wrong[1]] == other[wrong[0]])


def _unborn(born: int | None, around: Surroundings) -> list[Message]:
    return [say("ledger.doubt.unborn", year=f"{born}")] if born is not None and born >= around.end.year else []


def _far(reported: Reported, rating: int | None) -> list[Message]:
    """A doubt about a match by name: the reported rating is far from the ledger's."""
    if reported.rating is None or rating is None or abs(reported.rating - rating) < FAR:
        return []
    return [say("ledger.doubt.far", reported=reported.rating, rating=rating)]
