"""The statement that takes out whoever a search has hit: in the database, because a beginning may hit a great many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.lists.index import LETTERS, packed
from arpad.lists.names import OTHER_LETTERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.lists.names import Word

LAST = "*"  # in the order of the index
WHOLE, BEGUN, OTHERWISE = 3, 1, 0.9  # how near a word is that is there, is begun, or is there in another spelling
MOST = 500  # players of a great many whose names are compared in full: by the index and the ratings the best


def _key() -> str:
    """A name in the database as `names.folded` makes it, with a blank before each word."""
    key = "lower(strip_accents(name))"
    for sign, letters in OTHER_LETTERS.items():
        if len(letters) != 1:
            key = f"replace({key}, '{chr(sign)}', '{letters}')"
    single = {chr(sign): letters for sign, letters in OTHER_LETTERS.items() if len(letters) == 1}
    key = f"translate({key}, '{''.join(single)}', '{''.join(single.values())}')"
    return f"' ' || regexp_replace({key}, '[^\\p{{L}}\\p{{N}}]+', ' ', 'g')"


KEY = _key()
KNOWN = "SELECT unnest($ids)::UINTEGER AS id, unnest($nears)::DOUBLE AS near"  # who was counted already


class Meaning(NamedTuple):
    """Words of the index, from one to another, that a word of the query may mean, and how near they are to it."""

    first: int
    last: int
    near: float


class Hit(NamedTuple):
    """Somebody a search has hit, as the newest of the lists has them, and how near the name is to the query's."""

    list: int
    id: int
    name: str | None
    kind: int
    born: int
    best: int
    near: float
    total: int  # of all who were hit


def meanings(word: Word) -> list[Meaning]:
    """The words of the index that a word means as it is, or begins; behind them in another spelling."""
    whole = [Meaning(packed(one), packed(one), WHOLE) for one in word.spellings]
    begun = [Meaning(packed(one), packed(one.ljust(LETTERS, LAST)), BEGUN) for one in word.spellings]
    return [*whole, *begun, *(Meaning(packed(one), packed(one), OTHERWISE) for one in word.otherwise)]


def condition(word: Word) -> str:
    """Whether a word of the index is any that a word means."""
    begun = [f"word BETWEEN {first} AND {last}" for first, last, near in meanings(word) if near == BEGUN]
    otherwise = ", ".join(str(packed(one)) for one in word.otherwise)
    return f"({' OR '.join([*begun, *([f'word IN ({otherwise})'] if otherwise else [])])})"


class Hits(NamedTuple):
    """Where a search looks: the lists, the newest first, and the federation and the year of birth, if any."""

    lists: Sequence[int]
    asked: Mapping[str, Any]

    def having(self, words: Sequence[Word]) -> str:
        """Who has every word, and how near all of them are together: a statement with the columns `id` and `near`."""
        each = [
            f"(SELECT id, max(near) AS near FROM (SELECT unnest(players) AS id, {_near(word)} AS near FROM word "
            f"WHERE list IN ({self.numbers}) AND {condition(word)}) GROUP BY id) AS word{place}"
            for place, word in enumerate(words)
        ]
        near = " + ".join(f"word{place}.near" for place in range(len(words)))
        joined = " JOIN ".join([*each[:1], *(f"{one} USING (id)" for one in each[1:])])
        return f"SELECT id, {near} AS near FROM {joined}"

    def statement(self, hit: str | None, first: str, needed: Sequence[Word]) -> tuple[str, dict[str, Any]]:
        """The best of those who were hit, or of everybody, and of equals those whose names begin with the first word.

        `needed` are words that a name must have as well.
        """
        joined, near = (f" JOIN ({hit}) USING (id)", "near") if hit else ("", "0::DOUBLE AS near")
        rows = f"SELECT list, id, name, kind, born, best, {near} FROM person{joined} WHERE list IN ({self.numbers})"
        given = {
            **self.asked,
            "first": first,
            **{f"needed{place}": list(word.spellings) for place, word in enumerate(needed)},
        }
        sql = (
            f"SELECT *, count(*) OVER () FROM ({self._once(rows)}) WHERE {self._conditions(len(needed))} "
            f"ORDER BY near DESC, starts_with(lower(name), $first) DESC, best DESC, id LIMIT {MOST}"
        )
        return sql, given

    @property
    def numbers(self) -> str:
        """The lists' numbers with commas between them."""
        return ", ".join(map(str, self.lists))

    def _once(self, rows: str) -> str:
        """Each player once, as the newest list has them, with the best rating of all of them."""
        if len(self.lists) == 1:
            return rows
        return (
            f"SELECT * REPLACE (max(best) OVER (PARTITION BY id) AS best) FROM ({rows}) "
            f"QUALIFY row_number() OVER (PARTITION BY id ORDER BY list_position([{self.numbers}], list)) = 1"
        )

    def _conditions(self, needed: int) -> str:
        # By `near`, which only those have who were hit: or the database would look at everybody's name first.
        has = [
            f"CASE WHEN near >= 0 THEN list_bool_or([contains({KEY}, ' ' || one) FOR one IN $needed{place}]) END"
            for place in range(needed)
        ]
        kinds = f"SELECT list, kind FROM kind WHERE list IN ({self.numbers}) AND federation = $federation"
        narrowed = {"federation": f"(list, kind) IN ({kinds})", "born": "born = $born"}
        return " AND ".join(["true", *has, *(narrowed[column] for column in self.asked)])


def _near(word: Word) -> str:
    cases = (f"WHEN word BETWEEN {first} AND {last} THEN {near}" for first, last, near in meanings(word))
    return f"CASE {' '.join(cases)} END::DOUBLE"
