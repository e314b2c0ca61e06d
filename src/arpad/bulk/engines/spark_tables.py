"""Spark's sessions and tables: data frames with the columns of the layout, and where each row came from.

The place of a row is narrow, because every game takes it along: a hash of the file's name, which Python turns into the
number of the file, and the number of the row.
"""

from __future__ import annotations

import glob
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.csv
from py4j.protocol import Py4JError
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.java_gateway import launch_gateway
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812  # as everybody writes it
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import DecimalType, FractionalType, IntegralType, TimestampType

from arpad.bulk.engines.shards import FILE, PLACE
from arpad.bulk.tables.columns import IDS, recognise
from arpad.bulk.tables.files import MARKED
from arpad.bulk.tables.ids import EXACT, NUMBER, ZEROS
from arpad.bulk.tables.paths import format_of
from arpad.bulk.tables.players import all_columns
from arpad.errors import ArpadError, BadFile, BadInput, Unsupported
from arpad.messages import say

if TYPE_CHECKING:
    Frames = DataFrame | str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


FAILURES = (PySparkException, Py4JError)
CONNECT = "sc://"
# No web page of Spark's, more memory than its 1 GB, no more parts of a join than one machine can use, a list of some
# million players sent to both sides of a join whole, no measuring of a batch for Python after each of its rows, which
# takes longer than all the rest, and workers that have read Arpad when they begin.
ON_THIS_MACHINE = {
    "spark.ui.enabled": "false",
    "spark.driver.memory": "4g",
    "spark.sql.shuffle.partitions": "16",
    "spark.sql.autoBroadcastJoinThreshold": "128m",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(2**31 - 1),
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(1 << 16),
    "spark.python.daemon.module": "arpad.bulk.engines.spark_daemon",
}
AN_ORDER = 1 << 62  # taken from a row's number where that is only an order and no place in a file
LOCAL = re.compile("^file:/+")
# Quotes are doubled; a header that differs from the first file's, or a line with more or fewer fields, is refused.
CSV = {"header": "true", "enforceSchema": "false", "escape": '"', "mode": "FAILFAST", "columnPruning": "false"}
TIME_ZONE = "spark.sql.session.timeZone"
DAYS = ("date", "start")
DAY = 24 * 60 * 60  # seconds
BLANKS = r"(?U)^\s+|\s+$"
NO_VALUE = pa.csv.ConvertOptions().null_values
XZ = ".xz"
READERS = {
    "parquet": lambda read, names: read.option("mergeSchema", "true").parquet(*names),
    "csv": lambda read, names: read.options(**CSV).csv(names),
    "jsonl": lambda read, names: read.json(names),
}
# Spark's conditions.
NO_JAVA, IS_THERE, CANNOT_MERGE = "JAVA_GATEWAY_EXITED", "PATH_ALREADY_EXISTS", "CANNOT_MERGE_SCHEMAS"
# Where the reason is, the best first: what Arpad said on a worker, what Python or Arrow said there, what a Connect
# server answered, what caused the rest in Java, what Java threw, and the first line. Of several, the last is the cause.
REASONS = (
    r"^(?:arpad\.errors\.\w+|ModuleNotFoundError): (.*)$",
    r"^((?:\w+\.)*(?:\w+Error|Arrow\w+): .*)$",
    r'^\s*details = "(.*)"$',
    r"^Caused by: [\w.$]+: (.+)$",
    r"^An error occurred while calling .*\n: (.*)$",
    r"\A(.*)$",
)
FILE_READ = r"while reading file (\S+)\."
TYPES = r'"STRUCT<(.*)>"'  # of files whose columns cannot be brought together
AROUND = re.compile(r"^(?:[\w.$]+Exception: )?(?:\[[\w.]+\] )?(.*?)[.:]?(?: SQLSTATE: \w+)?$")


def session(url: str | None = None) -> SparkSession:
    """The session that is there, or one at a master's URL, or at a Spark Connect server's (`sc://`)."""
    url = url or os.environ.get("SPARK_REMOTE")
    if url is not None and url.startswith(CONNECT):
        return SparkSession.builder.remote(url).getOrCreate()
    active = SparkSession.getActiveSession()
    if active is not None:
        if url not in (None, active.sparkContext.master):
            raise BadInput(say("bulk.spark.other_master", url=url, master=active.sparkContext.master), at="spark")
        return active
    if url is not None and not url.startswith("local"):
        return SparkSession.builder.appName("arpad").master(url).getOrCreate()
    return _on_this_machine(url)


