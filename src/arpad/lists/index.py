"""The search index of one list: the beginning of every word of every name, with the players who have it."""

from __future__ import annotations

from functools import cache
from typing import Any

from arpad.lists.names import plain

LETTERS, BITS = 8, 5  # as many letters of a word as fit into one number beside the player's place in the list
PLACE_BITS = 64 - LETTERS * BITS
OTHER = 27  # digits and letters of other alphabets
STOP = 128  # a sign that ends a word, or with a letter in it the first of the next name
SIGNS = " abcdefghijklmnopqrstuvwxyz*"


class Index:
    """Words gathered block by block, then put in order at once."""

    def __init__(self) -> None:
        self._keys: list[Any] = []  # word and place in one number, because numbers sort much faster than pairs
        self._players: list[Any] = []
        self._places = 0

    def add(self, names: Any, players: Any) -> None:
        """Take up the names of a block."""
        import numpy as np

        signs, begins = _signs(names)
        here = np.flatnonzero(_starting(signs))
        place = (np.cumsum(begins, dtype=np.uint32)[here] - 1 + self._places).astype(np.uint64)
        self._keys.append(_packed(signs, here) << np.uint64(PLACE_BITS) | place)
        self._players.append(np.asarray(players))
        self._places += len(names)

    def table(self) -> Any:
        """The words in alphabetical order, each with its players, as an Arrow table."""
        import numpy as np
        import pyarrow as pa

        keys = np.concatenate([*self._keys, np.empty(0, np.uint64)])
        players = np.concatenate([*self._players, np.empty(0, np.uint32)])
        self._keys, self._players = [], []
        keys.sort()
        words = keys >> np.uint64(PLACE_BITS)
        first = (
            np.flatnonzero(np.concatenate([[True], words[1:] != words[:-1]])) if len(words) else np.empty(0, np.int64)
        )
        places = (keys & np.uint64((1 << PLACE_BITS) - 1)).astype(np.int64)
        offsets = pa.array(np.append(first, len(keys)).astype(np.int32))
        listed = pa.ListArray.from_arrays(offsets, pa.array(players[places]))
        return pa.table({"word": _spelt(words[first]), "players": listed})


def _signs(names: Any) -> tuple[Any, Any]:
    """The letters of all names as numbers, one name behind the other, and where a name begins."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    # Every name gets a letter at least, so that each has a place.
    names = pa.concat_arrays([pc.if_else(pc.equal(names, ""), "-", names).fill_null("-")])
    _, offsets, data = names.buffers()
    letters = np.frombuffer(data, np.uint8)
    if letters.max(initial=0) >= 128:
        return _signs(
            pa.array([plain(name).encode("ascii", "replace").decode() for name in names.to_pylist()], pa.string())
        )
    signs = np.concatenate([_codes()[letters], np.full(LETTERS, STOP, np.uint8)])
    begins = np.zeros(len(signs), bool)
    begins[np.frombuffer(offsets, np.int32)[: len(names)]] = True
    signs[begins] |= STOP
    return signs, begins


def _starting(signs: Any) -> Any:
    """Where a word begins: at a letter that stands behind a stop or at the start of a name."""
    import numpy as np

    stops = signs == STOP  # a sign between words, or one with which a name begins
    behind = np.concatenate([[True], stops[:-1]])
    return ~stops & ((signs >= STOP) | behind)


def _packed(signs: Any, here: Any) -> Any:
    """The word that begins at each place as one number, five bits a letter, ended at the next stop."""
    import numpy as np

    number = np.uint64
    words = np.lib.stride_tricks.sliding_window_view(signs, LETTERS)[here].view(">u8").ravel().astype(number)
    words &= number((1 << 63) - 1)  # a name may begin here: that is no end of this word
    end = words & number(int.from_bytes(bytes([STOP]) * LETTERS))
    for step in (1, 2, 4, 8, 16, 32):  # from the first stop on, every bit
        end |= end >> number(step)
    words &= ~end
    # Eight bits a letter to five: neighbours first, then pairs, then halves.
    for low, high, closer in ((0x001F001F001F001F, 0x1F001F001F001F00, 3), (0x000003FF000003FF, 0x03FF000003FF0000, 6),
                              (0x00000000000FFFFF, 0x000FFFFF00000000, 12)):  # fmt: skip
        words = words & number(low) | (words & number(high)) >> number(closer)
    return words


@cache
def _codes() -> Any:
    """Every ASCII sign as the number of a letter, or as a stop between words."""
    import numpy as np

    def code(sign: str) -> int:
        return STOP if not sign else SIGNS.find(sign) if sign in SIGNS else OTHER

    return np.array([code("*" if chr(sign) == "?" else plain(chr(sign))) for sign in range(128)], np.uint8)


def _spelt(words: Any) -> Any:
    """Packed words as text again."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    shifts = np.arange((LETTERS - 1) * BITS, -1, -BITS).astype(np.uint64)
    letters = (words[:, None] >> shifts) & np.uint64((1 << BITS) - 1)
    cells = np.frombuffer(SIGNS.encode(), np.uint8)[letters]
    array = pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(LETTERS), len(words), [None, pa.py_buffer(np.ascontiguousarray(cells))]
    )
    return pc.ascii_rtrim_whitespace(array.cast(pa.binary()).cast(pa.string()))
