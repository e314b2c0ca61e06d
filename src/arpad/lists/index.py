"""The search index of one list: the beginning of every word of every name, with the players who have it.

Beside each word stands how it sounds. Two words a slip of the pen apart are the same when the right letter is left out
of each, so that a misspelt word is compared only with those whose first letters are so alike.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from arpad.lists.blocks import column
from arpad.lists.names import SOUNDS, folded

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

LETTERS, BITS = 8, 5  # as many letters of a word as fit into one number beside the player's place in the list
PLACE_BITS = 64 - LETTERS * BITS
ALL = (1 << 64) - 1
START = 5  # letters by which words that may be alike are found
OTHER = 27  # digits and letters of other alphabets
STOP = 128  # a sign that ends a word, or with a letter in it the first of the next name
FORGIVEN = 4  # letters from which a slip of the pen is forgiven
SIGNS = " abcdefghijklmnopqrstuvwxyz*"


class WordIndex:
    """Words gathered while the list is read, in order in each block of it, then put in order letter by letter."""

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

    def parts(self) -> list[Callable[[], Any]]:
        """The words in order, those of one first letter at a time, to be worked on in several threads."""
        import numpy as np

        letters = np.arange(1, 1 << BITS, dtype=np.uint64) << 64 - BITS
        by_letter = zip(*(np.split(keys, np.searchsorted(keys, letters)) for keys in self._keys), strict=True)
        players = self.players()
        return [partial(_part, some, players) for some in by_letter]


@cache
def words_schema() -> Any:
    """The Arrow types of a part of the index."""
    import pyarrow as pa

    return pa.schema([("word", pa.uint64()), ("sound", pa.uint64()), ("players", pa.list_(pa.uint32()))])


def _part(some: Sequence[Any], players: Any) -> Any:
    """Some words, each with its sound and its players."""
    import numpy as np
    import pyarrow as pa

    keys = np.concatenate(some)
    keys.sort()
    first = np.flatnonzero(np.diff(keys >> PLACE_BITS, prepend=np.uint64(0)))  # no word is 0
    words = keys[first] >> PLACE_BITS
    whose = players[keys & (1 << PLACE_BITS) - 1]
    ends = np.append(first, len(keys)).astype(np.int32)
    listed = pa.ListArray.from_arrays(column(ends), column(whose))
    _, sounds = _words(_sounds(_spelt(words)))
    return pa.record_batch([column(words), column(_packed(sounds)), listed], schema=words_schema())


def _sounds(words: bytes) -> bytes:
    """What `sound` gives, by Arrow, which lets other threads work meanwhile."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    ends = np.array([0, len(words)], np.int32)  # from buffers, because pyarrow's own way loads pandas first
    text = pa.StringArray.from_buffers(1, pa.py_buffer(ends), pa.py_buffer(words))
    for spelt, heard in SOUNDS:
        text = pc.replace_substring(text, spelt, heard)
    return bytes(text[0].as_buffer())


def keys_of(names: Any) -> Any:
    """The words of some names in order, each with its name's place among them in one number: such sort fastest."""
    import numpy as np

    text, offsets = _text(names)
    here, words = _words(text, offsets)
    first = np.flatnonzero(words & STOP != 0)
    if len(first) < len(names):  # where a name does not begin with a letter
        first = np.searchsorted(here, offsets[:-1])
    each = np.diff(first, append=len(words))  # how many words a name has
    words = _packed(words)
    words <<= PLACE_BITS
    words |= np.repeat(np.arange(len(each), dtype=np.uint64), each)
    words.sort()
    return words


def packed(word: str, letters: int = LETTERS) -> int:
    """The beginning of a word as the number the index has for it."""
    return sum(_code(sign) << _behind(at, letters) for at, sign in enumerate(word[:letters]))


def unpacked(word: int) -> str:
    """The letters of a packed word."""
    return "".join(SIGNS[word >> _behind(place, LETTERS) & (1 << BITS) - 1] for place in range(LETTERS)).rstrip()


