"""A million games, every rule feature drawn at random, rated in bulk and one player at a time."""

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import numpy as np
import pytest
from bulk_games import draw

import arpad
from arpad import bulk
from arpad.bulk.fide.period import FLAGS
from arpad.bulk.tables.columns import UNPLAYED, half_points
from arpad.core import EloStanding
from arpad.reading import parse_pace

GAMES, PLAYERS, SAMPLE = 90_000, 14_000, 1_700
# A system, the month of the list, the months it covers, and readings. Most periods have events under two editions.
PERIODS = [
    ("fide-standard", "2009-09", 1, {}),
    ("fide-standard", "2011-08", 1, {"first_rating": "twelve-and-a-half"}),
    ("fide-standard", "2014-08", 1, {}),
    ("fide-standard", "2017-09", 2, {"k_limit": "from-2022"}),
    ("fide-standard", "2022-02", 1, {}),
    ("fide-standard", "2023-06", 1, {"cap": "both-sides", "rounding": "per-event"}),
    ("fide-standard", "2024-03", 1, {}),
    ("fide-standard", "2024-04", 1, {"percentage": "half-down"}),
    ("fide-standard", "2025-11", 1, {"pool_months": "to-the-day"}),
    ("fide-standard", "2027-01", 1, {}),
    ("fide-rapid", "2012-09", 1, {}),
    ("fide-rapid", "2022-10", 2, {}),
    ("fide-blitz", "2024-04", 1, {"rounding": "per-event"}),
    ("fide-rapid", "2025-01", 1, {}),
]


@pytest.mark.parametrize(("system", "period", "months", "readings"), PERIODS, ids=str)
def test_bulk_is_the_scalar_engine(system, period, months, readings):
    """Every sampled player has the same change, K, rating and first rating in bulk as alone, to the hundredth."""
    listed = date.fromisoformat(f"{period}-01")
    on = listed - timedelta(days=1)
    since = max((listed - timedelta(days=30 * months)).replace(day=1), arpad.system(system).rulebook.covered_from)
    seed = int(listed.strftime("%Y%m"))
    book = arpad.system(system, readings=readings)
    drawn = draw(system.removeprefix("fide-"), since, on, games=GAMES, players=PLAYERS, seed=seed)
    answer = bulk.rate(drawn.games, drawn.players, pool=drawn.pool, period=period, system=book, since=since)
    # What began before the rules are covered is the only thing to reject.
    assert set(answer.summary["reasons"]) <= {"before_rules"}
    scalar = Scalar(book, drawn, on)
    lines = answer.players.to_pylist()
    sample = np.random.default_rng(seed).choice(PLAYERS, SAMPLE, replace=False)
    wrong = [(lines[place], expected) for place in sample if (expected := scalar.line(place)) != _seen(lines[place])]
    assert wrong == []
    assert answer.summary["first_ratings"] > 0
    assert {"new", "below_floor"} <= {flag for line in lines for flag in line["flags"].split()} <= {*FLAGS}


def test_a_million_games_on_twenty_thousand_players():
    """The periods above are as large as was promised."""
    assert len(PERIODS) * GAMES >= 1_000_000
    assert len(PERIODS) * SAMPLE >= 20_000


def _seen(line):
    names = ("rating", "change", "rated", "k_used", "k_next", "games", "peak")
    return {name: line[name] for name in names}


