"""Rating changes in every run, by FIDE's rules of the day, with the tables that bulk uses; and the title norms.

All games of the event are summed for each player: expected scores from the table of the edition, K of each player as
the rating report has it, the limit on K times games, one rounding. A norm is judged on all games that count; norms that
need games left out are not simulated, so that their chance is at least the one given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arpad.bulk.fide.lookups import HUNDRED, REACH, RoundingTable, compile_edition, limited_k
from arpad.core.tournaments import SWISS
from arpad.errors import ArpadError
from arpad.simulation.playing import PlayedRuns, as_held
from arpad.simulation.position import BY_FORFEIT, GAME, NOBODY, UNPLAYED
from arpad.tournaments.norms.conditions import FID, least_games
from arpad.tournaments.norms.games import Crosstable, exemption, foreigners
from arpad.tournaments.norms.rules import NORMS, Edition, is_woman

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from numpy.typing import NDArray

    from arpad.core import Rating
    from arpad.simulation.position import Position
    from arpad.systems.fide import Fide
    from arpad.tournaments.event.report import EventReport
    from arpad.tournaments.norms.rules import NormTitle

    Ints = NDArray[np.integer]
    Bools = NDArray[np.bool_]

GAMES, SCORE, TOTAL, LOWEST = range(4)  # of a tally of games that count for norms
NO_RATING = -1  # a new rating below the floor, which is not published


class Ratings:
    """How the games of an event change ratings on one of FIDE's lists."""

    def __init__(self, position: Position, fide: Fide, report: EventReport, on: date) -> None:
        self.rules = fide.rulebook.at(on)
        self.tables = compile_edition(self.rules, fide.chapter, [])
        self.rounding = RoundingTable.of(self.rules.rounding.value.by)
        by_no = {player.no: player for player in report.players}
        used = [by_no[entrant.no].rating for entrant in position.entrants]
        self.rated = np.array([rating is not None for rating in used])
        self.own = np.array([int(rating or 0) for rating in used])
        self.k = np.array([int(self._k(fide, position, who, report, on) or 0) for who in range(len(used))])
        rounds = np.arange(position.held + len(position.ahead) + 1)
        self.limited = np.array([limited_k(np.full(len(rounds), k), rounds, self.rules) for k in self.k])
        gap = np.clip(self.own[:, None] - self.own[None, :], -REACH, REACH)
        level = self.tables.times.level[self.own]
        self.expected = self.tables.expected[level[:, None], gap + REACH].astype(np.int32)
        self.counts = self.rated[:, None] & self.rated[None, :]
        if self.tables.too_far is not None:
            higher = np.maximum(self.own[:, None], self.own[None, :])
            self.counts &= ~self.tables.too_far[self.tables.times.level[higher], np.abs(gap)]
        self.one_cut = self.tables.one_cut
        if self.one_cut is not None:
            self.competing = self.one_cut.gap[gap + REACH].astype(np.int32)
            self.saves = self.one_cut.saves[level[:, None], gap + REACH].astype(np.int32)
        self.held = position.held
        self._so_far = self._sums(as_held(position), 0)

    @staticmethod
    def _k(fide: Fide, position: Position, who: int, report: EventReport, on: date) -> Rating | None:
        """K as the report has it; of a player without a game so far, as the system gives it."""
        player = position.entrants[who].player
        found = report.player(position.entrants[who].no)
        if found.k is not None or found.rating is None:
            return found.k
        try:
            return fide.expect(player, player.rating or 0, on=on).k
        except ArpadError:
            return None

    def after(self, played: PlayedRuns, *, whole: bool = False) -> tuple[Ints, Ints]:
        """Everybody's change in hundredths, and the new rating; NO_RATING below the floor.

        The rounds held are the same in every run and were summed once; `whole` sums the runs' own.
        """
        if whole or self.one_cut is not None:  # which game has the largest gap is only known at the end
            gained, games = self._sums(played, 0)
        else:
            gained, games = self._sums(played, self.held)
            gained, games = gained + self._so_far[0], games + self._so_far[1]
        change = gained * self.limited[np.arange(len(self.own))[None, :], games]
        new = self.own + self.rounding.round(change)
        floor = int(self.rules.floor.value)
        return change, np.where(self.rated & (new >= floor), new, NO_RATING)

    def _sums(self, played: PlayedRuns, start: int) -> tuple[Ints, Ints]:
        """From a round on: score minus expected in hundredths, with the 400-point rule, and the rated games."""
        opponents = played.opponents[:, :, start:]
        players = np.arange(len(self.own))[None, :, None]
        nobody = opponents == NOBODY
        other = np.where(nobody, 0, opponents)
        counts = (played.kinds[:, :, start:] == GAME) & ~nobody & self.counts[players, other]
        scored = played.halves[:, :, start:] * np.int32(HUNDRED // 2)
        gained = np.where(counts, scored - self.expected[players, other], 0).sum(axis=2, dtype=np.int64)
        if self.one_cut is None:
            return gained, counts.sum(axis=2)
        size = np.where(counts, self.competing[players, other], 0)
        largest = size.argmax(axis=2)[:, :, None]
        saved = np.take_along_axis(self.saves[players, other], largest, axis=2)
        gained += np.where(np.take_along_axis(size, largest, axis=2) > 0, saved, 0)[:, :, 0]
        return gained, counts.sum(axis=2)


class NormRuns(NamedTuple):
    """The runs in which a player made a norm."""

    who: int
    title: str
    made: Bools  # by run


class NormJudge:
    """The conditions of norms in arrays, for the players who may still make one."""

    def __init__(self, position: Position, rules: Edition) -> None:
        titles = rules.titles
        people = [entrant.player for entrant in position.entrants]
        self.rules = rules
        self.rating = np.array([titles.unrated.value if one.rating is None else int(one.rating) for one in people])
        self.titled = np.array([one.title in titles.titled.value.titles for one in people])
        self.same = {
            name: np.array([one.title in titles.same_title.value.titles[name] for one in people]) for name in NORMS
        }
        codes = {code: number for number, code in enumerate(sorted({one.federation or "" for one in people}))}
        self.federation = np.array([codes[one.federation or ""] for one in people])
        self.is_fid = np.array([one.federation == FID for one in people])
        self.leaves_fid_out = titles.fid.value == "left out"
        table = Crosstable(position.tournament, position.kind, titles)
        home = position.tournament.federation
        met = foreigners(table, home)
        self.lifted = np.array([exemption(one, None, home, met, titles) is not None for one in people])
        self.may = {
            name: np.array([not self.same[name][who] and self._open_to(one, name) for who, one in enumerate(people)])
            for name in NORMS
        }
        self.rounds = position.rounds
        self.least = least_games(position.rounds, position.kind, titles).least
        short = titles.eight_of_nine.value
        self.short = short.least if position.kind == SWISS and position.rounds == short.rounds else self.least
        count = position.held + len(position.ahead)
        shares = np.zeros((count + 1, 2 * count + 1), dtype=np.int64)
        for games in range(1, count + 1):
            for halves in range(2 * games + 1):
                shares[games, halves] = rules.performances.dp.value[(200 * halves + 2 * games) // (4 * games)]
        self.dp = shares
        self.held = position.held
        self.so_far = self._tally(as_held(position), 0)
        self.lowest_score = np.array([titles.score.value.halves(games) for games in range(count + 1)])

    def _open_to(self, player: object, title: str) -> bool:
        return title not in self.rules.titles.women.value or is_woman(player) is True  # type: ignore[arg-type]

    def made(self, played: PlayedRuns) -> Iterator[NormRuns]:
        """Everybody who makes a norm in some run."""
        ahead = self._tally(played, self.held)
        games, score, total = (ahead[part] + self.so_far[part] for part in (GAMES, SCORE, TOTAL))
        lowest = np.minimum(ahead[LOWEST], self.so_far[LOWEST])
        spared = ((played.kinds == BY_FORFEIT) | (played.kinds == UNPLAYED)).any(axis=2)
        enough = (games >= self.least) | (spared & (games == self.short))
        enough &= score >= self.lowest_score[games]
        dp, by = self.dp[games, score], np.maximum(games, 1)
        for title in NORMS:
            sums = total + np.maximum(self.rules.titles.floor.value[title] - lowest, 0)
            average = (2 * sums + by) // (2 * by)
            met = enough & (average >= self.rules.titles.average.value[title]) & self.may[title]
            met &= average + dp >= self.rules.titles.performance.value[title]
            for who in np.flatnonzero(met.any(axis=0)):
                runs = np.flatnonzero(met[:, who])
                met[runs, who] = self._mixed(title, int(who), played.opponents[runs, who], played.kinds[runs, who])
                yield NormRuns(int(who), title, met[:, who])

    def _counts(self, opponents: Ints, kinds: Ints) -> Bools:
        """Which rounds are games that count for a norm."""
        counts: Bools = (kinds == GAME) & (opponents != NOBODY)
        return counts & ~self.is_fid[opponents] if self.leaves_fid_out else counts

    def _tally(self, played: PlayedRuns, start: int) -> tuple[Ints, Ints, Ints, Ints]:
        """From a round on, by run and player: games, half points, the opponents' ratings, and the lowest of them."""
        opponents, halves = played.opponents[:, :, start:], played.halves[:, :, start:]
        counts = self._counts(opponents, played.kinds[:, :, start:])
        ratings = np.where(counts, self.rating[opponents], 0)
        lowest = np.where(counts, ratings, REACH).min(axis=2, initial=REACH)
        return counts.sum(axis=2), np.where(counts, halves, 0).sum(axis=2), ratings.sum(axis=2), lowest

    def _mixed(self, title: NormTitle, who: int, other: Ints, kinds: Ints) -> Bools:
        """Whether the opponents of one player have enough titles and come from enough federations, by run."""
        counts = self._counts(other, kinds)
        games = counts.sum(axis=1)
        rules, most = self.rules.titles, range(counts.shape[1] + 1)
        titled = np.array([rules.titled.value.share.least(number) for number in most])
        same = np.array([rules.same_title.value.needed(number) for number in most])
        met: Bools = ((self.titled[other] & counts).sum(axis=1) >= titled[games]) & (
            (self.same[title][other] & counts).sum(axis=1) >= same[games]
        )
        if self.lifted[who]:
            return met
        codes = np.where(counts & ~self.is_fid[other], self.federation[other], -1)
        own = int(self.federation[who])
        kinds = codes[:, :, None] == codes[:, None, :]
        kinds &= (codes >= 0)[:, None, :]
        times = np.where(codes >= 0, kinds.sum(axis=2), 0)
        first = (codes >= 0) & ~(kinds & np.tri(codes.shape[1], k=-1, dtype=bool)).any(axis=2)
        foreign = (first & (codes != own)).sum(axis=1)
        most_own = np.array([rules.own_federation.value.most(number) for number in most])
        most_one = np.array([rules.one_federation.value.most(number) for number in most])
        met &= foreign >= rules.federations.value
        met &= (codes == own).sum(axis=1) <= most_own[games]
        met &= times.max(axis=1, initial=0) <= most_one[games]
        return met


def norms_known(position: Position) -> Sequence[str]:
    """What the file lacks for norms: titles, or federations."""
    people = [entrant.player for entrant in position.entrants]
    known = {"titles": any(one.title for one in people), "federations": any(one.federation for one in people)}
    return [what for what, there in known.items() if not there]
