"""The norms of a tournament worth a line, and what the line says: made, still possible, not known, or just missed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arpad.calculation.reasons import label_of
from arpad.messages import Message, figure, say
from arpad.tournaments.norms.answer import Norm, PlayerNorms
from arpad.tournaments.norms.conditions import in_points
from arpad.tournaments.norms.forecast import RESULTS, UNKNOWN

if TYPE_CHECKING:
    from arpad.tournaments.norms.answer import NormCondition, NormsReport
    from arpad.tournaments.norms.conditions import Condition, Verdict
    from arpad.tournaments.norms.forecast import Demand, Needs, Trial

STANDS = MADE, POSSIBLE, NOT_KNOWN, MISSED = "made", "possible", "unknown", "missed"
NEAR = 2  # half points: who is shorter of a performance has no line


class NormLine(NamedTuple):
    """A player and a norm worth a line."""

    player: PlayerNorms
    norm: Norm

    @property
    def stands(self) -> str:
        """How the norm stands: made, possible, unknown or missed by one condition."""
        norm = self.norm
        return MADE if norm.met else POSSIBLE if norm.possible else NOT_KNOWN if norm.undecided else MISSED


def norm_lines(report: NormsReport) -> list[NormLine]:
    """The lines of everybody, in the order of the players; of titles held already there is nothing to say."""
    return [NormLine(player, norm) for player in report.players for norm in _worth_a_line(player, report.unknown)]


def _worth_a_line(player: PlayerNorms, unknown: tuple[str, ...]) -> list[Norm]:
    """The best norm made and what can still be above it; else the highest missed by little, or that is not known.

    Where titles or federations are known of nobody, most would have such a line; `unlisted` has their numbers.
    """
    wanted = [norm for norm in player.norms if not norm.held]
    best = next((place for place, norm in enumerate(wanted) if norm.met), len(wanted))
    possible = [norm for norm in wanted[: best + 1] if norm.possible]
    return possible or [norm for norm in wanted if _near(norm) or (norm.undecided and not unknown)][:1]


def unlisted(report: NormsReport) -> Message | None:
    """What there is to say beside the lines: that there is none, or that nobody could have one."""
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
    """A norm in a few words: what made it, what is still needed, or what is missing."""
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


def condition_name(one: Condition | NormCondition) -> str:
    """What a condition is called."""
    return label_of(f"norm.{one.name}")


def compared(one: Condition | NormCondition) -> str:
    """What was found, as far as it is known."""
    if one.found is None:
        return str(say("tournaments.norms.not_known"))
    partly = one.met is None and not one.information
    return str(say("tournaments.norms.known", found=one.found)) if partly else figure(one.found)


def _made(norm: Norm) -> list[Message]:
    """A norm that is made: the performance, what it covers, and by which exemption."""
    verdict = norm.verdict
    parts = [_performance(verdict), say("tournaments.norms.covers", games=norm.games_covered), *_dropped(verdict)]
    used = (one for one in norm.beside if one.name == "exemption" and one.found is not None)
    return [*parts, *(say("tournaments.norms.exempted", name=condition_name(one), letter=one.found) for one in used)]


def _needed(needs: Needs) -> list[Message]:
    """What is still needed."""
    if needs.made:
        return [say("tournaments.norms.complete")]
    if needs.opponent is not None:
        enough = next(one for one in needs.results if one.result == needs.result)
        return [_last_game(enough, needs.opponent, "makes")]
    return [_demand(one) for one in needs.scores]


def _last_game(least: Trial, opponent: int, key: str) -> Message:
    """The least result of the last game, and the performance it gives."""
    result = "any" if least.result == RESULTS[0] else least.result
    return say(f"tournaments.norms.{key}.{result}", opponent=opponent, performance=least.performance)


def _demand(one: Demand) -> Message:
    """A score in the games to come, and whom it must be made against."""
    games = "one" if one.games == 1 else "many"
    whom = "anybody" if one.rating is None else "rated"
    said = say(f"tournaments.norms.demand.{games}.{whom}", score=one.score, games=one.games, rating=one.rating)
    if not one.opponent:
        return said
    wanted = [say("tournaments.norms.demand.unknown") if word == UNKNOWN else _kind(word) for word in one.opponent]
    return say("tournaments.norms.demand.being", said=said, wanted=wanted)


def _kind(word: str) -> Message:
    """What an opponent has to be: titled, foreign, or of a title."""
    return say("answers.as_said", text=word) if word.isupper() else say(f"tournaments.norms.demand.{word}")


def _missing(verdict: Verdict) -> list[Message]:
    """The conditions that are not met, and what nobody knows."""
    parts = [_missed(one, verdict.title) for one in verdict.failed]
    if verdict.short is not None:
        points = in_points(verdict.short)
        parts.append(say("tournaments.norms.short.one" if points == 1 else "tournaments.norms.short", points=points))
    return [*parts, *_not_known(verdict)]


def _missed(one: Condition, title: str) -> Message:
    """A condition that is not met, as an arbiter would say it."""
    key = f"{one.name}.GM" if (one.name, title) == ("same_title", "GM") else one.name
    return say(f"tournaments.missed.{key}", found=compared(one), needed=one.needed, title=title)


def _undecided(norm: Norm) -> list[Message]:
    """A norm that depends on what nobody knows: what there is, and what is not known."""
    verdict, needs = norm.verdict, norm.needs
    if verdict.met is None or needs is None:
        return [_performance(verdict), *_dropped(verdict), *_not_known(verdict)]
    if needs.opponent is None:
        return [_demand(one) for one in needs.scores]
    trial = next(one for one in needs.results if one.met is None)
    return [_last_game(trial, needs.opponent, "may_make"), *_not_known(trial.verdict)]


def _performance(verdict: Verdict) -> Message:
    return say("tournaments.norms.performance", performance=verdict.performance)


def _not_known(verdict: Verdict) -> list[Message]:
    names = [condition_name(one) for one in verdict.unknown]
    return [say("tournaments.norms.unknown_conditions", names=names)] if names else []


def _dropped(verdict: Verdict) -> list[Message]:
    """The rounds left out."""
    rounds = verdict.dropped
    key = "tournaments.norms.without_round" if len(rounds) == 1 else "tournaments.norms.without_rounds"
    return [say(key, rounds=rounds)] if rounds else []
