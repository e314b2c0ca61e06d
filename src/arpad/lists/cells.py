"""Characters in columns, eight at once as one number: what they have, and the numbers they write."""

from __future__ import annotations

from typing import Any

BLANK, NOUGHT = 32, 48
WORD = 8  # characters
ALL = (1 << 8 * WORD) - 1
ONES = ALL // 0xFF  # a bit for each of them
AT_ONCE = 1 << 11  # lines


class Lines:
    """Lines of one length, of which eight characters are one number, the last character lowest.

    What stands before and behind the name is taken at once, because a number is read soonest that its neighbour was.
    """

    def __init__(self, matrix: Any, name: tuple[int, int]) -> None:
        width = matrix.shape[1]
        behind = width - (width - name[1] + WORD - 1) // WORD * WORD
        self._count = len(matrix)
        self._taken = {start: _taken(matrix[:, start:end]) for start, end in ((0, 2 * WORD), (behind, width))}

    def __len__(self) -> int:
        return self._count

    def words(self, start: int, end: int, rows: Any = slice(None)) -> Any:
        """Up to eight characters of some lines, with blanks behind the last."""
        taken, first = self._from(start)
        word, place = divmod(start - first, WORD)
        words = taken[word][rows] << 8 * place
        if place + end - start > WORD:
            words |= taken[word + 1][rows] >> 8 * (WORD - place)
        if end - start < WORD:
            rest = ALL >> 8 * (end - start)
            words &= ALL ^ rest
            words |= BLANK * ONES & rest
        return words

    def beyond(self, sign: int, start: int, end: int) -> Any:
        """The lines that have more in some columns than blanks, or than blanks and noughts: a bit that neither has."""
        import numpy as np

        taken, first = self._from(start)
        found = np.zeros(self._count, np.uint64)
        for word in range((start - first) // WORD, (end - 1 - first) // WORD + 1):
            place = first + WORD * word
            inside = ALL >> 8 * max(0, start - place) & ALL << 8 * max(0, place + WORD - end)
            found |= taken[word] & (inside & ~(sign * ONES))
        return np.flatnonzero(found != 0)

    def _from(self, start: int) -> tuple[Any, int]:
        """The words among which those of a column are, and where the first of them begins."""
        first = max(first for first in self._taken if first <= start)
        return self._taken[first], first


def _taken(part: Any) -> Any:
    """All words of some columns, by their place; some lines at a time, which a processor's own memory can hold."""
    import numpy as np

    words = part.view(">u8")
    taken = np.empty(words.shape[::-1], np.uint64)
    for first in range(0, len(words), AT_ONCE):
        taken[:, first : first + AT_ONCE] = words[first : first + AT_ONCE].T
    return taken


def numbers(words: Any, most: int = 10**WORD) -> tuple[Any, Any]:
    """Words as numbers, blanks before and behind the digits, and which of them can be read and are not too large.

    In place as far as it goes: a processor's own memory holds the words, but not one more of them for every step.
    """
    import numpy as np

    words = _narrowed(words)
    bits = 8 * words.itemsize
    ones = ((1 << bits) - 1) // 0xFF
    digits = words ^ NOUGHT * ones  # a digit is now itself, a blank 16
    number = digits >> 4
    number &= ones  # a bit for each blank
    other = number << 4
    digits ^= other
    wrong = np.multiply(number, 9, out=other)
    wrong += digits
    wrong += 0x76 * ones
    wrong &= 0x80 * ones  # over 9, or of a blank over 0
    number ^= ones  # a bit for each digit
    last = -number
    last &= number
    digits >>= np.bitwise_count(last - 1)  # no blanks behind the last digit any more
    number *= 0xFF
    number += last
    last = np.subtract(number, 1, out=last)
    last &= number
    wrong |= last  # digits that stand apart
    for places, tens in ((8, 10), (16, 100), (32, 10_000)):  # neighbours first, then pairs, then halves
        if places < bits:
            lower = ((1 << bits) - 1) // ((1 << places) + 1)
            higher = np.right_shift(digits, places, out=last)
            higher &= lower
            higher *= tens
            digits &= lower
            digits += higher
    return digits, (wrong == 0) & (digits <= most)


def _narrowed(words: Any) -> Any:
    """Words of half the length, if no more is used of any of them; such are worked on in half the time."""
    import numpy as np

    behind, length = used_of(words)
    return words if length > WORD // 2 else (words >> 8 * min(behind, WORD // 2)).astype(np.uint32)


def used_of(words: Any) -> tuple[int, int]:
    """How many characters are blank at the end of all words, and how many before them are used in any."""
    import numpy as np

    used = int(np.bitwise_or.reduce(words ^ BLANK * ONES, axis=None, initial=0))
    behind = ((used & -used).bit_length() - 1) // 8 if used else 0
    return behind, (used.bit_length() + 7) // 8 - behind
