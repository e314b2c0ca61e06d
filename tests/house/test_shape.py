"""The shape of the house: imports point down, modules have a readable size, and no rule stands in code or words."""

import ast
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from offenders import none_of

import arpad
from arpad.messages import FOLDER, subject_texts
from conftest import KEPT, SLOW, TOGETHER

SOURCE = Path(arpad.__file__).parent
TESTS = Path(__file__).parents[1]

# From the top to the ground; a room may import from its own layer and from those below.
LAYERS = [
    ("cli", "web", "__main__"),
    ("questions",),
    ("reports", "charts"),
    ("simulation",),
    ("lists", "bulk", "formats", "ledger"),
    ("reading",),
    ("forecast", "tournaments", "matches"),
    ("systems",),
    ("calculation",),
    ("rulebooks",),
    ("core",),
    ("errors",),
    ("messages",),
    ("lazy",),
]
HEIGHT = {name: len(LAYERS) - place for place, names in enumerate(LAYERS) for name in names}

PURE = {"questions", *(name for names in LAYERS[5:] for name in names)}
IMPURE = {"os", "socket", "time", "subprocess", "urllib", "http", "random", "logging"}
READS_FILES = {
    "arpad.rulebooks": "the rule files, which are packaged",
    "arpad.messages.texts": "the words, which are packaged",
    "arpad.questions.files": "the files that a question names",
}
TAKES_CHANCES = {
    "arpad.forecast.chain": "seeded: the same question has the same answer",
    "arpad.forecast.norm_simulation": "the same, with a seed of one's own",
}

LONGEST, SHORTEST = 700, 60  # lines of a module that is read in one sitting, and that is worth a file
MAY_BE_SHORT = {
    "arpad.lazy": "the package itself needs it before anything else is imported",
    "arpad.cli.completion": "a command of its own, imported only when it is asked for",
    "arpad.bulk.engines.spark_daemon": "where Spark's worker processes begin",
    "arpad.ledger.migrations.env": "where Alembic begins",
    "arpad.ledger.migrations.versions.v0001_log": "a step of its own, that is never changed afterwards",
    "arpad.web._worker": "where a worker process begins",
}


def module_of(path):
    """The full name of a module: `arpad.systems.fide.k`."""
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(SOURCE.rglob("*.py"))}


def room_of(module):
    """The room a module is in; the package itself is in none."""
    return module.partition(".")[2].partition(".")[0]


@cache
def text_of(module):
    return MODULES[module].read_text(encoding="utf-8")


@cache
def nodes(module):
    """The syntax tree of a module, flat."""
    return tuple(ast.walk(ast.parse(text_of(module))))


@cache
def imports(module):
    """The modules that one imports at run time; what only a type checker reads is left out."""
    hidden = {
        inner
        for node in nodes(module)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = set()
    for node in nodes(module):
        if node in hidden:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name if name in MODULES else node.module for name in names}
    return found


def test_imports_point_down():
    """No module imports from a layer above its own."""
    offenders = {
        f"{module} imports {target}"
        for module in MODULES
        if room_of(module)
        for target in imports(module)
        if target.startswith("arpad.") and HEIGHT[room_of(target)] > HEIGHT[room_of(module)]
    }
    none_of(sorted(offenders))


def test_nothing_private_of_others_is_imported():
    """Of other distributions only public modules and names are used: Starlette's and uvicorn's, and all others'."""
    offenders = [
        f"{module}: {node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else f"{module}: {alias.name}"
        for module in MODULES
        for node in nodes(module)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
        if is_private(f"{getattr(node, 'module', '')}.{alias.name}")
    ]
    none_of(offenders)


def is_private(path):
    """Whether a dotted path leads through something private of another distribution."""
    parts = path.strip(".").split(".")
    return parts[0] != "arpad" and any(part.startswith("_") and not part.startswith("__") for part in parts)