def shortened(word: int, letters: int = LETTERS) -> set[int]:
    """A packed word, and with a letter left out in turn."""
    has = [place for place in range(letters) if word >> _behind(place, letters) & (1 << BITS) - 1]
    return {word, *(_without(word, place, letters) for place in has if len(has) >= FORGIVEN)}


def is_alike(word: int, rests: Container[int]) -> bool:
    """Whether a packed word is one of `rests`, as it is or with a letter left out."""
    if word in rests:
        return True
    fourth = word >> _behind(FORGIVEN - 1, LETTERS) & (1 << BITS) - 1
    return fourth > 0 and any((word & before | (word & behind) << BITS) in rests for before, behind in _AROUND)


def alike(word: str) -> set[int]:
    """Every packed start of a word that may be the same as this one's when a letter is left out of each."""
    rests = shortened(packed(word, START), START)
    return rests | {
        _with(rest, letter, place, START) for rest in rests for place in range(START) for letter in range(1, len(SIGNS))
    }


def _behind(place: int, letters: int) -> int:
    """How many bits stand behind a letter."""
    return BITS * (letters - 1 - place)


# What stands before and behind each letter of a packed word.
_AROUND = [(-1 << _behind(place, LETTERS) + BITS, (1 << _behind(place, LETTERS)) - 1) for place in range(LETTERS)]


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
    text = b"" if data is None else bytes(memoryview(data)[offsets[0] : offsets[-1]])
    if text.isascii():
        return text, offsets - offsets[0]
    return _text(pa.array([_ascii(name or "") for name in names.to_pylist()], pa.string()))


def _ascii(name: str) -> str:
    return name if name.isascii() else folded(name).encode("ascii", "replace").decode()


def _words(text: bytes, begins: Any = 0) -> tuple[Any, Any]:
    """Where words begin in a text, and with what: eight signs as one number, the first lowest; STOP if in a name."""
    import numpy as np

    signs = np.full(1 + len(text) + LETTERS, STOP, np.uint8)
    signs[1:-LETTERS] = np.frombuffer(text.translate(_codes()), np.uint8)
    stop, signs = signs == STOP, signs[1:]
    signs[begins] |= STOP
    here = np.flatnonzero((stop[:-1] > stop[1:]) | (signs > STOP))
    return here, np.ndarray(len(signs) - LETTERS + 1, "<u8", signs, strides=(1,))[here]


def _packed(words: Any) -> Any:
    """The same words as the index has them: five bits a letter, the first highest, ended at the next stop."""
    import numpy as np

    words &= ALL ^ STOP  # a name may begin here: that is no end of this word
    stop = words & ALL // 0xFF * STOP
    stop &= -stop  # the first of them
    stop >>= 7
    stop -= 1  # all that stands before it
    words &= stop
    for bits, closer in ((8, 5), (16, 10), (32, 20)):  # from eight bits a letter to five, the first letter highest
        lower = ALL // ((1 << bits) + 1)
        first = np.bitwise_and(words, lower, out=stop)
        first <<= closer
        words >>= bits
        words &= lower
        words |= first
    return words


@cache
def _codes() -> bytes:
    """Every ASCII sign as the number of a letter, or as a stop between words."""
    return bytes(_code("*" if chr(sign) in "?*" else folded(chr(sign))) for sign in range(128)).ljust(
        256, bytes([STOP])
    )


def _code(sign: str) -> int:
    return STOP if not sign else SIGNS.find(sign) if sign in SIGNS else OTHER


def _spelt(words: Any) -> bytes:
    """Packed words as text again, with blanks between them."""
    import numpy as np

    cells = np.full((len(words), LETTERS + 1), ord(" "), np.uint8)
    for place in range(LETTERS):
        letter = words >> _behind(place, LETTERS) & (1 << BITS) - 1
        cells[:, place] = np.frombuffer(SIGNS.encode(), np.uint8)[letter]
    return cells.tobytes()
