"""The norms of a tournament worth a line, and what the line says: made, still possible, or missed by one condition."""

# No postponed annotations here: named tuples would compile each one, which costs the command line milliseconds.

from typing import NamedTuple

from arpad.norms.answer import Norm, NormReport, PlayerNorms
from arpad.norms.conditions import Condition, Verdict, points
from arpad.norms.forecast import Demand, Needs
from arpad.render import figure, words

MADE, POSSIBLE, MISSED = "made", "still possible", "missed by one condition"
NEAR = 2  # half points: who is shorter of a performance has no line


class NormLine(NamedTuple):
    """A player, and the norm of which there is something to say."""

    player: PlayerNorms
    norm: Norm

    @property
    def stands(self) -> str:
        """How the norm stands."""
        return MADE if self.norm.verdict.met else POSSIBLE if self.norm.possible else MISSED


def norm_lines(report: NormReport) -> list[NormLine]:
    """The lines of everybody, in the order of the players; of titles held already there is nothing to say."""
    return [NormLine(player, norm) for player in report.players for norm in _listed(player)]


def _listed(player: PlayerNorms) -> list[Norm]:
    """The best norm made and what can still be above it; else the highest missed by little."""
    wanted = [norm for norm in player.norms if not norm.held]
    best = next((place for place, norm in enumerate(wanted) if norm.verdict.met), len(wanted))
    possible = [norm for norm in wanted[: best + 1] if norm.possible]
    return possible or [norm for norm in wanted if _near(norm)][:1]


def _near(norm: Norm) -> bool:
    """Whether one condition alone is missing, after the best last round too; a performance by little."""
    verdict = norm.final
    if len(verdict.failed) != 1 or not verdict.condition("sex").met:
        return False
    if verdict.failed[0].name != "performance":
        return True
    return norm.needs is None and verdict.short is not None and verdict.short <= NEAR


def in_words(norm: Norm) -> str:
    """A norm in a few words: what made it, what is still needed, or what is missing."""
    if norm.verdict.met:
        return "; ".join(_made(norm))
    if norm.possible and norm.needs is not None:
        return "; ".join(_needed(norm.needs))
    missing = "; ".join(_missing(norm.final))
    if norm.needs is None or norm.needs.opponent is None:
        return missing
    return f"not even by a win against {norm.needs.opponent.opponent}: {missing}"


def condition_name(one: Condition) -> str:
    """What a condition is called."""
    key = f"norm.{one.name}"
    return str(words()["label"].get(key, key))


def compared(one: Condition) -> str:
    """What was found, and what is needed."""
    found = "not known" if one.found is None else figure(one.found)
    return found if one.needed is None else f"{found} ({one.bound} {figure(one.needed)})"


def _made(norm: Norm) -> list[str]:
    """A norm that is made: the performance, what it covers, and by which exemption."""
    verdict = norm.verdict
    parts = [f"{verdict.performance}, covers {norm.covers} games"]
    if verdict.dropped:
        parts.append(f"without round{'s' * (len(verdict.dropped) > 1)} {', '.join(map(str, verdict.dropped))}")
    used = (one for one in norm.beside if one.name == "exemption" and one.found is not None)
    return [*parts, *(f"{condition_name(one)} {one.found}" for one in used)]


def _needed(needs: Needs) -> list[str]:
    """What is still needed."""
    if needs.made:
        return ["complete: the rounds left need not be played"]
    if needs.opponent is not None:
        performances = {one.result: one.verdict.performance for one in needs.trials}
        even = "even a " if needs.result == "loss" else ""
        return [f"{even}{needs.result} against {needs.opponent.opponent} ({performances[needs.result or '']})"]
    return [_demand(one) for one in needs.demands]


def _demand(one: Demand) -> str:
    """A score in the games to come, and whom it must be made against."""
    among = f" of {one.games}" if one.games > 1 else ""
    rating = "anybody" if one.rating is None else f"{one.rating} or more{' on average' if one.games > 1 else ''}"
    being = f" ({', '.join(one.opponent)})" if one.opponent else ""
    return f"{figure(one.score)}{among} against {rating}{being}"


def _missing(verdict: Verdict) -> list[str]:
    """What stands between the games and the norm."""
    short = [] if verdict.short is None else [f"{figure(points(verdict.short))} short"]
    return [*(f"{condition_name(one)} {compared(one)}" for one in verdict.failed), *short]
