"""Matches between two engines as a program judges them: Elo difference and its error, normalised Elo, LOS and SPRT."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache
from math import erf, log, log10, sqrt
from sys import float_info
from typing import Annotated, Literal, NamedTuple

from arpad.calculation import formulas
from arpad.calculation.answer import Answer, Figure, derived, hidden
from arpad.calculation.step import Step, formula, found, known, ruled
from arpad.core import Number, Rating, as_day, number, refused, whole_of
from arpad.errors import BadInput, UnknownName
from arpad.messages import Message, figure, fixed, say
from arpad.rulebooks import Rule, Rulebook, one_of, positive
from arpad.systems.chances import normal

__all__ = ["PROGRAMS", "MatchResult", "Sprt", "SprtResult", "match"]


Program = Literal["fastchess", "cutechess"]
MOST = 100_000_000  # games; more are a typing error
SHOWN = ("elo", "elo_error", "normalized_elo", "normalized_error", "los", "verdict")  # the steps an answer ends in
HALVINGS = 200  # more than a float can need
ROUNDS = 100
CLOSE = 1e-12
WIDEST = 1000  # Elo; wider bounds are a typing error
GAME_SCORES = (Decimal(0), Decimal("0.5"), Decimal(1))
PAIR_SCORES = (Decimal(0), Decimal("0.25"), Decimal("0.5"), Decimal("0.75"), Decimal(1))


def match(
    *,
    wins: Number | None = None,
    losses: Number | None = None,
    draws: Number | None = None,
    pairs: Iterable[Number] | None = None,
    sprt: Sprt | None = None,
    program: Program = "fastchess",
    on: date | None = None,
) -> MatchResult:
    """The statistics of a match, from wins, losses and draws, or from pairs of games (LL, LD, even, WD, WW).

    Accepts the counts, an Sprt to test, the program whose conventions apply, fastchess or cutechess, and the day whose
    conventions they are (default: the day on which they were last checked).

    Gives a MatchResult: score, difference, error bars and the state of the test. Raises UnknownName for a program or a
    model of a test that is not known, and BadInput for counts that are missing, all zero or contradict each other.
    """
    if program not in PROGRAMS:
        raise UnknownName("program", program, known=PROGRAMS, at="program")
    book = rulebook(program)
    day = book.checked if on is None else as_day(on)
    rules = book.at(day)
    if pairs is None:
        sample = _games(wins, losses, draws)
    elif rules.pairs is None:
        raise BadInput(say("matches.refused.pairs_unsupported", program=program), at="pairs")
    else:
        sample = _pairs(pairs, wins, losses, draws)
    share = _share(sample, rules)
    squares = sum(count * (score - share.value) ** 2 for score, count in zip(sample.scores, sample.counts, strict=True))
    what = say("matches.pair" if sample.paired else "matches.game")
    variance = Step("variance", squares / sample.size, {"share": share}, words={"what": what})
    test = None if sprt is None else _test(sample, sprt, rules)
    steps = {
        "elo": _elo(share, rules),
        **_interval(share, variance, sample, rules),
        **_normalized(share, variance, sample, rules),
        "los": _los(share, variance, sample, rules),
        **({} if test is None else {"verdict": test[1]}),
    }
    found_values = {name: step.value for name, step in steps.items()}
    return MatchResult(
        system=f"match-{program}",
        on=day,
        trail=tuple(steps[name] for name in SHOWN if name in steps),
        program=program,
        games=sample.games,
        pairs=sample.size if sample.paired else None,
        counts=sample.counts,
        score=sample.points,
        share=share.value,
        elo=found_values["elo"],
        elo_error=found_values["elo_error"],
        elo_low=found_values.get("elo_low"),
        elo_high=found_values.get("elo_high"),
        normalized_elo=found_values.get("normalized_elo"),
        normalized_error=found_values.get("normalized_error"),
        los=found_values["los"],
        sprt=None if test is None else test[0],
        reasons={name: step.words["says"] for name, step in steps.items() if step.value is None},
    )


@dataclass(frozen=True, kw_only=True)
class MatchResult(Answer):
    """The figures of a match as one program defines them; a figure that is not finite is None, and `why` says why."""

    program: str
    games: int
    pairs: int | None  # None where single games were counted
    counts: tuple[int, ...]  # of each result, the lowest score first
    score: Decimal
    share: Decimal  # of the points
    elo: Decimal | None
    elo_error: Decimal | None  # half the width of the 95 % interval
    elo_low: Decimal | None
    elo_high: Decimal | None
    normalized_elo: Decimal | None
    normalized_error: Decimal | None
    los: Decimal | None  # the likelihood of superiority, from 0 to 1
    sprt: SprtResult | None
    reasons: Mapping[str, Message] = hidden()  # why each missing figure is missing

    @derived
    def why(self) -> tuple[Message, ...]:
        """Why figures are missing, each reason once."""
        return tuple({reason.key: reason for reason in self.reasons.values()}.values())

    def summary(self) -> Sequence[Figure]:
        elo_why = self.reasons.get("elo") or self.reasons.get("elo_error") or say("matches.by", program=self.program)
        has_normalized = self.normalized_elo is not None or "normalized_elo" in self.reasons
        normalized = _with_error(self.normalized_elo, self.normalized_error) if has_normalized else None
        whole = self.score == self.score.to_integral_value()
        points = int(self.score) if whole else self.score.normalize()
        los = say("answers.none") if self.los is None else _percent(self.los)
        figures = [
            Figure("elo", _with_error(self.elo, self.elo_error), elo_why),
            Figure("normalized_elo", normalized, self.reasons.get("normalized_elo")),
            Figure("los", los, self.reasons.get("los") or say("matches.superiority")),
            Figure("score", say("answers.score_of", score=points, games=self.games), _percent(self.share)),
        ]
        if self.sprt is not None:
            test = self.sprt
            elos = {"elo0": test.elo0, "elo1": test.elo1}
            bounds = say("matches.bounds", lower=test.lower, upper=test.upper, model=test.model, **elos)
            figures += [
                Figure("llr", test.llr, bounds),
                Figure("verdict", say(f"matches.verdict.{test.verdict}", **elos)),
            ]
        return figures


def _with_error(elo: Decimal | None, error: Decimal | None) -> str | Message:
    """`+40.7 ± 30.4`, as engine people write it."""
    if elo is None:
        return say("answers.none")
    near = figure(elo.quantize(Decimal("0.01")) + 0, signed=True)
    return near if error is None else f"{near} ± {figure(error.quantize(Decimal('0.01')))}"


def _percent(share: Decimal) -> Message:
    return say("matches.percent", percent=fixed(100 * share, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtResult:
    """A sequential test and what it found: the log-likelihood ratio, its bounds, and `H0`, `H1` or `continue`."""

    elo0: Rating
    elo1: Rating
    alpha: Rating
    beta: Rating
    model: str
    llr: Decimal
    lower: Decimal
    upper: Decimal
    verdict: Annotated[str, ("H0", "H1", "continue")]


@dataclass(frozen=True, slots=True, init=False)
class Sprt:
    """A sequential test of one Elo difference against another, with error rates; the default model is the program's."""

    elo0: Rating
    elo1: Rating
    alpha: Rating
    beta: Rating
    model: str | None

    def __init__(
        self, elo0: Number, elo1: Number, alpha: Number = "0.05", beta: Number = "0.05", model: str | None = None
    ) -> None:
        bounds = {"low": -WIDEST, "high": WIDEST}
        low, high = (number(elo, "elo_bound", at="sprt", **bounds) for elo in (elo0, elo1))
        if not -WIDEST <= low < high <= WIDEST:
            raise refused(f"{low}, {high}", "elo_bounds", at="sprt", **bounds)
        rates = _error_rate(alpha, at="alpha"), _error_rate(beta, at="beta")
        if sum(rates) >= 1:
            raise BadInput(say("matches.refused.rates"), at="alpha")
        for name, value in zip(("elo0", "elo1", "alpha", "beta", "model"), (low, high, *rates, model), strict=True):
            object.__setattr__(self, name, value)


