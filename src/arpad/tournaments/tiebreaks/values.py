"""The value of every criterion, from the player's own results (article 7) to direct encounter (article 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.step import Step, found, known, ruled, summed
from arpad.core.numbers import ROUNDINGS
from arpad.core.tournaments import FIXED_PAIRINGS, FORFEIT, PENDING, SHORT, Tournament
from arpad.errors import BadInput
from arpad.messages import say
from arpad.rulebooks import Rule
from arpad.systems import performance as performances
from arpad.tournaments.tiebreaks.criteria import Criterion, TieRules
from arpad.tournaments.tiebreaks.scoreboard import (
    NOBODY,
    Contribution,
    TieTable,
    Worth,
    hundredths,
    is_voluntary,
    without_cut,
)

if TYPE_CHECKING:
    from arpad.tournaments.tiebreaks.scoreboard import Opposition, Scoreboard, TieRound


# Match points or game points: of the opponent, and of the team itself.
EXTENDED_SB = {"EMMSB": ("MP", "MP"), "EMGSB": ("MP", "GP"), "EGMSB": ("GP", "MP"), "EGGSB": ("GP", "GP")}
# What decides between the last two teams, in order.
LAST_TWO = {
    "EDE": (), "EDEC": ("BC",), "EDET": ("TBR",), "EDEB": ("BBE",), "EDEBT": ("BC", "TBR"), "EDEBB": ("BC", "BBE"),
}  # fmt: skip
TWO = 2
# The performance behind a criterion: the player's own, or the average of the opponents'.
DIRECT = {"TPR": "tpr", "PTP": "ptp"}
OF_OPPONENTS = {"APRO": "tpr", "APPO": "ptp"}
Groups = list[list[int]]


def points(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """PTS: the points."""
    field = table.field(criterion)
    return NOBODY if no in field.unknown else Worth(field.totals[no], field.points(field.totals[no]))


def wins(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """WIN: rounds worth as many points as a win."""
    field = table.field(criterion)
    return _counted(field, no, lambda slot: slot.points >= field.win and slot.kind != PENDING)


def games_won(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """WON: games won over the board."""
    return _counted(table.field(criterion), no, lambda slot: slot.result == "win" and _is_game(table, slot))


def games_with_black(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """BPG: games played with Black."""
    return _counted(table.field(criterion), no, lambda slot: slot.colour == "black" and _is_game(table, slot))


def wins_with_black(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """BWG: games won with Black."""
    return _counted(
        table.field(criterion),
        no,
        lambda slot: slot.colour == "black" and slot.result == "win" and _is_game(table, slot),
    )


def rounds_elected(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """REP: rounds that were not deliberately left unplayed."""
    field = table.field(criterion)
    if field.fixed:
        return _counted(field, no, lambda slot: _is_game(table, slot) or _won_by_forfeit(slot))
    return _counted(field, no, lambda slot: not is_voluntary(slot))


def _counted(field: Scoreboard, no: int, counts: Callable[[TieRound], bool]) -> Worth:
    rounds = [number for number, slot in enumerate(field.slots[no], start=1) if counts(slot)]
    return Worth(len(rounds), len(rounds), rounds=rounds)


def _is_game(table: TieTable, slot: TieRound) -> bool:
    """Whether a round counts as a game here; with fixed pairings a forfeit may."""
    rules = table.rules
    if slot.kind == FORFEIT:
        counts = rules.own_forfeits.value
        return table.fields[table.primary].fixed and (counts == "all" or (counts == "won" and _won_by_forfeit(slot)))
    return slot.kind in rules.played.value or slot.kind in rules.short_games.value


def _won_by_forfeit(slot: TieRound) -> bool:
    return slot.kind == FORFEIT and slot.result == "win"


def progressive(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """PS: the sum of the points after each round; a cut leaves out the first rounds."""
    field = table.field(criterion)
    slots = field.slots[no]
    after = list(accumulate(slot.points for slot in slots))
    terms = [
        Contribution(number, None, score, slot.points)
        for number, (score, slot) in enumerate(zip(after, slots, strict=True), start=1)
    ]
    stays, cut = terms[criterion.lowest :], terms[: criterion.lowest]
    total = sum(term.score for term in stays)
    return Worth(total, field.points(total), stays, cut)


def standard_points(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """STD: 1 for more points than the opponent, ½ for the same; an unplayed round is compared with a draw."""
    field = table.field(criterion)
    halves = 0
    for number, slot in enumerate(field.slots[no]):
        if slot.kind == PENDING or (field.fixed and slot.opponent is None):
            continue
        against = field.draw
        other = () if slot.opponent is None or slot.kind == FORFEIT else field.slots.get(slot.opponent, ())
        if number < len(other) and other[number].opponent == no:
            against = other[number].points
        halves += 2 if slot.points > against else slot.points == against
    return Worth(halves, Decimal(halves) / 2)


def pairing_number(table: TieTable, criterion: Criterion, no: int) -> Worth:  # noqa: ARG001
    """TPN: the lower number first; reversed, the higher."""
    return Worth(no if criterion.reversed else -no, no)


def buchholz(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """BH and FB: the sum of the opponents' points, without those that are cut."""
    met = table.opposition(criterion, projected=criterion.name == "FB")
    stays, cut = without_cut(
        met.meetings(no), lambda part: part.score, lambda part: (part.score,), criterion.lowest, criterion.highest
    )
    total = sum(part.score for part in stays)
    return Worth(total, met.field.points(total), stays, cut)


