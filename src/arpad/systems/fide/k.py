"""K, the development coefficient (8.3.3): its reason, the list it is taken from (7.1), and when it will change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.calculation.step import Step, known, ruled
from arpad.core import EloStanding, check_born
from arpad.messages import Message, say
from arpad.systems.answers import KOnList, ListAhead, given_k
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from arpad.core import Event, ListedK, Player, Rating
    from arpad.systems.fide.rules import KBand


ASSUMED = "k.assumed."  # prefix of steps and notes where something about the player had to be assumed


def development_coefficient(player: Player, peak: Rating, rules: FideRules, day: date) -> Step:
    """K on a day, for a player whose highest published rating is `peak`, by the first line of the rule that applies."""
    standing = EloStanding.of(player)
    if standing.k is not None:
        return given_k(standing.k, standing.k_from)
    check_born(player, day)
    unknown: list[tuple[str, KBand]] = []
    band = _band(player, peak, rules, day, unknown)
    key = f"k.{band.name}"
    words: dict[str, Any] = {"says": band.says, "band": band}
    # An unknown fact only matters if another line of the rule would give another K.
    assumed = {what: other.games_under for what, other in unknown if other.k != band.k} if unknown else None
    if assumed:
        key, words = f"{ASSUMED}{'.'.join(sorted(assumed))}", {"band": band, "games": assumed.get("games")}
    return ruled(key, rules.k, band.k, words=words, **_reasons(band, player, peak))


def without_expired_k(player: Player, rules: FideRules, day: date) -> Player:
    """The player without a junior's K from a list, if age ended it before the list that counts."""
    standing, born = EloStanding.of(player), player.birth_year
    month = None if standing.k_from is None else standing.k_from.month
    if born is None or month is None:
        return player
    limits = [band.until_age for band in rules.k.value if band.until_age is not None and band.k == standing.k]
    if not any(month.year - born <= limit < day.year - born for limit in limits):
        return player
    return replace(player, standing=replace(standing, k=None, k_from=None))


class KTurns(NamedTuple):
    """The values of each fact at which another line of the rule may apply; between two of them K is the same."""

    peak: list[int]
    age: list[int]
    games: list[int]


def k_turns(rules: FideRules) -> KTurns:
    """Where K may change, by the conditions that `_applies` checks."""
    bands = rules.k.value
    return KTurns(
        sorted({peak for band in bands for peak in (band.peak_from, band.peak_under) if peak is not None}),
        sorted({band.until_age + 1 for band in bands if band.until_age is not None}),
        sorted({band.games_under for band in bands if band.games_under is not None}),
    )


class NextList(NamedTuple):
    """What matters for the next list: its day, the rated games it adds, and the highest rating so far."""

    on: date
    games: int
    peak: Rating


def k_notes(k: Step, used: Step, player: Player, peak: Rating, rules: FideRules) -> Iterator[Message]:
    """What was assumed about K, and the day on which age will change it."""
    if used.value == 0:
        yield say("notes.k.zero", limit=rules.k_limit.value if rules.k_limit else 0)
    given = EloStanding.of(player).peak
    if given is not None and given < peak:
        yield say("notes.peak.raised", given=given, peak=peak)
    if k.rule is None:
        return
    band, until = k.words["band"], first_day_without(k)
    if k.key.startswith(ASSUMED):
        yield say(f"notes.{k.key}", k=k.value, games=k.words["games"])
    if until is not None:
        after = _band(player, peak, rules, until, [])
        if after.k != k.value:
            yield say("notes.k.until", k=k.value, until=until, after=after.k, level=band.peak_under)


def next_k_notes(k: Step, player: Player, ahead: NextList, rules: FideRules) -> Iterator[Message]:
    """Notes on how these games change K on the next list."""
    if k.rule is None:
        return
    after, before = k_on_list(player, ahead, rules), EloStanding.of(player).games
    if after.k != k.value:
        yield say("notes.k.next", k=after.k, says=after.says)
    elif after.games_under is not None and before is not None:
        yield say("notes.k.games", k=k.value, left=after.games_under - before - ahead.games)


def k_on_list(player: Player, ahead: NextList, rules: FideRules) -> KBand:
    """The line of the rule that applies on the next list."""
    standing = EloStanding.of(player)
    if standing.games is not None:
        player = replace(player, standing=replace(standing, games=standing.games + ahead.games))
    return _band(player, ahead.peak, rules, ahead.on, [])


def _band(player: Player, peak: Rating, rules: FideRules, day: date, unknown: list[tuple[str, KBand]]) -> KBand:
    """The first line of the rule that applies; the last one applies to everybody."""
    for band in rules.k.value:
        if _applies(band, player, peak, day, unknown):
            break
    return band


