"""The norms worth a line in the report, and what it says: achieved, still possible, not known, or just missed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.explain import label_of
from arpad.messages import Message, figure, say
from arpad.tournaments.norms.answer import Norm, PlayerNorms
from arpad.tournaments.norms.conditions import in_points
from arpad.tournaments.norms.forecast import RESULTS, UNKNOWN

if TYPE_CHECKING:
    from arpad.tournaments.norms.answer import NormCondition, NormsReport
    from arpad.tournaments.norms.conditions import Condition, Verdict
    from arpad.tournaments.norms.forecast import Demand, Needs, Trial

STANDS = MADE, POSSIBLE, NOT_KNOWN, MISSED = "made", "possible", "unknown", "missed"
NEAR = 2  # half points; a norm missed by more has no line


class NormLine(NamedTuple):
    """A line: a player and a norm."""

    player: PlayerNorms
    norm: Norm

    @property
    def stands(self) -> str:
        """The state of the norm: made, possible, unknown, or missed by one condition."""
        norm = self.norm
        return MADE if norm.met else POSSIBLE if norm.possible else NOT_KNOWN if norm.undecided else MISSED


def norm_lines(report: NormsReport) -> list[NormLine]:
    """The lines of all players, in their order; titles already held have no line."""
    return [NormLine(player, norm) for player in report.players for norm in _worth_a_line(player, report.unknown)]


def _worth_a_line(player: PlayerNorms, unknown: tuple[str, ...]) -> list[Norm]:
    """The best norm achieved and those still possible above it; otherwise the highest one nearly made or not known.

    If no titles or no federations are known, most players would have such a line; `unlisted` has their numbers instead.
    """
    wanted = [norm for norm in player.norms if not norm.held]
    best = next((place for place, norm in enumerate(wanted) if norm.met), len(wanted))
    possible = [norm for norm in wanted[: best + 1] if norm.possible]
    return possible or [norm for norm in wanted if _near(norm) or (norm.undecided and not unknown)][:1]


def unlisted(report: NormsReport) -> Message | None:
    """The message besides the lines: that there are none, or that norms cannot be judged."""
    what = ".".join(report.unknown)
    undecided = [player.no for player in report.undecided]
    if what and undecided:
        return say(f"tournaments.norms.cannot_judge.{what}", players=len(undecided), numbers=undecided)
    if norm_lines(report):
        return None
    of_one = "one" if len(report.players) == 1 else ""
    return say(".".join(filter(None, ("tournaments.norms.nobody", what or of_one))))


def _near(norm: Norm) -> bool:
    """Whether only one condition is missing, even after the best last round; a performance only by a little."""
    verdict = norm.final
    if len(verdict.failed) != 1 or verdict.unknown or not verdict.condition("sex").met:
        return False
    if verdict.failed[0].name != "performance":
        return True
    return norm.needs is None and verdict.short is not None and verdict.short <= NEAR


def in_words(norm: Norm) -> str:
    """A norm in a few words: how it was achieved, what is still needed, or what is missing."""
    if norm.met:
        return _joined(_made(norm))
    if norm.possible and norm.needs is not None:
        return _joined(_needed(norm.needs))
    if norm.undecided:
        return _joined(_undecided(norm))
    missing = _joined(_missing(norm.final))
    if norm.needs is None or norm.needs.opponent is None:
        return missing
    return str(say("tournaments.norms.not_by_a_win", opponent=norm.needs.opponent, missing=missing))


def _joined(parts: list[Message]) -> str:
    return "; ".join(map(str, parts))


def condition_name(condition: Condition | NormCondition) -> str:
    """The label of a condition."""
    return label_of(f"norm.{condition.name}")


def compared(condition: Condition | NormCondition) -> str:
    """What was found, as far as it is known."""
    if condition.found is None:
        return str(say("tournaments.norms.not_known"))
    partly = condition.met is None and not condition.information
    return str(say("tournaments.norms.known", found=condition.found)) if partly else figure(condition.found)


def _made(norm: Norm) -> list[Message]:
    """A norm that was achieved: the performance, the games it covers, and the exemption used."""
    verdict = norm.verdict
    parts = [_performance(verdict), say("tournaments.norms.covers", games=norm.games_covered), *_dropped(verdict)]
    used = (part for part in norm.beside if part.name == "exemption" and part.found is not None)
    return [*parts, *(say("tournaments.norms.exempted", name=condition_name(part), letter=part.found) for part in used)]


def _needed(needs: Needs) -> list[Message]:
    """What is still needed."""
    if needs.made:
        return [say("tournaments.norms.complete")]
    if needs.opponent is not None:
        enough = next(trial for trial in needs.results if trial.result == needs.result)
        return [_last_game(enough, needs.opponent, "makes")]
    return [_demand(demand) for demand in needs.scores]


def _last_game(least: Trial, opponent: int, key: str) -> Message:
    """The lowest result of the last game, and the performance after it."""
    result = "any" if least.result == RESULTS[0] else least.result
    return say(f"tournaments.norms.{key}.{result}", opponent=opponent, performance=least.performance)


def _demand(demand: Demand) -> Message:
    """A score in the games to come, and the opponents it requires."""
    games = "one" if demand.games == 1 else "many"
    whom = "anybody" if demand.rating is None else "rated"
    values = {"score": demand.score, "games": demand.games, "rating": demand.rating}
    said = say(f"tournaments.norms.demand.{games}.{whom}", **values)
    if not demand.opponent:
        return said
    wanted = [say("tournaments.norms.demand.unknown") if word == UNKNOWN else _kind(word) for word in demand.opponent]
    return say("tournaments.norms.demand.being", said=said, wanted=wanted)


def _kind(word: str) -> Message:
    """What an opponent needs to be: titled, foreign, or a holder of a certain title."""
    return say("answers.as_said", text=word) if word.isupper() else say(f"tournaments.norms.demand.{word}")


def _missing(verdict: Verdict) -> list[Message]:
    """The conditions that are not met, and those not known."""
    parts = [_missed(condition, verdict.title) for condition in verdict.failed]
    if verdict.short is not None:
        points = in_points(verdict.short)
        parts.append(say("tournaments.norms.short.one" if points == 1 else "tournaments.norms.short", points=points))
    return [*parts, *_not_known(verdict)]


def _missed(condition: Condition, title: str) -> Message:
    """A condition that is not met, as an arbiter would say it."""
    key = f"{condition.name}.GM" if (condition.name, title) == ("same_title", "GM") else condition.name
    return say(f"tournaments.missed.{key}", found=compared(condition), needed=condition.needed, title=title)


def _undecided(norm: Norm) -> list[Message]:
    """A norm that depends on unknown facts: what is known, and what is not."""
    verdict, needs = norm.verdict, norm.needs
    if verdict.met is None or needs is None:
        return [_performance(verdict), *_dropped(verdict), *_not_known(verdict)]
    if needs.opponent is None:
        return [_demand(demand) for demand in needs.scores]
    trial = next(result for result in needs.results if result.met is None)
    return [_last_game(trial, needs.opponent, "may_make"), *_not_known(trial.verdict)]


def _performance(verdict: Verdict) -> Message:
    return say("tournaments.norms.performance", performance=verdict.performance)


def _not_known(verdict: Verdict) -> list[Message]:
    names = [condition_name(condition) for condition in verdict.unknown]
    return [say("tournaments.norms.unknown_conditions", names=names)] if names else []


def _dropped(verdict: Verdict) -> list[Message]:
    """The rounds left out."""
    rounds = verdict.dropped
    key = "tournaments.norms.without_round" if len(rounds) == 1 else "tournaments.norms.without_rounds"
    return [say(key, rounds=rounds)] if rounds else []