def _error_rate(value: Number, *, at: str) -> Rating:
    rate = number(value, "error_rate", at=at)
    if not 0 < rate < 1:
        raise refused(value, "error_rate", at=at)
    return rate


class Sample(NamedTuple):
    """What was played: the score of each kind of result and its count, lowest score first."""

    scores: tuple[Decimal, ...]
    counts: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many games, or pairs of games."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """How many games."""
        return self.size * (2 if self.paired else 1)

    @property
    def points(self) -> Decimal:
        """The points scored."""
        worth = (score * count for score, count in zip(self.scores, self.counts, strict=True))
        return sum(worth, Decimal(0)) * (2 if self.paired else 1)

    @property
    def paired(self) -> bool:
        """Whether pairs of games are counted."""
        return len(self.counts) == len(PAIR_SCORES)


class MatchRules(NamedTuple):
    """The conventions of one program; what it does not print is None."""

    elo: Rule[int]
    interval: Rule[Decimal]
    los: Rule[str]
    zeros: Rule[Zeros]
    models: Rule[tuple[str, ...]]  # the first is the default
    bounds: Rule[str]
    normalized: Rule[int] | None = None
    pairs: Rule[str] | None = None
    one_sided: Rule[Decimal] | None = None


class Zeros(NamedTuple):
    """What replaces a zero count, or is added to every count, before likelihoods are computed."""

    instead: Decimal | None = None
    added: Decimal | None = None


CUTECHESS: Mapping[str, Callable[..., object]] = {
    "elo": positive,
    "interval": Decimal,
    "los": one_of("score", "decided"),
    "zeros": lambda value: Zeros(**{name: Decimal(number) for name, number in value.items()}),
    "models": lambda names: tuple(map(one_of("normalized", "logistic", "bayesian", "bayes-elo"), names)),
    "bounds": one_of("reached", "passed"),
}
FASTCHESS: Mapping[str, Callable[..., object]] = {
    **CUTECHESS,
    "normalized": positive,
    "pairs": one_of("pentanomial"),
    "one_sided": Decimal,
}
PROGRAMS: Mapping[Program, Mapping[str, Callable[..., object]]] = {"fastchess": FASTCHESS, "cutechess": CUTECHESS}


@cache
def rulebook(program: Program) -> Rulebook[MatchRules]:
    """The conventions of a program."""
    return Rulebook(f"match-{program}", MatchRules, PROGRAMS[program])


def _games(wins: Number | None, losses: Number | None, draws: Number | None) -> Sample:
    given = {"losses": losses, "draws": draws, "wins": wins}
    counts = {name: _count(value, name) for name, value in given.items() if value is not None}
    missing = [name for name in given if name not in counts]
    if missing:
        raise BadInput(say("matches.refused.missing", missing=missing), at=missing[0])
    sample = Sample(GAME_SCORES, tuple(counts.values()))
    if not sample.size:
        raise BadInput(say("matches.refused.no_games"), at="wins")
    return sample


def _count(value: Number, what: str) -> int:
    return whole_of(value, what, 0, MOST, at=what)


def _pairs(pairs: Iterable[Number], wins: Number | None, losses: Number | None, draws: Number | None) -> Sample:
    """The pairs of games, refused if they do not match the wins, losses and draws given with them."""
    counts = tuple(_count(value, "pairs") for value in pairs)
    if len(counts) != len(PAIR_SCORES):
        raise BadInput(say("matches.refused.five_counts", given=len(counts)), at="pairs")
    sample = Sample(PAIR_SCORES, counts)
    if not sample.size:
        raise BadInput(say("matches.refused.no_pairs"), at="pairs")
    if (wins, losses, draws) != (None, None, None):
        games = _games(wins, losses, draws)
        if (games.size, games.points) != (sample.games, sample.points):
            raise BadInput(say("matches.refused.disagree", games=sample.games), at="pairs")
    return sample


def _share(sample: Sample, rules: MatchRules) -> Step:
    """The score per game."""
    if sample.paired:
        ll, ld, even, wd, ww = _known(sample, "ll", "ld", "even", "wd", "ww")
        even = even._replace(rule=rules.pairs)
        points = found("match.points", points_of_pairs, ll=ll, ld=ld, even=even, wd=wd, ww=ww)
    else:
        losses, draws, wins = _known(sample, "losses", "draws", "wins")
        points = found("match.points", points_of_games, wins=wins, draws=draws, losses=losses)
    return found("match.share", formulas.average, total=points, games=known("match.games", Decimal(sample.games)))


def _known(sample: Sample, *names: str) -> list[Step]:
    return [known(f"match.{name}", Decimal(count)) for name, count in zip(names, sample.counts, strict=True)]


@formula("2 × {ww} + 1.5 × {wd} + {even} + {ld} / 2")
def points_of_pairs(ww: Decimal, wd: Decimal, even: Decimal, ld: Decimal) -> Decimal:
    """The points scored in pairs of games."""
    return 2 * ww + 3 * wd / 2 + even + ld / 2


@formula("{wins} + {draws} / 2")
def points_of_games(wins: Decimal, draws: Decimal) -> Decimal:
    """The points scored in single games."""
    return wins + draws / 2


def _elo(share: Step, rules: MatchRules) -> Step:
    """The Elo difference for the score."""
    if share.value in (0, 1):
        return _none("elo", say("matches.none.perfect"), share=share)
    return ruled("elo", rules.elo, _exact(_elo_of(float(share.value), rules)), share=share)


def _elo_of(share: float, rules: MatchRules) -> float:
    # An even score would give a negative zero.
    return -rules.elo.value * log10(1 / share - 1) or 0.0


def _interval(share: Step, variance: Step, sample: Sample, rules: MatchRules) -> Mapping[str, Step]:
    """The ends of the 95 % interval of the score, as Elo, and half the distance between them."""
    if variance.value == 0:
        why = say("matches.none.perfect" if share.value in (0, 1) else "matches.none.spread")
        return {"elo_error": _none("elo_error", why, variance=variance)}
    reach = float(rules.interval.value) * sqrt(float(variance.value) / sample.size)
    ends = {}
    for key, score in (("elo_low", float(share.value) - reach), ("elo_high", float(share.value) + reach)):
        if 0 < score < 1:
            ends[key] = ruled(key, rules.interval, _exact(_elo_of(score, rules)), share=share, variance=variance)
        else:
            ends[key] = _none(key, say("matches.none.interval"), share=share, variance=variance)
    low, high = ends.values()
    if low.value is None or high.value is None:
        return {**ends, "elo_error": _none("elo_error", say("matches.none.interval"), low=low, high=high)}
    return {**ends, "elo_error": found("elo_error", half_width, low=low, high=high)}


@formula("({high} − {low}) / 2")
def half_width(low: Decimal, high: Decimal) -> Decimal:
    """Half the width of an interval."""
    return (high - low) / 2


def _normalized(share: Step, variance: Step, sample: Sample, rules: MatchRules) -> Mapping[str, Step]:
    """Normalised Elo: the score's distance from a half, counted in standard deviations of one game."""
    if rules.normalized is None:
        return {}
    if variance.value == 0:
        return {"normalized_elo": _none("normalized_elo", say("matches.none.spread"), variance=variance)}
    unit = _normalized_unit(rules.normalized, sample)
    away = float(share.value - Decimal("0.5")) / sqrt(float(variance.value))
    error = float(rules.interval.value) / sqrt(sample.size)
    return {
        "normalized_elo": ruled(
            "normalized_elo", rules.normalized, _exact(away * unit), share=share, variance=variance
        ),
        "normalized_error": ruled("normalized_error", rules.interval, _exact(error * unit), variance=variance),
    }


