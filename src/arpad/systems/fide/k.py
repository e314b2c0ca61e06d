"""K, the development coefficient (8.3.3): worked out with its reason, and when it will change."""

from __future__ import annotations

from datetime import date

from arpad.contract import Note
from arpad.trail import Step, known, ruled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from arpad.model import Player, Rating
    from arpad.systems.fide.rules import FideRules, KBand


def development_coefficient(player: Player, peak: Rating, rules: FideRules, day: date) -> Step:
    """K on a day, for a player whose highest published rating is `peak`; the first line of the rule that holds."""
    if player.k is not None:
        return known("k.given", player.k)
    unknown: list[str] = []
    for band in rules.k.value:
        if _holds(band, player, peak, day, unknown):
            break
    words = {"says": band.says, "unknown": tuple(unknown), "until": _last_day(band, player), "band": band}
    return ruled(f"k.{band.name}", rules.k, band.k, words=words, **_reasons(band, player, peak))


def k_notes(k: Step, player: Player, peak: Rating, rules: FideRules) -> Iterator[Note]:
    """What was assumed about K, and when it will change."""
    if k.rule is None:
        return
    if k.words["unknown"]:
        yield Note("k.assumed", {"k": k.value, "unknown": k.words["unknown"]})
    until, band = k.words["until"], k.words["band"]
    if until is not None:
        after = development_coefficient(player, peak, rules, until).value
        yield Note("k.until", {"k": k.value, "until": until, "after": after, "level": band.peak_under})
    if band.games_under is not None:
        yield Note("k.games", {"k": k.value, "left": band.games_under - player.games})


def _holds(band: KBand, player: Player, peak: Rating, day: date, unknown: list[str]) -> bool:
    """Whether a line of the rule applies; what would decide it but is not known is added to `unknown`."""
    if band.peak_from is not None and peak < band.peak_from:
        return False
    if band.peak_under is not None and peak >= band.peak_under:
        return False
    if band.until_age is not None:
        if player.birth_year is None:
            unknown.append("born")
            return False
        return day.year - player.birth_year <= band.until_age
    if band.games_under is not None:
        if player.games is None:
            unknown.append("games")
            return False
        return player.games < band.games_under
    return True


def _reasons(band: KBand, player: Player, peak: Rating) -> dict[str, Step]:
    """What a line of the rule was tested on."""
    reasons = {}
    if band.until_age is not None:
        reasons["born"] = known("born", player.birth_year)
    if band.games_under is not None:
        reasons["games"] = known("games_before", player.games)
    if band.peak_from is not None and peak != player.rating:
        reasons["peak"] = known("peak", peak)
    return reasons


def _last_day(band: KBand, player: Player) -> date | None:
    """The list on which age alone takes a junior's K away: January after the last year."""
    if band.until_age is None or player.birth_year is None:
        return None
    return date(player.birth_year + band.until_age + 1, 1, 1)
