"""The norms of a report: who made one, who still can, and who missed one by a single condition."""

# No postponed annotations here: named tuples would compile each one.

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from arpad.errors import ArpadError
from arpad.event.answer import EventRating
from arpad.norms.report import find_norms
from arpad.render import figure, words

RATED_BY = "fide-standard"  # the list whose events can bring norms
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
    """The highest norm a player made; else the highest that is still possible; else one that was nearly made."""
    wanted = [norm for norm in player["norms"] if not norm["held"] and not _failed(norm, "sex")]
    for stands, holds, says in (
        (MADE, _made, _says_made),
        (POSSIBLE, _possible, _says_needed),
        (MISSED, _nearly, _says_missed),
    ):
        norm = next((one for one in wanted if holds(one)), None)
        if norm is not None:
            yield NormLine(player["no"], player["name"] or "", norm["title"], stands, says(norm))
            return


def _failed(norm: Mapping[str, Any], *names: str) -> list[Any]:
    """The conditions that are not met, all or some."""
    judged = (one for one in norm["conditions"] if not one["information"])
    return [one for one in judged if one["met"] is False and (not names or one["name"] in names)]


def _made(norm: Mapping[str, Any]) -> bool:
    return bool(norm["met"])


def _possible(norm: Mapping[str, Any]) -> bool:
    needs = norm["needs"]
    return needs is not None and bool(needs["made"] or needs["result"] or needs["scores"])


def _nearly(norm: Mapping[str, Any]) -> bool:
    return len(_failed(norm)) == 1


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
    return f"{label} {found}" + ("" if one["needed"] is None else f", {one['bound']} {figure(one['needed'])}")
