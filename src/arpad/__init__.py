"""Arpad computes chess ratings by the book, for the date of the event, and shows its working."""

from importlib import import_module

from arpad.lazy import getter, homes_by_name

__version__ = "1.0.0rc1"

# The only list of public names: the modules they come from.
_HOMES = {
    "calculation.answer": "Answer Figure",
    "calculation.step": "Step",
    "charts": "Chart",
    "core": (
        "DwzStanding EloStanding Event Field FieldPlayer Game GlickoStanding ListedK Pace Pairing Period PlannedEvent "
        "Player Result Standing as_result draw loss win"
    ),
    "core.tournaments": "Adjustment Entrant Oddity Record Round Source Team Tournament",
    "errors": "ArpadError BadFile BadInput BadRulebook Busy MissingExtra UncoveredDate UnknownName Unsupported",
    "forecast.needs": "NeededRating NeededScore rating_needed score_needed",
    "forecast.opponents": "expected_opponents",
    "forecast.outlook": "Outlook look_ahead",
    "forecast.plans": "PlanComparison compare_plans",
    "forecast.season": "Season look_ahead_season",
    "forecast.strength": "LikelyStrength likely_strength",
    "formats": "read write",
    "matches": "MatchResult Sprt match",
    "messages": "Message",
    "questions.rules": "rules",
    "reading": "read_paste",
    "reading.particulars": "Particulars StatedValue",
    "reading.pasted": "LeftOutLine Paste PastedEvent PastedGame",
    "rulebooks": "Change Rule Rulebook",
    "simulation": "chances",
    "simulation.answer": "EventChances",
    "systems": "system system_from system_names",
    "systems.answers": "Chances Conversion EventChange Expectation FirstRating GameChange RatingChange",
    "systems.chances": "DrawModel draw_model",
    "systems.comparison": "ComparedSystem Comparison compare",
    "systems.diary": "Diary keep_diary",
    "systems.glicko.rating": "GlickoChange",
    "systems.league": "BothChanges League",
    "systems.performance": "Performance performance",
    "systems.base": "System",
    "tournaments.checks": "Finding inconsistencies",
    "tournaments.event": "rate_event",
    "tournaments.event.player": "PlayerReport",
    "tournaments.event.report": "EventReport",
    "tournaments.norms.answer": "NormsReport PlayerNorms",
    "tournaments.norms.report": "find_norms",
    "tournaments.prizes": "Prize",
    "tournaments.standings": "EventStandings standings",
    "tournaments.tiebreaks": "TieBreaks tie_breaks",
    "tournaments.titles": "DirectTitle direct_title",
}
ROOMS = ("bulk", "ledger")  # whole rooms that are public, with names of their own
_HOME = homes_by_name(_HOMES)
_imported = getter(__name__, _HOME)

__all__ = sorted([*_HOME, "__version__"])  # noqa: PLE0605  # a list, made from the table


def __getattr__(name: str) -> object:
    return import_module(f"arpad.{name}") if name in ROOMS else _imported(name)


def __dir__() -> list[str]:
    return [*__all__, *ROOMS]