def test_what_is_private_is_found():
    """The test above sees a private module, a private name and nothing else."""
    asked = ("starlette._utils.x", "uvicorn.protocols._impl", "starlette.routing._x", "arpad.web._worker.main")
    assert [is_private(path) for path in (*asked, "__future__.annotations", "h11.Data")] == [True] * 3 + [False] * 3


def test_no_module_imports_itself_through_others():
    """The graph of modules, on full paths, has no circle; of several, each is found once the others are cut."""
    graph = {module: {name for name in imports(module) if name in MODULES} for module in MODULES}
    circles = []
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle = error.args[1]
            circles.append(" -> ".join(circle))
            graph[circle[1]].discard(circle[0])
        else:
            break
    none_of(circles)


def impurities(module):
    """What a module below the files must not do: clock, network, process, chance, printing, disk, foreign libraries."""
    foreign = {name.partition(".")[0] for name in imports(module)} - set(sys.stdlib_module_names) - {"arpad"}
    yield from (f"imports {name}" for name in sorted(foreign))
    allowed = ({"random"} if module in TAKES_CHANCES else set()) | ({"os"} if module in READS_FILES else set())
    yield from (f"imports {name}" for name in sorted(imports(module) & IMPURE - allowed))
    yield from (f"calls {call}" for call in re.findall(r"\bprint\(|\.today\(|\.now\(", text_of(module)))
    if "open(" in text_of(module) and module not in READS_FILES:
        yield "opens a file"


def test_below_the_files_all_is_pure():
    """No clock, network, process, chance, printing or disk below the files, and the standard library alone."""
    offenders = {f"{module} {what}" for module in MODULES if room_of(module) in PURE for what in impurities(module)}
    none_of(sorted(offenders))


def test_what_may_be_impure_is_there_and_is():
    """An exception that nobody needs any more is deleted."""
    files = [module for module in READS_FILES if module not in MODULES or "open(" not in text_of(module)]
    chances = [module for module in TAKES_CHANCES if module not in MODULES or "random" not in imports(module)]
    none_of(files + chances)


def dated(module):
    """The lines of a module that have a year, or a day built from numbers."""
    for node in nodes(module):
        if isinstance(node, ast.Constant) and type(node.value) is int and 1900 <= node.value <= 2100:
            is_curve = "2000 / 7" in text_of(module).splitlines()[node.lineno - 1]  # the spread of the rating curve
            is_rating = room_of(module) == "questions"  # numbers in examples are ratings
            if not is_curve and not is_rating:
                yield f"line {node.lineno} has {node.value}"
        is_day = isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"date", "datetime"}
        if is_day and all(isinstance(arg, ast.Constant) for arg in node.args):
            yield f"line {node.lineno} has {ast.unparse(node)}"


def test_no_year_or_date_stands_in_code():
    """A rule's date is in a rule file: no code compares with a year or builds a day from numbers."""
    none_of([f"{module} {what}" for module in MODULES for what in dated(module)])


MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
YEAR = re.compile(
    rf"\b(?:in|since|until|before|after|from|for|of|by|least|{MONTHS}) (?:19|20)\d\d\b(?!:)", re.IGNORECASE
)
BESIDE = "first|last|at least|at most|under|over|above|below|more than|less than|fewer than|up to|gap of|has|K|K is"
COUNTS = "two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty"
COUNTED = "games|points|rounds|minutes|seconds|months|years|opponents|norms|titles|federations"
FIGURE = re.compile(
    rf"\b(?:{BESIDE}) (?!(?:[01]|0\.01|99\.99|1\.4\.3)\b)\d+(?:[.,]\d+)*\b(?!:)"
    rf"|\b(?:\d+|{COUNTS}) (?:rated )?(?:{COUNTED})\b|\b\d+\+\d+\b|(?<![.\d])(?!95 )\d+ %",
    re.IGNORECASE,
)
NOT_SAID = re.compile(r"`[^`]*`|\{[^}]*\}|(?:for example|such as)[^.;)]*(?:\.\d[^.;)]*)*")  # places and examples
# Whole sections of examples, and single texts whose figures are no regulation's.
EXAMPLES = ("fields.metavar.", "learn.also.", "learn.asks.", "learn.shows.", "pages.try.")
ARTICLES = ("learn.exact.", "learn.lead.", "learn.range.")  # they tell what a rule is or was, with its year
RULES = ("rules.", "pages.reading_of_rule.")  # what the rule files say, for translators, and names of readings
NO_RULE = {
    "certificates.remark.eight_of_nine": "what the exception is called",
    "steps.label.application.game_short": "the same",
    "pages.rule.bonus_in_three": "what the rule is called",
    "steps.label.events": "what the field counts, as its name says",
    "fields.help.events": "the same",
    "fields.help.gained_3_years": "the same",
    "fields.help.gained_180_days": "the same",
    "notes.icu.second_round": "a finding about old software",
    "command.rules.none_stale": "how long a check of ours is good for",
    "fields.help.stale": "the same",
    "fields.help.list_find.most": "a limit of ours",
    "notes.estimate": "what our own test of the estimate found",
    "notes.typical": "the lists that a figure of ours was measured on",
    "notes.field.titles": "the same",
    "notes.field.titles.all": "the same",
    "notes.reliability.established": "the same",
    "notes.reliability.established.inactive": "the same",
    "notes.reliability.few": "the same",
    "notes.reliability.few.inactive": "the same",
    "notes.reliability.junior": "the same",
    "notes.reliability.junior.inactive": "the same",
    "submission.do.time": "an example",
    "values.not.percentage": "an example",
}


def ruled(text):
    """The years and figures of a regulation that a text says in words; what is filled in later is not there yet."""
    plain = NOT_SAID.sub("…", text)
    return YEAR.findall(plain) + FIGURE.findall(plain)


def test_no_year_or_figure_of_a_regulation_stands_in_a_message():
    """What a rule file says is filled in: a sentence such as “that holds in 2026” is wrong once the rule changes."""
    offenders = {
        f"{subject.stem}.{key}": ruled(text)
        for subject in sorted(Path(FOLDER, "en").glob("*.txt"))
        for key, text in subject_texts("en", subject.stem).items()
        if ruled(text)
    }
    idle = [f"{key} needs no exception any more" for key in NO_RULE if key not in offenders]
    said = [key for key in offenders if key not in NO_RULE and not key.startswith((*EXAMPLES, *ARTICLES, *RULES))]
    none_of([*idle, *(f"{key}: {', '.join(offenders[key])}" for key in said)])


def test_a_rule_in_words_is_found():
    """The test above can fail, and sees what stands in a sentence."""
    assert ruled("that holds in 2026, with at most two rounds a day") == ["in 2026", "two rounds"]
    assert ruled("adults in their first 30 games too") == ["first 30"]
    assert ruled("45+30 may count; K 40, below 2300, by 40 % of the gap") == ["45+30", "K 40", "below 2300", "40 %"]
    assert ruled("{games:game|games} at most {most}; give it, for example 1950:win on 2026-11-15") == []


# A US Chess section's entrant is made by hand and a tournament's is read, but both are somebody who entered.
ONE_WORD_AT_TWO_DOORS = {"Entrant"}


def test_a_class_name_has_one_meaning():
    """No two modules have a class of the same name, so that a name can be looked up without asking which is meant."""
    homes = {}
    for module in MODULES:
        for node in nodes(module):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(module)
    none_of({name: at for name, at in homes.items() if len(at) > 1 and name not in ONE_WORD_AT_TWO_DOORS})


def test_a_module_is_read_in_one_sitting():
    """A module is one subject: none has more than 700 lines, and none under 60 that could stand beside its own kind."""
    lengths = {module: len(text_of(module).splitlines()) for module in MODULES}
    begins = {module for module, path in MODULES.items() if path.stem in {"__init__", "__main__"}}
    long = {module: length for module, length in lengths.items() if length > LONGEST}
    short = {module: length for module, length in lengths.items() if length < SHORTEST and module not in begins}
    none_of({**long, **{module: length for module, length in short.items() if module not in MAY_BE_SHORT}})


