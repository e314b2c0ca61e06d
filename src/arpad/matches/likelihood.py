"""Log-likelihood ratios of match results: how much better one Elo difference explains them than another.

Results come as scores (0, ½, 1 for games; 0, ¼ … 1 for pairs) and how often each was seen. The logistic and the
normalised ratio are the generalised ones of M. Van den Bergh: each hypothesis is given the distribution that fits it
and explains the results best.
"""

from __future__ import annotations

from math import log, log10, sqrt
from sys import float_info
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HALVINGS = 200  # more than a float can need
ROUNDS = 100
CLOSE = 1e-12


def logistic_score(elo: float, scale: float) -> float:
    """The expected score for an Elo difference."""
    return 1 / (1 + 10 ** (-elo / scale))


def bayes_chances(elo: float, draw_elo: float, scale: float) -> tuple[float, float, float]:
    """Loss, draw and win by BayesElo's model."""
    win, loss = (logistic_score(side - draw_elo, scale) for side in (elo, -elo))
    # The same as 1 − win − loss, but a difference would lose digits where nearly all games or hardly any are drawn.
    return loss, win * loss * (10 ** (2 * draw_elo / scale) - 1), win


def draw_elo_of(counts: Sequence[float], scale: float) -> float:
    """BayesElo's measure of how often a match is drawn."""
    loss, win = counts[0] / sum(counts), counts[-1] / sum(counts)
    return scale / 2 * log10((1 - loss) / loss * (1 - win) / win)


def bayes_scores(counts: Sequence[float], elo0: float, elo1: float, scale: float) -> list[float]:
    """The expected scores for two Elo differences by BayesElo's model, with the draw rate of the match."""
    draw_elo = draw_elo_of(counts, scale)
    chances = [bayes_chances(elo, draw_elo, scale) for elo in (elo0, elo1)]
    return [win + draw / 2 for _, draw, win in chances]


def ratio_of_scores(scores: Sequence[float], counts: Sequence[float], score0: float, score1: float) -> float:
    """The log-likelihood ratio of two expected scores."""
    best = [_tilted(counts, [seen - score for seen in scores]) for score in (score0, score1)]
    return _ratio(counts, *best)


def ratio_of_deviations(scores: Sequence[float], counts: Sequence[float], t0: float, t1: float) -> float | None:
    """The ratio of two expected scores, given in standard deviations from a half; None if one is impossible."""
    best = [_fitted(scores, counts, t) for t in (t0, t1)]
    return None if best[0] is None or best[1] is None else _ratio(counts, best[0], best[1])


def ratio_by_bayes_elo(counts: Sequence[float], elo0: float, elo1: float, scale: float) -> float:
    """The ratio of two Elo differences by BayesElo's model, with the draw rate of the match."""
    draw_elo = draw_elo_of(counts, scale)
    drawn = 10 ** (-draw_elo / scale)
    compressed = 4 * drawn / (1 + drawn) ** 2
    chances = [bayes_chances(elo / compressed, draw_elo, scale) for elo in (elo0, elo1)]
    return _ratio(counts, *chances)


def _ratio(counts: Sequence[float], shares0: Sequence[float], shares1: Sequence[float]) -> float:
    return sum(
        count * (_log(share1) - _log(share0)) for count, share0, share1 in zip(counts, shares0, shares1, strict=True)
    )


def _log(share: float) -> float:
    """The logarithm of a share; a share too small for a float counts as the smallest float."""
    return log(max(share, float_info.min))


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
