"""The one search: a name as people type it to the players it may mean, the best match first."""

from __future__ import annotations

from typing import Any, NamedTuple

from arpad.errors import BadInput
from arpad.lists.index import LETTERS
from arpad.lists.names import letters, plain, sound
from arpad.lists.people import Listed, listed, valid_lists
from arpad.lists.store import reading, run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from arpad.lists.store import RatingList

MOST = 100
MOST_WORDS = 50  # of the index that one misspelt word may mean
SHORTEST = 3  # letters of a word that is looked up; a shorter one is looked for in the names that were found
SURE, LIKELY = 3, 6  # letters from which one mistake is forgiven, and two
AFTER_Z = "{"
# A name as `names.plain` makes it; what Unicode does not take apart is left to the index.
KEY = "' ' || translate(lower(strip_accents(name)), ',-.''’()', '       ') || ' '"


class Found(NamedTuple):
    """What a search found, and in which list."""

    list: RatingList
    players: tuple[Listed, ...]


class _Word(NamedTuple):
    """A condition on the index and the values it needs."""

    condition: str
    score: str
    given: dict[str, Any]
    order: str = ""


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
    asked = {"federation": federation and federation.upper(), "born": born, "most": most}
    words = plain(query).split()
    if not words:
        raise BadInput("A search needs a name or a FIDE ID, for example `arpad list find carlsen`.", at="query")
    number = query.strip().lstrip("@")
    if number.isdigit():
        ids = [int(number)] if int(number) < 1 << 32 else []
    else:
        ids = []
        for readings in _readings(_looked_up(words)):
            ids = _ids(connection, valid.people.list, words, readings, asked)
            if ids:
                break
    people = listed(connection, ids, valid)
    return Found(valid.people, tuple(people[one] for one in ids if one in people))


def _looked_up(words: Sequence[str]) -> list[str]:
    """The words to look up: those long enough, or the longest one."""
    return [word for word in words if len(word) >= SHORTEST] or [max(words, key=len)]


def _readings(words: Sequence[str]) -> Iterator[list[_Word]]:
    """How the words may be meant, the likeliest first: as they are, with one of them misspelt, with all of them."""
    exact = [_exact(word) for word in words]
    yield exact
    for mistakes in (1, 2):
        for place in sorted(range(len(words)), key=lambda place: -len(words[place])):
            yield [_near(word, mistakes) if at == place else exact[at] for at, word in enumerate(words)]
    if len(words) > 1:
        yield [_near(word, 2) for word in words]


def _exact(word: str) -> _Word:
    """The word itself, or words it begins."""
    if len(word) >= LETTERS:
        return _Word("word = $exact", "1.0", {"exact": _head(word)})
    return _Word("word >= $from AND word < $to", "1.0", {"from": _head(word), "to": _head(word) + AFTER_Z})


def _near(word: str, most: int) -> _Word:
    """Words that sound like it, a mistake or two forgiven; of a long word the index has the beginning alone."""
    heard, start = sound(word), sound(word[:LETTERS])
    mistakes = min((len(heard) >= SURE) + (len(heard) >= LIKELY), most)
    # Of a long word the index has a beginning, which a letter too many or too few makes one longer or shorter.
    cut = ", ".join(f"damerau_levenshtein(sound, left($heard, length(sound) + {more}))" for more in (-1, 0, 1))
    close = f"CASE WHEN length(word) = {LETTERS} THEN least({cut}) ELSE damerau_levenshtein(sound, $heard) END"
    # One mistake is in the first letters or behind them, so that one of the two parts is as it should be.
    single = mistakes == 1 and len(heard) >= LIKELY and heard.isascii() and heard.isalnum()
    halves = f"AND (starts_with(sound, '{heard[:3]}') OR contains(sound, '{heard[4:7]}')) " if single else ""
    return _Word(
        # A CASE, so that the slow comparison is made of the few words alone that have nearly the same letters.
        f"CASE WHEN bit_count(xor(letters, $letters::UINTEGER)) <= {2 * mistakes + (len(word) >= LETTERS - 1)} "
        f"AND (length(word) = {LETTERS} OR abs(length(sound) - {len(start)}) <= {mistakes}) "
        f"{halves} THEN {close} <= {mistakes} ELSE false END",
        "jaro_winkler_similarity(sound, $start)",
        {"start": start, "heard": heard, "letters": letters(start)},
        f"ORDER BY score DESC LIMIT {MOST_WORDS}",
    )


def _head(word: str) -> str:
    """A word as the index has it."""
    return "".join(sign if sign.isascii() and sign.isalpha() else "*" for sign in word[:LETTERS])


def _ids(
    connection: Any, number: int, words: Sequence[str], looked_up: Sequence[_Word], asked: dict[str, Any]
) -> list[int]:
    """The IDs of the best matches: every word must be met, and whole words count more than beginnings."""
    given: dict[str, Any] = {"list": number, "query": " ".join(words), **asked}
    hits, joins = [], []
    for place, one in enumerate(looked_up):
        condition, score = one.condition, one.score
        for key, value in one.given.items():
            condition, score = (
                condition.replace(f"${key}", f"${key}{place}"),
                score.replace(f"${key}", f"${key}{place}"),
            )
            if f"${key}{place}" in condition or f"${key}{place}" in score:
                given[f"{key}{place}"] = value
        hits.append(
            f"hit{place} AS (SELECT id, max(score) AS score FROM (SELECT unnest(players) AS id, score FROM "
            f"(SELECT players, {score} AS score FROM word WHERE list = $list AND {condition} "
            f"{one.order})) GROUP BY id)"
        )
        joins.append(f"JOIN hit{place} USING (id)")
    for place, word in enumerate(words):
        given[f"word{place}"] = word
    whole = " + ".join(
        f"contains(key, ' ' || $word{place} || ' ')::INTEGER * 2 + contains(key, ' ' || $word{place})::INTEGER"
        for place in range(len(words))
    )
    short = [place for place, word in enumerate(words) if len(word) < SHORTEST]
    needed = "".join(f" AND contains(key, ' ' || $word{place})" for place in short)
    near = " + ".join(f"hit{place}.score" for place in range(len(looked_up)))
    rows = run(
        connection,
        f"WITH {', '.join(hits)}, "
        f"named AS (SELECT id, name, best, {KEY} AS key, {near} AS near FROM player {' '.join(joins)} "
        "WHERE list = $list AND coalesce(federation = $federation, $federation IS NULL) "
        "AND coalesce(born = $born, $born IS NULL)) "
        f"SELECT id FROM named WHERE true{needed} ORDER BY near + {whole} + starts_with(key, ' ' || $word0)::INTEGER "
        "+ jaro_winkler_similarity(key, $query) DESC, best DESC NULLS LAST, name, id LIMIT $most",
        given,
    )
    return [one for (one,) in rows]