def _on_this_machine(url: str | None) -> SparkSession:
    """A session of our own: its workers are the interpreter that has Arpad, and it does not print to the terminal."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = SparkConf().setAppName("arpad").setAll(list(ON_THIS_MACHINE.items()))
    if url is not None:
        conf.setMaster(url)
    java = launch_gateway(conf, {"stderr": subprocess.DEVNULL})  # type: ignore[no-untyped-call]  # pyspark has no types there
    return SparkSession(SparkContext(gateway=java, conf=conf))


class Files(NamedTuple):
    """The files of a table by their numbers: as Spark calls them, and as they were given; and the numbers by hash."""

    urls: list[str]
    names: list[str | None]
    numbers: dict[int, int]

    def numbered(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Rows with the numbers of their files in place of hashes."""
        hashes = batch.column(FILE).dictionary_encode()
        known = np.array([self.numbers[hashed] for hashed in hashes.dictionary.to_pylist()], np.int32)
        column = pa.array(known[hashes.indices.to_numpy()])
        return batch.set_column(batch.schema.get_field_index(FILE), FILE, column)


NO_FILE = Files([], [None], {0: 0})  # of a data frame


class SparkTable(NamedTuple):
    """A data frame with the columns of the layout and the places of its rows, and the files it comes from."""

    frame: DataFrame
    files: Files

    @property
    def schema(self) -> pa.Schema:
        """The columns as a shard gets them."""
        schema = to_arrow_schema(self.frame.schema, timezone=self.frame.sparkSession.conf.get(TIME_ZONE))
        return schema.set(schema.get_field_index(FILE), pa.field(FILE, pa.int32()))


def laid_out(spark: SparkSession, given: Frames | SparkTable, table: str, columns: dict[str, str]) -> SparkTable:
    """A table with the columns of the layout by their names; players keep their other columns too."""
    if isinstance(given, SparkTable):
        return given
    frame, files = _read(spark, given, table)
    there = [name for name in frame.columns if name not in PLACE]
    found = all_columns(there, columns) if table == "players" else recognise(table, there, columns)
    chosen = frame.select(*(F.col(f"`{name}`").alias(column) for column, name in found.items()), *PLACE)
    plain = {name: plain_id(chosen, name) for name in IDS[table]}
    # The day of an instant by UTC, as on one machine, whatever the session's time zone is.
    plain |= {
        name: F.date_from_unix_date(F.floor(F.unix_seconds(name) / DAY).cast("int"))
        for name in DAYS
        if name in found and isinstance(chosen.schema[name].dataType, TimestampType)
    }
    return SparkTable(chosen.withColumns(plain), files)


def _read(spark: SparkSession, given: Frames, table: str) -> tuple[DataFrame, Files]:
    """A data frame as it is, or the files behind names or globs; with the place of each row."""
    an_order = F.monotonically_increasing_id() - F.lit(AN_ORDER)
    if isinstance(given, DataFrame):
        return _placed(given, F.lit(0).cast("bigint"), an_order), NO_FILE
    names = names_of(given)
    kinds = {format_of(name) for name in names}
    if len(kinds) > 1 or not kinds <= set(READERS):
        raise BadInput(say("bulk.spark.reads", formats=list(READERS), names=names), at=table)
    for name in names:
        if name.lower().endswith(XZ):
            raise BadInput(say("bulk.spark.compressed", ending=XZ), at=name)
    kind = kinds.pop()
    frame = READERS[kind](spark.read, names)
    # Parquet alone knows the place of a row in its file.
    row = F.col("_metadata.row_index") if kind == "parquet" else an_order
    placed = _placed(frame, F.xxhash64("_metadata.file_path"), row)
    return _as_arrow_reads(placed, frame.columns) if kind == "csv" else placed, _files(spark, frame, names)


