"""Searching for players by name: the index of the words of all names, a search in it, and the order of what it finds.

Each word of a query is looked up in the index, exactly or with typos.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from arpad.core.players import FEDERATIONS
from arpad.errors import BadInput
from arpad.lists.players import ListedPlayer, players_by_id, valid_lists
from arpad.lists.store import reading, run
from arpad.messages import Message, say

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

    from arpad.lists.store import RatingList

    Meanings = Mapping[str, float]  # words of the index that a typed word may mean, and how close each is


MOST = 100  # players in an answer
MOST_WORDS = 12  # no name has more
MOST_COMPARED = 500  # at most this many names are compared in full
LONGEST_ID = 10  # digits
SHORTEST_INDEXED = 3  # letters; a shorter word is not looked up in the index but compared with the names found
# Closeness of a word; for a misspelt one, less the more it differs.
WHOLE, BEGINNING, VARIANT, MISSPELT = 3, 1, 0.9, 0.8
ONE_TYPO, TWO_TYPOS = 4, 6  # letters from which typos are tolerated
LONG = 8  # letters of a long word, whose ending may be different
# Letters that Unicode does not decompose.
LETTERS = str.maketrans(
    {"ø": "o", "œ": "oe", "æ": "ae", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŋ": "n"}
)
# Signs between words.
BLANKS = {sign: " " for sign in range(128) if not chr(sign).isalnum()}
# Letters that are written plain or as two letters: Müller is Muller or Mueller on a list.
IN_TWO = str.maketrans({"ü": "ue", "ö": "oe", "ä": "ae", "å": "aa", "ø": "oe"})
TWO = ("ue", "oe", "ae", "aa")
# Lengths of a plain word that may have another spelling: Mueller for Muller, but not Mue for Mu.
SHORTEST_VARIANT, LONGEST_VARIANT = 4, 20
# Cyrillic and Greek as passports transliterate them; `SOUNDS` covers other transliterations.
CYRILLIC = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфыэєіїґ", "abvgdeziiklmnoprstufyeeiig", strict=True))
    | dict(zip("ёжхцчшюя", ("e", "zh", "kh", "ts", "ch", "sh", "yu", "ya"), strict=True))
    | {"щ": "shch", "ъ": "", "ь": ""}
)
GREEK = str.maketrans(
    dict(zip("αβγδεζηικλμνξοπρστυφωςχ", "avgdeziiklmnxoprstyfosh", strict=True)) | {"θ": "th", "ψ": "ps"}
)
OTHER_LETTERS = LETTERS | CYRILLIC | GREEK
# Spellings of the same sound, replaced in this order on both sides of a comparison.
SOUNDS = (
    ("tsch", "ch"), ("shch", "sh"), ("sch", "sh"), ("tch", "ch"), ("cz", "ch"), ("dzh", "j"), ("zh", "z"), ("kh", "h"),
    ("ph", "f"), ("th", "t"), ("ck", "k"), ("ks", "x"), ("ue", "u"), ("oe", "o"), ("ae", "a"), ("ou", "u"), ("y", "i"),
    ("j", "i"), ("w", "v"), ("q", "k"), ("ii", "i"), ("ff", "v"), ("ss", "s"), ("ll", "l"), ("nn", "n"), ("tt", "t"),
    ("pp", "p"), ("mm", "m"), ("rr", "r"),
)  # fmt: skip
SOUND = reduce(lambda sql, pair: f"replace({sql}, '{pair[0]}', '{pair[1]}')", SOUNDS, "word")  # `sound` in SQL
INSERT_WORDS = f"""
INSERT INTO word SELECT $list, word, {SOUND}, lines FROM (
    SELECT word, list(line) AS lines
    FROM (SELECT line, unnest(string_split(folded, ' ')) AS word FROM player WHERE list = $list)
    WHERE word <> '' GROUP BY word)
