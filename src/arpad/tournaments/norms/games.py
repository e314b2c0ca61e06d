"""What a crosstable shows for norms: the rounds that count (1.4.2), exemptions, and what is required of the event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

from arpad.calculation.answer import derived, hidden
from arpad.core import LOSS, Player
from arpad.core.numbers import half_up_of
from arpad.core.tournaments import (
    ABSENT,
    ALLOCATED_BYE,
    FORFEIT,
    PENDING,
    PLAYED,
    SHORT,
    SWISS,
    Entrant,
    Round,
    Tournament,
)
from arpad.errors import BadInput
from arpad.messages import say
from arpad.rulebooks import Rule
from arpad.tournaments.norms.conditions import AT_MOST, FID, Condition, CountedGame
from arpad.tournaments.norms.rules import BigSwiss, StrongEvent, TitleRules

OVER = (PLAYED, SHORT, FORFEIT)  # kinds of result that show that a round has been played
Exemption = Literal["a", "b", "c"]
EXEMPTIONS: tuple[Exemption, ...] = get_args(Exemption)  # of 1.4.3; those that a file cannot show


class Crosstable:
    """A tournament, as far as it matters for norms: the players, the rounds played, the rounds left."""

    def __init__(self, tournament: Tournament, kind: str, rules: TitleRules) -> None:
        self.tournament = tournament
        self.kind = kind
        self.rules = rules
        self.entrants: Mapping[int, Entrant] = {entrant.no: entrant for entrant in tournament.entrants}
        seen = [entrant.rounds for entrant in tournament.entrants]
        self.played = max(
            (number for rounds in seen for number, played in enumerate(rounds, 1) if played.kind in OVER), default=0
        )
        self.paired = max(
            (number for rounds in seen for number, played in enumerate(rounds, 1) if played.kind == PENDING), default=0
        )
        self.rounds = max(tournament.rounds, self.played, self.paired)
        self.zero_scorers = self._zero_scorers() if kind in rules.zero_scorer.value else frozenset()

    def round(self, entrant: Entrant, number: int) -> Round:
        """What a player did in a round; a missing entry means absent."""
        return entrant.rounds[number - 1] if 0 < number <= len(entrant.rounds) else Round(ABSENT)

    def present(self, entrant: Entrant, number: int) -> bool:
        """Whether a player took part in a round; an allocated bye or a forfeit win does not count as absence."""
        played = self.round(entrant, number)
        return played.kind in (PLAYED, SHORT, PENDING, ALLOCATED_BYE) or (played.kind == FORFEIT and bool(played.score))

    def scoresheet(self, entrant: Entrant) -> Scoresheet:
        """A player's rounds, divided into those that count and those that do not."""
        games, left_out, to_come = [], [], []
        for number in range(1, self.rounds + 1):
            played = self.round(entrant, number)
            # A player without a pairing in a round that has been paired does not play it.
            unpaired = played.kind == ABSENT and number > max(self.played, self.paired)
            if played.kind == PENDING or unpaired:
                to_come.append(played)
                continue
            rule = self._excluded(played)
            opponent = self.entrants.get(played.opponent or 0)
            if rule is None and opponent is not None:
                games.append(_game(played, opponent, number))
            else:
                left_out.append(LeftOut(number, rule))
        return Scoresheet(
            games=tuple(games),
            left_out=tuple(left_out),
            spared=any(
                played.kind == ALLOCATED_BYE or (played.kind == FORFEIT and played.score) for played in entrant.rounds
            ),
            no_show=self._no_show(entrant),
            rounds=self.rounds,
            left=len(to_come),
            next=self._next(to_come),
        )

    def _no_show(self, entrant: Entrant) -> CountedGame | None:
        """The last game as a loss, if the opponent did not appear."""
        last = self.round(entrant, self.rounds)
        opponent = self.entrants.get(last.opponent or 0)
        if self.rounds > self.played or last.kind != FORFEIT or not last.score or opponent is None:
            return None
        return _game(replace(last, score=LOSS), opponent, self.rounds)

    def _next(self, to_come: list[Round]) -> CountedGame | None:
        """The game against the next opponent, if it is paired and will count."""
        if not to_come or to_come[0].kind != PENDING or self._excluded(to_come[0]) is not None:
            return None
        opponent = self.entrants.get(to_come[0].opponent or 0)
        return None if opponent is None else _game(to_come[0], opponent, self.rounds - len(to_come) + 1)

    def _excluded(self, played: Round) -> Rule[object] | None:
        """The rule that excludes a round; None if it counts."""
        rules = self.rules
        if played.kind in rules.unplayed.value or played.opponent is None:
            return rules.unplayed
        if played.kind == SHORT and rules.short_games.value == "left out":
            return rules.short_games
        opponent = self.entrants.get(played.opponent)
        federation = None if opponent is None else opponent.player.federation
        if federation in rules.no_federation.value:
            return rules.no_federation
        if federation == FID and rules.fid.value == "left out":
            return rules.fid
        return rules.zero_scorer if played.opponent in self.zero_scorers else None

    def _zero_scorers(self) -> frozenset[int]:
        """The unrated players who scored nothing in games played against rated players."""
        rated = {no for no, entrant in self.entrants.items() if entrant.player.rating is not None}
        return frozenset(
            entrant.no
            for entrant in self.tournament.entrants
            if entrant.player.rating is None
            and not any(played.score for played in entrant.rounds if played.kind == PLAYED and played.opponent in rated)
        )


class Scoresheet(NamedTuple):
    """A player's tournament, as far as it matters for norms."""

    games: tuple[CountedGame, ...]
    left_out: tuple[LeftOut, ...] = ()
    spared: bool = False  # whether a round was a forfeit win or an allocated bye
    no_show: CountedGame | None = None  # if the last opponent did not appear: that game, as a loss
    rounds: int = 0  # rounds of the event
    left: int = 0  # rounds still to be played
    next: CountedGame | None = None  # against the next opponent, if paired; the score is still open

    def with_game(self, game: CountedGame, halves: int) -> Scoresheet:
        """The scoresheet with one more game, with this score."""
        return self._replace(games=(*self.games, game._replace(halves=halves)), left=self.left - 1, next=None)


@dataclass(frozen=True)
class LeftOut:
    """A round that does not count, and the rule behind that; None if the opponent is not in the file."""

    round: int
    rule: Rule[object] | None = hidden()

    @derived
    def article(self) -> str | None:
        """The article by which it does not count."""
        return None if self.rule is None else self.rule.article


def _game(played: Round, opponent: Entrant, number: int) -> CountedGame:
    player, rating = opponent.player, opponent.player.rating
    if rating is not None and not isinstance(rating, int):
        raise BadInput(say("tournaments.norms.whole_ratings", rating=rating), at=f"player {opponent.no}")
    return CountedGame(rating, player.title, player.federation, int(2 * (played.score or 0)), opponent.no, number)


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
    if asked not in EXEMPTIONS:
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


def fast_classic(table: Crosstable) -> bool:
    """Whether the time control counts if the qualification commission approved the event."""
    rule = table.rules.fast_classic
    return rule is not None and str(table.tournament.pace) in rule.value
