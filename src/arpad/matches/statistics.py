"""The statistics of a match between two engines, from its results.

Two programs print these figures, each in its own way. Their conventions are rule files (`match-fastchess`,
`match-cutechess`), so that every figure names the program it follows.
"""

from __future__ import annotations

from decimal import Decimal
from math import erf, log, log10, sqrt
from typing import TYPE_CHECKING, Any

from arpad.calculation import formulas
from arpad.calculation.step import Step, formula, found, known, ruled
from arpad.core import whole_of
from arpad.errors import BadInput, UnknownName
from arpad.matches import likelihood
from arpad.matches.answer import MatchResult, SprtResult
from arpad.matches.rules import GAME_SCORES, PAIR_SCORES, PROGRAMS, MatchRules, Sample, Sprt, rulebook
from arpad.messages import Message, say
from arpad.systems.chances import normal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from arpad.core import Number

MOST = 100_000_000  # games; more are a typing error
SHOWN = ("elo", "elo_error", "normalized_elo", "normalized_error", "los", "verdict")  # the steps an answer ends in


@formula("{wins} + {draws} / 2")
def points_of_games(wins: Any, draws: Any) -> Any:
    """The points scored in single games."""
    return wins + draws / 2


@formula("2 × {ww} + 1.5 × {wd} + {even} + {ld} / 2")
def points_of_pairs(ww: Any, wd: Any, even: Any, ld: Any) -> Any:
    """The points scored in pairs of games."""
    return 2 * ww + 3 * wd / 2 + even + ld / 2


@formula("({high} − {low}) / 2")
def half_width(low: Any, high: Any) -> Any:
    """Half the width of an interval."""
    return (high - low) / 2


def match(
    *,
    wins: Number | None = None,
    losses: Number | None = None,
    draws: Number | None = None,
    pairs: Iterable[Number] | None = None,
    sprt: Sprt | None = None,
    program: str = "fastchess",
) -> MatchResult:
    """The statistics of a match, from wins, losses and draws, or from pairs of games (LL, LD, even, WD, WW)."""
    if program not in PROGRAMS:
        raise UnknownName("program", program, known=PROGRAMS, at="program")
    book = rulebook(program)
    rules = book.at(book.checked)
    if pairs is None:
        sample = _games(wins, losses, draws)
    else:
        if rules.pairs is None:
            raise BadInput(say("matches.refused.pairs_unsupported", program=program), at="pairs")
        sample = _pairs(pairs)
        _check_agreement(sample, wins, losses, draws, rules)
    share = _share(sample, rules)
    variance = _variance(sample, share)
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
        on=book.checked,
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


def _count(value: Number, what: str) -> int:
    return whole_of(value, what, 0, MOST, at=what)


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


def _pairs(pairs: Iterable[Number]) -> Sample:
    counts = tuple(_count(value, "pairs") for value in pairs)
    if len(counts) != len(PAIR_SCORES):
        raise BadInput(say("matches.refused.five_counts", given=len(counts)), at="pairs")
    sample = Sample(PAIR_SCORES, counts)
    if not sample.size:
        raise BadInput(say("matches.refused.no_pairs"), at="pairs")
    return sample


def _check_agreement(
    sample: Sample, wins: Number | None, losses: Number | None, draws: Number | None, rules: MatchRules
) -> None:
    """Refuse pairs that do not match the wins, losses and draws given with them."""
    if (wins, losses, draws) == (None, None, None):
        return
    games = _games(wins, losses, draws)
    if (games.size, _share(games, rules).value) != (sample.games, _share(sample, rules).value):
        raise BadInput(say("matches.refused.disagree", games=sample.games), at="pairs")


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


def _variance(sample: Sample, share: Step) -> Step:
    """The variance of the results of a game or a pair."""
    squares = sum(count * (score - share.value) ** 2 for score, count in zip(sample.scores, sample.counts, strict=True))
    return Step(
        "variance",
        squares / sample.size,
        {"share": share},
        words={"what": say("matches.pair" if sample.paired else "matches.game")},
    )


