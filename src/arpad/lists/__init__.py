"""Official rating lists: imported from files into one DuckDB database, searched, looked up, compared and exported."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arpad.lists.answers import HistoryLine, NextKLine, PlayerLine, PlayerPage, PlayersFound, RatingLine
    from arpad.lists.audit import Audit, ListGroup, audit_lists
    from arpad.lists.download import ADDRESS, TIMEOUT, download_list
    from arpad.lists.export import export_lists
    from arpad.lists.importing import Hints, Imported, ListFile, checked_pace, import_list, recognise
    from arpad.lists.players import (
        ListedPlayer,
        ListedRating,
        NextK,
        coming_k,
        history,
        look_up,
        next_k,
        players_of,
        players_on,
        with_k_on,
    )
    from arpad.lists.resolve import (
        ResolvedPlayer,
        accepted_as,
        find_one,
        list_note,
        namesakes,
        pace_of,
        resolve_player,
        same_name,
    )
    from arpad.lists.search import MOST, SearchResult, find
    from arpad.lists.store import FIDE, FILE, PACES, RatingList, folder, has_lists, lists_in, reading, remove

# The module of each public name. A module is imported when one of its names is first used, because the libraries that
# it needs are optional and slow to load.
_HOMES = {
    "audit": "Audit ListGroup audit_lists",
    "download": "ADDRESS TIMEOUT download_list",
    "export": "export_lists",
    "importing": "Hints Imported ListFile checked_pace import_list recognise",
    "answers": "HistoryLine NextKLine PlayerLine PlayerPage PlayersFound RatingLine",
    "players": "ListedPlayer ListedRating NextK coming_k history look_up next_k players_of players_on with_k_on",
    "resolve": "ResolvedPlayer accepted_as find_one list_note namesakes pace_of resolve_player same_name",
    "search": "MOST SearchResult find",
    "store": "FIDE FILE PACES RatingList folder has_lists lists_in reading remove",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = [
    "ADDRESS",
    "FIDE",
    "FILE",
    "MOST",
    "PACES",
    "TIMEOUT",
    "Audit",
    "Hints",
    "HistoryLine",
    "Imported",
    "ListFile",
    "ListGroup",
    "ListedPlayer",
    "ListedRating",
    "NextK",
    "NextKLine",
    "PlayerLine",
    "PlayerPage",
    "PlayersFound",
    "RatingLine",
    "RatingList",
    "ResolvedPlayer",
    "SearchResult",
    "accepted_as",
    "audit_lists",
    "checked_pace",
    "coming_k",
    "download_list",
    "export_lists",
    "find",
    "find_one",
    "folder",
    "has_lists",
    "history",
    "import_list",
    "list_note",
    "lists_in",
    "look_up",
    "namesakes",
    "next_k",
    "pace_of",
    "players_of",
    "players_on",
    "reading",
    "recognise",
    "remove",
    "resolve_player",
    "same_name",
    "with_k_on",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'arpad.lists' has no attribute '{name}'")
    value = getattr(import_module(f"arpad.lists.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
