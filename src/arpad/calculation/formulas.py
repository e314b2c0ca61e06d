"""The formulas: plain operators, each with the text that shows it.

The same function works on a `Decimal`, an integer, a NumPy array or a column expression.
"""

from __future__ import annotations

from collections.abc import Iterable

from arpad.calculation.step import N, formula


@formula("{rating} − {opponent}")
def difference(rating: N, opponent: N) -> N:
    """Rating difference, player minus opponent."""
    return rating - opponent


@formula("{k} × ({score} − {expected})")
def change(k: N, score: N, expected: N) -> N:
    """Rating change of one game."""
    return k * (score - expected)


@formula("{rating} + {change}")
def new_rating(rating: N, change: N) -> N:
    """The rating after the change."""
    return rating + change


@formula("{parts}")
def total(parts: Iterable[N]) -> N | int:
    """The sum of the parts."""
    return sum(parts)


@formula("{score} × {points}")
def times_points(score: N, points: N) -> N:
    """An opponent's score times the points made against that opponent."""
    return score * points


@formula("⌊{limit} / {games}⌋")
def largest_k(limit: N, games: N) -> N:
    """The largest whole K for which K × games stays within the limit."""
    return limit // games


@formula("1 / (1 + 10 ^ (−{difference} / {scale}))", remember=4096)  # differences are mostly whole points
def logistic(difference: N, scale: N) -> N:
    """Expected score by the logistic curve."""
    return 1 / (1 + 10 ** (-difference / scale))


@formula("{total} / {games}")
def average(total: N, games: N) -> N:
    """An average: the mean rating, or the score per game."""
    return total / games


@formula("({total} + {draws} × {against}) / ({games} + {draws})")
def average_with_draws(total: N, games: N, draws: N, against: N) -> N:
    """The opponents' mean rating, with hypothetical opponents added."""
    return (total + draws * against) / (games + draws)


@formula("({score} + {draws} / 2) / ({games} + {draws})")
def percentage_with_draws(score: N, games: N, draws: N) -> N:
    """The score per game, with hypothetical draws added."""
    return (score + draws / 2) / (games + draws)


@formula("{average} + {dp}")
def performance(average: N, dp: N) -> N:
    """The opponents' average plus the rating difference for the score."""
    return average + dp


@formula("{average} + {bonus} × (2 × {score} − {games})")
def first_rating_with_bonus(average: N, bonus: N, score: N, games: N) -> N:
    """A first rating: the average plus a bonus for every half point above 50 %."""
    return average + bonus * (2 * score - games)


@formula("{average} + 400 × (2 × {score} − {games}) / {games}")
def linear_performance(average: N, score: N, games: N) -> N:
    """The rule of thumb: the average plus 400 × (wins − losses) / games."""
    return average + 400 * (2 * score - games) / games


@formula("{score} / ({games} − {score})")
def odds(score: N, games: N) -> N:
    """Points won for each point lost."""
    return score / (games - score)


@formula("{average} + {scale} × {log}")
def logistic_performance(average: N, scale: N, log: N) -> N:
    """The opponents' average plus the rating difference for the odds on the logistic curve."""
    return average + scale * log


@formula("{rating} + {share} × ({level} − {rating})")
def lifted(rating: N, share: N, level: N) -> N:
    """A rating raised part of the way to a level."""
    return rating + share * (level - rating)


@formula("{standard} − {within}")
def lowest_within(standard: N, within: N) -> N:
    """The lowest rating within a given distance of the standard rating."""
    return standard - within


@formula("{probability} × {change}")
def weighted(probability: N, change: N) -> N:
    """What one outcome adds to the mean change."""
    return probability * change