def _normalized_unit(scale: Rule[int], sample: Sample) -> float:
    """How much normalised Elo a standard deviation of one result is worth; a pair has two games."""
    return scale.value / log(10) / (sqrt(2) if sample.paired else 1)


def _los(share: Step, variance: Step, sample: Sample, rules: MatchRules) -> Step:
    """The likelihood of superiority: by the score and its spread, or by the decided games alone."""
    if rules.los.value == "decided":
        losses, _, wins = sample.counts
        if not wins + losses:
            return _none("los", say("matches.none.decision"), share=share)
        return ruled("los", rules.los, _exact((1 + erf((wins - losses) / sqrt(2 * (wins + losses)))) / 2), share=share)
    if variance.value == 0:
        return _none("los", say("matches.none.spread"), variance=variance)
    away = float(share.value - Decimal("0.5")) / sqrt(float(variance.value) / sample.size)
    return ruled("los", rules.los, _exact(normal(away)), share=share, variance=variance)


def _none(key: str, why: Message, **given: Step) -> Step:
    return Step(f"{key}.none", None, given, words={"says": why})


def _exact(value: float) -> Decimal:
    return Decimal(repr(value))


def _test(sample: Sample, sprt: Sprt, rules: MatchRules) -> tuple[SprtResult, Step]:
    """The log-likelihood ratio, its bounds, and the verdict."""
    model = sprt.model or rules.models.value[0]
    if model not in rules.models.value:
        raise UnknownName("sprt_model", model, known=rules.models.value, at="model")
    if model == "bayesian" and sample.paired:
        raise BadInput(say("matches.refused.bayesian_pairs"), at="model")
    counts, zeros = _without_zeros(sample, rules)
    given = {"zeros": zeros} if zeros is not None else {}
    words = {"model": model, "elo0": sprt.elo0, "elo1": sprt.elo1}
    if model == "bayesian" and rules.one_sided is not None and not (sample.counts[0] and sample.counts[-1]):
        llr = Step("llr", rules.one_sided.value, {}, rules.one_sided, words=words)
    else:
        llr = Step("llr", _exact(_llr(sample, counts, sprt, model, rules)), given, rules.models, words=words)
    alpha, beta = known("alpha", sprt.alpha), known("beta", sprt.beta)
    lower = ruled("lower", rules.bounds, _exact(log(sprt.beta / (1 - sprt.alpha))), alpha=alpha, beta=beta)
    upper = ruled("upper", rules.bounds, _exact(log((1 - sprt.beta) / sprt.alpha)), alpha=alpha, beta=beta)
    at_bound = rules.bounds.value == "reached"
    verdict = "continue"
    if llr.value > upper.value or (at_bound and llr.value == upper.value):
        verdict = "H1"
    elif llr.value < lower.value or (at_bound and llr.value == lower.value):
        verdict = "H0"
    answer = ruled(f"verdict.{verdict}", rules.bounds, verdict, llr=llr, lower=lower, upper=upper)
    result = SprtResult(
        elo0=sprt.elo0,
        elo1=sprt.elo1,
        alpha=sprt.alpha,
        beta=sprt.beta,
        model=model,
        llr=llr.value,
        lower=lower.value,
        upper=upper.value,
        verdict=verdict,
    )
    return result, answer


