"""The chances of everybody in a running event, by simulation: the rounds to come are paired and played many times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from arpad.core import EloStanding
from arpad.errors import ArpadError
from arpad.forecast.typical import reliability_of
from arpad.messages import Message, say
from arpad.simulation.answer import (
    SHOWN_MEETINGS,
    WORTH_A_LINE,
    EventChances,
    EventLevelChance,
    EventNormChance,
    HowPaired,
    NextMeeting,
    NormAtScore,
    PlaceChance,
    PlayerChances,
    PrizeChance,
    ScoreChance,
    error_of,
)
from arpad.simulation.exact import SHARE, expected_round
from arpad.simulation.games import UNRATED_SPREAD, Strengths
from arpad.simulation.places import places, simulated
from arpad.simulation.playing import STILL_AWAY, play
from arpad.simulation.position import NOBODY, WHITE, Position
from arpad.simulation.ratings import NO_RATING, NormJudge, Ratings, norms_known
from arpad.systems.fide import Fide
from arpad.systems.fide.games import todays_scale
from arpad.tournaments.event import rate_event
from arpad.tournaments.norms.report import NORM_LIST
from arpad.tournaments.norms.rules import NORMS, edition, is_woman, rating_rulebook
from arpad.tournaments.prizes import Contender, Prize, Share, members, share_prizes
from arpad.tournaments.tiebreaks import choose

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from arpad.core import Rating
    from arpad.simulation.playing import PlayedRuns, Progress
    from arpad.tournaments.tiebreaks import Chosen
    from arpad.tournaments.tiebreaks.criteria import Criterion

    Ints = NDArray[np.integer]

PRIZE_RUNS = 1000  # prizes are shared out player by player, which takes longer
LEADERS = 10  # players whose next opponents are named
TENTHS = (0.1, 0.5, 0.9)
SPREAD = 59.0  # points; the strength of an established player, where the list has no figure of its own
STANDARD = "fide-standard"


@dataclass(slots=True)
class _Tally:
    """What every run gave, by run and player."""

    totals: list[Ints] = field(default_factory=list)
    places: list[Ints] = field(default_factory=list)
    changes: list[Ints] = field(default_factory=list)
    new: list[Ints] = field(default_factory=list)
    opponents: list[Ints] = field(default_factory=list)  # in the next round, if it is not paired
    colours: list[Ints] = field(default_factory=list)
    norms: dict[tuple[int, str], list[NDArray[np.bool_]]] = field(default_factory=dict)


class Simulation:
    """An event ready to be played on, and everything its runs are judged by."""

    def __init__(self, position: Position, fide: Fide, on: date, by: Sequence[str], k: Rating | None) -> None:
        self.position, self.fide, self.on = position, fide, on
        cut = tuple(replace(one, rounds=one.rounds[: position.held], points=None) for one in position.entrants)
        self.event = replace(position.tournament, entrants=cut)
        self.notes = list(position.notes)
        self.order, self.left_out, self.rules = self._order(by)
        self.ratings: Ratings | None = None
        try:
            self.ratings = Ratings(position, fide, rate_event(self.event, fide, on=on, k=k), on)
        except ArpadError as error:
            self.notes.append(say("notes.chances.no_ratings", why=str(error)))
        self.norms = self._norms()
        scale = todays_scale(fide.rulebook, on)
        on_scale = np.array([np.nan if np.isnan(rating) else scale(rating) for rating in position.ratings])
        self.expected = expected_round(position)
        self.strengths = Strengths(position, np.array([self._deviation(who) for who in range(len(on_scale))]), on_scale)

    def _order(self, by: Sequence[str]) -> tuple[list[Criterion], list[str], Chosen]:
        """The criteria that are simulated, the names of those that are not, and the rules."""
        chosen = choose(self.event, tuple(by), recommended=True, on=self.on, kind=self.position.kind)
        self.notes += chosen.source_notes()
        criteria = [stage.criterion for stage in chosen.ranking.stages if stage.criterion.name != "PTS"]
        left_out = [str(one) for one in criteria if not simulated(one)] + [part.name for part in chosen.dropped]
        return [one for one in criteria if simulated(one)], left_out, chosen

    def _norms(self) -> NormJudge | None:
        """What norms are judged by; None, with a note, where the file or the list does not allow them."""
        if self.fide.name != NORM_LIST:
            return None
        missing = norms_known(self.position)
        if missing:
            self.notes.append(
                say("notes.chances.no_norms", missing=[say(f"chances.missing.{what}") for what in missing])
            )
            return None
        try:
            judge = NormJudge(self.position, edition(self.on))
        except ArpadError as error:
            self.notes.append(say("notes.chances.norms_refused", why=str(error)))
            return None
        if self.position.rounds > judge.least:
            self.notes.append(say("notes.chances.all_games"))
        return judge

    def _deviation(self, who: int) -> float:
        """How far a player's strength is from the rating."""
        if self.fide.name != STANDARD:
            return SPREAD
        player = self.position.entrants[who].player
        if player.rating is None:
            return SPREAD
        standing = EloStanding.of(player)
        return reliability_of(self.fide, replace(player, standing=standing), on=self.on).deviation

    def answer(
        self,
        runs: int,
        seed: int,
        progress: Callable[[int, int], object] | None,
        prizes: tuple[tuple[Prize, ...], Share, bool],
    ) -> EventChances:
        """Plays the event and counts."""
        position, tally = self.position, _Tally()
        lots = np.random.default_rng(seed + 1)  # of their own, so that a tie-break more does not change the results
        for played in self.played(runs, seed, progress):
            self._count(played, tally, lots)
        counted = _Counted(self, tally, runs)
        won = counted.prizes(*prizes) if prizes[0] else {}
        players = [counted.player(who, won.get(who, ())) for who in range(len(position.entrants))]
        unpaired = position.ahead[0].number if position.ahead and not position.ahead[0].paired else None
        return EventChances(
            system=self.fide.name,
            on=self.on,
            trail=(),
            remarks=lambda: tuple(self._remarks(prizes[0], runs)),
            name=position.tournament.name,
            event_kind=position.kind,
            after=position.held,
            rounds=position.rounds,
            runs=runs,
            seed=seed,
            by=tuple(map(str, self.order)),
            not_simulated=tuple(self.left_out),
            withdrawn=position.withdrawn,
            players=tuple(sorted(players, key=lambda one: (_mean_place(one), one.no))),
            pairing=self.pairing,
            next_round=unpaired,
            meetings=tuple(counted.meetings()) if unpaired is not None else (),
        )

    @property
    def pairing(self) -> HowPaired:
        """How the rounds to come are paired."""
        if self.expected is not None:
            return "exact"
        return "known" if all(ahead.paired for ahead in self.position.ahead) else "approximate"

    def played(self, runs: int, seed: int, progress: Progress | None = None) -> Iterator[PlayedRuns]:
        """The rest of the event, in blocks of runs."""
        return play(self.position, self.strengths, runs=runs, seed=seed, expected=self.expected, progress=progress)

    def _count(self, played: PlayedRuns, tally: _Tally, lots: np.random.Generator) -> None:
        tally.totals.append(played.totals.astype(np.int16))
        tally.places.append(places(self.position, played, self.order, self.rules.rules, lots).astype(np.int16))
        if self.ratings is not None:
            changes, new = self.ratings.after(played)
            tally.changes.append(changes.astype(np.int32))
            tally.new.append(new.astype(np.int16))
        if self.position.ahead and not self.position.ahead[0].paired:
            tally.opponents.append(played.opponents[:, :, self.position.held])
            tally.colours.append(played.colours[:, :, self.position.held])
        if self.norms is not None:
            done = len(tally.totals) - 1
            for norm in self.norms.made(played):
                blocks = tally.norms.setdefault((norm.who, norm.title), [])
                blocks += [np.zeros(len(block), dtype=bool) for block in tally.totals[len(blocks) : done]]
                blocks.append(norm.made)

    def _remarks(self, prizes: Sequence[Prize], runs: int) -> Iterator[Message]:
        yield from self.notes
        yield say("notes.chances.method.known" if self.pairing == "known" else "notes.chances.method")
        if self.expected is not None:
            yield say("notes.chances.expected", percent=f"{100 * SHARE:.0f}")
        if self.position.held and any(not ahead.paired for ahead in self.position.ahead):
            yield say("notes.chances.leaving")
        yield say("notes.chances.strength")
        unrated = int((~self.strengths.rated).sum())
        if unrated:
            yield say("notes.chances.unrated", players=unrated, spread=round(UNRATED_SPREAD))
        if self.position.withdrawn:
            yield say("notes.chances.withdrawn", numbers=self.position.withdrawn)
        if self.position.missing:
            share = f"{100 * STILL_AWAY:.0f}"
            yield say("notes.chances.missing", numbers=self.position.missing, percent=share)
        if self.left_out:
            yield say("notes.chances.not_simulated", criteria=self.left_out)
        if prizes:
            yield say("notes.chances.prizes", runs=min(PRIZE_RUNS, runs))
        entrants = self.position.entrants
        for_nobody = [prize.name for prize in prizes if not members(entrants, prize.condition, self.on)]
        if for_nobody:
            yield say("notes.standings.not_given", prizes=for_nobody)
        if self.fide.name != STANDARD:
            yield say("notes.model.fast", system=self.fide.name)