def average_buchholz(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """AOB: the mean Buchholz of the opponents met over the board."""
    met = table.opposition(criterion)
    sums = [part._replace(score=met.sum(part.opponent)) for part in met.meetings(no) if part.opponent is not None]
    if not sums:
        return NOBODY
    mean = Fraction(sum(part.score for part in sums), len(sums) * met.field.unit)
    return Worth(mean, hundredths(mean), sums)


def sonneborn_berger(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """SB: each opponent's points times the points made against them."""
    met = table.opposition(criterion)
    return _weighted(met.meetings(no), criterion, met.field, met.field)


def extended_sonneborn_berger(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """EMMSB, EMGSB, EGMSB, EGGSB: the opponent's match or game points times one's own."""
    theirs, own = EXTENDED_SB[criterion.name]
    met, scored = table.opposition(criterion, theirs), table.fields[own]
    meetings = [part._replace(points=scored.slots[no][part.round - 1].points) for part in met.meetings(no)]
    return _weighted(meetings, criterion, met.field, scored)


def _weighted(meetings: list[Contribution], criterion: Criterion, theirs: Scoreboard, own: Scoreboard) -> Worth:
    def product(part: Contribution) -> int:
        return part.score * part.points

    # Cut is the lowest opponent; of several, the one who adds least.
    stays, cut = without_cut(
        meetings, product, lambda part: (part.score, product(part)), criterion.lowest, criterion.highest
    )
    total = sum(map(product, stays))
    return Worth(total, theirs.points(total) / own.unit, stays, cut)


def koya(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """KS: the points against opponents with at least half of the possible points, or another limit."""
    forfeits = criterion.forfeits_played or table.rules.koya_forfeits.value == "counted"
    met = table.opposition(criterion._replace(forfeits_played=forfeits))
    field = met.field
    games = field.held
    if field.fixed:  # a free round gives no points
        games = max(len(met.meetings(other)) for other in field.slots)
    most, limit = field.win * games, criterion.limit
    if limit[:1] in ("+", "-") or not limit:
        least = Fraction(most + int(limit or 0) * field.unit, 2)
    else:
        least = Fraction(most * int(limit), 100)
    strong = [
        part._replace(score=field.totals[part.opponent])
        for part in met.meetings(no)
        if part.opponent is not None and field.totals[part.opponent] >= least
    ]
    total = sum(part.points for part in strong)
    return Worth(total, field.points(total), strong)


def other_score(table: TieTable, criterion: Criterion, no: int) -> Worth:  # noqa: ARG001
    """MPvGP: game points if match points are the main score, and the other way round."""
    field = table.fields[table.secondary]
    return Worth(field.totals[no], field.points(field.totals[no]))


def strength_and_score(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """SSSC: the other score plus the Buchholz divided by K; unknown if K is neither given nor known from a match."""
    field, other = table.fields[table.primary], table.fields[table.secondary]
    score = Fraction(other.totals[no], other.unit)
    strength = Fraction(buchholz(table, criterion, no).shown or 0)
    if not strength:  # opponents without points add nothing, whatever K is
        return Worth(score, hundredths(score))
    if not criterion.divisor and not other.win:  # no match shows how many boards there are
        return NOBODY
    divisor = criterion.divisor or max(
        1, int(Fraction(field.win * field.held, field.unit) / Fraction(other.win, other.unit))
    )
    total = score + strength / divisor
    return Worth(total, hundredths(total))


def board_count(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """BC, TBR or BBE over all matches."""
    sums = _sums([points for _, points in _boards(table, no)])
    if criterion.name == "BC":
        return Worth(_key("BC", sums), _count(sums))
    key = _key(criterion.name, sums)
    return Worth(key, "-".join(f"{points.normalize():f}" for points in key))


def _boards(table: TieTable, no: int) -> Sequence[tuple[int | None, tuple[Decimal, ...]]]:
    if table.boards is None:
        raise TypeError("the table was made without boards")
    return table.boards.by_round[no]


def _sums(matches: Sequence[tuple[Decimal, ...]]) -> list[Decimal]:
    """The points on each board."""
    number = max(map(len, matches), default=0)
    return [sum((match[board] for match in matches if board < len(match)), Decimal(0)) for board in range(number)]


def _count(sums: Sequence[Decimal]) -> Decimal:
    """The board count: the points on each board times its number; lower is better."""
    return sum((board * points for board, points in enumerate(sums, start=1)), Decimal(0))


def _key(name: str, sums: Sequence[Decimal]) -> tuple[Decimal, ...]:
    """The values of BC, TBR or BBE to compare, from the points on each board; higher is better."""
    if name == "BC":
        return (-_count(sums),)
    if name == "TBR":
        return tuple(sums)
    return tuple(sum(sums[:board], Decimal(0)) for board in range(len(sums) - 1, 0, -1))  # without the last boards


def by_ratings(table: TieTable, criterion: Criterion, no: int) -> Worth:
    """Any criterion of this article, with its working."""
    if table.ratings is None:
        raise TypeError("the table was made without ratings")
    step = table.ratings.value(criterion, no)
    key = -step.value if criterion.reversed and step.value is not None else step.value
    return Worth(key, step.value, worked=step)


class RatedGames:
    """All players' games that count, and their performances, each calculated once."""

    def __init__(
        self,
        tournament: Tournament,
        kind: str,
        unrated: int | None,
        rules: TieRules,
        on: date,
        *,
        until: int | None = None,
    ) -> None:
        self.rules = rules
        self.table = performances.rulebook().at(on)
        kinds = {*rules.played.value, *rules.short_games.value}
        self.fixed = kind in FIXED_PAIRINGS
        if self.fixed and rules.forfeits.value == "played":
            kinds.add(FORFEIT)
        self.ratings: dict[int, int | None] = {}
        for entrant in tournament.entrants:
            rating = entrant.player.rating
            if rating is not None and not isinstance(rating, int):
                raise BadInput(say("tournaments.ties.whole_rating", rating=rating), at=f"player {entrant.no}")
            self.ratings[entrant.no] = unrated if rating is None else rating
        self.met = {
            entrant.no: [
                RatedGame(played.opponent, theirs, played.score, played.kind)
                for played in entrant.rounds[:until]
                if played.kind in kinds
                and played.opponent is not None
                and played.score is not None
                and (theirs := self.ratings.get(played.opponent)) is not None
            ]
            for entrant in tournament.entrants
        }
        self._performances: dict[tuple[str, int], Step] = {}

    def performance(self, method: str, no: int) -> Step:
        """TPR or PTP of a player."""
        key = method, no
        if key not in self._performances:
            met = self.met[no]
            result = _result([game.rating for game in met], sum((game.score for game in met), Decimal(0)))
            own = performances.METHODS[method](result, self.table)
            self._performances[key] = Step(
                "tie.own", own.value, {"performance": own}, words={"no": no, "method": method.upper()}
            )
        return self._performances[key]

    def value(self, criterion: Criterion, no: int) -> Step:
        """A player's value for a criterion; None without a game that counts."""
        key, met = "tie.value", self.met[no]
        if criterion.name == "RTNG":
            return ruled(key, self.rules.of("RTNG"), self.ratings[no])
        if not met or len(met) <= criterion.lowest + criterion.highest:
            return ruled(key, self.rules.no_games, None)
        given = self._counted(met)
        if criterion.name == "ARO":
            ratings = sorted(game.rating for game in met)
            kept = ratings[criterion.lowest : len(ratings) - criterion.highest]
            if criterion.lowest:
                given["cut"] = ruled("tie.cut", self.rules.cuts, len(ratings) - len(kept))
            average = performances.average_of(_result(kept, Decimal(0)))
            return _rounded(key, self.rules.aro, average, given)
        if criterion.name in DIRECT:
            own = self.performance(DIRECT[criterion.name], no)
            return Step(key, own.value, {**given, "performance": own}, self.rules.of(criterion.name))
        if not all(self.met[game.opponent] for game in met):  # only one side of the game is in the file
            return Step(key, None, words={"says": say("tournaments.ties.lacks_game")})
        theirs = tuple(self.performance(OF_OPPONENTS[criterion.name], game.opponent) for game in met)
        # The sum as a decimal, so that the mean is a decimal too.
        total = summed("tie.total", formulas.total, theirs)
        total = total._replace(value=Decimal(total.value))
        average = found("average", formulas.average, total=total, games=known("games", len(theirs)))
        return _rounded(key, self.rules.of(criterion.name), average, given)

    def _counted(self, met: Sequence[RatedGame]) -> dict[str, Step]:
        """The games that count, and the rules for that."""
        given = {"played": ruled("tie.games", self.rules.played, len(met))}
        short = sum(game.kind == SHORT for game in met)
        if short:
            given["short"] = ruled("tie.short", self.rules.short_games, short)
        if self.fixed:
            given["forfeits"] = ruled("tie.forfeits", self.rules.forfeits, self.rules.forfeits.value)
        return given


class RatedGame(NamedTuple):
    """A game that counts: the opponent's number and rating, the player's score, and the kind of game."""

    opponent: int
    rating: int
    score: Decimal
    kind: str


def _result(ratings: Sequence[int], score: Decimal) -> performances.Scored:
    return performances.Scored(tuple(ratings), known("score", score), known("games", len(ratings)))


def _rounded(key: str, rule: Rule[str], average: Step, given: Mapping[str, Step]) -> Step:
    return Step(key, ROUNDINGS[rule.value](average.value), {**given, "average": average}, rule)


def direct_encounter(tied: Sequence[int], met: Opposition) -> Groups:
    """The tied players in order of the games among them; those still equal stay together."""
    sums, missing = _among(tied, met)
    if not any(missing.values()):
        by_sum: dict[Fraction, list[int]] = defaultdict(list)
        for no in tied:
            by_sum[sums[no]].append(no)
        groups = [by_sum[total] for total in sorted(by_sum, reverse=True)]
    else:
        groups = _certain(tied, sums, {no: sums[no] + missing[no] * met.field.win for no in tied})
    if len(groups) == 1:
        return groups
    return [part for group in groups for part in (direct_encounter(group, met) if len(group) > 1 else [group])]


def _among(tied: Sequence[int], met: Opposition) -> tuple[Mapping[int, Fraction], Mapping[int, int]]:
    """Each player's sum against the others, a mean if they met more than once; and how many they did not meet."""
    among = set(tied)
    sums, missing = {}, {}
    for no in tied:
        games: dict[int, list[int]] = defaultdict(list)
        for slot in met.field.slots[no]:
            if slot.opponent in among and met.is_game(slot):
                games[slot.opponent].append(slot.points)
        sums[no] = sum((Fraction(sum(points), len(points)) for points in games.values()), Fraction(0))
        missing[no] = len(tied) - 1 - len(games)
    return sums, missing


def _certain(tied: Sequence[int], sums: Mapping[int, Fraction], reachable: Mapping[int, Fraction]) -> Groups:
    """Places from the top, as long as one player has more than any other can reach; the rest stay together."""
    placed: Groups = []
    left = sorted(tied, key=lambda no: sums[no], reverse=True)
    while len(left) > 1 and all(sums[left[0]] > reachable[no] for no in left[1:]):
        placed.append([left.pop(0)])
    rest = sorted(left, key=list(tied).index)
    return [*placed, rest] if left else placed


def extended_encounter(tied: Sequence[int], table: TieTable, criterion: Criterion) -> Groups:
    """EDE: the direct encounter by the main score, or by the other if it decides nothing; the last two by boards."""
    groups = direct_encounter(tied, table.opposition(criterion, table.primary))
    if len(groups) == 1:
        groups = direct_encounter(tied, table.opposition(criterion, table.secondary))
    return [
        part
        for group in groups
        for part in (_by_their_match(group, table, LAST_TWO[criterion.name]) if len(group) == TWO else [group])
    ]


def _by_their_match(pair: Sequence[int], table: TieTable, steps: Sequence[str]) -> Groups:
    """Two teams, ordered by the boards of their match."""
    first, second = pair
    for name in steps:
        keys = {
            no: _key(name, _sums([points for opponent, points in _boards(table, no) if opponent == against]))
            for no, against in ((first, second), (second, first))
        }
        if keys[first] != keys[second]:
            return [[first], [second]] if keys[first] > keys[second] else [[second], [first]]
    return [list(pair)]
