"""Tie-breaks that go by ratings (Handbook C.07): ARO and its cuts, TPR, PTP, APRO, APPO, RTNG."""

# No postponed annotations here: named tuples would compile each one, which costs the command line milliseconds.

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any, NamedTuple

from arpad import formulas, performances
from arpad.answers import because, plain
from arpad.contract import Calculation, Figure, Note, date_notes
from arpad.errors import BadInput, UnknownName
from arpad.model import as_day, rating_of
from arpad.rounding import ROUNDINGS
from arpad.rulebook import Rule, Rulebook, positive, rounding_name, text
from arpad.tournament import FIXED_PAIRINGS, FORFEIT, SHORT, USUAL, Entrant, Round, Tournament, event_kind
from arpad.trail import Step, found, known, ruled, summed

SYSTEM = "fide-ties"
WRITTEN = re.compile(r"([A-Z]+)(?:[/-]([CMR])(\d*))?")  # ARO, ARO/C1, ARO-M2, RTNG/R


class TieRules(NamedTuple):
    """The rules of tie-breaks by ratings on a day."""

    criteria: Rule[tuple[str, ...]]
    played: Rule[tuple[str, ...]]
    short_games: Rule[tuple[str, ...]]
    forfeits: Rule[str]
    aro: Rule[str]
    cuts: Rule[int]
    apro: Rule[str]
    appo: Rule[str]
    unrated: Rule[str]
    no_games: Rule[str]


def _words(value: Any) -> tuple[str, ...]:
    return tuple(text(one) for one in value)


READERS: Mapping[str, Callable[[Any], Any]] = {
    "criteria": _words,
    "played": _words,
    "short_games": _words,
    "forfeits": text,
    "aro": rounding_name,
    "cuts": positive,
    "apro": rounding_name,
    "appo": rounding_name,
    "unrated": text,
    "no_games": text,
}


@cache
def rulebook(readings: tuple[tuple[str, str], ...] = ()) -> Rulebook[TieRules]:
    """The rulebook of tie-breaks by ratings under the chosen readings."""
    return Rulebook("fide-ties", TieRules, READERS, readings=dict(readings))


class Criterion(NamedTuple):
    """A tie-break as people write it, `ARO/C1`: its name and what is left out at either end, or whether low is good."""

    name: str
    lowest: int = 0
    highest: int = 0
    reversed: bool = False

    def __str__(self) -> str:
        if self.reversed:
            return f"{self.name}/R"
        return f"{self.name}/{'M' if self.highest else 'C'}{self.lowest}" if self.lowest else self.name


def parse_criterion(written: str, rules: TieRules, on: date) -> Criterion:
    """`ARO`, `ARO/C1`, `ARO/M2`, `TPR` …: a criterion by ratings of the edition in force."""
    matched = WRITTEN.fullmatch(written.strip().upper())
    if matched is None or matched[1] not in rules.criteria.value:
        raise UnknownName(f"tie-break by ratings on {on}", written, known=rules.criteria.value, at="by")
    name, kind, digits = matched.groups()
    count = int(digits or 1)
    if kind is None or (kind == "R" and name == "RTNG" and not digits):
        return Criterion(name, reversed=kind == "R")
    if kind == "R" or name != "ARO" or not 1 <= count <= rules.cuts.value:
        raise BadInput(
            f"'{written}' is not a tie-break: ARO can be cut (/C1, /C2) or be a median (/M1, /M2), RTNG reversed (/R).",
            at="by",
        )
    return Criterion(name, count, count if kind == "M" else 0)


class Meeting(NamedTuple):
    """A game that enters: the opponent's number and rating, the own score, and of what kind it was."""

    opponent: int
    rating: int
    score: Decimal
    kind: str