def _without_zeros(sample: Sample, rules: MatchRules) -> tuple[list[float], Step | None]:
    """Counts that a likelihood can be computed from, and the step that says how zero counts were replaced."""
    instead, added = rules.zeros.value
    if added is not None:
        return [count + float(added) for count in sample.counts], ruled("zeros", rules.zeros, added)
    if instead is None or all(sample.counts):
        return [float(count) for count in sample.counts], None
    return [float(count or instead) for count in sample.counts], ruled("zeros", rules.zeros, instead)


def _llr(sample: Sample, counts: list[float], sprt: Sprt, model: str, rules: MatchRules) -> float:
    """The log-likelihood ratio of the two Elo differences by a model; normalised Elo if it is none of the others."""
    elo0, elo1, scale = float(sprt.elo0), float(sprt.elo1), float(rules.elo.value)
    scores = [float(score) for score in sample.scores]
    if model == "bayes-elo":
        return ratio_by_bayes_elo(counts, elo0, elo1, scale)
    if model == "bayesian":
        return ratio_of_scores(scores, counts, *bayes_scores(counts, elo0, elo1, scale))
    if model == "logistic":
        expected = (logistic_score(elo, scale) for elo in (elo0, elo1))
        return ratio_of_scores(scores, counts, *expected)
    ratio = None
    if rules.normalized is not None:
        unit = _normalized_unit(rules.normalized, sample)
        ratio = ratio_of_deviations(scores, counts, elo0 / unit, elo1 / unit)
    if ratio is None:
        raise BadInput(say("matches.refused.too_far"), at="sprt")
    return ratio


