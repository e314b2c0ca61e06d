"""K on the next list, by FIDE's rule and what the published K reveals."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from arpad.calculation.contract import Calculation, Figure, Note
from arpad.calculation.explain import sentence
from arpad.calculation.step import Step, known, ruled
from arpad.core.model import Player
from arpad.errors import UncoveredDate
from arpad.lists.store import FIDE, PACES
from arpad.systems import rulebook_of
from arpad.systems.fide.k import development_coefficient, first_day_without

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arpad.lists.players import ListedPlayer, ListedRating
    from arpad.lists.store import RatingList
    from arpad.systems.fide.rules import FideRules


@dataclass(frozen=True, slots=True)
class NextK:
    """K on the next list, the day of that list, and the day on which age alone will change it."""

    pace: str
    printed: int | None
    on: date
    next: Step
    until: date | None


def month_after(day: date) -> date:
    """The first of the next month."""
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def next_k(player: ListedPlayer, pace: str) -> NextK | None:
    """K on the list after the valid one if no games are played; None without a rating or a rule for that day."""
    standing = player.ratings.get(pace)
    if standing is None or standing.rating is None:
        return None
    on = month_after(standing.list.month)
    try:
        in_force: FideRules = rulebook_of(f"fide-{pace}").at(on)
    except UncoveredDate:
        return None
    step = _explained(player, pace, standing, in_force, on)
    return NextK(pace, standing.k, on, step, first_day_without(step))


def _explained(player: ListedPlayer, pace: str, standing: ListedRating, rules: FideRules, on: date) -> Step:
    """K by the rule, with what the published K shows beyond what the lists say."""
    bands = rules.k.value
    # A published K tells newcomers from everybody else; without one the number of games is unknown.
    enough = None if standing.k is None else max((one.games_under or 0 for one in bands), default=0)
    plain = Player(standing.rating, birth_year=player.birth_year, games=enough)
    reached = max(standing.rating or 0, player.peaks.get(pace, 0))

    def explains(player: Player, peak: int) -> bool:
        return bool(development_coefficient(player, peak, rules, standing.list.month).value == standing.k)

    if standing.k is not None and not explains(plain, reached):
        if explains(plain._replace(games=0), reached):
            return _newcomers(player, standing.k, rules)
        for level in {one.peak_from or one.peak_under or 0 for one in bands}:  # on an earlier list, perhaps
            if explains(plain, max(reached, level)):
                return development_coefficient(plain, max(reached, level), rules, on)
    return development_coefficient(plain, reached, rules, on)


def _newcomers(player: ListedPlayer, k: int, rules: FideRules) -> Step:
    """The K of a newcomer; without a year of birth it may also be a junior's."""
    (band,) = (one for one in rules.k.value if one.games_under is not None)
    junior = player.birth_year is None and any(one.k == k and one.until_age is not None for one in rules.k.value)
    key = "k.new.or.junior" if junior else "k.new"
    return ruled(key, rules.k, k, words={"says": band.says, "band": band}, printed=known("k.printed", k))


class PlayerPage(Calculation):
    """Everything the lists say about a player, and K on the next list with its reason."""

    def __init__(self, player: ListedPlayer, newest: RatingList, history: Sequence[tuple[str, ListedRating]]) -> None:
        self.player, self.list, self.history = player, newest, history
        asked = [next_k(player, pace) for pace in PACES] if newest.name == FIDE else []
        self.next_k = [one for one in asked if one is not None]
        super().__init__(newest.name, newest.month, tuple(one.next for one in self.next_k), self._page_notes)

    def _page_notes(self) -> list[Note]:
        notes = [
            Note("k.until.age", {"k": one.next.value, "until": one.until, "level": one.next.words["band"].peak_under})
            for one in self.next_k
            if one.until is not None
        ][:1]
        return [Note("list.used", {"list": str(self.list)}), *notes]

    def figures(self) -> list[Figure]:
        one = self.player
        titles = ", ".join(dict.fromkeys(filter(None, (one.title, *one.other_titles))))
        flags = {"i": "inactive", "w": "woman", "wi": "woman, inactive"}
        person = [
            Figure(
                "list.name", one.name or "not given", f"FIDE ID {one.id}" if self.list.name == FIDE else f"ID {one.id}"
            ),
            Figure("list.federation", one.federation),
            Figure("list.title", titles or None),
            Figure(
                "list.born",
                one.born and str(one.born),
                "not a year of birth" if one.born and not one.birth_year else "",
            ),
            Figure("list.flag", one.flag and flags.get(one.flag, one.flag)),
        ]
        return (
            person
            + [
                Figure(f"list.{pace}", "unrated" if standing.rating is None else standing.rating, _remark(standing))
                for pace, standing in one.ratings.items()
            ]
            + [
                Figure(
                    f"list.next_k.{k.pace}",
                    k.next.value,
                    f"{sentence(k.next)} [{k.next.rule.cite}]" if k.next.rule else "",
                )
                for k in self.next_k
            ]
        )

    def value(self) -> dict[str, object]:
        return {
            "list": str(self.list),
            **self.player.value(),
            "next_k": {
                one.pace: {"on": str(one.on), "k": one.next.value, "why": sentence(one.next)} for one in self.next_k
            },
            "history": [
                {"list": f"{one.list.month:%Y-%m}", "pace": pace, "rating": one.rating, "games": one.games, "k": one.k}
                for pace, one in self.history
            ],
        }


def _remark(standing: ListedRating) -> str:
    """K and games on a list."""
    parts = [
        f"K {standing.k}" if standing.k is not None else "",
        f"{standing.games} games" if standing.games is not None else "",
    ]
    return ", ".join(filter(None, (*parts, f"list of {standing.list.month:%Y-%m}")))
