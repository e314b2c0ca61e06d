"""The formulas: plain operators, each with the text that shows it.

The same function works on a `Decimal`, an integer, a NumPy array or a column expression.
"""

from __future__ import annotations

from typing import Any

from arpad.calculation.step import formula


@formula("{rating} − {opponent}")
def difference(rating: Any, opponent: Any) -> Any:
    """Rating difference, player minus opponent."""
    return rating - opponent


@formula("{k} × ({score} − {expected})")
def change(k: Any, score: Any, expected: Any) -> Any:
    """Rating change of one game."""
    return k * (score - expected)


@formula("{rating} + {change}")
def new_rating(rating: Any, change: Any) -> Any:
    """The rating after the change."""
    return rating + change


@formula("{parts}")
def total(parts: Any) -> Any:
    """The sum of the parts."""
    return sum(parts)


@formula("{score} × {points}")
def times_points(score: Any, points: Any) -> Any:
    """An opponent's score times the points made against that opponent."""
    return score * points


@formula("⌊{limit} / {games}⌋")
def largest_k(limit: Any, games: Any) -> Any:
    """The largest whole K for which K × games stays within the limit."""
    return limit // games


@formula("1 / (1 + 10 ^ (−{difference} / {scale}))")
def logistic(difference: Any, scale: Any) -> Any:
    """Expected score by the logistic curve."""
    return 1 / (1 + 10 ** (-difference / scale))


@formula("{total} / {games}")
def average(total: Any, games: Any) -> Any:
    """An average: the mean rating, or the score per game."""
    return total / games


@formula("({total} + {draws} × {against}) / ({games} + {draws})")
def average_with_draws(total: Any, games: Any, draws: Any, against: Any) -> Any:
    """The opponents' mean rating, with hypothetical opponents added."""
    return (total + draws * against) / (games + draws)


@formula("({score} + {draws} / 2) / ({games} + {draws})")
def percentage_with_draws(score: Any, games: Any, draws: Any) -> Any:
    """The score per game, with hypothetical draws added."""
    return (score + draws / 2) / (games + draws)


@formula("{average} + {dp}")
def performance(average: Any, dp: Any) -> Any:
    """The opponents' average plus the rating difference for the score."""
    return average + dp


@formula("{average} + {bonus} × (2 × {score} − {games})")
def first_rating_with_bonus(average: Any, bonus: Any, score: Any, games: Any) -> Any:
    """A first rating: the average plus a bonus for every half point above 50 %."""
    return average + bonus * (2 * score - games)


@formula("{average} + 400 × (2 × {score} − {games}) / {games}")
def linear_performance(average: Any, score: Any, games: Any) -> Any:
    """The rule of thumb: the average plus 400 × (wins − losses) / games."""
    return average + 400 * (2 * score - games) / games


@formula("{score} / ({games} − {score})")
def odds(score: Any, games: Any) -> Any:
    """Points won for each point lost."""
    return score / (games - score)


@formula("{average} + {scale} × {log}")
def logistic_performance(average: Any, scale: Any, log: Any) -> Any:
    """The opponents' average plus the rating difference for the odds on the logistic curve."""
    return average + scale * log


@formula("{rating} + {share} × ({level} − {rating})")
def lifted(rating: Any, share: Any, level: Any) -> Any:
    """A rating raised part of the way to a level."""
    return rating + share * (level - rating)


@formula("{standard} − {within}")
def lowest_within(standard: Any, within: Any) -> Any:
    """The lowest rating within a given distance of the standard rating."""
    return standard - within


@formula("{probability} × {change}")
def weighted(probability: Any, change: Any) -> Any:
    """What one outcome adds to the mean change."""
    return probability * change