def ratio_by_bayes_elo(counts: Sequence[float], elo0: float, elo1: float, scale: float) -> float:
    """The ratio of two Elo differences by BayesElo's model, with the draw rate of the match."""
    draw_elo = draw_elo_of(counts, scale)
    drawn = 10 ** (-draw_elo / scale)
    compressed = 4 * drawn / (1 + drawn) ** 2
    chances = [bayes_chances(elo / compressed, draw_elo, scale) for elo in (elo0, elo1)]
    return _log_ratio(counts, *chances)


def bayes_scores(counts: Sequence[float], elo0: float, elo1: float, scale: float) -> list[float]:
    """The expected scores for two Elo differences by BayesElo's model, with the draw rate of the match."""
    draw_elo = draw_elo_of(counts, scale)
    chances = [bayes_chances(elo, draw_elo, scale) for elo in (elo0, elo1)]
    return [win + draw / 2 for _, draw, win in chances]


def ratio_of_scores(scores: Sequence[float], counts: Sequence[float], score0: float, score1: float) -> float:
    """The log-likelihood ratio of two expected scores."""
    best = [_tilted(counts, [seen - score for seen in scores]) for score in (score0, score1)]
    return _log_ratio(counts, *best)


def ratio_of_deviations(scores: Sequence[float], counts: Sequence[float], t0: float, t1: float) -> float | None:
    """The ratio of two expected scores, given in standard deviations from a half; None if one is impossible."""
    best = [_fitted(scores, counts, t) for t in (t0, t1)]
    return None if best[0] is None or best[1] is None else _log_ratio(counts, best[0], best[1])