# What each of several folders of a room has, and is always read as that folder's.
SAME_IN_EACH = {"systems": {"rules"}, "tournaments": {"games", "report"}}


def test_a_file_of_a_room_has_its_own_name():
    """Two files of one name in a room, at whatever depth, are mistaken for one another."""
    names = Counter((room_of(module), path.stem) for module, path in MODULES.items() if path.stem != "__init__")
    none_of(
        f"{room}: {times} files called {name}.py"
        for (room, name), times in names.items()
        if times > 1 and name not in SAME_IN_EACH.get(room, ())
    )


def test_no_module_hides_a_name_of_its_package():
    """A module becomes an attribute of its package once it is imported, in place of a function of the same name.

    A name that is imported from that very module is safe: the module is there before the name.
    """
    hidden = []
    for module, path in MODULES.items():
        if path.stem != "__init__":
            continue
        own = {other.rpartition(".")[2] for other in MODULES if other.rpartition(".")[0] == module}
        body = ast.parse(text_of(module)).body
        made = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        elsewhere = {
            alias.asname or alias.name
            for node in body
            if isinstance(node, ast.ImportFrom) and node.module != module
            for alias in node.names
            if node.module != f"{module}.{alias.asname or alias.name}"
        }
        hidden += [f"{module}.{name}" for name in sorted((made | elsewhere) & own)]
    none_of(hidden)


def test_the_architecture_draws_every_room():
    """The picture has the rooms of the layers above, from the top to the ground."""
    page = (SOURCE.parent.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    picture = page.partition("```text\n")[2].partition("```")[0]
    lines = [re.findall(r"\w+", re.split(r"   +", line[15:])[0]) for line in picture.splitlines() if "│" not in line]
    drawn = [set(line) - {"__main__"} for line in lines]
    assert drawn == [set(names) - {"__main__"} for names in LAYERS if names != ("lazy",)]


def test_public_names_are_sorted_and_true():
    """`__all__` is sorted, complete, and no public function has the name of a module."""
    assert arpad.__all__ == sorted(arpad.__all__)
    none_of([name for name in arpad.__all__ if not hasattr(arpad, name)])
    modules = {path.stem for path in SOURCE.iterdir() if path.suffix == ".py" or path.is_dir()}
    assert set(arpad.__all__) & modules == set()


def test_every_error_is_in_the_tree():
    """The tree drawn at the top of errors.py has every exception, and nothing else."""
    from arpad import errors

    drawn = set(re.findall(r"── (\w+)", errors.__doc__)) | {"ArpadError"}
    there = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, Exception)}
    assert drawn == there == {name for name in arpad.__all__ if name in there}


def test_importing_arpad_brings_no_heavy_module():
    """`import arpad` and `arpad rate` load neither a template engine nor arrays nor an event loop."""
    probe = (
        "import sys, arpad.cli\n"
        "arpad.cli.main(['rate', '1750', '1950:win', '--k', '40'])\n"
        "print(sorted({'numpy', 'jinja2', 'shtab', 'difflib', 'asyncio'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_every_test_file_has_its_own_name():
    """Pytest imports test files by their names alone: two of one name are an error in a run of all."""
    names = Counter(path.name for path in TESTS.rglob("*.py") if "__pycache__" not in path.parts)
    none_of(sorted(name for name, times in names.items() if times > 1))


def test_the_tables_of_slow_tests_name_what_is_there():
    """A file or a test that has another name by now would be run by neither `make test` nor `make test-slow`."""
    gone = []
    for line in (*SLOW, *KEPT, *TOGETHER):
        file, _, name = line.partition("::")
        path, function = TESTS / file, name.partition("[")[0]
        if not path.exists() or (function and f"def {function}(" not in path.read_text(encoding="utf-8")):
            gone.append(line)
    none_of(gone)
