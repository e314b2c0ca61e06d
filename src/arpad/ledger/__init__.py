"""A rating list of one's own: a ledger in one file, whose log of decisions is the only truth.

    club = arpad.ledger.new("club.arpad", system="glicko-2", who="Ann")
    club = arpad.ledger.open("club.arpad")

The extra `ledger` brings what it needs; a module is imported when one of its names is first used.
"""

from arpad.errors import extra_needed
from arpad.lazy import getter, homes_by_name

# The only list of public names.
_HOMES = {
    "archive": "Verified",
    "book": "CLUB FIDE PERIODS POLICIES Book GameEnd GameResult LedgerEntry LedgerEvent LedgerGame Period Person "
    "Policies Policy PublishedList RatingPool Reported SetRating",
    "deciding": "Effect",
    "decisions": "Decision Submission",
    "history": "PoolHistory RatedBatch SetByHand",
    "incoming": "NEW_PERSON Draft MembersPreview Mover Preview",
    "ledger": "Ledger new open restore",
    "matching": "Matched",
    "views": "LedgerList ListLine LogLine PersonEvent PersonGame PersonPage tournament_of",
}
_HOME = homes_by_name(_HOMES)
_imported = getter(__name__, _HOME)

__all__ = sorted(_HOME)  # noqa: PLE0605  # a list, made from the table


def __getattr__(name: str) -> object:
    with extra_needed("ledger.extra"):
        return _imported(name)


def __dir__() -> list[str]:
    return __all__
