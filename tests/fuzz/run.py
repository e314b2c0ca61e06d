"""Fuzz for as long as somebody likes, guided by the branches that inputs reach: `run.py SECONDS [TARGET …]`.

With `--until N` a target stops when it has had so many inputs over all runs, and is passed over if it had them before.
With `--damage` the inputs are not guided but damaged at random, as files are on their way: many more in the same time.
They are counted apart, and start from what guided runs have kept.

Each target runs in a process of its own. An exception that is not ours, more than five seconds of the processor or
more than a gigabyte ends it, and the input is put into `found/`, which the tests read. The inputs are counted in
`counts.json`, for `docs/reliability.md`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
from functools import partial
from hashlib import sha1
from importlib import import_module
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time, time
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


def damage(name: str, seconds: int, runs: int, folder: Path) -> None:
    """Try damaged inputs on one target; one that breaks it is kept in the folder."""
    sys.path.append(str(HERE.parent / "helpers"))
    from damage import damaged_at_random
    from targets import alone, targets

    target = targets()[name]
    chance, tried, until = random.Random(), 0, time() + seconds  # noqa: S311
    kept = [path.read_bytes() for path in sorted((folder / "inputs").iterdir())]
    with alone():
        while time() < until and tried != runs:
            data = damaged_at_random(chance.choice(kept), chance)
            try:
                _timed(target, data)
            except BaseException:
                (folder / f"crash-{sha1(data, usedforsecurity=False).hexdigest()}").write_bytes(data)
                raise
            tried += 1
    used = getrusage(RUSAGE_SELF).ru_maxrss // 1024
    print(f"Done {tried} runs, at most {used} MB", file=sys.stderr)
    sys.exit(used > MOST_MEMORY)


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
    parser = argparse.ArgumentParser(
        prog="run.py",
        usage="%(prog)s SECONDS [--until N] [--damage] [TARGET …]",
        description="Try inputs on readers and doors, and count them in counts.json; what breaks one goes into found/.",
        epilog=f"The targets are {', '.join(known)}.",
    )
    parser.add_argument("seconds", type=int, metavar="SECONDS", help="how long, for each target")
    parser.add_argument("--until", type=int, metavar="N", help="stop a target at so many inputs, over all runs")
    parser.add_argument("--damage", action="store_true", help="damage inputs at random instead of guiding them")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all of them unless given")
    asked = parser.parse_intermixed_args(typed)
    if unknown := sorted(set(asked.targets) - set(known)):
        parser.error(f"no target {', '.join(unknown)}; the targets are {', '.join(known)}")
    how = "damaged" if asked.damage else "guided"
    counts = json.loads(COUNTS.read_text())
    broken = 0
    for name in asked.targets or known:
        count = counts.setdefault(name, {"guided": 0, "damaged": 0})
        missing = asked.until - sum(count.values()) if asked.until else -1  # -1: no limit, as atheris has it
        if asked.until and missing <= 0:
            continue
        folder = CORPUS / name.replace(" ", "-")
        (folder / "inputs").mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(known[name].inputs()):
            (folder / "inputs" / f"seed-{number}").write_bytes(seed)
        words = folder / "words"
        words.write_text("".join(f'"{word}"\n' for word in (*known[name].words(), name)))  # never empty
        guided = [
            f"-max_total_time={asked.seconds}", f"-runs={missing}", f"-timeout={HANGS}", f"-rss_limit_mb={MOST_MEMORY}",
            "-print_final_stats=1", f"-max_len={known[name].longest}", f"-dict={words}", f"-artifact_prefix={folder}/",
            str(folder / "inputs"),
        ]  # fmt: skip
        options = ["--damage", str(asked.seconds), str(missing), str(folder)] if asked.damage else guided
        line = [sys.executable, __file__, "--target", name, *options]
        ran = subprocess.run(line, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, check=False)
        said = ran.stderr.decode("utf-8", "replace")
        tried = max(map(int, RUNS.findall(said)), default=0)
        count[how] += tried
        COUNTS.write_text(json.dumps(counts, indent=1) + "\n")
        print(f"{name}: {tried:,} inputs, {sum(count.values()):,} so far", flush=True)
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
        name, *options = sys.argv[2:]
        if options[:1] == ["--damage"]:
            damage(name, int(options[1]), int(options[2]), Path(options[3]))
        else:
            fuzz(name, options)
    sys.exit(main(sys.argv[1:]))
