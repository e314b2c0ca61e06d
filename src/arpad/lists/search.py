"""The one search: a name as people type it to the players it may mean, the best match first."""

from __future__ import annotations

from typing import Any, NamedTuple

from arpad.errors import BadInput
from arpad.lists.index import BITS, LETTERS, START, alike, packed, shortened
from arpad.lists.names import folded, sound
from arpad.lists.people import PERSON, Listed, listed, valid_lists, with_ratings
from arpad.lists.store import reading, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from arpad.lists.store import RatingList

MOST = 100
LONGEST_ID = 10  # digits no ID has
SHORTEST = 3  # letters of a word that is looked up; a shorter one is looked for in the names that were found
TWO_SLIPS = 6  # letters from which two slips are forgiven
CUT = 5  # letters of a long word that are looked up at least, because what the index has of it may sound shorter
SLIPPED = 0.8  # what a word with a slip counts beside one without
LAST = "*"  # in the order of the index
# A name as `names.folded` makes it; what Unicode does not take apart is left to the index.
KEY = "' ' || translate(lower(strip_accents(name)), ',-.''’()', '       ') || ' '"


class Found(NamedTuple):
    """What a search found, and in which list."""

    list: RatingList
    players: tuple[Listed, ...]


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
    """The players a name or a FIDE ID may mean, in the list valid on a day, or in the newest one."""
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
    words = folded(query).split()
    if not words and (query.strip() or (federation is None and born is None)):
        raise BadInput(
            "A search needs a name, a FIDE ID, a federation or a year of birth, for example `arpad list find carlsen`.",
            at="query",
        )
    number = query.strip().lstrip("@")
    if number.isdecimal():
        people = listed(connection, [int(number)] if len(number) < LONGEST_ID else [], valid)
    else:
        rows = _Search(connection, valid.people.list, words, federation, born, most).rows()
        people = with_ratings(connection, rows, valid)
    return Found(valid.people, tuple(people.values()))


class _Search:
    """One search in one list: which words of the index the words of the query may mean, and who has them."""

    def __init__(
        self, connection: Any, number: int, words: Sequence[str], federation: str | None, born: int | None, most: int
    ) -> None:
        self.connection, self.number, self.words = connection, number, words
        asked = {"federation": federation and federation.upper(), "born": born}
        self.asked = {column: value for column, value in asked.items() if value is not None}
        self.most = most

    def rows(self) -> list[tuple[Any, ...]]:
        """The best matches: by the words as they are, with a slip in those nobody has, in any of them, with two."""
        if not self.words:
            return self._everybody()
        looked_up = [word for word in self.words if len(word) >= SHORTEST] or [max(self.words, key=len)]
        exact = [self._exact(word) for word in looked_up]
        if found := self._people([dict.fromkeys(ids, 1.0) for ids in exact]):
            return found
        strange = [word for word, ids in zip(looked_up, exact, strict=True) if not ids]
        for forgiven, starts in ((strange, _beginnings), (looked_up, _beginnings), (looked_up, _more_beginnings)):
            near = {word: dict.fromkeys(self._near(starts(word)), SLIPPED) for word in forgiven}
            hits = [near.get(word, {}) | dict.fromkeys(ids, 1.0) for word, ids in zip(looked_up, exact, strict=True)]
            if found := self._people(hits):
                return found
        return []

    def _everybody(self) -> list[tuple[Any, ...]]:
        """Those of a federation or a year, the best rated first."""
        asked = " AND ".join(f"{column} = ${column}" for column in self.asked)
        return run(
            self.connection,
            f"SELECT {PERSON} FROM player LEFT JOIN other_title USING (list, id) WHERE list = {self.number} "
            f"AND {asked} ORDER BY best DESC NULLS LAST, name, id LIMIT $most",
            {**self.asked, "most": self.most},
        )

    def _exact(self, word: str) -> set[int]:
        """Who has the word itself, or one it begins."""
        first, last = packed(word), packed(word.ljust(LETTERS, LAST))
        return self._having(f"word BETWEEN {first} AND {last}")

    def _near(self, beginnings: set[str]) -> set[int]:
        """Who has a word that sounds the same with a letter left out."""
        rests = set().union(*(shortened(packed(one)) for one in beginnings))
        starts = set().union(*(alike(one) for one in beginnings))
        words = self._rows(
            f"SELECT word, sound FROM word WHERE sound >> {BITS * (LETTERS - START)} IN (SELECT unnest($starts))",
            {"starts": list(starts)},
        )
        near = [str(word) for word, heard in words if not rests.isdisjoint(shortened(heard))]
        return self._having(f"word IN ({', '.join(near)})") if near else set()

    def _having(self, condition: str) -> set[int]:
        rows = self._rows(f"SELECT players FROM word WHERE {condition}")
        return {player for (players,) in rows for player in players}

    def _rows(self, ask: str, given: Any = None) -> list[tuple[Any, ...]]:
        """The rows of the list itself that a question asks for."""
        return run(self.connection, f"{ask} AND list = {self.number}", given)

    def _people(self, hits: Sequence[dict[int, float]]) -> list[tuple[Any, ...]]:
        """Those who were hit by every word, the best first; whole words count more than beginnings."""
        everywhere = set(hits[0]).intersection(*hits[1:])
        if not everywhere:
            return []
        given: dict[str, Any] = {"query": " ".join(self.words), "most": self.most, "ids": list(everywhere)}
        given["nears"] = [sum(near[player] for near in hits) for player in everywhere]
        given |= {f"word{place}": word for place, word in enumerate(self.words)}
        given |= self.asked
        points = ["near", "starts_with(key, ' ' || $word0)::INTEGER", "jaro_winkler_similarity(key, $query)"]
        for place in range(len(self.words)):
            points.append(f"contains(key, ' ' || $word{place} || ' ')::INTEGER * 2")
            points.append(f"contains(key, ' ' || $word{place})::INTEGER")
        needed = [
            f"contains(key, ' ' || $word{place})" for place, word in enumerate(self.words) if len(word) < SHORTEST
        ]
        kinds = f"kind IN (SELECT kind FROM kind WHERE list = {self.number} AND federation = $federation)"
        needed += [kinds if column == "federation" else f"{column} = ${column}" for column in self.asked]
        order = "ORDER BY points DESC, best DESC NULLS LAST, name, id"
        return run(
            self.connection,
            "WITH hit AS (SELECT unnest($ids) AS id, unnest($nears) AS near), "
            f"named AS (SELECT *, {KEY} AS key FROM person JOIN hit USING (id) WHERE list = {self.number}), "
            f"best AS (SELECT *, {' + '.join(points)} AS points FROM named WHERE {' AND '.join(['true', *needed])} "
            f"{order} LIMIT $most) SELECT {PERSON} FROM best JOIN kind USING (list, kind) "
            f"LEFT JOIN other_title USING (list, id) {order}",
            given,
        )


def _beginnings(word: str) -> set[str]:
    """What the index may have of a word: as it is spelt, as it sounds, and of a long word's sound less."""
    heard, start = (
        sound(word),
        sound(word[:LETTERS]),
    )  # a slip may make or hide a sound, so that the spelling counts too
    cuts = range(CUT, LETTERS + 1) if len(word) >= LETTERS else ()
    return {word[:LETTERS], start, *(heard[:cut] for cut in cuts)}


def _more_beginnings(word: str) -> set[str]:
    """The same of a long word with two slips, as far as one of them is a letter too many."""
    starts = _beginnings(word)
    long = [start for start in starts if len(start) >= TWO_SLIPS]
    return starts | {start[:place] + start[place + 1 :] for start in long for place in range(len(start))}