ORDER BY word
"""
INSERT_ENDINGS = """
INSERT INTO ending SELECT list, reverse(sound) AS backwards, word FROM word WHERE list = $list ORDER BY backwards
"""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best matches, how many there are in total, and the lists that were searched."""

    list: RatingList  # the newest of the lists
    players: tuple[ListedPlayer, ...]
    total: int
    lists: tuple[RatingList, ...]
    advice: Message | None = None  # if nobody was found
    following: int | None = None  # how many to skip for the next ones; None if these are the last

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
    skip: int = 0,
    name: str | None = None,
    on: date | None = None,
    data: str | DuckDBPyConnection | None = None,
) -> SearchResult:
    """The players that a name or a FIDE ID may mean, in the lists valid on a day, or in the newest ones.

    The best `most` are given, or those after the first `skip`. `data` is the folder of the lists, or an open connection
    to their database.
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
        best = matches[skip : skip + most]
        ids, lines = [match.id for match in best], [match.line for match in best]
        players = players_by_id(connection, ids, valid, lines=lines)
    total = matches[0].total if matches else 0
    return SearchResult(
        valid.newest,
        tuple(players.values()),
        total,
        valid.lists,
        None if total else _advice(federation, born),
        skip + most if len(matches) > skip + most else None,
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
        self._indexed = [word for word in words if len(word.plain) >= SHORTEST_INDEXED] or list(words)
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


@dataclass(frozen=True, slots=True)
class SearchMatch:
    """A player found by a search, and how closely the name matches the query in the index."""

    id: int
    line: int  # of the list
    name: str | None
    best: int  # the highest rating
    closeness: float
    total: int  # of all matches


def ranked(matches: Sequence[SearchMatch], words: Sequence[Word], *, misspelt: bool = False) -> list[SearchMatch]:
    """The best matches first: by words, then by rating; if words are misspelt, by how similar the names are."""

    def key(match: SearchMatch) -> tuple[float, float, int, str, int]:
        parts = folded(match.name or "").split()
        points = _points(parts, words) + _completeness(parts, words)
        closeness = match.closeness + (points + _similarity_of_name(parts, words) if misspelt else 0)
        return -closeness, -points, -match.best, match.name or "", match.id

    return sorted(matches, key=key)


def _points(parts: Sequence[str], words: Sequence[Word]) -> int:
    """Points for a name: whole words count more than beginnings, and a name that begins with the first word more."""
    begun = sum(any(part.startswith(word.spellings) for part in parts) for word in words)
    whole = sum(any(part in word.spellings for part in parts) for word in words)
    leads = bool(words and parts) and parts[0].startswith(words[0].spellings)
    return begun + 2 * whole + leads


def _completeness(parts: Sequence[str], words: Sequence[Word]) -> int:
    """Whether several words are the whole name: 2 in its own order, 1 in another."""
    if len(parts) != len(words) or len(parts) == 1:
        return 0
    in_order = all(part in word.spellings for part, word in zip(parts, words, strict=True))
    return 2 if in_order else int(all(any(part in word.spellings for part in parts) for word in words))


def _similarity_of_name(parts: Sequence[str], words: Sequence[Word]) -> float:
    """How similar the words are to their closest words in the name; the first word breaks ties."""
    best = [max((similarity(part, word.plain) for part in parts), default=0) for word in words]
    first = similarity(parts[0], words[0].plain) if parts else 0
    return sum(best) / len(best) + first / 10


def similarity(word: str, other: str) -> float:
    """The share of letters that two words have in common at the beginning and at the end."""
    begin = _shared_letters(word, other)
    end = _shared_letters(word[begin:][::-1], other[begin:][::-1])
    return (begin + end) / max(len(word), len(other), 1)


def _shared_letters(word: str, other: str) -> int:
    """How many letters two words share before they differ."""
    differences = (place for place, (here, there) in enumerate(zip(word, other, strict=False)) if here != there)
    return next(differences, min(len(word), len(other)))


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a search: its spellings as typed, and other spellings of the same name in plain letters."""

    spellings: tuple[str, ...]
    variants: tuple[str, ...] = ()

    @property
    def plain(self) -> str:
        """The word without accents."""
        return self.spellings[0]


def words_of(query: str) -> list[Word]:
    """The words of a search: `Müller` means muller or mueller; `Mueller` means mueller first, then muller."""
    text = unicodedata.normalize("NFC", query.lower())
    plain, in_two = folded(text).split(), folded(text.translate(IN_TWO)).split()
    return [
        Word((word,), _variants(word)) if word == other else Word((word, other))
        for word, other in zip_longest(plain, in_two, fillvalue="")
    ]


def _variants(word: str) -> tuple[str, ...]:
    """Other spellings of a word in plain letters: one letter instead of two, or two instead of one."""
    if not SHORTEST_VARIANT <= len(word) <= LONGEST_VARIANT or not word.isascii():
        return ()
    single = word
    for letters in TWO:
        single = single.replace(letters, letters[0])
    doubled = [
        f"{word[:place]}{letters}{word[place + 1 :]}"
        for place, letter in enumerate(word)
        for letters in TWO
        if letters[0] == letter and word[place + 1 : place + 2] not in ("e", letter)
    ]
    return tuple(
        found for found in dict.fromkeys((single, *doubled)) if found != word and len(found) >= SHORTEST_VARIANT
    )


def folded(name: str) -> str:
    """A name in lower case, without accents and signs: `Müller-Žižka, Łukasz` is `muller zizka lukasz`."""
    text = name.lower()
    if not text.isascii():
        plain = (sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
        text = "".join(plain).translate(OTHER_LETTERS)
        text = "".join(sign if sign.isalnum() else " " for sign in text)
    return " ".join(text.translate(BLANKS).split())


def sound(words: str) -> str:
    """Words as they sound: `tschigorin` and `chigorin` are the same."""
    for spelt, heard in SOUNDS:
        words = words.replace(spelt, heard)
    return words


def begins(text: str, name: str) -> bool:
    """Whether every word of a text, as typed, is a word of the name or the beginning of one."""
    has = folded(name).split()
    return all(any(part.startswith(word.spellings) for part in has) for word in words_of(text))


def is_called(text: str, name: str) -> bool:
    """Whether a text is the whole name, with its words in any order."""
    has, words = folded(name).split(), words_of(text)
    spelt = [[word.spellings[min(turn, len(word.spellings) - 1)] for word in words] for turn in (0, 1)]
    return sorted(has) in map(sorted, spelt)


# Each ASCII letter in lower case and each sign as a blank, so that a whole column is folded at once.
FOLDED = bytes(ord(folded(chr(sign)) or " ") for sign in range(128)).ljust(256)


def folded_column(names: pa.StringArray) -> pa.StringArray:
    """Each name as `folded` gives it, except that there may be several blanks between words."""
    import pyarrow as pa  # a search does not need it

    _, offsets, data = names.buffers()
    text = b"" if data is None else data.to_pybytes()
    if text.isascii() and not names.offset and not names.null_count:
        return pa.StringArray.from_buffers(len(names), offsets, pa.py_buffer(text.translate(FOLDED)))
    return pa.array([folded(name or "") for name in names.to_pylist()], pa.string())


def add_words(connection: DuckDBPyConnection, number: int) -> None:
    """Index the names of a list."""
    connection.execute(INSERT_WORDS, {"list": number})
    connection.execute(INSERT_ENDINGS, {"list": number})
