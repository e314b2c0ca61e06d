"""Spark's sessions: one that is there, one on this machine, at a master or at a Connect server; and what Spark says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from arpad.errors import ArpadError, BadFile, BadInput, Unsupported
from arpad.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    found = next(all_ for reason in REASONS if (all_ := re.findall(reason, text, re.MULTILINE)))
    file = re.search(FILE_READ, text)
    return BadFile(say("bulk.spark.stopped", why=AROUND.sub(r"\1", found[-1])), at=file[1] if file else at)
