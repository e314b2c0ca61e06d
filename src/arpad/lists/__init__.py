"""Official rating lists: imported from the files people bring, kept in one DuckDB file, searched and looked up.

`load` imports what `sources` recognises; `find` searches; `look_up`, `history` and `players_of` give players; `audit`
compares two months; `fetch` downloads. The database library is imported when one of them is called.
"""

from arpad.lists.people import history, look_up, players_of
from arpad.lists.search import find

__all__ = ["find", "history", "look_up", "players_of"]
