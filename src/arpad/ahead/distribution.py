"""Every result the games ahead can have, with its exact probability and with what the system's own `rate` gives for it.

Three ways, one for each kind of question. *By score*: the expected scores are fixed before the event, so the change
depends on the total alone, and the totals are convolved game by game. *By change*: against opponents known only as a
field the expected scores vary as well, so changes are convolved, on a lattice of hundredths. *By result*: where it
matters who was beaten (Glicko's family), all results are gone through, as long as they are few.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import islice, product
from math import exp, floor, prod
from typing import NamedTuple

from arpad import formulas
from arpad.errors import BadInput, NotYet
from arpad.model import DRAW, HIGHEST_RATING, LOSS, LOWEST_RATING, WIN, Event, Field, Game, Period, Player
from arpad.rounding import decimal, half_up

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from arpad.contract import Rated, System
    from arpad.draws import DrawModel
    from arpad.model import Pairing, PlannedEvent, Rating

MOST_PAIRINGS = 100
MOST_BY_RESULT = 7  # games: three to the seventh are 2187 results, each rated by itself
LATTICE_STEPS, LATTICE_REACH = 2, 8  # a field is taken at every half of its spread, four spreads to either side
NEGLIGIBLE = 1e-18  # paths to a sum of changes that all together lose far less than a chance is promised to
MOST_FIELD = 30  # games against a field in one period: the sums of changes are many
SAME = Decimal("1e-9")  # two ways to add up the same changes may differ in the last digits of a curve's values

Chances = tuple[float, float, float]
RESULTS = (WIN, DRAW, LOSS)


class Outcome(NamedTuple):
    """One way the games can end: the score in the rated games, what it gives, and how probable it is."""

    score: Decimal | None  # None against a field, where one score means many changes
    remaining: Decimal | None  # the part of it that is still to be scored
    change: Decimal
    rounded: int
    new_rating: int | None
    probability: float
    calculation: Rated


class Ahead(NamedTuple):
    """The games ahead of a player: how to rate them, the pairings, and the places of those open and to be rated."""

    rate: Callable[[Sequence[Game]], Rated]
    pairings: tuple[Pairing, ...]
    games: tuple[Mapping[Decimal, Game], ...]  # each pairing's game by score; once it is played, the same for all
    open: tuple[int, ...]
    so_far: Decimal  # the score in the rated games that have a result
    counted: int  # the rated games, played or not
    lowest: int
    by_event: bool  # whether several events are rounded each by itself, so that it matters where the points were made
    one_k: bool  # whether every game's change is the same K times score minus expected


class Model(NamedTuple):
    """What decides the results: the player's strength, the draw model, and the system's curve."""

    strength: float
    draws: DrawModel
    expected: Callable[[float], float]

    def chances(self, opponent: Rating, colour: str | None) -> Chances:
        """Win, draw and loss against a rating."""
        return self.draws.chances(self.strength, float(opponent), colour, self.expected)


def distribution(ahead: Ahead, model: Model) -> list[Outcome]:
    """Every possible outcome once, the lowest score or change first; outcomes without any chance are left out."""
    fields = sum(isinstance(ahead.pairings[no].opponent, Field) for no in ahead.open)
    if fields > MOST_FIELD:
        raise BadInput(
            f"{fields} games against a field are too many for one period; at most {MOST_FIELD}.", at="rounds"
        )
    if fields:
        return list(_by_change(ahead, model))
    if score_decides(ahead):
        return list(_by_score(ahead, model))
    return _by_result(ahead, model)


def look(system: System, player: Player, events: Sequence[PlannedEvent], *, on: date) -> Ahead:
    """The games of one rating period, ready to be rated with any results."""
    pairings = tuple(pairing for event in events for pairing in event.pairings)
    if not pairings:
        raise BadInput("No opponents were given; name at least one, for example --against 1700.", at="against")
    if len(pairings) > MOST_PAIRINGS:
        raise BadInput(
            f"{len(pairings)} games are too many for one rating period; at most {MOST_PAIRINGS} are taken.",
            at="against",
        )
    sizes = [len(event.pairings) for event in events]

    only = events[0] if len(events) == 1 and events[0].on in (None, on) else None

    def rate(games: Sequence[Game]) -> Rated:
        if only is not None:
            return system.rate(player, games, on=on, pace=only.pace)
        rest = iter(games)
        played = tuple(
            Event(tuple(islice(rest, size)), None, event.on, event.name, event.pace)
            for event, size in zip(events, sizes, strict=True)
        )
        return system.rate_period(player, Period(played), on=on)

    lowest = lowest_published(system, on)
    games = tuple({score: _game(pairing, score, lowest) for score in RESULTS} for pairing in pairings)
    tried = rate([game[DRAW] for game in games])
    lines = tried.per_game
    rated = [(no, pairing.score) for no, pairing in enumerate(pairings) if lines[no].rated]
    if not rated:
        raise BadInput(f"None of these games would be rated: {lines[0].why}.", at="against")
    to_play = tuple(no for no, score in rated if score is None)
    so_far = sum((score for _, score in rated if score is not None), Decimal(0))
    by_event = len(events) > 1 and _rounds_each_event(system, on)
    return Ahead(rate, pairings, games, to_play, so_far, len(rated), lowest, by_event, _one_k(tried))


def _rounds_each_event(system: System, on: date) -> bool:
    rule = getattr(system.rulebook.at(on), "rounding", None)
    return rule is not None and getattr(rule.value, "once_per", "period") == "event"


def lowest_published(system: System, on: date) -> int:
    """The floor of the list, where the system has one."""
    rule = getattr(system.rulebook.at(on), "floor", None)
    return LOWEST_RATING if rule is None or not isinstance(rule.value, int) else rule.value


def _game(pairing: Pairing, score: Decimal, lowest: int) -> Game:
    """The game with the result it has, or with this one; a field is met at its average."""
    opponent = pairing.opponent
    if isinstance(opponent, Field):
        opponent = Player(max(lowest, round(opponent.average)))
    return Game(opponent, score if pairing.score is None else pairing.score, pairing.how)


def rating_met(opponent: Player) -> Rating:
    """The rating an opponent is met at: the list's own, or the one that stands in."""
    rating = opponent.rating if opponent.rating is not None else opponent.standard
    if rating is None:
        raise BadInput("Against an unrated opponent no result can be foretold; give a rating.", at="against")
    return rating


