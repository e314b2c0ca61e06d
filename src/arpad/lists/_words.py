"""The search index: every word of every name in order, with its sound and the lines of the list that have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from arpad.lists.names import folded, sound

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# Each ASCII letter in small and each sign as a blank, so that a whole column is folded at once.
FOLDED = bytes(ord(folded(chr(sign)) or " ") for sign in range(128)).ljust(256)
WORDS = """
SELECT word, list(line) AS lines
FROM (SELECT line, unnest(string_split(folded, ' ')) AS word FROM player WHERE list = $list)
WHERE word <> '' GROUP BY word
"""


def folded_column(names: pa.StringArray) -> pa.StringArray:
    """What `folded` gives for each name, with any number of blanks between words."""
    _, offsets, data = pa.array(names).buffers()
    text = b"" if data is None else data.to_pybytes()
    if text.isascii() and not names.offset and not names.null_count:
        return pa.StringArray.from_buffers(len(names), offsets, pa.py_buffer(text.translate(FOLDED)))
    return pa.array([folded(name or "") for name in names.to_pylist()], pa.string())


def add_words(connection: DuckDBPyConnection, number: int) -> None:
    """Index the names of a list."""
    words: pa.Table = connection.sql(WORDS, params={"list": number}).to_arrow_table()
    # One long text is changed much sooner than many short ones.
    sounds = sound("\n".join(words["word"].to_pylist())).split("\n") if len(words) else []
    connection.register("words", words.append_column("sound", pa.array(sounds, pa.string())))
    connection.execute(f"INSERT INTO word SELECT {number}, word, sound, lines FROM words ORDER BY word")
    connection.unregister("words")
