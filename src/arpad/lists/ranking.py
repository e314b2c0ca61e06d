"""The statement that ranks whoever a search has hit: in the database, because a beginning may hit a great many."""

from __future__ import annotations

from typing import Any, NamedTuple

from arpad.lists.index import LETTERS, packed
from arpad.lists.people import PERSON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arpad.lists.names import Word

LAST = "*"  # in the order of the index
WHOLE, BEGUN, OTHERWISE = 3, 1, 0.9  # what a word counts that is there, is begun, or is there in another spelling
LOOKED_AT = 500  # players of a great many whose names are compared in full: by the index and the ratings the best
# A name as `names.folded` makes it; what is left in other alphabets is compared in the index.
SIGNS = ",-.''’()", "       "
PLAIN = "øłđðıħŋ", "olddihn"
KEY = f"' ' || translate(lower(strip_accents(name)), '{SIGNS[0]}{PLAIN[0]}', '{SIGNS[1]}{PLAIN[1]}') || ' '"


class Hits(NamedTuple):
    """Who was hit and how well, as a statement with the columns `id` and `near`; whether a word was misspelt."""

    sql: str
    given: Mapping[str, Any] = {}
    misspelt: bool = False


def exact_hits(words: Sequence[Word], lists: str) -> Hits:
    """Who has every word as it is, or one it begins; behind them who has it in another spelling."""
    each = [
        f"(SELECT id, max(near) AS near FROM (SELECT unnest(players) AS id, {_near(word)} AS near FROM word "
        f"WHERE list IN ({lists}) AND {condition(word)}) GROUP BY id) AS word{place}"
        for place, word in enumerate(words)
    ]
    near = " + ".join(f"word{place}.near" for place in range(len(words)))
    joined = " JOIN ".join([*each[:1], *(f"{one} USING (id)" for one in each[1:])])
    return Hits(f"SELECT id, {near} AS near FROM {joined}")


def known_hits(ids: Sequence[int], nears: Sequence[float], *, misspelt: bool) -> Hits:
    """Those who were counted already, and how near they are."""
    sql = "SELECT unnest($ids)::UINTEGER AS id, unnest($nears) AS near"
    return Hits(sql, {"ids": ids, "nears": nears}, misspelt=misspelt)


def nearness(word: Word, indexed: int) -> float:
    """How near a word of the index is to one of the query, 0 if it is another."""
    if indexed in map(packed, word.spellings):
        return WHOLE
    if any(packed(one) <= indexed <= packed(one.ljust(LETTERS, LAST)) for one in word.spellings):
        return BEGUN
    return OTHERWISE if indexed in map(packed, word.otherwise) else 0


def condition(word: Word) -> str:
    """Which words of the index a word may mean."""
    return f"({_begun(word)} OR {_whole(word.otherwise)})" if word.otherwise else _begun(word)


def _near(word: Word) -> str:
    return f"CASE WHEN {_whole(word.spellings)} THEN {WHOLE} WHEN {_begun(word)} THEN {BEGUN} ELSE {OTHERWISE} END"


def _whole(spellings: Sequence[str]) -> str:
    return f"word IN ({', '.join(str(packed(one)) for one in spellings)})"


def _begun(word: Word) -> str:
    ranges = (f"word BETWEEN {packed(one)} AND {packed(one.ljust(LETTERS, LAST))}" for one in word.spellings)
    return f"({' OR '.join(ranges)})"


class Ranking(NamedTuple):
    """The best of those who were hit, or of everybody: by the words, then by the rating."""

    lists: Sequence[int]  # the newest first
    words: Sequence[Word]
    asked: Mapping[str, Any]  # the federation and the year of birth, if any
    most: int

    def statement(self, hits: Hits | None, needed: Sequence[Word]) -> tuple[str, dict[str, Any]]:
        """The columns PERSON of the best, and how many there are; `needed` are words that a name must have as well."""
        given: dict[str, Any] = {**self.asked, "most": self.most}
        points, order, looked_at = "0", "near DESC, points DESC, best DESC, name, id", LOOKED_AT
        if hits is not None:
            given |= {**hits.given, **self._spelt()}
            points = " + ".join(self._points())
            if hits.misspelt:
                points = f"{points} + near + {self._similar()}"
                order, looked_at = "points DESC, best DESC, name, id", 4 * LOOKED_AT
        sql = (
            f"WITH hit AS ({hits.sql if hits else 'SELECT 0 AS id, 0 AS near'}), "
            f"named AS MATERIALIZED (SELECT * FROM ({self._once(hits)}) WHERE {self._conditions(needed)}), "
            f"strong AS (SELECT * FROM named ORDER BY near DESC, best DESC, id LIMIT {looked_at}), "
            f"best AS (SELECT *, {points} AS points FROM (SELECT *, {KEY} AS key FROM strong) ORDER BY {order} "
            f"LIMIT $most) SELECT {PERSON}, (SELECT count(*) FROM named) FROM best JOIN kind USING (list, kind) "
            f"LEFT JOIN other_title USING (list, id) ORDER BY {order}"
        )
        return sql, given

    def _spelt(self) -> dict[str, str]:
        """Every spelling of every word by what it is called in the statement."""
        return {
            f"word{place}_{turn}": spelling
            for place, word in enumerate(self.words)
            for turn, spelling in enumerate(word.spellings)
        }

    def _once(self, hits: Hits | None) -> str:
        """Each player once, as the newest list has them, with the best rating of all of them."""
        joined, near = (" JOIN hit USING (id)", "near") if hits is not None else ("", "0 AS near")
        rows = f"SELECT list, id, name, kind, born, best, {near} FROM person{joined} WHERE list IN ({self.numbers})"
        if len(self.lists) == 1:
            return rows
        return (
            f"SELECT * REPLACE (max(best) OVER (PARTITION BY id) AS best) FROM ({rows}) "
            f"QUALIFY row_number() OVER (PARTITION BY id ORDER BY list_position([{self.numbers}], list)) = 1"
        )

    @property
    def numbers(self) -> str:
        """The lists' numbers with commas between them."""
        return ", ".join(map(str, self.lists))

    def _conditions(self, needed: Sequence[Word]) -> str:
        has = [self._any(f"contains({KEY}, {{}})", word) for word in needed]
        kinds = f"SELECT list, kind FROM kind WHERE list IN ({self.numbers}) AND federation = $federation"
        narrowed = {"federation": f"(list, kind) IN ({kinds})", "born": "born = $born"}
        return " AND ".join(["true", *has, *(narrowed[column] for column in self.asked)])

    def _points(self) -> list[str]:
        """What counts: whole words more than beginnings, and the first word at the beginning of the name."""
        points = [f"{self._any('starts_with(key, {})', self.words[0])}::INTEGER"]
        for word in self.words:
            points.append(f"{self._any('contains(key, {})', word, ending=' ')}::INTEGER * 2")
            points.append(f"{self._any('contains(key, {})', word)}::INTEGER")
        return points

    def _similar(self) -> str:
        """How like each word is to the most similar of the name; a name is no worse for having more of them."""
        each = (
            f"list_max([jaro_winkler_similarity(part, $word{place}_0) FOR part IN string_split(key, ' ')])"
            for place in range(len(self.words))
        )
        return f"({' + '.join(each)}) / {len(self.words)}"

    def _any(self, call: str, word: Word, ending: str = "") -> str:
        """Whether something is so of any spelling of a word."""
        place = self.words.index(word)
        spelt = (f"' ' || $word{place}_{turn} || '{ending}'" for turn in range(len(word.spellings)))
        return f"({' OR '.join(map(call.format, spelt))})"
