"""Searching for players by name: each word of the query is looked up in the index, exactly or with typos."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from arpad.core.players import FEDERATIONS
from arpad.errors import BadInput
from arpad.lists._ranking import SearchMatch, ranked, similarity
from arpad.lists.names import sound, words_of
from arpad.lists.players import ListedPlayer, players_by_id, valid_lists
from arpad.lists.store import reading, run
from arpad.messages import Message, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

    from duckdb import DuckDBPyConnection

    from arpad.lists.names import Word
    from arpad.lists.store import RatingList

    Meanings = Mapping[str, float]  # words of the index that a typed word may mean, and how close each is

MOST = 100  # players in an answer
MOST_WORDS = 12  # no name has more
MOST_COMPARED = 500  # at most this many names are compared in full
LONGEST_ID = 10  # digits
SHORTEST = 3  # letters; a shorter word is not looked up in the index but compared with the names found
WHOLE, BEGINNING, VARIANT, MISSPELT = (
    3,
    1,
    0.9,
    0.8,
)  # closeness of a word; for a misspelt one, less the more it differs
ONE_TYPO, TWO_TYPOS = 4, 6  # letters from which typos are tolerated
LONG = 8  # letters of a long word, whose ending may be different


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best matches, how many there are in total, and the lists that were searched."""

    list: RatingList  # the newest of the lists
    players: tuple[ListedPlayer, ...]
    total: int
    lists: tuple[RatingList, ...]
    advice: Message | None = None  # if nobody was found

    @property
    def source(self) -> str:
        """The lists, for a sentence."""
        return " and ".join(map(str, self.lists))

    @property
    def notes(self) -> tuple[Message, ...]:
        """What the user should know."""
        return (self.advice,) if self.advice else ()


def find(
    query: str,
    *,
    federation: str | None = None,
    born: int | None = None,
    most: int = 20,
    name: str | None = None,
    on: date | None = None,
    data: str | DuckDBPyConnection | None = None,
) -> SearchResult:
    """The players that a name or a FIDE ID may mean, in the lists valid on a day, or in the newest ones.

    `data` is the folder of the lists, or an open connection to their database.
    """
    with reading(data) as connection:
        if not 1 <= most <= MOST:
            raise BadInput(say("lists.too_many", asked=most, most=MOST), at="most")
        valid = valid_lists(connection, name, on)
        words = _words(query, needed=federation is None and born is None)
        number = query.strip().lstrip("@")
        if number.isdecimal():
            ids = [int(number)] if len(number) <= LONGEST_ID else []
            found = tuple(players_by_id(connection, ids, valid).values())
            advice = None if found else say("lists.nobody_id")
            return SearchResult(valid.newest, found, len(found), valid.lists, advice)
        narrowed = {"federation": federation and federation.upper(), "born": born}
        filters = {column: value for column, value in narrowed.items() if value is not None}
        matches = _Search(connection, [found.list for found in valid.lists], words, filters).matches()
        best = matches[:most]
        ids, lines = [match.id for match in best], [match.line for match in best]
        players = players_by_id(connection, ids, valid, lines=lines)
    total = matches[0].total if matches else 0
    return SearchResult(
        valid.newest, tuple(players.values()), total, valid.lists, None if total else _advice(federation, born)
    )


def _words(query: str, *, needed: bool) -> list[Word]:
    """The words of a query, each once."""
    words = list(dict.fromkeys(words_of(query)))
    if not words and (query.strip() or needed):
        raise BadInput(say("lists.no_query"), at="q")
    if len(words) > MOST_WORDS:
        raise BadInput(say("lists.long_query", words=len(words), most=MOST_WORDS), at="q")
    return words


def _advice(federation: str | None, born: int | None) -> Message:
    """What to try when nobody was found."""
    if federation is not None and federation.upper() not in FEDERATIONS:
        return say("lists.advice.federation", federation=federation)
    if federation is not None or born is not None:
        return say("lists.advice.filters")
    return say("lists.advice.name")