def _applies(band: KBand, player: Player, peak: Rating, day: date, unknown: list[tuple[str, KBand]]) -> bool:
    """Whether a line of the rule applies; an unknown fact that would decide it is added to `unknown`."""
    if band.peak_from is not None and peak < band.peak_from:
        return False
    if band.peak_under is not None and peak >= band.peak_under:
        return False
    if band.until_age is not None:
        if player.birth_year is None:
            unknown.append(("born", band))
            return False
        return day.year - player.birth_year <= band.until_age
    if band.games_under is not None:
        games = EloStanding.of(player).games
        if games is None:
            unknown.append(("games", band))
            return False
        return games < band.games_under
    return True


def _reasons(band: KBand, player: Player, peak: Rating) -> dict[str, Step]:
    """The facts that decided whether a line of the rule applies."""
    reasons = {}
    if band.until_age is not None:
        reasons["born"] = known("born", player.birth_year)
    if band.games_under is not None:
        reasons["games"] = known("games_before", EloStanding.of(player).games)
    if band.peak_from is not None and peak != player.rating:
        reasons["peak"] = known("peak", peak)
    return reasons


def first_day_without(k: Step) -> date | None:
    """The first list on which a junior is too old for K: January after the last year; None for anybody else."""
    band, born = k.words.get("band"), k.given.get("born")
    if band is None or not isinstance(born, Step):
        return None
    return date(born.value + band.until_age + 1, 1, 1)


UNLIKELY = 0.0001  # a K that is less probable on the next list is not shown


class Entering(NamedTuple):
    """When a period's last event ended, the list it enters, and the list before that, whose K counts."""

    ended: date
    enters: date
    k_list: date

    def notes(self, on: date, used: ListedK | None = None) -> Iterator[Message]:
        """Which list's K counts, if it is not the list in force when the event began.

        `used` is the list that K was read from, if any: the list that counts may not be out yet.
        """
        if self.k_list <= on:
            return
        yield say("notes.k.list", list=self.k_list, ended=self.ended, enters=self.enters)
        if used is not None and used.month is not None and used.month < self.k_list:
            yield say("notes.k.older_list", list=f"{self.k_list:%Y-%m}", used=used.list)


def entering(events: Iterable[Event], rules: FideRules) -> Entering | None:
    """The list that a period's events enter; None if no last day is known, or if K is that of the first day."""
    if rules.k_at_start:
        return None
    last_days = [event.ended for event in events if event.ended is not None]
    return entered(max(last_days), rules) if last_days else None


def entered(ended: date, rules: FideRules) -> Entering:
    """The first list that an event can enter that ended on this day, by the closing dates."""
    months, closing, _ = rules.lists.value
    month = _month_of_list(ended, rules)
    while ended > _first_of(month + months) - timedelta(days=closing):
        month += months
    return Entering(ended, _first_of(month + months), _first_of(month))


def list_in_force(day: date, rules: FideRules) -> date:
    """The list whose ratings count for an event that begins on a day."""
    return _first_of(_month_of_list(day, rules))


def next_list(day: date, rules: FideRules) -> date:
    """The first list that appears after a day."""
    return _first_of(_month_of_list(day, rules) + rules.lists.value.months)


def _month_of_list(day: date, rules: FideRules) -> int:
    """The month of the list in force on a day, counted from the year 0."""
    months = rules.lists.value.months
    return (day.year * 12 + day.month - 1) // months * months


def _first_of(month: int) -> date:
    """The first day of a month, counted from the year 0."""
    return date(month // 12, month % 12 + 1, 1)


def list_ahead(
    rules: object, player: Player, endings: Iterable[tuple[Rating | None, float]], *, games: int, on: date
) -> ListAhead | None:
    """The next list after these rated games, for each rating they may lead to; None in a system without lists."""
    if not isinstance(rules, FideRules):
        return None
    day = entered(on, rules).enters
    standing = EloStanding.of(player)
    if standing.k is not None:
        return ListAhead(on=day, k=())
    before = [rating for rating in (standing.peak, player.rating_used) if rating is not None]
    shares: dict[Rating, float] = {}
    for rating, share in endings:
        if rating is not None:
            band = k_on_list(player, NextList(day, games, max(*before, rating, 0)), rules)
            shares[band.k] = shares.get(band.k, 0.0) + share
    likely = sorted((item for item in shares.items() if item[1] >= UNLIKELY), key=lambda item: -item[1])
    return ListAhead(on=day, k=tuple(KOnList(k=k, chance=share) for k, share in likely))
