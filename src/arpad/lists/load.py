"""The one loader: a source's blocks into the tables, with the search index, in one transaction."""

from __future__ import annotations

from collections import deque
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from arpad.errors import BadFile, MissingExtra
from arpad.lists.blocks import NONE_REPEATED, OTHER_TITLES, PEOPLE, RATINGS, TEXTS, column, schema, values
from arpad.lists.index import WordIndex, keys_of, words_schema
from arpad.lists.store import RatingList, lists_in, run, writing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor

    from arpad.lists.blocks import Bad, Block, Chunk, Kind
    from arpad.lists.sources import ListFile

    Progress = Callable[[int], None]
    Done = TypeVar("Done")

THREADS, AHEAD = 2, 3  # beside DuckDB's own; more of either gain nothing
SUMMED = "SELECT count(*), sum(hash(one)::HUGEINT) FROM (SELECT * EXCLUDE list FROM {table} WHERE list = {list}) AS one"
TABLES = ("person", "kind", "other_title", "standing", "word", "bad_line", "list")


class Imported(NamedTuple):
    """What an import did: the list, whether anything changed, the first bad lines, and what the reader should know."""

    list: RatingList
    changed: bool
    bad: tuple[Bad, ...]
    notes: tuple[str, ...] = ()
    replaced: int | None = None  # the players of the list whose place it took


def load(
    source: ListFile, *, data: str | None = None, progress: Progress | None = None, force: bool = False
) -> Imported:
    """Import a source; the old data stay as they were unless all of it succeeds.

    A list takes the place of the same month's, but one with less than half of its players only with `force`.
    """
    _arrow()
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(THREADS) as beside:
        loading = _Loading(source, progress, beside)  # the file is read while the database is opened
        with writing(data) as connection:
            return _load(connection, loading, force=force)


def _load(connection: Any, loading: _Loading, *, force: bool) -> Imported:
    source = loading.source
    old = [one for one in lists_in(connection, source.name) if (one.month, one.paces) == (source.month, source.paces)]
    ((number,),) = run(connection, "SELECT nextval('list_number')")
    loading.insert(connection, number)
    if old and _same(connection, old[0].list, number):
        run(connection, "ROLLBACK")
        run(connection, "BEGIN")
        return Imported(old[0], changed=False, bad=tuple(loading.bad), notes=source.notes)
    (new,) = [one for one in lists_in(connection, source.name) if one.list == number]
    if old and not force:
        _check_size(old[0], new)
    if old:
        delete(connection, old[0].list)
    replaced = old[0].players if old else None
    return Imported(new, changed=True, bad=tuple(loading.bad), notes=source.notes, replaced=replaced)


def delete(connection: Any, number: int) -> None:
    """Take a list out of every table."""
    for table in TABLES:
        run(connection, f"DELETE FROM {table} WHERE list = ?", [number])


def _check_size(old: RatingList, new: RatingList) -> None:
    """A much shorter list is more likely a part of the list than a correction of it."""
    if 2 * new.players < old.players:
        raise BadFile(
            f"The list {old} is there already with {old.players:,} players, and this file has {new.players:,}, less "
            "than half of them; nothing was changed. Give --force if it is to take its place, or another --month or "
            "--name.",
            at=new.source,
        )


