"""The one search: a name as people type it to the players it may mean, the best match first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.core.federations import FEDERATIONS
from arpad.errors import BadInput
from arpad.lists.hits import KNOWN, Hit, Hits, condition, meanings
from arpad.lists.index import BITS, LETTERS, START, alike, is_alike, packed, shortened, unpacked
from arpad.lists.names import sound, words_of
from arpad.lists.people import Listed, listed, valid_lists, with_ratings
from arpad.lists.ranking import Ranking, likeness
from arpad.lists.store import reading, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from arpad.lists.names import Word
    from arpad.lists.store import RatingList

    Nears = dict[int, float]  # players, and how near they are

MOST = 100
MOST_WORDS = 12  # more than any name has
LONGEST_ID = 10  # digits
SHORTEST = 3  # letters of a word that is looked up; a shorter one is looked for in the names that were found
TWO_SLIPS = 6  # letters from which two slips are forgiven
CUT = 5  # letters of a long word that are looked up at least, because what the index has of it may sound shorter
FEW = 1000  # words or players that are sooner taken out of the database than counted in it
SLIPPED = 0.8  # what a word with a slip counts at most beside one without
NOTHING: Mapping[str, Any] = {}


class Found(NamedTuple):
    """What a search found: the best of them, how many there are, and in which lists they were looked for."""

    list: RatingList  # the newest of the lists
    players: tuple[Listed, ...]
    total: int
    lists: tuple[RatingList, ...]
    advice: str = ""  # where nobody was found

    @property
    def source(self) -> str:
        """The lists, for a sentence."""
        return " and ".join(map(str, self.lists))

    def value(self) -> dict[str, Any]:
        """What was found as plain values."""
        return {"list": self.source, "total": self.total, "players": [one.value() for one in self.players]}

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader should know."""
        return (self.advice,) if self.advice else ()


def find(
    query: str,
    *,
    federation: str | None = None,
    born: int | None = None,
    most: int = 20,
    name: str | None = None,
    on: date | None = None,
    data: str | None = None,
) -> Found:
    """The players a name or a FIDE ID may mean, in the lists valid on a day, or in the newest ones."""
    with reading(data) as connection:
        return find_in(connection, query, federation=federation, born=born, most=most, name=name, on=on)


def find_in(
    connection: Any,
    query: str,
    *,
    federation: str | None = None,
    born: int | None = None,
    most: int = 20,
    name: str | None = None,
    on: date | None = None,
) -> Found:
    """The same, in lists that are open."""
    if not 1 <= most <= MOST:
        raise BadInput(f"{most} players cannot be shown at once; ask for 1 to {MOST}.", at="most")
    valid = valid_lists(connection, name, on)
    words = list(dict.fromkeys(words_of(query)))
    if not words and (query.strip() or (federation is None and born is None)):
        raise BadInput(
            "A search needs a name, a FIDE ID, a federation or a year of birth, for example `arpad list find carlsen`.",
            at="query",
        )
    if len(words) > MOST_WORDS:
        raise BadInput(f"A search takes at most {MOST_WORDS} words; this one has {len(words)}.", at="query")
    number = query.strip().lstrip("@")
    if number.isdecimal():
        people = listed(connection, [int(number)] if len(number) <= LONGEST_ID else [], valid)
        advice = "" if people else "Nobody there has that ID; a name finds it."
        return Found(valid.people, tuple(people.values()), len(people), valid.lists, advice)
    asked = {"federation": federation and federation.upper(), "born": born}
    narrowed = {column: value for column, value in asked.items() if value is not None}
    numbers = [one.list for one in valid.lists]
    hits = _Search(connection, Hits(numbers, narrowed), words).best()
    people = with_ratings(connection, _persons(connection, hits[:most]), valid)
    total = hits[0].total if hits else 0
    return Found(valid.people, tuple(people.values()), total, valid.lists, "" if total else _advice(federation, born))


def _persons(connection: Any, hits: Sequence[Hit]) -> list[tuple[Any, ...]]:
    """Hits as rows of the columns PERSON, in their order."""
    if not hits:
        return []
    given = {name: [getattr(one, name) for one in hits] for name in ("list", "id", "kind")}
    columns = ", ".join(f"unnest(${name})::UINTEGER AS {name}" for name in given)
    rows = run(
        connection,
        "SELECT id, federation, sex, title, flag, w_title, o_title, foa_title "
        f"FROM (SELECT {columns}) JOIN kind USING (list, kind) LEFT JOIN other_title USING (list, id)",
        given,
    )
    more = {player: rest for player, *rest in rows}
    return [(one.id, one.name, *more[one.id][:3], one.born or None, *more[one.id][3:]) for one in hits]


def _advice(federation: str | None, born: int | None) -> str:
    """What to try when nobody was found."""
    if federation is not None and federation.upper() not in FEDERATIONS:
        return f"Federations have three letters, such as NOR for Norway; '{federation}' is none of FIDE's."
    if federation is not None or born is not None:
        return "Search without the federation or the year of birth, or for less of the name."
    return "Search for less of the name, the surname alone or its beginning, or for the FIDE ID."


