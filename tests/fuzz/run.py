"""Fuzz for as long as somebody likes, guided by the branches that inputs reach: `run.py SECONDS [TARGET …]`.

With `--until N` a target stops when it has had so many inputs over all runs, and is passed over if it had them before.

Each target runs in a process of its own. An exception that is not ours, more than five seconds of the processor or
more than a gigabyte ends it, and the input is put into `found/`, which the tests read. The inputs are counted in
`counts.json`, for `docs/reliability.md`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from targets import Target

HERE = Path(__file__).parent
COUNTS = HERE / "counts.json"
SOURCE = HERE.parents[1] / "src"
CORPUS = HERE.parents[1] / ".cache" / "fuzz"
LONGEST, MOST_MEMORY = 5, 1024  # seconds of the processor for an input; megabytes
HANGS = 60  # seconds of the clock, after which it hangs, however busy the machine is
RUNS = re.compile(r"^(?:Done |#|stat::number_of_executed_units: +)(\d+)", re.MULTILINE)


def fuzz(name: str, options: list[str]) -> None:
    """Try inputs on one target; this does not come back."""
    import atheris
    from targets import alone, targets

    target = targets()[name]
    guide = {module for module in _modules() if any(f"{module}.".startswith(f"{part}.") for part in target.guide)}
    if late := guide & set(sys.modules):
        sys.exit(f"imported before atheris could follow their branches: {', '.join(sorted(late))}")
    # Atheris includes whole distributions only, so that the rest of ours is excluded.
    with atheris.instrument_imports(include=["arpad"], exclude=_modules() - guide, enable_loader_override=False):
        for module in sorted(guide):
            import_module(module)
    with alone():
        for seed in target.inputs():  # whatever is imported at first use is no input's fault
            target(seed)
        atheris.Setup([sys.argv[0], *options], partial(_timed, target))
        atheris.Fuzz()


def _modules() -> set[str]:
    """The names of all our modules, none of which is imported by this."""
    files = (file.relative_to(SOURCE).with_suffix("") for file in (SOURCE / "arpad").rglob("*.py"))
    return {".".join(file.parts).removesuffix(".__init__") for file in files}


def _timed(target: Target, data: bytes) -> None:
    """Try an input; one that keeps the processor busy for long is as bad as an exception."""
    began = process_time()
    target(data)
    if process_time() - began > LONGEST:
        raise AssertionError(f"more than {LONGEST} seconds of the processor")


def main(typed: list[str]) -> int:
    """Fuzz some targets or all of them, and count the inputs."""
    from targets import FOUND, targets

    known = targets()
    parser = argparse.ArgumentParser(prog="run.py", description="Fuzz for as long as somebody likes.")
    parser.add_argument("seconds", type=int, help="for each target")
    parser.add_argument("--until", type=int, metavar="N", help="stop a target at so many inputs, over all runs")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"all unless given: {', '.join(known)}")
    asked = parser.parse_intermixed_args(typed)
    if unknown := sorted(set(asked.targets) - set(known)):
        parser.error(f"no target {', '.join(unknown)}; the targets are {', '.join(known)}")
    counts = json.loads(COUNTS.read_text()) if COUNTS.exists() else {}
    broken = 0
    for name in asked.targets or known:
        missing = asked.until - counts.get(name, 0) if asked.until else -1  # -1: no limit, as atheris has it
        if asked.until and missing <= 0:
            continue
        folder = CORPUS / name.replace(" ", "-")
        (folder / "inputs").mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(known[name].inputs()):
            (folder / "inputs" / f"seed-{number}").write_bytes(seed)
        words = folder / "words"
        words.write_text("".join(f'"{word}"\n' for word in (*known[name].words(), name)))  # never empty
        options = [
            f"-max_total_time={asked.seconds}", f"-runs={missing}", f"-timeout={HANGS}", f"-rss_limit_mb={MOST_MEMORY}",
            "-print_final_stats=1", f"-max_len={known[name].longest}", f"-dict={words}", f"-artifact_prefix={folder}/",
            str(folder / "inputs"),
        ]  # fmt: skip
        line = [sys.executable, __file__, "--target", name, *options]
        ran = subprocess.run(line, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, check=False)
        said = ran.stderr.decode("utf-8", "replace")
        tried = max(map(int, RUNS.findall(said)), default=0)
        counts[name] = counts.get(name, 0) + tried
        COUNTS.write_text(json.dumps(counts, indent=1) + "\n")
        print(f"{name}: {tried:,} inputs, {counts[name]:,} so far", flush=True)
        if ran.returncode:
            broken += 1
            (folder / "log").write_text(said)
            for input in [*folder.glob("crash-*"), *folder.glob("timeout-*"), *folder.glob("oom-*")]:
                (FOUND / folder.name).mkdir(parents=True, exist_ok=True)
                shutil.move(input, FOUND / folder.name / input.name)
            print(f"  broken, see {folder / 'log'}")
    return 1 if broken else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--target"]:
        os.environ.setdefault("PYTHONHASHSEED", "0")
        fuzz(sys.argv[2], sys.argv[3:])
    sys.exit(main(sys.argv[1:]))