class Games:
    """Everybody's games that enter, and the performances in them, each worked out once."""

    def __init__(self, tournament: Tournament, kind: str, unrated: int | None, rules: TieRules, on: date) -> None:
        self.rules = rules
        self.table = performances.rulebook().at(on)
        kinds = {*rules.played.value, *rules.short_games.value}
        self.fixed = kind in FIXED_PAIRINGS
        if self.fixed and rules.forfeits.value == "played":
            kinds.add(FORFEIT)
        self.ratings = {one.no: unrated if one.player.rating is None else _whole(one) for one in tournament.entrants}
        self.met = {
            one.no: [
                Meeting(played.opponent, rating, played.score, played.kind)
                for played in one.rounds
                if played.kind in kinds
                and played.opponent is not None
                and played.score is not None
                and (rating := self.ratings.get(played.opponent)) is not None
            ]
            for one in tournament.entrants
        }
        self._performances: dict[tuple[str, int], Step] = {}

    def performance(self, method: str, no: int) -> Step:
        """TPR or PTP of a player."""
        key = method, no
        if key not in self._performances:
            met = self.met[no]
            result = _result([one.rating for one in met], sum((one.score for one in met), Decimal(0)))
            own = performances.METHODS[method](result, self.table)
            self._performances[key] = Step(
                "tie.own", own.value, {"performance": own}, words={"no": no, "method": method.upper()}
            )
        return self._performances[key]

    def value(self, criterion: Criterion, no: int) -> Step:
        """A player's value of a criterion; None without a game that enters."""
        key, met = f"tie.{criterion.name}", self.met[no]
        if criterion.name == "RTNG":
            return ruled(key, self.rules.criteria, self.ratings[no])
        if not met or len(met) <= criterion.lowest + criterion.highest:
            return ruled(key, self.rules.no_games, None)
        given = self._counted(met)
        if criterion.name == "ARO":
            ratings = sorted(one.rating for one in met)
            kept = ratings[criterion.lowest : len(ratings) - criterion.highest]
            if criterion.lowest:
                given["cut"] = ruled("tie.cut", self.rules.cuts, len(ratings) - len(kept))
            average = performances.average_of(_result(kept, Decimal(0)))
            return _rounded(key, self.rules.aro, average, given)
        if criterion.name in DIRECT:
            own = self.performance(DIRECT[criterion.name], no)
            return Step(key, own.value, {**given, "performance": own}, self.rules.criteria)
        method, rule = ("tpr", self.rules.apro) if criterion.name == "APRO" else ("ptp", self.rules.appo)
        theirs = tuple(self.performance(method, one.opponent) for one in met)
        # A sum of whole numbers as a decimal, so that the mean is one.
        total = summed("tie.total", formulas.total, theirs)
        total = total._replace(value=Decimal(total.value))
        average = found("average", formulas.average, total=total, games=known("games", len(theirs)))
        return _rounded(key, rule, average, given)

    def _counted(self, met: Sequence[Meeting]) -> dict[str, Step]:
        """The games that enter, and the rules by which they do."""
        given = {"played": ruled("tie.games", self.rules.played, len(met))}
        short = sum(one.kind == SHORT for one in met)
        if short:
            given["short"] = ruled("tie.short", self.rules.short_games, short)
        if self.fixed:
            given["forfeits"] = ruled("tie.forfeits", self.rules.forfeits, self.rules.forfeits.value)
        return given


DIRECT = {"TPR": "tpr", "PTP": "ptp"}


def _result(ratings: Sequence[int], score: Decimal) -> performances.Result:
    return performances.Result(tuple(ratings), known("score", score), known("games", len(ratings)))


def _rounded(key: str, rule: Rule[str], average: Step, given: Mapping[str, Step]) -> Step:
    return Step(key, ROUNDINGS[rule.value](average.value), {**given, "average": average}, rule)


def _whole(entrant: Entrant) -> int:
    rating = entrant.player.rating
    if not isinstance(rating, int):
        raise BadInput(f"Tie-breaks go by whole ratings; {rating} is not one.", at=f"player {entrant.no}")
    return rating


class PlayerTies(NamedTuple):
    """A player's place by points and the criteria, and the value of each."""

    entrant: Entrant
    points: Decimal
    place: int
    values: tuple[Step, ...]

    @property
    def step(self) -> Step:
        """The points with the values that stand behind them."""
        name = self.entrant.player.name
        who = f"no. {self.entrant.no}" + (f", {name}" if name else "")
        return Step("tie", self.points, {"values": self.values}, words={"who": who})


class TieBreaks(Calculation):
    """The tie-breaks of everybody, in the order they give."""

    def __init__(
        self,
        on: date,
        criteria: tuple[Criterion, ...],
        players: Sequence[PlayerTies],
        dropped: tuple[Criterion, ...],
        rules: TieRules,
        notes: Callable[[], Iterator[Note]],
    ) -> None:
        super().__init__(SYSTEM, on, self._working, notes)
        self.criteria = criteria
        self.players = tuple(players)
        self.dropped = dropped
        self._dropped = tuple(ruled(f"tie.{one.name}", rules.unrated, None) for one in dropped)

    def _working(self) -> tuple[Step, ...]:
        return (*self._dropped, *(player.step for player in self.players))

    def player(self, no: int) -> PlayerTies:
        """The values of a starting number."""
        for one in self.players:
            if one.entrant.no == no:
                return one
        raise BadInput(f"No player has the starting number {no}.", at="player")

    def of(self, no: int) -> dict[str, int | None]:
        """A player's values by criterion."""
        return {str(name): step.value for name, step in zip(self.criteria, self.player(no).values, strict=True)}

    def value(self) -> dict[str, Any]:
        return {
            "on": self.on.isoformat(),
            "by": [str(one) for one in self.criteria],
            "dropped": [
                {"name": str(one), "why": because(step)} for one, step in zip(self.dropped, self._dropped, strict=True)
            ],
            "players": [
                {
                    "place": one.place,
                    "no": one.entrant.no,
                    "name": one.entrant.player.name,
                    "rating": plain(one.entrant.player.rating),
                    "points": plain(one.points),
                    "values": {str(name): step.value for name, step in zip(self.criteria, one.values, strict=True)},
                }
                for one in self.players
            ],
        }

    def figures(self) -> list[Figure]:
        shown = [Figure("ties", ", ".join(map(str, self.criteria)) or "none")]
        if self.dropped:
            shown.append(Figure("tie.dropped", ", ".join(map(str, self.dropped)), because(self._dropped[0])))
        return shown