class _Search:
    """One search: which words of the index the words of the query may mean, and who has them."""

    def __init__(self, connection: Any, hits: Hits, words: Sequence[Word]) -> None:
        self.connection, self.hits, self.words = connection, hits, words
        self.looked_up = [word for word in words if len(word.plain) >= SHORTEST] or list(words)
        self.needed = [word for word in words if word not in self.looked_up]

    def best(self) -> list[Hit]:
        """The best matches: by the words as they are, with a slip in those nobody has, in any of them, with two."""
        if not self.looked_up:
            return self._ranked(None)
        short = all(len(word.plain) <= SHORTEST for word in self.looked_up)  # which a great many names begin with
        few = None if short else self._few()
        if few is None:
            found = self._ranked(self.hits.having(self.looked_up))
            few = {} if found else {word: self._having(word) for word in self.looked_up}
        else:
            found = self._having_all(few.values())
        return found or self._forgiven(few)

    def _few(self) -> dict[Word, Nears] | None:
        """Who has each of the words, and how near; nothing if they are so many that only the database counts them."""
        asked = " OR ".join(condition(word) for word in self.looked_up)
        rows = self._rows(
            f"SELECT word, len(players), CASE WHEN len(players) <= {FEW} THEN players END FROM word WHERE ({asked})",
            limit=f" LIMIT {FEW + 1}",
        )
        found = {word: _meant(word, rows) for word in self.looked_up}
        many = [word for word, has in found.items() if sum(players for _, players, _ in has) > FEW]
        if len(rows) > FEW or (many and all(found.values())):
            return None
        return {
            word: self._having(word) if word in many else {one: near for near, _, ids in has for one in ids}
            for word, has in found.items()
        }

    def _forgiven(self, exact: Mapping[Word, Nears]) -> list[Hit]:
        """The best matches with slips of the pen."""
        near: dict[frozenset[str], Nears] = {}
        for forgiven, starts in (
            ([word for word, hits in exact.items() if not hits], _beginnings),
            (self.looked_up, _beginnings),
            (self.looked_up, _more_beginnings),
        ):
            begun = {word: frozenset(starts(word.plain)) for word in forgiven}
            near |= {some: self._near(word.plain, some) for word, some in begun.items() if some not in near}
            hits = [
                {**(near[begun[word]] if word in begun else {}), **dict.fromkeys(has, 1)} for word, has in exact.items()
            ]
            if found := self._having_all(hits, misspelt=True):
                return found
        return []

    def _near(self, word: str, beginnings: Iterable[str]) -> Nears:
        """Who has a word that sounds the same with a letter left out, and how like it is to the word itself."""
        rests = set().union(*(shortened(packed(one)) for one in beginnings))
        begun = set().union(*(alike(one) for one in beginnings))
        start = f"sound >> {BITS * (LETTERS - START)}"
        rows = self._rows(
            f"SELECT word, sound FROM word WHERE {start} IN (SELECT unnest($begun)::UBIGINT)", {"begun": list(begun)}
        )
        like = {one: likeness(unpacked(one), word[:LETTERS]) for one, heard in rows if is_alike(heard, rests)}
        if not like:
            return {}
        found = self._rows(
            "SELECT word, players FROM word WHERE word IN (SELECT unnest($words)::UBIGINT)", {"words": list(like)}
        )
        found.sort(key=lambda row: like[row[0]])  # the likest last, and it stays
        return {player: SLIPPED * like[one] for one, players in found for player in players}

    def _having(self, word: Word) -> Nears:
        """Who has a word, however many they are."""
        rows = self._rows(f"SELECT players FROM word WHERE {condition(word)}")
        return {player: 1 for (players,) in rows for player in players}

    def _having_all(self, words: Iterable[Nears], *, misspelt: bool = False) -> list[Hit]:
        """The best of those who were hit by every word."""
        first, *rest = words
        nears = {
            player: near + sum(hits[player] for hits in rest)
            for player, near in first.items()
            if all(player in hits for hits in rest)
        }
        given = {"ids": list(nears), "nears": list(nears.values())}
        return self._ranked(KNOWN, given, misspelt=misspelt) if nears else []

    def _ranked(self, hit: str | None, given: Mapping[str, Any] = NOTHING, *, misspelt: bool = False) -> list[Hit]:
        first = self.words[0].plain if self.words else ""
        sql, more = self.hits.statement(hit, first, self.needed)
        rows = run(self.connection, sql, {**given, **more})
        return Ranking(self.words, misspelt=misspelt).ordered([Hit._make(row) for row in rows])

    def _rows(self, ask: str, given: Any = None, limit: str = "") -> list[tuple[Any, ...]]:
        """The rows of the lists themselves that a question asks for."""
        return run(self.connection, f"{ask} AND list IN ({self.hits.numbers}){limit}", given)


def _meant(word: Word, rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows of the index whose words a word means, with how near they are in place of them; the nearest last."""
    cases = meanings(word)
    near = [max((near for first, last, near in cases if first <= row[0] <= last), default=0) for row in rows]
    found = [(counts, *rest) for counts, (_, *rest) in zip(near, rows, strict=True) if counts]
    return sorted(found, key=lambda row: row[0])


def _beginnings(word: str) -> set[str]:
    """What the index may have of a word: as it is spelt, as it sounds, and of a long word's sound less."""
    heard, start = sound(word), sound(word[:LETTERS])  # a slip may make or hide a sound: the spelling counts too
    cuts = range(CUT, LETTERS + 1) if len(word) >= LETTERS else ()
    return {word[:LETTERS], start, *(heard[:cut] for cut in cuts)}


def _more_beginnings(word: str) -> set[str]:
    """The same of a long word with two slips, as far as one of them is a letter too many."""
    starts = _beginnings(word)
    long = [start for start in starts if len(start) >= TWO_SLIPS]
    return starts | {start[:place] + start[place + 1 :] for start in long for place in range(len(start))}
