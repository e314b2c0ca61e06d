"""What depends on the whole field: the exemption of a big Swiss (1.4.3d), and what an application requires."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from arpad.core import Player
from arpad.core.numbers import half_up_of
from arpad.core.tournaments import SWISS, Entrant
from arpad.errors import BadInput
from arpad.messages import say
from arpad.rulebooks import Rule
from arpad.tournaments.norms.conditions import AT_MOST, FID, Condition
from arpad.tournaments.norms.games import Crosstable
from arpad.tournaments.norms.rules import BigSwiss, StrongEvent, TitleRules

GIVEN = ("a", "b", "c")  # exemptions that a file cannot show


@dataclass(frozen=True, slots=True)
class Foreigners:
    """The lowest counts in any round: rated players of other federations than the host, their federations, titles."""

    players: int
    federations: int
    titled: int

    def enough(self, needed: BigSwiss) -> bool:
        """Whether the event is exempt."""
        return (
            self.players >= needed.players and self.federations >= needed.federations and self.titled >= needed.titled
        )


def foreigners(table: Crosstable, host: str | None) -> Foreigners | None:
    """The counts for exemption d, at their lowest over the rounds; None if the file does not show them."""
    if host is None or table.kind != SWISS or not table.played:
        return None
    needed = table.rules.exempt_d.value
    counted = [
        entrant
        for entrant in _steady(table, needed.missed)
        if entrant.player.rating is not None and entrant.player.federation not in (host, FID, None)
    ]
    rounds = [[entrant for entrant in counted if table.present(entrant, no)] for no in range(1, table.played + 1)]
    return Foreigners(
        min(len(present) for present in rounds),
        min(len({entrant.player.federation for entrant in present}) for present in rounds),
        min(sum(entrant.player.title in needed.titles for entrant in present) for present in rounds),
    )


def exemption(
    player: Player, asked: str | None, host: str | None, met: Foreigners | None, rules: TitleRules
) -> Rule[object] | None:
    """The rule that exempts a player from the conditions on federations; None if there is none."""
    if asked is not None:
        rule: Rule[str] = {"a": rules.exempt_a, "b": rules.exempt_b, "c": rules.exempt_c}[asked]
        if rule.value == "everybody" or player.federation == host:
            return rule
    return rules.exempt_d if met is not None and met.enough(rules.exempt_d.value) else None


def check_exemption(asked: str | None, host: str | None) -> None:
    """Refuse an unknown exemption, or one for home players without a host federation."""
    if asked is None:
        return
    if asked not in GIVEN:
        raise BadInput(say("tournaments.norms.exemption", asked=asked), at="exempt")
    if host is None and asked != "c":
        raise BadInput(say("tournaments.norms.exemption_host", asked=asked), at="host")


def event_conditions(table: Crosstable, *, qc_approved: bool = False) -> tuple[Condition, ...]:
    """What is required of the event, and what an application requires, as far as the file shows it; not judged."""
    rules = table.rules
    conditions = [*_days(table), *_time(table, qc_approved)]
    if rules.strong_event is not None:
        conditions.append(_strong(table, rules.strong_event))
    start, end = table.tournament.start, table.tournament.end
    if start is not None and end is not None and (end - start).days > rules.long_event.value:
        days = (end - start).days
        conditions.append(
            Condition("long_event", None, days, rules.long_event.value, AT_MOST, rules.long_event, information=True)
        )
    return tuple(conditions)


def _days(table: Crosstable) -> Iterator[Condition]:
    """Days with one round, and the most rounds on one day; the second only if the days are known."""
    rule, most = table.rules.one_round_a_day, table.rules.rounds_a_day
    days = Counter(day for day in table.tournament.round_days if day is not None)
    single = sum(rounds == 1 for rounds in days.values()) if days else None
    met = None if single is None else single >= rule.value.days
    yield Condition("one_round_a_day", met, single, rule.value.days, rule=rule, information=True)
    if days:
        found = max(days.values())
        yield Condition("rounds_a_day", found <= most.value, found, most.value, AT_MOST, most, information=True)


def fast_classic(table: Crosstable) -> bool:
    """Whether the time control counts if the qualification commission approved the event."""
    rule = table.rules.fast_classic
    return rule is not None and str(table.tournament.pace) in rule.value


def _time(table: Crosstable, qc_approved: bool) -> Iterator[Condition]:
    """A player's minutes for a game, if the time control is understood."""
    rule, pace = table.rules.thinking_time, table.tournament.pace
    if pace is not None:
        seconds = 60 * pace.minutes + rule.value.moves * pace.increment
        found, needed = int(seconds) // 60, rule.value.minutes
        condition = Condition("thinking_time", found >= needed, found, needed, rule=rule, information=True)
        lifted = qc_approved and not condition.met and fast_classic(table)
        yield condition._replace(met=True, lifted=True, rule=table.rules.fast_classic) if lifted else condition


def _strong(table: Crosstable, rule: Rule[StrongEvent]) -> Condition:
    """The average of the best participants, at its lowest over the rounds."""
    needed = rule.value
    steady = _steady(table, needed.missed)
    averages = []
    for number in range(1, table.played + 1):
        ratings = (entrant.player.rating for entrant in steady if table.present(entrant, number))
        best = sorted((int(rating) for rating in ratings if rating is not None), reverse=True)[: needed.players]
        if len(best) < needed.players:
            few, enough = (say("tournaments.norms.players", players=count) for count in (len(best), needed.players))
            return Condition("strong_event", False, few, enough, rule=rule, information=True)
        averages.append(half_up_of(sum(best), needed.players))
    found = min(averages, default=None)
    met = None if found is None else table.kind == SWISS and found >= needed.average
    return Condition("strong_event", met, found, needed.average, rule=rule, information=True)


def _steady(table: Crosstable, missed: int | None) -> list[Entrant]:
    """The players who missed no more than this many rounds."""
    if missed is None:
        return list(table.tournament.entrants)
    return [
        entrant
        for entrant in table.tournament.entrants
        if sum(not table.present(entrant, number) for number in range(1, table.played + 1)) <= missed
    ]
