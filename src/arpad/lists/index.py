"""The search index of one list: the beginning of every word of every name, with the players who have it.

Beside each word stands how it sounds. Two words a slip of the pen apart are the same when the right letter is left out
of each; so their first letters are kept with every letter left out in turn, and a misspelt word is looked up and not
compared with all.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from arpad.lists.names import plain, sound

LETTERS, BITS = 8, 5  # as many letters of a word as fit into one number beside the player's place in the list
PLACE_BITS = 64 - LETTERS * BITS
START = 5  # letters of a sound that are kept with a letter left out
OTHER = 27  # digits and letters of other alphabets
STOP = 128  # a sign that ends a word
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

        text, starts = _joined(names)
        here, words = _words(text)
        each = np.diff(np.searchsorted(here, np.append(starts, len(text))))  # how many words a name has
        places = np.repeat(np.arange(self._places, self._places + len(each), dtype=np.uint64), each)
        self._keys.append(words << PLACE_BITS | places)
        self._players.append(np.asarray(players))
        self._places += len(each)

    def tables(self) -> tuple[Any, Any]:
        """The words in order, each with its sound and players, and the starts of the sounds with a letter left out."""
        import numpy as np
        import pyarrow as pa

        keys = np.concatenate([*self._keys, np.empty(0, np.uint64)])
        players = np.concatenate([*self._players, np.empty(0, np.uint32)])
        self._keys, self._players = [], []
        keys.sort()
        first = np.flatnonzero(np.append(True, keys[1:] ^ keys[:-1] >= 1 << PLACE_BITS)[: len(keys)])
        words = keys[first] >> PLACE_BITS
        whose = players[keys & (1 << PLACE_BITS) - 1]
        listed = pa.ListArray.from_arrays(pa.array(np.append(first, len(keys)), pa.int32()), pa.array(whose))
        _, sounds = _words(sound(_spelt(words)).encode("ascii"))
        rests, starts = _shortened(np.unique(sounds >> BITS * (LETTERS - START)), START)
        return pa.table({"word": words, "sound": sounds, "players": listed}), pa.table({"rest": rests, "start": starts})


def packed(word: str, letters: int = LETTERS) -> int:
    """The beginning of a word as the number the index has for it."""
    return sum(_code(sign) << BITS * (letters - 1 - at) for at, sign in enumerate(word[:letters]))


def shortened(word: int, letters: int = LETTERS) -> list[int]:
    """A packed word, and with a letter left out in turn."""
    has = [place for place in range(letters) if _has(word, place, letters)]
    return [word, *(_without(word, place, letters) for place in has if len(has) >= FORGIVEN)]


def _shortened(words: Any, letters: int) -> tuple[Any, Any]:
    """The same for all packed words at once, each with the word it is of."""
    import numpy as np

    long = words[_has(words, FORGIVEN - 1, letters)]
    ones = [words] + [long[_has(long, place, letters)] for place in range(letters)]
    rests = [words] + [_without(one, place, letters) for place, one in enumerate(ones[1:])]
    return np.concatenate(rests), np.concatenate(ones)


def _has(word: Any, place: int, letters: int) -> Any:
    """Whether a packed word, or each of many, has a letter at a place."""
    return word >> BITS * (letters - 1 - place) & (1 << BITS) - 1 > 0


def _without(word: Any, place: int, letters: int) -> Any:
    """A packed word, or many, without the letter at a place."""
    behind = BITS * (letters - 1 - place)
    return word >> behind + BITS << behind + BITS | (word & (1 << behind) - 1) << BITS


def _joined(names: Any) -> tuple[bytes, Any]:
    """All names in one text with a sign between them, and where each begins."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    names = pa.concat_arrays([names.fill_null("")])
    text = pc.binary_join(pa.ListArray.from_arrays([0, len(names)], names), " ")[0].as_py()
    if not text.isascii():
        return _joined(pa.array([_ascii(name) for name in names.to_pylist()], pa.string()))
    ends = np.frombuffer(names.buffers()[1], np.int32)[: len(names)]
    return text.encode("ascii"), ends + np.arange(len(names))


def _ascii(name: str) -> str:
    return name if name.isascii() else plain(name).encode("ascii", "replace").decode()


def _words(text: bytes) -> tuple[Any, Any]:
    """Where words begin in a text, and what they begin with as one number each: five bits a letter."""
    import numpy as np

    signs = np.frombuffer(b" ".join([b"", text, b" " * LETTERS]).translate(_codes()), np.uint8)
    stops = signs == STOP
    here = np.flatnonzero(stops[:-1] > stops[1:])
    words = np.lib.stride_tricks.sliding_window_view(signs[1:], LETTERS)[here].view(">u8").ravel().astype(np.uint64)
    end = words & int.from_bytes(bytes([STOP]) * LETTERS)
    for step in (1, 2, 4, 8, 16, 32):  # from the first stop on, every bit
        end |= end >> step
    words &= ~end
    # Eight bits a letter to five: neighbours first, then pairs, then halves.
    for low, high, closer in ((0x001F001F001F001F, 0x1F001F001F001F00, 3), (0x000003FF000003FF, 0x03FF000003FF0000, 6),
                              (0x00000000000FFFFF, 0x000FFFFF00000000, 12)):  # fmt: skip
        words = words & low | (words & high) >> closer
    return here, words


@cache
def _codes() -> bytes:
    """Every ASCII sign as the number of a letter, or as a stop between words."""
    return bytes(_code("*" if chr(sign) in "?*" else plain(chr(sign))) for sign in range(128)).ljust(256, bytes([STOP]))


def _code(sign: str) -> int:
    return STOP if not sign else SIGNS.find(sign) if sign in SIGNS else OTHER


def _spelt(words: Any) -> str:
    """Packed words as text again, with blanks between them."""
    import numpy as np

    cells = np.full((len(words), LETTERS + 1), ord(" "), np.uint8)
    for place in range(LETTERS):
        letter = words >> BITS * (LETTERS - 1 - place) & (1 << BITS) - 1
        cells[:, place] = np.frombuffer(SIGNS.encode(), np.uint8)[letter]
    return cells.tobytes().decode("ascii")