def _placed(frame: DataFrame, file: Column, row: Column) -> DataFrame:
    """A frame with the place of each row."""
    return frame.withColumns(dict(zip(PLACE, (file, row), strict=True)))


def _as_arrow_reads(frame: DataFrame, names: list[str]) -> DataFrame:
    """Texts of CSV as on one machine: null for the same words, without the mark of what looks like a formula."""
    columns = {name: F.col(f"`{name}`") for name in names}
    return frame.withColumns(
        {name: F.regexp_replace(F.when(~text.isin(NO_VALUE), text), MARKED, "$1") for name, text in columns.items()}
    )


def names_of(given: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    """Names of files, one or many."""
    return [os.fspath(name) for name in ([given] if isinstance(given, str | os.PathLike) else given)]


def _files(spark: SparkSession, frame: DataFrame, given: list[str]) -> Files:
    """The files behind a frame, in the order in which they were given, those of one name by theirs."""
    here = {os.path.abspath(name): name for pattern in given for name in sorted(glob.glob(pattern, recursive=True))}
    order = {path: place for place, path in enumerate([*here] or given)}

    def place(url: str) -> tuple[int, str]:
        path = _path(url)
        return order.get(path, order.get(os.path.dirname(path), len(order))), url

    urls = sorted((LOCAL.sub("file:/", url) for url in frame.inputFiles()), key=place)
    # A row may have the name of a local file with three slashes or with one.
    written = [(number, form) for number, url in enumerate(urls) for form in {url, LOCAL.sub("file:///", url)}]
    rows = spark.createDataFrame(written, "number int, url string").select("number", F.xxhash64("url").alias("hash"))
    numbers = {row["hash"]: row["number"] for row in rows.collect()}
    return Files(urls, [as_given(url, here) for url in urls], numbers)


def as_given(url: str, here: dict[str, str]) -> str:
    """A file's name as the user gave it; Spark names a file on this machine by its URL."""
    path = _path(url)
    return here.get(path, path)


def _path(url: str) -> str:
    """A URL as people write it: a file of this machine by its path."""
    return LOCAL.sub("/", unquote(url))


def plain_id(frame: DataFrame, name: str) -> Column:
    """An id in its plain form, as `tables.ids.plain_ids` says it."""
    id, kind = F.col(name), frame.schema[name].dataType
    if isinstance(kind, IntegralType):
        return id.cast("bigint")
    if isinstance(kind, FractionalType) and not isinstance(kind, DecimalType):
        return F.when((F.rint(id) == id) & (F.abs(id) < EXACT), id.cast("bigint"))
    text = F.regexp_replace(id.cast("string"), BLANKS, "")
    return F.nullif(F.regexp_replace(text, ZEROS, "$1$2"), F.lit(""))


def key(frame: DataFrame, name: str, *, whole: bool) -> Column:
    """A plain id to join by: a number where the list has whole numbers, or else a text."""
    id = F.col(name)
    if isinstance(frame.schema[name].dataType, IntegralType):
        return id if whole else id.cast("string")
    return F.regexp_extract(id, NUMBER, 0).try_cast("bigint") if whole else id


@contextmanager
def refusing(at: str = "engine spark") -> Iterator[None]:
    """Turn Spark's failures into Arpad's errors."""
    try:
        yield
    except FAILURES as error:
        raise _refusal(error, at) from None


def _refusal(error: Exception, at: str) -> ArpadError:
    """What Spark says, in one sentence, without names of exceptions and codes around it."""
    condition = error.getCondition() if isinstance(error, PySparkException) else None
    if condition == NO_JAVA:
        return Unsupported(say("bulk.spark.no_java"), at=at)
    if condition == IS_THERE:
        return BadFile(say("bulk.spark.exists"), at=at)
    text = str(error).strip()
    if (columns := re.findall(TYPES, text)) and CANNOT_MERGE in text:
        return BadFile(say("bulk.spark.types", columns=columns[0], others=columns[-1]), at=at)
    found = next(matches for reason in REASONS if (matches := re.findall(reason, text, re.MULTILINE)))
    file = re.search(FILE_READ, text)
    return BadFile(say("bulk.spark.stopped", why=AROUND.sub(r"\1", found[-1])), at=file[1] if file else at)
