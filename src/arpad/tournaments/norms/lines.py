"""The norms of a tournament worth a line, and what the line says: made, still possible, not known, or just missed."""

# No postponed annotations here: named tuples would compile each one, which costs the command line milliseconds.

from typing import NamedTuple

from arpad.calculation.explain import figure, words
from arpad.core.counting import counted, the_first
from arpad.tournaments.norms.answer import Norm, NormReport, PlayerNorms
from arpad.tournaments.norms.conditions import Condition, Verdict, in_points
from arpad.tournaments.norms.forecast import RESULTS, UNKNOWN, Demand, Needs, Trial

MADE, POSSIBLE, MISSED = "made", "still possible", "missed by one condition"
STANDS = (MADE, POSSIBLE, UNKNOWN, MISSED)
NEAR = 2  # half points: who is shorter of a performance has no line


class NormLine(NamedTuple):
    """A player, and the norm of which there is something to say."""

    player: PlayerNorms
    norm: Norm

    @property
    def stands(self) -> str:
        """How the norm stands."""
        norm = self.norm
        return MADE if norm.verdict.met else POSSIBLE if norm.possible else UNKNOWN if norm.hangs else MISSED


def norm_lines(report: NormReport) -> list[NormLine]:
    """The lines of everybody, in the order of the players; of titles held already there is nothing to say."""
    return [NormLine(player, norm) for player in report.players for norm in _listed(player, report.unknown)]


def _listed(player: PlayerNorms, unknown: tuple[str, ...]) -> list[Norm]:
    """The best norm made and what can still be above it; else the highest missed by little, or that is not known.

    Where titles or federations are known of nobody, most would have such a line; `unlisted` has their numbers.
    """
    wanted = [norm for norm in player.norms if not norm.held]
    best = next((place for place, norm in enumerate(wanted) if norm.verdict.met), len(wanted))
    possible = [norm for norm in wanted[: best + 1] if norm.possible]
    return possible or [norm for norm in wanted if _near(norm) or (norm.hangs and not unknown)][:1]


def unlisted(report: NormReport) -> str | None:
    """What there is to say beside the lines: that there is none, or that nobody could have one."""
    if report.unknown and report.hanging:
        numbers = [player.entrant.no for player in report.hanging]
        return (
            f"Norms cannot be judged without {' and '.join(report.unknown)}. The other conditions are met, or can "
            f"still be, by {counted(len(numbers), 'player')}: {the_first(numbers)}."
        )
    if norm_lines(report):
        return None
    if report.unknown:
        return f"Nobody has made a norm or can still make one, whatever the {' and '.join(report.unknown)} are."
    return "Nobody has made a norm, can still make one, or missed one by a single condition."


def _near(norm: Norm) -> bool:
    """Whether one condition alone is missing, after the best last round too; a performance by little."""
    verdict = norm.final
    if len(verdict.failed) != 1 or verdict.unknown or not verdict.condition("sex").met:
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
    if norm.hangs:
        return "; ".join(_hanging(norm))
    missing = "; ".join(_missing(norm.final))
    if norm.needs is None or norm.needs.opponent is None:
        return missing
    return f"not even by a win against {norm.needs.opponent.opponent}: {missing}"


def condition_name(one: Condition) -> str:
    """What a condition is called."""
    key = f"norm.{one.name}"
    return str(words()["label"].get(key, key))


def compared(one: Condition) -> str:
    """What was found, as far as it is known."""
    if one.found is None:
        return UNKNOWN
    return f"{figure(one.found)}{' known' if one.met is None and not one.information else ''}"


def _made(norm: Norm) -> list[str]:
    """A norm that is made: the performance, what it covers, and by which exemption."""
    verdict = norm.verdict
    parts = [f"performance {verdict.performance}", f"covers {counted(norm.covers, 'game')}", *_dropped(verdict)]
    used = (one for one in norm.beside if one.name == "exemption" and one.found is not None)
    return [*parts, *(f"{condition_name(one)} {one.found}" for one in used)]


def _needed(needs: Needs) -> list[str]:
    """What is still needed."""
    if needs.made:
        return ["complete: the rounds left need not be played"]
    if needs.opponent is not None:
        enough = next(one for one in needs.trials if one.result == needs.result)
        return [_last_game(enough, f"{needs.opponent.opponent} makes it")]
    return [_demand(one) for one in needs.demands]


def _last_game(least: Trial, against: str) -> str:
    """The least result of the last game, and the performance it gives."""
    result, more = ("any result", " or more") if least.result == RESULTS[0] else (f"a {least.result}", "")
    return f"{result} against {against} (performance {least.verdict.performance}{more})"


def _demand(one: Demand) -> str:
    """A score in the games to come, and whom it must be made against."""
    among = f" of {one.games}" if one.games > 1 else ""
    rating = "anybody" if one.rating is None else f"{one.rating} or more{' on average' if one.games > 1 else ''}"
    wanted = ", ".join("titles or federations not known" if word == UNKNOWN else word for word in one.opponent)
    being = f" ({wanted})" if wanted else ""
    return f"{figure(one.score)}{among} against {rating}{being}"


def _missing(verdict: Verdict) -> list[str]:
    """What stands between the games and the norm, and what nobody knows."""
    parts = [_missed(one, verdict.title) for one in verdict.failed]
    if verdict.short is not None:
        missing = in_points(verdict.short)
        parts.append(f"{figure(missing)} point{'s' * (missing != 1)} short")
    return [*parts, *_not_known(verdict)]


def _missed(one: Condition, title: str) -> str:
    """A condition that is not met, as an arbiter would say it."""
    texts = words()["missed"]
    text = texts.get(f"{one.name}.{title}") or texts[one.name]
    return text.format(found=compared(one), needed=figure(one.needed), title=title)


def _hanging(norm: Norm) -> list[str]:
    """A norm that hangs on what nobody knows: what is there, and what is not known."""
    verdict, needs = norm.verdict, norm.needs
    if verdict.met is None or needs is None:
        return [f"performance {verdict.performance}", *_dropped(verdict), *_not_known(verdict)]
    if needs.opponent is None:
        return [_demand(one) for one in needs.demands]
    trial = next(one for one in needs.trials if one.verdict.met is None)
    return [_last_game(trial, f"{needs.opponent.opponent} may make it"), *_not_known(trial.verdict)]


def _not_known(verdict: Verdict) -> list[str]:
    return [f"not known: {', '.join(map(condition_name, verdict.unknown))}"] if verdict.unknown else []


def _dropped(verdict: Verdict) -> list[str]:
    """The rounds left out."""
    if not verdict.dropped:
        return []
    return [f"without round{'s' * (len(verdict.dropped) > 1)} {', '.join(map(str, verdict.dropped))}"]
