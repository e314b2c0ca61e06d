"""The norms of a report: who made one, who still can, and who missed one by a single condition."""

# No postponed annotations here: named tuples would compile each one.

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from arpad.errors import ArpadError
from arpad.event.answer import EventRating
from arpad.norms.report import find_norms
from arpad.render import figure, words

RATED_BY = "fide-standard"  # the list whose events can bring norms
NEAR = 1  # points short
MADE, POSSIBLE, MISSED = "made", "still possible", "missed by one condition"


class NormLine(NamedTuple):
    """A norm worth a line: whose, of which title, how it stands, and the figures behind it."""

    no: int
    name: str
    title: str
    stands: str
    says: str


def norms_of(rated: EventRating) -> dict[str, Any] | None:
    """The norms of a standard event by the names of the public contract, or `why` there are none to judge."""
    if rated.system != RATED_BY:
        return None
    try:
        return find_norms(rated.tournament, on=rated.on).value()
    except ArpadError as error:
        return {"players": [], "why": error.message}


def norm_lines(norms: Mapping[str, Any]) -> list[NormLine]:
    """Those worth a line, made ones first; of titles held already there is nothing to say."""
    found = [line for player in norms["players"] for line in _of(player)]
    return sorted(found, key=lambda line: (MADE, POSSIBLE, MISSED).index(line.stands))


def _of(player: Mapping[str, Any]) -> Iterator[NormLine]:
    """The best norm made and what can still be above it; else the highest missed by little, as `arpad norms` lists."""
    wanted = [norm for norm in player["norms"] if not norm["held"]]
    best = next((place for place, norm in enumerate(wanted) if norm["met"]), len(wanted))
    shown = [norm for norm in wanted[: best + 1] if norm["met"] or _possible(norm)]
    for norm in shown or [norm for norm in wanted if _near(norm)][:1]:
        stands = MADE if norm["met"] else POSSIBLE if _possible(norm) else MISSED
        yield NormLine(player["no"], player["name"] or "", norm["title"], stands, SAYS[stands](norm))


def _failed(norm: Mapping[str, Any]) -> list[Any]:
    """The conditions that are not met."""
    return [one for one in norm["conditions"] if one["met"] is False and not one["information"]]


def _possible(norm: Mapping[str, Any]) -> bool:
    needs = norm["needs"]
    return needs is not None and bool(needs["made"] or needs["result"] or needs["scores"])


def _near(norm: Mapping[str, Any]) -> bool:
    """Whether one condition alone is missing, and a performance by little; nobody is near a title for others."""
    failed = [one["name"] for one in _failed(norm)]
    if failed == ["performance"]:
        return norm["short"] is not None and norm["short"] <= NEAR
    return len(failed) == 1 and failed != ["sex"]


def _says_made(norm: Mapping[str, Any]) -> str:
    performance = next((one["found"] for one in norm["conditions"] if one["name"] == "performance"), None)
    parts = [f"performance {performance}", f"covers {norm['covers']} games"]
    if norm["dropped"]:
        parts.append(f"without round{'s' * (len(norm['dropped']) > 1)} {', '.join(map(str, norm['dropped']))}")
    return "; ".join(parts)


def _says_needed(norm: Mapping[str, Any]) -> str:
    needs = norm["needs"]
    if needs["made"]:
        return "complete before the last round"
    if needs["result"]:
        return f"needs a {needs['result']} against {needs['opponent']}"
    return "; ".join(f"{figure(one['score'])} against {one['rating'] or 'anybody'}" for one in needs["scores"])


def _says_missed(norm: Mapping[str, Any]) -> str:
    (one,) = _failed(norm)
    label = words()["label"].get(f"norm.{one['name']}", one["name"])
    found = "not known" if one["found"] is None else figure(one["found"])
    needed = "" if one["needed"] is None else f", {one['bound']} {figure(one['needed'])}"
    short = "" if norm["short"] is None else f"; {figure(norm['short'])} short"
    return f"{label} {found}{needed}{short}"


SAYS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    MADE: _says_made,
    POSSIBLE: _says_needed,
    MISSED: _says_missed,
}