def curve(system: System, on: date) -> Callable[[float], float]:
    """The system's expected score by difference; between whole points in a straight line."""
    whole: dict[int, float] = {}

    def at(difference: int) -> float:
        if difference not in whole:
            whole[difference] = float(system.expected_score(difference, on=on))
        return whole[difference]

    def expected(difference: float) -> float:
        below = floor(difference)
        share = difference - below
        return at(below) if not share else (1 - share) * at(below) + share * at(below + 1)

    return expected


def convolved(games: Iterable[Chances]) -> list[float]:
    """The probability of every number of half points.

    Only products and sums of numbers that are not negative occur, three of each for a game, so the relative error
    of any entry and of the sum is at most six roundings a game: below 1e-13 for a hundred games.
    """
    spread = [1.0]
    for win, drawn, lost in games:
        low, middle, high = [*spread, 0.0, 0.0], [0.0, *spread, 0.0], [0.0, 0.0, *spread]
        spread = [lost * a + drawn * b + win * c for a, b, c in zip(low, middle, high, strict=True)]
    return spread


def lattice(field: Field, lowest: int) -> list[tuple[int, float]]:
    """A field as ratings with their shares: a normal curve, cut at the lowest rating a list has."""
    step = float(field.spread) / LATTICE_STEPS
    places = range(-LATTICE_REACH, LATTICE_REACH + 1) if field.spread else range(1)
    shares: dict[int, float] = {}
    for place in places:
        rating = round(float(field.average) + place * step)
        if lowest <= rating <= HIGHEST_RATING:
            shares[rating] = shares.get(rating, 0.0) + exp(-((place / LATTICE_STEPS) ** 2) / 2)
    if not shares:
        raise BadInput(f"A field round {field.average} is below the floor of {lowest}.", at="field")
    whole = sum(shares.values())
    return [(rating, share / whole) for rating, share in shares.items()]


def with_half_points(ahead: Ahead, half_points: int, *, best_first: bool = True) -> list[Game]:
    """The games with so many half points in the open ones; who lost them does not matter to the sum."""
    wins, draws = divmod(half_points, 2)
    scores = [WIN] * wins + [DRAW] * draws + [LOSS] * (len(ahead.open) - wins - draws)
    return with_scores(ahead, scores if best_first else scores[::-1])


def with_scores(ahead: Ahead, scores: Sequence[Decimal]) -> list[Game]:
    """The games with these scores in the open ones."""
    games = [game[LOSS] for game in ahead.games]
    for no, score in zip(ahead.open, scores, strict=True):
        games[no] = ahead.games[no][score]
    return games


def score_decides(ahead: Ahead) -> bool:
    """Whether the change depends on the total score alone."""
    games = len(ahead.open)
    if games < 2:
        return True
    if ahead.by_event:
        return False
    if ahead.one_k:
        return True
    # Otherwise it is tried: a point is worth the same in every game, and in one game the same as in two halves.
    losses = [LOSS] * games
    ways = [[*losses[:no], WIN, *losses[no + 1 :]] for no in range(games)]
    changes = [ahead.rate(with_scores(ahead, way)) for way in (*ways, [DRAW, DRAW, *losses[2:]])]
    first = changes[0]
    return all(
        abs(decimal(one.change) - decimal(first.change)) <= SAME and one.new_rating == first.new_rating
        for one in changes
    )