class Scalar:
    """The same period, one player at a time by the engine that shows its working."""

    def __init__(self, book, drawn, on):
        self.book, self.on, self.listed = book, on, on + timedelta(days=1)
        self.players = drawn.players.to_pylist()
        self.by_id = {row["id"]: row for row in self.players}
        self.sides = {}
        for row in drawn.pool.to_pylist():
            self.sides.setdefault(row["player"], []).append(("pool", row))
        covered = book.rulebook.covered_from
        for row in drawn.games.to_pylist():
            if row["start"] >= covered:
                self.sides.setdefault(row["white"], []).append(("white", row))
                self.sides.setdefault(row["black"], []).append(("black", row))

    def line(self, place):
        """What the next list must say."""
        row = self.players[place]
        player = self.player(row)
        sides = self.sides.get(row["id"], [])
        unrated = player.rating_used is None
        if unrated:
            return self.newcomer(player, sides)
        played = [side for side in sides if side[0] != "pool"]
        return self.rated(player, row, played) if played else self.idle(player)

    def player(self, row):
        """Somebody on the list."""
        known = {name: row.get(name) for name in ("k", "games", "peak", "standard")}
        return arpad.Player(EloStanding(row["rating"], **known), birth_year=row["born"])

    def idle(self, player):
        """Somebody without a game stays as they were, but for a conversion."""
        return self.seen(player, player.rating, None, 0, None, player.standing.games, player.standing.peak or 0)

    def rated(self, player, row, sides):
        """A rated player's period."""
        events = self.events(row["id"], sides)
        c = self.book.rate_period(player, arpad.Period(tuple(events), row["base"]), on=self.on)
        published = [event.rating for event in events if event.rating is not None]
        peak = max(player.standing.peak or 0, player.rating or 0, *published, 0)
        if not c.games:  # nobody enters a list by games that are not rated
            rating = c.new_rating if player.rating is not None and row["base"] is None else player.rating
            if rating is not None and rating < self.book.rulebook.at(self.on).floor.value:
                rating = None
            return self.seen(player, rating, None, 0, None, player.standing.games, peak)
        by_standard = self.book.rulebook.at(self.on).k_of_standard
        if by_standard:  # who enters with a standard rating has its K, and goes on with it
            peak = max(peak, player.rating_used)
        new_here = player.rating is None and player.standing.games is None and not by_standard
        games = 0 if new_here else player.standing.games
        games = None if games is None else games + c.games
        return self.seen(player, c.new_rating, c.change, c.games, c.k_used, games, peak)

    def newcomer(self, player, sides):
        """An unrated player's first rating."""
        first = self.book.first_rating(self.events(None, sides), on=self.on) if sides else None
        if first is None or first.rating is None:
            return self.seen(player, None, None, 0, None, player.standing.games, self.peak(player, sides))
        counted = sum(game.rated for game in first.per_game)
        games = (player.standing.games or 0) + counted
        return self.seen(player, first.rating, None, 0, None, games, self.peak(player, sides))

    def peak(self, player, sides):
        """A rating that an event names was published, whatever the list says now."""
        named = [row[f"{side}_rating"] or 0 for side, row in sides if side != "pool"]
        return max(player.standing.peak or 0, *named, 0)

    def seen(self, player, rating, change, rated, k_used, games, peak):
        """A line of the list; K next is K for a game on the day of the list."""
        one_off = {rule.since: rule.value for rule in self.book.rulebook.rules["one_off"]}.get(self.listed)
        told = one_off is not None and (one_off.within is None or player.standing.standard is not None)
        if rating is not None and told:
            rating = self.book.conversion(rating, on=self.listed, standard=player.standing.standard).value()["rating"]
        peak = max(peak, rating or 0, player.rating or 0)
        k_next = None
        if rating is not None:
            standing = replace(player.standing, rating=rating, games=games, peak=peak or None)
            later = arpad.Player(standing, birth_year=player.birth_year)
            k_next = self.book.expect(later, rating, on=self.listed).value()["k"]
        change = None if change is None else Decimal(change).quantize(Decimal("0.01"))
        return {
            "rating": rating, "change": change, "rated": rated, "k_used": k_used, "k_next": k_next, "games": games,
            "peak": peak or None,
        }  # fmt: skip

    def events(self, own, sides):
        """Games by event, in the order of the rows; an event began when its first game says so."""
        events = {}
        for side, row in sides:
            events.setdefault(row["event"], []).append((side, row))
        return [self.event(own, rows) for rows in events.values()]

    def event(self, own, rows):
        """One event from one side; before a first rating the paces may differ, so each game is weighed by its own."""
        side, row = rows[0]
        rating = row[f"{side}_rating"] if own is not None else None
        start = min(row["start"] for _, row in rows)
        return arpad.Event(
            tuple(self.game(*one) for one in rows),
            rating,
            start,
            pace=self.pace(side, row),
            qc_approved=row.get("approved", False),
            highest=max((row["highest"] for _, row in rows if "highest" in row), default=None),
        )

    def pace(self, side, row):
        """The time control of an event."""
        if side == "pool":
            return None if row["minutes"] is None else arpad.Pace(row["minutes"])
        return None if row["time"] is None else parse_pace(row["time"])

    def game(self, side, row):
        """A game from one side."""
        if side == "pool":
            return arpad.Game(row["opponent"], Decimal(row["half_points"]) / 2)
        other = "black" if side == "white" else "white"
        opponent = self.by_id[row[other]]
        then = row[f"{other}_rating"]
        listed = (
            arpad.Player(EloStanding(opponent["rating"], standard=opponent.get("standard"))) if then is None else then
        )
        points = half_points(row["result"])
        forfeit = points >= UNPLAYED
        points -= UNPLAYED if forfeit else 0
        how = "forfeit" if forfeit else row["how"] or "played"
        return arpad.Game(listed, Decimal(points if side == "white" else 2 - points) / 2, how)