def bayes_chances(elo: float, draw_elo: float, scale: float) -> tuple[float, float, float]:
    """Loss, draw and win by BayesElo's model."""
    win, loss = (logistic_score(side - draw_elo, scale) for side in (elo, -elo))
    # The same as 1 − win − loss, but a difference would lose digits where nearly all games or hardly any are drawn.
    return loss, win * loss * (10 ** (2 * draw_elo / scale) - 1), win


def draw_elo_of(counts: Sequence[float], scale: float) -> float:
    """BayesElo's measure of how often a match is drawn."""
    loss, win = counts[0] / sum(counts), counts[-1] / sum(counts)
    return scale / 2 * log10((1 - loss) / loss * (1 - win) / win)


def logistic_score(elo: float, scale: float) -> float:
    """The expected score for an Elo difference."""
    return 1 / (1 + 10 ** (-elo / scale))


def _log_ratio(counts: Sequence[float], shares0: Sequence[float], shares1: Sequence[float]) -> float:
    return sum(
        count * (_log(share1) - _log(share0)) for count, share0, share1 in zip(counts, shares0, shares1, strict=True)
    )


def _log(share: float) -> float:
    """The logarithm of a share; a share too small for a float counts as the smallest float."""
    return log(max(share, float_info.min))


def _tilted(counts: Sequence[float], pulls: Sequence[float]) -> list[float]:
    """The likeliest shares whose pulls add up to zero: each observed share divided by 1 + θ × pull."""
    seen = [count / sum(counts) for count in counts]

    def imbalance(theta: float) -> float:
        return sum(share * pull / (1 + theta * pull) for share, pull in zip(seen, pulls, strict=True))

    theta = _root(imbalance, -1 / max(pulls), -1 / min(pulls))
    return [share / (1 + theta * pull) for share, pull in zip(seen, pulls, strict=True)]


def _root(decreasing: Callable[[float], float], low: float, high: float) -> float:
    """The zero of a decreasing function, by bisection; it is unbounded at both ends."""
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if decreasing(middle) > 0 else (low, middle)
    return (low + high) / 2


def _fitted(scores: Sequence[float], counts: Sequence[float], t: float) -> list[float] | None:
    """The likeliest shares whose mean is t standard deviations above a half; None if there are none."""
    shares = [1 / len(scores)] * len(scores)
    for _ in range(ROUNDS):
        mean = sum(share * score for share, score in zip(shares, scores, strict=True))
        deviation = sqrt(sum(share * (score - mean) ** 2 for share, score in zip(shares, scores, strict=True)))
        pulls = [score - 0.5 - t / 2 * deviation * (1 + ((score - mean) / deviation) ** 2) for score in scores]
        if not min(pulls) < 0 < max(pulls):
            return None
        before, shares = shares, _tilted(counts, pulls)
        if max(abs(old - new) for old, new in zip(before, shares, strict=True)) < CLOSE:
            break
    return shares