def _one_k(change: Rated) -> bool:
    """Whether every game's change is one K times score minus expected score, so that the sum looks at the total."""
    k = getattr(change, "k_used", None)
    return k is not None and all(
        line.change is not None
        and line.expected is not None
        and abs(decimal(line.change) - formulas.change(decimal(k), line.score, decimal(line.expected))) <= SAME
        for line in change.per_game
        if line.rated
    )


def _by_score(ahead: Ahead, model: Model) -> Iterator[Outcome]:
    opponents = [ahead.pairings[no] for no in ahead.open]
    spread = convolved(model.chances(rating_met(one.opponent), one.colour)  # type: ignore[arg-type]  # no fields here
                       for one in opponents)  # fmt: skip
    for half_points, probability in enumerate(spread):
        if probability:
            change = ahead.rate(with_half_points(ahead, half_points))
            yield _outcome(change, probability, ahead.so_far, Decimal(half_points) / 2)


def _by_result(ahead: Ahead, model: Model) -> list[Outcome]:
    """All results one by one, where the system looks at who was beaten."""
    places = ahead.open
    if len(places) > MOST_BY_RESULT:
        raise NotYet(
            f"By these rules it matters which games are won, so every result is rated by itself, for up to "
            f"{MOST_BY_RESULT} games ahead; {len(places)} are too many.",
            at="against",
        )
    chances = [
        dict(zip(RESULTS, model.chances(rating_met(one.opponent), one.colour), strict=True))  # type: ignore[arg-type]
        for one in (ahead.pairings[no] for no in places)
    ]
    merged: dict[tuple[Decimal, Decimal, int | None], Outcome] = {}
    for scores in product(reversed(RESULTS), repeat=len(places)):
        probability = prod(chance[score] for chance, score in zip(chances, scores, strict=True))
        if not probability:
            continue
        new = _outcome(ahead.rate(with_scores(ahead, scores)), probability, ahead.so_far, sum(scores, Decimal(0)))
        key = (new.score or Decimal(0), new.change, new.new_rating)
        old = merged.get(key)
        merged[key] = new if old is None else old._replace(probability=old.probability + probability)
    return sorted(merged.values(), key=lambda one: (one.score or 0, one.change))


class _Path(NamedTuple):
    """How probable a sum of changes is, and one way to come to it."""

    probability: float
    games: tuple[Game, ...]


def _by_change(ahead: Ahead, model: Model) -> Iterator[Outcome]:
    """Sums of changes on a lattice of hundredths; each is rated along one way to come to it."""
    sums = {0: _Path(1.0, ())}
    known_ways: dict[Pairing, list[tuple[int, float, Game]]] = {}
    for no in range(len(ahead.pairings)):
        pairing = ahead.pairings[no]
        if pairing not in known_ways:
            known_ways[pairing] = _ways(ahead, no, model)
        longer: dict[int, _Path] = {}
        for so_far, path in sums.items():
            for change, probability, game in known_ways[pairing]:
                old = longer.get(so_far + change)
                more = path.probability * probability
                if more < NEGLIGIBLE:
                    continue
                if old is None:
                    longer[so_far + change] = _Path(more, (*path.games, game))
                else:
                    longer[so_far + change] = _Path(old.probability + more, old.games)
        sums = longer
    for hundredths, path in sorted(sums.items()):
        rated = ahead.rate(path.games)
        if abs(decimal(rated.change) * 100 - hundredths) > len(ahead.pairings):
            raise NotYet(
                "By these rules one game's change depends on the other games, so opponents known only as a field "
                "cannot be weighed; name the opponents.",
                at="field",
            )
        yield _outcome(rated, path.probability, None, None)


def _ways(ahead: Ahead, no: int, model: Model) -> list[tuple[int, float, Game]]:
    """What one game can be: its change in hundredths, how probable it is, and the game."""
    pairing = ahead.pairings[no]
    rest = [game[DRAW] for game in ahead.games]
    if no not in ahead.open:
        games = [(1.0, rest[no])]
    else:
        met = pairing.opponent
        ratings: list[tuple[Rating, float]] = (
            list(lattice(met, ahead.lowest)) if isinstance(met, Field) else [(rating_met(met), 1.0)]
        )
        games = [
            (share * chance, Game(rating, score))
            for rating, share in ratings
            for score, chance in zip(RESULTS, model.chances(rating, pairing.colour), strict=True)
            if chance
        ]
    ways = []
    for probability, game in games:
        change = ahead.rate([*rest[:no], game, *rest[no + 1 :]]).per_game[no].change
        ways.append((round(decimal(change or 0) * 100), probability, game))
    return ways


def _outcome(change: Rated, probability: float, so_far: Decimal | None, remaining: Decimal | None) -> Outcome:
    score = None if so_far is None or remaining is None else so_far + remaining
    new = change.new_rating
    # A site's rating is not whole; on the lattice of outcomes it counts as the whole number it is shown as.
    shown = new if new is None or isinstance(new, int) else half_up(decimal(new))
    return Outcome(score, remaining, decimal(change.change), change.rounded, shown, probability, change)