def _mean_place(one: PlayerChances) -> float:
    return sum(line.place * line.chance for line in one.places)


class _Counted:
    """The runs of an event, all together."""

    def __init__(self, simulation: Simulation, tally: _Tally, runs: int) -> None:
        self.simulation, self.position, self.runs = simulation, simulation.position, runs
        self.totals, self.places = np.concatenate(tally.totals), np.concatenate(tally.places)
        self.changes = np.concatenate(tally.changes) if tally.changes else None
        self.new = np.concatenate(tally.new) if tally.new else None
        self.place_tenths = np.quantile(self.places, TENTHS, axis=0, method="inverted_cdf")
        if self.new is not None:
            self.new_tenths = np.quantile(self.new, TENTHS, axis=0, method="inverted_cdf")
        self.tally = tally
        book = rating_rulebook()
        titled = simulation.fide.name == STANDARD and simulation.on >= book.covered_from
        self.titles = book.at(simulation.on).title_ratings.value if titled else ()

    def player(self, who: int, prizes: Iterable[PrizeChance]) -> PlayerChances:
        """One player's chances."""
        position, entrant = self.position, self.position.entrants[who]
        places, totals = self.places[:, who], self.totals[:, who]
        low, middle, high = (int(place) for place in self.place_tenths[:, who])
        rated = self.simulation.ratings is not None and bool(self.simulation.ratings.rated[who])
        change = change_error = gain = None
        new: tuple[int | None, ...] = (None, None, None)
        if rated and self.changes is not None and self.new is not None:
            change, gain = float(self.changes[:, who].mean()) / 100, float((self.changes[:, who] > 0).mean())
            change_error = float(self.changes[:, who].std()) / 100 / sqrt(self.runs)
            new = tuple(None if rating == NO_RATING else int(rating) for rating in self.new_tenths[:, who])
        return PlayerChances(
            no=entrant.no,
            name=entrant.player.name,
            title=entrant.player.title,
            rating=entrant.player.rating,
            points=Decimal(int(position.points[who].sum() + position.bonus[who])) / position.unit,
            final=float(totals.mean()) / position.unit,
            scores=tuple(
                ScoreChance(
                    points=Decimal(int(units)) / position.unit, chance=chance, error=error_of(chance, self.runs)
                )
                for units, chance in self._shares(totals)
            ),
            places=tuple(
                PlaceChance(place=int(place), chance=chance, error=error_of(chance, self.runs))
                for place, chance in self._shares(places)
            ),
            first=float((places == 1).mean()),
            top3=float((places <= 3).mean()),
            top10=float((places <= 10).mean()),
            place=middle,
            place_from=low,
            place_to=high,
            change=change,
            change_error=change_error,
            gain=gain,
            new_rating=new[1],
            new_from=new[0],
            new_to=new[2],
            norms=tuple(self._norms(who)),
            levels=tuple(self._levels(who)) if rated else (),
            prizes=tuple(prizes),
            runs=self.runs,
        )

    def _shares(self, values: Ints) -> list[tuple[int, float]]:
        found, times = np.unique(values, return_counts=True)
        return [(int(value), float(count) / self.runs) for value, count in zip(found, times, strict=True)]

    def _norms(self, who: int) -> Iterator[EventNormChance]:
        """The norms a player made in some run, with what it took."""
        entrant, totals = self.position.entrants[who], self.totals[:, who]
        for title in NORMS:
            made = np.zeros(self.runs, dtype=bool)
            blocks = self.tally.norms.get((who, title), ())
            made[: sum(map(len, blocks))] = np.concatenate(blocks) if blocks else ()
            if not made.any():
                continue
            chance = float(made.mean())
            takes = []
            for units, share in self._shares(totals):
                scored = made[totals == units]
                often = float(scored.mean())
                if often > 0 and share >= WORTH_A_LINE / 10:
                    points, error = Decimal(units) / self.position.unit, error_of(often, len(scored))
                    takes.append(NormAtScore(points=points, chance=share, norm=often, error=error))
            yield EventNormChance(
                no=entrant.no,
                called=entrant.called,
                title=title,
                chance=chance,
                error=error_of(chance, self.runs),
                takes=tuple(takes),
            )

    def _levels(self, who: int) -> Iterator[EventLevelChance]:
        """The ratings of titles above the player's own, with the chance to have each on the next list."""
        entrant = self.position.entrants[who]
        player = entrant.player
        peak = max(EloStanding.of(player).peak or 0, player.rating or 0)
        if self.new is None:
            return
        for line in self.titles:
            if line.rating <= peak or (line.women and not is_woman(player)):
                continue
            chance = float((self.new[:, who] >= line.rating).mean())
            if chance > 0:
                yield EventLevelChance(
                    no=entrant.no,
                    called=entrant.called,
                    title=line.title,
                    level=line.rating,
                    chance=chance,
                    error=error_of(chance, self.runs),
                )

    def meetings(self) -> Iterator[NextMeeting]:
        """The likeliest opponents of the leaders in the next round."""
        opponents, colours = np.concatenate(self.tally.opponents), np.concatenate(self.tally.colours)
        now = self.position.points.sum(axis=1) + self.position.bonus
        leaders = sorted(range(len(now)), key=lambda who: (-int(now[who]), who))[:LEADERS]
        for who in leaders:
            met = [pair for pair in self._shares(opponents[:, who]) if pair[0] != NOBODY]
            for other, chance in sorted(met, key=lambda pair: -pair[1])[:SHOWN_MEETINGS]:
                together = opponents[:, who] == other
                yield NextMeeting(
                    no=self.position.entrants[who].no,
                    called=self.position.entrants[who].called,
                    opponent=self.position.entrants[other].no,
                    opponent_called=self.position.entrants[other].called,
                    chance=chance,
                    error=error_of(chance, self.runs),
                    white=float((colours[together, who] == WHITE).mean()),
                )

    def prizes(self, table: Sequence[Prize], share: Share, several: bool) -> dict[int, list[PrizeChance]]:
        """What everybody wins, by player and condition."""
        runs, entrants = min(PRIZE_RUNS, self.runs), self.position.entrants
        place = {entrant.no: who for who, entrant in enumerate(entrants)}
        times: dict[tuple[int, str], int] = {}
        worth: dict[tuple[int, str], Decimal] = {}
        squares: dict[tuple[int, str], Decimal] = {}
        for run in range(runs):
            order = [
                Contender(
                    entrants[who].no,
                    entrants[who].called,
                    Decimal(int(self.totals[run, who])) / self.position.unit,
                    int(self.places[run, who]),
                    entrants[who],
                )
                for who in np.argsort(self.places[run])
            ]
            won_in_run: dict[tuple[int, str], Decimal] = {}
            for won in share_prizes(table, order, on=self.simulation.on, share=share, several=several):
                key = place[won.no], won.condition
                won_in_run[key] = won_in_run.get(key, Decimal(0)) + won.amount
            for key, amount in won_in_run.items():
                times[key] = times.get(key, 0) + 1
                worth[key] = worth.get(key, Decimal(0)) + amount
                squares[key] = squares.get(key, Decimal(0)) + amount**2
        found: dict[int, list[PrizeChance]] = {}
        for (who, condition), count in sorted(times.items()):
            mean = float(worth[who, condition]) / runs
            variance = max(float(squares[who, condition]) / runs - mean**2, 0.0)
            found.setdefault(who, []).append(
                PrizeChance(
                    no=entrants[who].no,
                    called=entrants[who].called,
                    condition=condition,
                    chance=count / runs,
                    error=error_of(count / runs, runs),
                    worth=mean,
                    worth_error=sqrt(variance / runs),
                )
            )
        return found
