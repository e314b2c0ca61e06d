"""The search index of one list: the beginning of every word of every name, with the players who have it.

Beside each word stands how it sounds, whole and with every letter left out in turn: two words a slip of the pen apart
are the same when the right letter is left out of each, so that a misspelt word is looked up and not compared with all.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from arpad.lists.names import plain, sound

LETTERS, BITS = 8, 5  # as many letters of a word as fit into one number beside the player's place in the list
PLACE_BITS = 64 - LETTERS * BITS
OTHER = 27  # digits and letters of other alphabets
STOP = 128  # a sign that ends a word, or with a letter in it the first of the next name
FORGIVEN = 4  # letters from which a slip of the pen is forgiven
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

    def tables(self) -> tuple[Any, Any]:
        """The words in order, each with its players, and their sounds with a letter left out, each with its word."""
        import numpy as np
        import pyarrow as pa

        keys = np.concatenate([*self._keys, np.empty(0, np.uint64)])
        players = np.concatenate([*self._players, np.empty(0, np.uint32)])
        self._keys, self._players = [], []
        keys.sort()
        words = keys >> np.uint64(PLACE_BITS)
        first = np.flatnonzero(np.diff(words, prepend=np.uint64(0)))  # no word is 0
        places = (keys & np.uint64((1 << PLACE_BITS) - 1)).astype(np.uint32)
        words = words[first]
        listed = pa.ListArray.from_arrays(
            pa.array(np.append(first, len(keys)).astype(np.int32)), pa.array(players[places])
        )
        heard = pa.array(sound(_spelt(words)).split(), pa.string())
        rests, whose = _shortened(_packed(*_words(heard)))
        return pa.table({"word": words, "players": listed}), pa.table({"rest": rests, "word": words[whose]})


def packed(word: str) -> int:
    """The beginning of a word as the number the index has for it."""
    return sum(_code(sign) << BITS * (LETTERS - 1 - at) for at, sign in enumerate(word[:LETTERS]))


def shortened(heard: str) -> list[str]:
    """The beginning of a word, and with a letter left out in turn."""
    heard = heard[:LETTERS]
    without = [heard[:place] + heard[place + 1 :] for place in range(len(heard))] if len(heard) >= FORGIVEN else []
    return [heard, *without]


def _shortened(words: Any) -> tuple[Any, Any]:
    """The same for all packed words at once, in order, each with the place of its word."""
    import numpy as np

    number = np.uint64
    numbers = np.arange(len(words), dtype=np.uint64)
    keys = [words << number(PLACE_BITS) | numbers]
    long = words & number((1 << BITS * (LETTERS - FORGIVEN + 1)) - 1) > 0
    words, numbers = words[long], numbers[long]
    for place in range(LETTERS):
        behind = number(BITS * (LETTERS - 1 - place))
        there = words >> behind & number((1 << BITS) - 1) > 0
        word = words[there]
        before = word >> behind + number(BITS) << behind + number(BITS)
        rest = before | (word & (number(1) << behind) - number(1)) << number(BITS)
        keys.append(rest << number(PLACE_BITS) | numbers[there])
    every = np.concatenate(keys)
    every.sort()
    return every >> number(PLACE_BITS), every & number((1 << PLACE_BITS) - 1)


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


def _words(words: Any) -> tuple[Any, Any]:
    """Words that stand alone, as `_packed` takes them."""
    import numpy as np

    signs, begins = _signs(words)
    return signs, np.flatnonzero(begins)


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

    return np.array([_code("*" if chr(sign) in "?*" else plain(chr(sign))) for sign in range(128)], np.uint8)


def _code(sign: str) -> int:
    return STOP if not sign else SIGNS.find(sign) if sign in SIGNS else OTHER


def _spelt(words: Any) -> str:
    """Packed words as text again, with blanks between them."""
    import numpy as np

    cells = np.full((len(words), LETTERS + 1), ord(" "), np.uint8)
    for place in range(LETTERS):
        letter = words >> np.uint64(BITS * (LETTERS - 1 - place)) & np.uint64((1 << BITS) - 1)
        cells[:, place] = np.frombuffer(SIGNS.encode(), np.uint8)[letter]
    return cells.tobytes().decode("ascii")
