"""The search index: every word of every name in order, with its sound and the lines of the list that have it.

The sounds are stored a second time, backwards and in order, so that words with the same ending are found as quickly as
words with the same beginning.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import pyarrow as pa

from arpad.lists.names import SOUNDS, folded

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Each ASCII letter in lower case and each sign as a blank, so that a whole column is folded at once.
FOLDED = bytes(ord(folded(chr(sign)) or " ") for sign in range(128)).ljust(256)
SOUND = reduce(lambda sql, pair: f"replace({sql}, '{pair[0]}', '{pair[1]}')", SOUNDS, "word")  # `sound` in SQL
INSERT_WORDS = f"""
INSERT INTO word SELECT $list, word, {SOUND}, lines FROM (
    SELECT word, list(line) AS lines
    FROM (SELECT line, unnest(string_split(folded, ' ')) AS word FROM player WHERE list = $list)
    WHERE word <> '' GROUP BY word)
ORDER BY word
"""
INSERT_ENDINGS = """
INSERT INTO ending SELECT list, reverse(sound) AS backwards, word FROM word WHERE list = $list ORDER BY backwards
"""


def folded_column(names: pa.StringArray) -> pa.StringArray:
    """Each name as `folded` gives it, except that there may be several blanks between words."""
    _, offsets, data = names.buffers()
    text = b"" if data is None else data.to_pybytes()
    if text.isascii() and not names.offset and not names.null_count:
        return pa.StringArray.from_buffers(len(names), offsets, pa.py_buffer(text.translate(FOLDED)))
    return pa.array([folded(name or "") for name in names.to_pylist()], pa.string())


def add_words(connection: DuckDBPyConnection, number: int) -> None:
    """Index the names of a list."""
    connection.execute(INSERT_WORDS, {"list": number})
    connection.execute(INSERT_ENDINGS, {"list": number})
