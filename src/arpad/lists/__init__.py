"""Official rating lists: imported from files into one DuckDB database, searched, looked up, compared and exported."""

from arpad.lazy import getter, homes_by_name

# The only list of public names. A module is imported when one of its names is first used, because the libraries that
# it needs are optional and slow to load.
_HOMES = {
    "audit": "Audit ListGroup audit_lists",
    "download": "ADDRESS TIMEOUT download_list",
    "export": "export_lists",
    "importing": "Hints Imported ListFile checked_pace import_list recognise",
    "answers": "HistoryLine NextKLine PlayerLine PlayerPage PlayersFound RatingLine",
    "players": "ListedPlayer ListedRating NextK PlayersBelow coming_k history look_up next_k players_below players_of "
    "players_on with_k_on",
    "resolve": "ResolvedPlayer accepted_as find_one list_note namesakes pace_of resolve_player same_name",
    "search": "MOST SearchResult find",
    "store": "FIDE FILE PACES RatingList folder has_lists lists_in reading remove",
}
_HOME = homes_by_name(_HOMES)

__all__ = sorted(_HOME)  # noqa: PLE0605  # a list, made from the table
__getattr__ = getter(__name__, _HOME)


def __dir__() -> list[str]:
    return __all__
