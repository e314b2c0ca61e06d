"""The process from which Spark forks its Python workers on this machine: it has read Arpad once for all of them."""

from pyspark.daemon import manager

import arpad.bulk.engines.shards  # noqa: F401  # what the workers need

if __name__ == "__main__":
    manager()