def _exact(value: float) -> Decimal:
    return Decimal(repr(value))


def _none(key: str, why: Message, **given: Step) -> Step:
    return Step(f"{key}.none", None, given, words={"says": why})


def _elo_of(share: float, rules: MatchRules) -> float:
    # An even score would give a negative zero.
    return -rules.elo.value * log10(1 / share - 1) or 0.0


def _elo(share: Step, rules: MatchRules) -> Step:
    """The Elo difference for the score."""
    if share.value in (0, 1):
        return _none("elo", say("matches.none.perfect"), share=share)
    return ruled("elo", rules.elo, _exact(_elo_of(float(share.value), rules)), share=share)


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


def _normalized(share: Step, variance: Step, sample: Sample, rules: MatchRules) -> Mapping[str, Step]:
    """Normalised Elo: the score's distance from a half, counted in standard deviations of one game."""
    if rules.normalized is None:
        return {}
    if variance.value == 0:
        return {"normalized_elo": _none("normalized_elo", say("matches.none.spread"), variance=variance)}
    unit = rules.normalized.value / log(10) / (sqrt(2) if sample.paired else 1)
    away = float(share.value - Decimal("0.5")) / sqrt(float(variance.value))
    error = float(rules.interval.value) / sqrt(sample.size)
    return {
        "normalized_elo": ruled(
            "normalized_elo", rules.normalized, _exact(away * unit), share=share, variance=variance
        ),
        "normalized_error": ruled("normalized_error", rules.interval, _exact(error * unit), variance=variance),
    }


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


def _model(sprt: Sprt, sample: Sample, rules: MatchRules) -> str:
    """The model of a test: the one asked for, or the program's own."""
    model = sprt.model or rules.models.value[0]
    if model not in rules.models.value:
        raise UnknownName("sprt_model", model, known=rules.models.value, at="model")
    if model == "bayesian" and sample.paired:
        raise BadInput(say("matches.refused.bayesian_pairs"), at="model")
    return model


def _test(sample: Sample, sprt: Sprt, rules: MatchRules) -> tuple[SprtResult, Step]:
    """The log-likelihood ratio, its bounds, and the verdict."""
    model = _model(sprt, sample, rules)
    counts, zeros = _without_zeros(sample, rules)
    given = {"zeros": zeros} if zeros is not None else {}
    words = {"model": model, "elo0": sprt.elo0, "elo1": sprt.elo1}
    if model == "bayesian" and rules.one_sided is not None and not (sample.counts[0] and sample.counts[-1]):
        llr = Step("llr", rules.one_sided.value, {}, rules.one_sided, words=words)
    else:
        ratio = _ratio(sample, counts, sprt, model, rules)
        llr = Step("llr", _exact(ratio), given, rules.models, words=words)
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


def _ratio(sample: Sample, counts: list[float], sprt: Sprt, model: str, rules: MatchRules) -> float:
    elo0, elo1, scale = float(sprt.elo0), float(sprt.elo1), float(rules.elo.value)
    scores = [float(score) for score in sample.scores]
    if model == "bayes-elo":
        return likelihood.ratio_by_bayes_elo(counts, elo0, elo1, scale)
    if model == "bayesian":
        return likelihood.ratio_of_scores(scores, counts, *likelihood.bayes_scores(counts, elo0, elo1, scale))
    if model == "logistic":
        expected = (likelihood.logistic_score(elo, scale) for elo in (elo0, elo1))
        return likelihood.ratio_of_scores(scores, counts, *expected)
    unit = (rules.normalized.value if rules.normalized else 0) / log(10) / (sqrt(2) if sample.paired else 1)
    ratio = likelihood.ratio_of_deviations(scores, counts, elo0 / unit, elo1 / unit)
    if ratio is None:
        raise BadInput(say("matches.refused.too_far"), at="sprt")
    return ratio