def tie_breaks(
    tournament: Tournament,
    names: Sequence[str],
    *,
    on: date | None = None,
    unrated: int | None = None,
    kind: str | None = None,
    readings: Mapping[str, str] | None = None,
) -> TieBreaks:
    """Tie-breaks by ratings, as the edition of the day has them: `ARO`, `ARO/C1`, `TPR`, `PTP`, `APRO`, `APPO`, `RTNG`.

    With an unrated player in the event they are dropped, unless `unrated` is what the published rule counts one as.
    """
    day = on or tournament.start
    if day is None:
        raise BadInput(
            "The file does not say when the event began, and tie-breaks go by the rules of that day.", at="on"
        )
    if not names:
        raise BadInput("Which tie-breaks? Name them in order, for example ARO/C1,TPR,APRO.", at="by")
    rules = rulebook(tuple(sorted((readings or {}).items()))).at(as_day(day))
    asked = tuple(parse_criterion(name, rules, day) for name in names)
    if unrated is not None and not isinstance(rating_of(unrated, at="unrated"), int):
        raise BadInput("An unrated player counts as a whole rating.", at="unrated")
    unknown = unrated is None and any(one.player.rating is None for one in tournament.entrants)
    criteria = () if unknown else asked
    event, source = event_kind(tournament, kind)
    games = Games(tournament, event, unrated, rules, day)

    def notes() -> Iterator[Note]:
        yield from date_notes(rulebook(), day)
        if unrated is not None:
            yield Note("ties.unrated", {"unrated": unrated})
        forfeits = any(one.kind == FORFEIT for entrant in tournament.entrants for one in entrant.rounds)
        if source == "assumed" and forfeits and rules.forfeits.others:
            yield Note("norms.kind", {"kind": event})
        if event in FIXED_PAIRINGS and forfeits and rules.forfeits.others:
            yield Note(
                "norms.reading", {"says": rules.forfeits.says, "rule": "forfeits", "others": rules.forfeits.others}
            )

    lines = [
        PlayerTies(one, _points(one, tournament), 0, tuple(games.value(name, one.no) for name in criteria))
        for one in tournament.entrants
    ]
    return TieBreaks(day, criteria, _placed(lines, criteria), asked if unknown else (), rules, notes)


def _placed(lines: Sequence[PlayerTies], criteria: Sequence[Criterion]) -> list[PlayerTies]:
    """By points and the criteria in order; who is equal in all has the same place, and no value comes last."""

    def rank(line: PlayerTies) -> list[tuple[bool, Any]]:
        values = zip(criteria, line.values, strict=True)
        return [(True, line.points), *((v.value is not None, (v.value or 0) * (-1) ** c.reversed) for c, v in values)]

    ordered = sorted(lines, key=rank, reverse=True)
    placed: list[PlayerTies] = []
    for number, line in enumerate(ordered, start=1):
        same = placed and rank(placed[-1]) == rank(line)
        placed.append(line._replace(place=placed[-1].place if same else number))
    return placed


def _points(entrant: Entrant, tournament: Tournament) -> Decimal:
    """The points the file has; else what the rounds pay."""
    if entrant.points is not None:
        return entrant.points
    scoring = {**USUAL, **(tournament.scoring or {})}
    return sum((_paid(one, scoring) for one in entrant.rounds), Decimal(0))


def _paid(one: Round, scoring: Mapping[str, Decimal]) -> Decimal:
    if one.score is None or one.kind in scoring:
        return scoring.get(one.kind, Decimal(0))
    result = {0: "loss", 1: "draw", 2: "win"}[int(2 * one.score)]
    return scoring[f"forfeit-{result}" if one.kind == FORFEIT else f"{one.colour or 'white'}-{result}"]