class _IndexQuery(NamedTuple):
    """A query of the index: the table, the condition for its words, and the values of the condition."""

    table: str
    condition: str
    given: tuple[object, ...]


class _Typos(NamedTuple):
    """A text and how many typos it may have, fewer if it is short; `begin` and `end` are the parts to search by."""

    text: str
    most: int
    begin: str
    end: str

    @classmethod
    def of(cls, text: str, typos: int) -> _Typos:
        """A text with at most this many typos."""
        most = min(typos, (len(text) >= ONE_TYPO) + (len(text) >= TWO_TYPOS))
        part = len(text) // (most + 1)
        return cls(text, most, text[:part], text[part * most + 1 :])

    def near(self, column: str, text: str = "?") -> str:
        """SQL for texts in a column that differ by no more than the typos; the lengths are compared first."""
        return (
            f"CASE WHEN abs(length({column}) - {len(self.text)}) <= {self.most} "
            f"THEN damerau_levenshtein({column}, {text}) <= {self.most} END"
        )


class _Search:
    """A search for some words in some lists, the newest first, among the players that the filters allow."""

    def __init__(
        self,
        connection: DuckDBPyConnection,
        lists: Sequence[int],
        words: Sequence[Word],
        filters: Mapping[str, str | int],
    ) -> None:
        self._connection, self._words, self._filters = connection, words, filters
        self._lists = ", ".join(map(str, lists))
        self._indexed = [word for word in words if len(word.plain) >= SHORTEST] or list(words)
        self._initials = [word for word in words if word not in self._indexed]

    def matches(self) -> list[SearchMatch]:
        """The best matches first; typos are tolerated only if nobody has the words as typed."""
        exact = [self._exact(word) for word in self._indexed]
        found = self._players(exact)
        rounds = self._with_typos(exact) if self._indexed else iter(())
        while not found and (meanings := next(rounds, None)) is not None:
            found = self._players(meanings, misspelt=True)
        return found

    def _with_typos(self, exact: Sequence[Meanings]) -> Iterator[list[Meanings]]:
        """What the words may mean: with one typo in the unknown words, then in every word; then with two typos."""
        spelt = {word: dict.fromkeys(meanings, 1.0) for word, meanings in zip(self._indexed, exact, strict=True)}
        for typos in (1, 2):
            unknown = {word: self._misspelt(word, typos) for word, same in spelt.items() if not same}
            if not all(unknown.values()):
                continue  # one of them resembles nothing, so the others do not matter
            if unknown:
                yield list({**spelt, **unknown}.values())
            if len(unknown) < len(spelt):
                known = {word: {**self._misspelt(word, typos), **same} for word, same in spelt.items() if same}
                yield list({**spelt, **unknown, **known}.values())

    def _exact(self, word: Word) -> Meanings:
        """The words of the index that are the typed word, begin with it, or are another spelling of it."""
        parts = [_IndexQuery("word", "starts_with(word, ?)", (spelling,)) for spelling in word.spellings]
        variants = _IndexQuery("word", "word IN (SELECT unnest(?))", (list(word.variants),))
        return {
            meant: WHOLE if meant in word.spellings else BEGINNING if meant.startswith(word.spellings) else VARIANT
            for meant in self._index([*parts, variants])
        }

    def _misspelt(self, word: Word, typos: int) -> Meanings:
        """The words of the index that sound like the typed word, with at most this many typos.

        One typo leaves either the beginning or the end of a word as it is, and only such words are compared.
        """
        typed = word.plain
        heard, spelt = _Typos.of(sound(typed), typos), _Typos.of(typed, typos)
        backwards = f"starts_with(backwards, reverse(?)) AND {heard.near('backwards', 'reverse(?)')}"
        parts = [
            _IndexQuery("word", f"starts_with(sound, ?) AND {heard.near('sound')}", (heard.begin, heard.text)),
            _IndexQuery("ending", backwards, (heard.end, heard.text)),
        ]
        if typos > 1:
            parts += [
                _IndexQuery("word", f"starts_with(word, ?) AND {spelt.near('word')}", (spelt.begin, typed)),
                _IndexQuery("word", f"ends_with(word, ?) AND {spelt.near('word')}", (spelt.end, typed)),
            ]
        if typos > 1 and len(typed) >= LONG:
            parts.append(_IndexQuery("word", "starts_with(word, ?)", (typed[:LONG],)))
        return {meant: MISSPELT * similarity(meant, typed) for meant in self._index(parts)}

    def _index(self, parts: Sequence[_IndexQuery]) -> list[str]:
        """The words that any of these queries finds."""
        # A statement for each part, because DuckDB looks up a beginning in order but scans the whole table for an OR.
        chosen = [f"SELECT word FROM {part.table} WHERE {part.condition} AND list IN ({self._lists})" for part in parts]
        given = [value for part in parts for value in part.given]
        return [word for (word,) in run(self._connection, " UNION ".join(chosen), given)]

    def _players(self, meanings: Sequence[Meanings], *, misspelt: bool = False) -> list[SearchMatch]:
        """The best players with a meaning of every word in their name; all players if there are no words."""
        if not all(meanings):
            return []
        sql, given = self._statement(meanings)
        rows = run(self._connection, sql, given)
        return ranked([SearchMatch(*row) for row in rows], self._words, misspelt=misspelt)

    def _statement(self, meanings: Sequence[Meanings]) -> tuple[str, dict[str, object]]:
        """SQL for the best matches: by closeness, then whose name begins with the first word, then by rating."""
        given: dict[str, object] = {**self._filters, "first": self._words[0].plain if self._words else ""}
        rows = self._entries(meanings, given)
        if "," in self._lists:  # a player may have another name on an older list; the newest entry counts
            rows = (
                "SELECT player.* REPLACE (coalesce(max(player.best) OVER (PARTITION BY id), 0) AS best), closeness "
                f"FROM player JOIN (SELECT id, max(closeness) AS closeness FROM ({rows}) GROUP BY id) USING (id) "
                f"WHERE list IN ({self._lists}) "
                f"QUALIFY row_number() OVER (PARTITION BY id ORDER BY list_position([{self._lists}], list)) = 1"
            )
        conditions = [f"{column} = ${column}" for column in self._filters]
        for n, word in enumerate(self._initials):
            given[f"initials{n}"] = list(word.spellings)
            # Only a match has a closeness; without it DuckDB would compare the initials with every name first.
            conditions.append(
                "CASE WHEN closeness >= 0 THEN list_bool_or([contains(' ' || folded, ' ' || part) "
                f"FOR part IN $initials{n}]) END"
            )
        return (
            f"SELECT id, line, name, coalesce(best, 0) AS best, closeness, count(*) OVER () FROM ({rows}) "
            f"WHERE {' AND '.join(conditions) or 'true'} "
            f"ORDER BY closeness DESC, starts_with(lower(name), $first) DESC, best DESC, id LIMIT {MOST_COMPARED}"
        ), given

    def _entries(self, meanings: Sequence[Meanings], given: dict[str, object]) -> str:
        """SQL for the entries of the lists that have a meaning of every word, with their total closeness."""
        joins = ""
        for n, words in enumerate(meanings):
            given |= {f"words{n}": list(words), f"closeness{n}": list(words.values())}
            joins += (
                " JOIN (SELECT list, line, max(closeness) AS closeness FROM ("
                "SELECT list, unnest(lines) AS line, closeness FROM word "
                f"JOIN (SELECT unnest($words{n}) AS word, unnest($closeness{n}) AS closeness) USING (word) "
                f"WHERE list IN ({self._lists})) GROUP BY list, line) AS word{n} USING (list, line)"
            )
        closeness = " + ".join(f"word{n}.closeness" for n in range(len(meanings))) or "0::DOUBLE"
        return f"SELECT player.*, {closeness} AS closeness FROM player{joins} WHERE list IN ({self._lists})"