class _Loading:
    """One import under way."""

    def __init__(self, source: ListFile, progress: Progress | None, beside: Executor) -> None:
        self.source = source
        self.progress = progress
        self.beside = beside
        self._begin(NONE_REPEATED)

    def _begin(self, repeated: Mapping[int, int]) -> None:
        """Nothing is stored yet; of IDs in several lines an earlier reading may have found the first."""
        self.lines: list[Any] = []
        self.bad: list[Bad] = []
        self.kinds: dict[Kind, int] = {}
        self.titles: list[Any] = []
        self.ratings: dict[str, list[Any]] = {}
        self.index = WordIndex()
        self.problem: Exception | None = None
        work = (partial(_worked_on, chunk) for chunk in self.source.chunks(repeated))
        self.worked_on = _ahead(self.beside, work)

    def insert(self, connection: Any, number: int) -> None:
        """The players, then the words of their names, then what was bad and what the list is."""
        import pyarrow as pa

        players = self._insert_people(connection, number)
        repeated = self._repeated(players)
        if repeated:  # seldom, and cheaper to read again than to look for in every block
            run(connection, "DELETE FROM person WHERE list = ?", [number])
            self._begin(repeated)
            players = self._insert_people(connection, number)
            self._check_lines(players)
        self._check(players)
        words = [self.beside.submit(part) for part in self.index.parts()]
        run(connection, "SET threads = 1")  # or it would take time from the words, and leave blocks half full
        titles = pa.Table.from_batches(self.titles, schema(OTHER_TITLES))
        _insert(connection, "other_title", str(number), OTHER_TITLES, titles)
        for pace, batches in self.ratings.items():
            ratings = pa.Table.from_batches(batches, schema(RATINGS))
            _insert(connection, "standing", f"{number}, '{pace}'", RATINGS, ratings)
        parts = pa.RecordBatchReader.from_batches(words_schema(), (word.result() for word in words))
        _insert(connection, "word", str(number), words_schema().names, parts)
        _insert_rows(connection, "kind", number, [(place, *kind) for kind, place in self.kinds.items()])
        _insert_rows(connection, "bad_line", number, self.bad)
        source = self.source
        run(
            connection,
            "INSERT INTO list VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [number, source.name, source.month, list(source.paces), source.layout, source.file, players, len(self.bad)],
        )

    def _insert_people(self, connection: Any, number: int) -> int:
        """The players themselves, who are counted."""
        import pyarrow as pa

        people = pa.RecordBatchReader.from_batches(schema(PEOPLE), self._people())
        try:
            return _insert(connection, "person", str(number), PEOPLE, people)
        except Exception:
            if self.problem is not None:
                raise self.problem from None  # what stopped the reader, not what the database made of it
            raise

    def _repeated(self, players: int) -> dict[int, int]:
        """The IDs that stand in several lines, each with the first of them."""
        import numpy as np

        ids = self.index.players()
        if (ids[1:] > ids[:-1]).all():  # in order, which is seen sooner than put right
            return {}
        ordered = np.sort(ids)
        again = ordered[1:][ordered[1:] == ordered[:-1]]
        if not len(again):
            return {}
        lines = np.concatenate([np.asarray(some, np.int64) for some in self.lines])
        rows = np.flatnonzero(np.isin(ids, again))
        first: dict[int, int] = {}
        for one, line in zip(ids[rows].tolist(), lines[rows].tolist(), strict=True):
            first[one] = min(line, first.get(one, line))
        if 2 * len(again) >= players:
            one = int(again[0])
            raise BadFile(
                f"{len(again)} of {players} lines have an ID that stands in an earlier line, for example {one} in line "
                f"{first[one]}; this is not a list of one month.",
                at=self.source.file,
            )
        return first

    def _check_lines(self, players: int) -> None:
        """Players who share a line, as those of an XML without line ends, cannot be told apart by it."""
        for one, line in self._repeated(players).items():
            raise BadFile(f"The ID {one} stands twice, and both times in line {line}.", at=self.source.file)

    def _people(self) -> Iterator[Any]:
        """The players on their way; DuckDB stores some while the next are worked on."""
        try:
            for blocks in self.worked_on:
                for block, keys in blocks:
                    self._take(block)
                    self.index.add(keys, values(block.people["id"]))
                    yield self._numbered(block)
        except Exception as problem:
            self.problem = problem
            raise

    def _numbered(self, block: Block) -> Any:
        """The people of a block with the numbers that their kinds have in the whole list."""
        import numpy as np

        numbers = np.array([self.kinds.setdefault(kind, len(self.kinds)) for kind in block.kinds], np.uint32)
        place = PEOPLE.index("kind")
        kinds = column(numbers[values(block.people["kind"])])
        return block.people.set_column(place, schema(PEOPLE).field(place), kinds)

    def _take(self, block: Block) -> None:
        self.lines.append(block.lines)
        self.bad += block.bad
        self.titles.append(block.titles)
        for pace, batch in block.ratings.items():
            self.ratings.setdefault(pace, []).append(batch)
        if self.progress is not None:
            self.progress(block.done)

    def _check(self, players: int) -> None:
        """A file of which most cannot be read is not what it was taken for."""
        if players > len(self.bad):
            return
        if not self.bad:
            raise BadFile("The file has a header and no players, so nothing was imported.", at=self.source.file)
        first = f" The first: line {self.bad[0].line}, {self.bad[0].why}."
        raise BadFile(
            f"{players} lines of the file could be read and {len(self.bad)} could not, so nothing was imported.{first}",
            at=self.source.file,
        )


def _ahead(beside: Executor, work: Iterator[Callable[[], Done]]) -> Iterator[Done]:
    """What was worked on in its order, while others further on are; begun at once."""
    under_way = deque(beside.submit(one) for one in islice(work, AHEAD))

    def rest() -> Iterator[Done]:
        for one in work:
            under_way.append(beside.submit(one))
            yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()

    return rest()


def _worked_on(chunk: Chunk) -> list[tuple[Block, Any]]:
    """The blocks of a chunk, and the words of their names for the index."""
    return [(block, keys_of(block.people["name"])) for block in chunk()]


def _insert(connection: Any, table: str, before: str, names: Sequence[str], given: Any) -> int:
    """Put Arrow data into a table, behind what all of it shares, and give the number of rows; no text is none."""
    taken = ", ".join(f"nullif({name}, '')" if name in TEXTS else name for name in names)
    connection.register("given", given)
    ((rows,),) = run(connection, f"INSERT INTO {table} SELECT {before}, {taken} FROM given")
    connection.unregister("given")
    return int(rows)


def _insert_rows(connection: Any, table: str, number: int, rows: Sequence[tuple[Any, ...]]) -> None:
    """Put some rows into a table, column by column, because DuckDB takes long over each statement."""
    columns = [list(one) for one in zip(*rows, strict=True)]
    if columns:
        run(connection, f"INSERT INTO {table} SELECT {number}, {', '.join(['unnest(?)'] * len(columns))}", columns)


def _same(connection: Any, old: int, new: int) -> bool:
    """Whether two lists say the same of the same players: as many rows, whose hashes have one sum in any order."""
    return all(
        len({run(connection, SUMMED.format(table=table, list=number))[0] for number in (old, new)}) == 1
        for table in ("player", "other_title", "rating", "bad_line")
    )


def _arrow() -> None:
    """What the blocks are made of, which is part of the extra."""
    try:
        import numpy as np  # noqa: F401
        import pyarrow as pa  # noqa: F401
    except ImportError:
        raise MissingExtra(
            "Importing lists needs NumPy and Arrow; `pip install 'arpad[lists]'` brings them.", at="list"
        ) from None
