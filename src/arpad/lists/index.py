"""The search index of one list: the beginning of every word of every name, with the players who have it.

Beside each word stands how it sounds. Two words a slip of the pen apart are the same when the right letter is left out
of each, so that a misspelt word is compared only with those whose first letters are so alike.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from arpad.lists.blocks import column
from arpad.lists.names import folded, sound

LETTERS, BITS = 8, 5  # as many letters of a word as fit into one number beside the player's place in the list
PLACE_BITS = 64 - LETTERS * BITS
START = 5  # letters by which words that may be alike are found
OTHER = 27  # digits and letters of other alphabets
STOP = 128  # a sign that ends a word, or with a letter in it the first of the next name
FORGIVEN = 4  # letters from which a slip of the pen is forgiven
SIGNS = " abcdefghijklmnopqrstuvwxyz*"


class WordIndex:
    """Words gathered while the list is read, then put in order at once."""

    def __init__(self) -> None:
        self._keys: list[Any] = []
        self._players: list[Any] = []
        self._places = 0

    def add(self, keys: Any, players: Any) -> None:
        """Take up the words of some names, and whose names they are."""
        keys += self._places
        self._keys.append(keys)
        self._players.append(players)
        self._places += len(players)

    def players(self) -> Any:
        """Whose names were taken up, in their order."""
        import numpy as np

        return np.concatenate([np.empty(0, np.uint32), *self._players])

    def table(self) -> Any:
        """The words in order, each with its sound and its players."""
        import numpy as np
        import pyarrow as pa

        keys = np.concatenate([np.empty(0, np.uint64), *self._keys])
        self._keys.clear()
        keys.sort()
        first = np.flatnonzero(keys[1:] ^ keys[:-1] >= 1 << PLACE_BITS) + 1
        first = np.concatenate([np.zeros(min(1, len(keys)), first.dtype), first])
        words = keys[first] >> PLACE_BITS
        keys &= (1 << PLACE_BITS) - 1
        players = self.players()[keys.view(np.int64)]
        ends = np.append(first, len(keys)).astype(np.int32)
        listed = pa.ListArray.from_arrays(column(ends), column(players))
        _, sounds = _words(sound(_spelt(words)).encode("ascii"))
        return pa.table({"word": column(words), "sound": column(sounds), "players": listed})


def keys_of(names: Any) -> Any:
    """The words of some names, each with its name's place among them in one number, because such sort fastest."""
    import numpy as np

    text, offsets = _text(names)
    here, words = _words(text, offsets)
    each = np.diff(np.searchsorted(here, offsets))  # how many words a name has
    return words << PLACE_BITS | np.repeat(np.arange(len(each), dtype=np.uint64), each)


def packed(word: str, letters: int = LETTERS) -> int:
    """The beginning of a word as the number the index has for it."""
    return sum(_code(sign) << _behind(at, letters) for at, sign in enumerate(word[:letters]))


def shortened(word: int, letters: int = LETTERS) -> set[int]:
    """A packed word, and with a letter left out in turn."""
    has = [place for place in range(letters) if word >> _behind(place, letters) & (1 << BITS) - 1]
    return {word, *(_without(word, place, letters) for place in has if len(has) >= FORGIVEN)}


def alike(word: str) -> set[int]:
    """Every packed start of a word that may be the same as this one's when a letter is left out of each."""
    rests = shortened(packed(word, START), START)
    return rests | {
        _with(rest, letter, place, START) for rest in rests for place in range(START) for letter in range(1, len(SIGNS))
    }


def _behind(place: int, letters: int) -> int:
    """How many bits stand behind a letter."""
    return BITS * (letters - 1 - place)


def _without(word: int, place: int, letters: int) -> int:
    """A packed word without the letter at a place."""
    behind = _behind(place, letters)
    return word >> behind + BITS << behind + BITS | (word & (1 << behind) - 1) << BITS


def _with(word: int, letter: int, place: int, letters: int) -> int:
    """A packed word with a letter more at a place."""
    behind = _behind(place, letters)
    return word >> behind + BITS << behind + BITS | letter << behind | (word & (1 << behind + BITS) - 1) >> BITS


def _text(names: Any) -> tuple[bytes, Any]:
    """The letters of all names, one name behind the other, and where each begins and the last one ends."""
    import numpy as np
    import pyarrow as pa

    _, offsets, data = names.buffers()
    offsets = np.frombuffer(offsets, np.int32)[names.offset : names.offset + len(names) + 1]
    text = b"" if data is None else bytes(data)[offsets[0] : offsets[-1]]
    if text.isascii():
        return text, offsets - offsets[0]
    return _text(pa.array([_ascii(name or "") for name in names.to_pylist()], pa.string()))


def _ascii(name: str) -> str:
    return name if name.isascii() else folded(name).encode("ascii", "replace").decode()


def _words(text: bytes, begins: Any = 0) -> tuple[Any, Any]:
    """Where words begin in a text, and with what as one number each: five bits a letter, ended at the next stop."""
    import numpy as np

    signs = np.frombuffer(bytearray(b" " + text + b" " * LETTERS).translate(_codes()), np.uint8)
    before, signs = signs[:-1] == STOP, signs[1:]
    signs[begins] |= STOP
    here = np.flatnonzero((before > (signs == STOP)) | (signs > STOP))
    words: Any = np.ndarray(len(signs) - LETTERS + 1, ">u8", signs, strides=(1,))[here].astype(np.uint64)
    words &= (1 << 63) - 1  # a name may begin here: that is no end of this word
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
    return bytes(_code("*" if chr(sign) in "?*" else folded(chr(sign))) for sign in range(128)).ljust(
        256, bytes([STOP])
    )


def _code(sign: str) -> int:
    return STOP if not sign else SIGNS.find(sign) if sign in SIGNS else OTHER


def _spelt(words: Any) -> str:
    """Packed words as text again, with blanks between them."""
    import numpy as np

    cells = np.full((len(words), LETTERS + 1), ord(" "), np.uint8)
    for place in range(LETTERS):
        letter = words >> _behind(place, LETTERS) & (1 << BITS) - 1
        cells[:, place] = np.frombuffer(SIGNS.encode(), np.uint8)[letter]
    return cells.tobytes().decode("ascii")
