"""What is said comes through the messages: every key exists, every place is filled, and nothing is left over."""

import ast
import re
from collections import Counter
from copy import copy
from pathlib import Path
from string import Formatter

import pytest
from offenders import none_of

import arpad
from arpad.errors import UnknownName
from arpad.messages import FOLDER, FieldName, Message, figure, fill, say, section, shipped, speaking, subject_texts

SOURCE = Path(arpad.__file__).parent
FILES = sorted(Path(FOLDER, "en").glob("*.txt"))
SUBJECTS = [path.stem for path in FILES]


def keys_said():
    """Every literal key of a `say` in the code, with the names of its values, where none are unpacked."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say" and node.args:
                key = node.args[0]
                if isinstance(key, ast.Constant):
                    names = {one.arg for one in node.keywords}
                    yield path.name, key.value, None if None in names else tuple(sorted(names))


def all_texts(language):
    """Every text of a language by its whole key."""
    return {f"{subject}.{key}": text for subject in SUBJECTS for key, text in subject_texts(language, subject).items()}


def places(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name} - {"field", "question"}


def test_every_key_has_a_text_whose_places_are_filled():
    """A message that the code says exists, and takes no value that it is not given."""
    texts = all_texts("en")
    said = list(keys_said())
    missing = [f"{file} says {key}, which is not there" for file, key, _ in said if key not in texts]
    empty = [
        f"{file} says {key} without {sorted(places(texts[key]) - {*values})}"
        for file, key, values in said
        if key in texts and values is not None and not places(texts[key]) <= {*values}
    ]
    none_of(missing + empty)


SITE = SOURCE.parents[1] / "static_site"  # the scripts of the static site, which say `pages.site`
RESULTS = ("win", "draw", "loss")  # which a template says of each outcome
# Sections whose keys are words that people type.
TYPED = ("command.other_words.", "fields.other_names.", "tournaments.other_criteria.")
RULES = ("rules.", "steps.text.")  # what the rule files say and have as values, found by its English


def source_files(*endings):
    """Everything that may say something: code, templates, scripts and rules, but no messages."""
    files = [path for folder in (SOURCE, SITE) for path in folder.rglob("*") if path.suffix in endings]
    return [path for path in files if "__pycache__" not in path.parts]


def said_in_templates():
    """The keys of the templates' texts; `{name}` where a template has something else than a key that is written out."""
    for path in source_files(".html"):
        for given in re.findall(r"\bsay\(([^,)]*)", path.read_text("utf-8")):
            yield given[1:-1] if re.fullmatch(r'"\w+"', given) else f"{{{given}}}"


def told_in_templates():
    """The whole keys that templates say with `told`: written out, or the beginning of one that ends in a name."""
    for path in source_files(".html"):
        yield from re.findall(r'\btold\("([^"]+)"', path.read_text("utf-8"))


def test_a_template_writes_its_keys_out():
    """A key in a template is there, and can be searched for."""
    assert {*said_in_templates()} - {*section("en", "pages.text")} == set()
    texts = all_texts("en")
    none_of([key for key in told_in_templates() if key not in texts and not any(one.startswith(key) for one in texts)])


class Said:
    """What the sources name: whole keys, keys that are put together, and the words that these may be made of."""

    def __init__(self):
        self.literals, self.composed, self.made_words = set(), set(), set()
        for path in source_files(".py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    self.literals.add(node.value)
                elif isinstance(node, ast.JoinedStr):
                    parts = [re.escape(one.value) if isinstance(one, ast.Constant) else "(.+)" for one in node.values]
                    is_key = isinstance(node.values[0], ast.Constant) and node.values[0].value.split(".")[0] in SUBJECTS
                    (self.composed if is_key else self.made_words).add("".join(parts))
        self.literals |= {f"pages.text.{key}" for key in (*said_in_templates(), *RESULTS)}
        self.literals |= {key for key in told_in_templates() if not key.endswith(".")}
        self.composed |= {f"{re.escape(key)}(.+)" for key in told_in_templates() if key.endswith(".")}
        texts = [path.read_text("utf-8") for path in source_files(".py", ".html", ".js", ".toml")]
        words = {word for text in texts for word in re.findall(r"[\w-]+", text)}
        self.words = words | {word.replace("_", "-") for word in words} | self.literals
        self.words |= {word.replace(" ", "_") for word in self.literals}  # a command of two words owns fields
        # Of a word with places, such as `bad_{name}`, something must be written out.
        self.made = [re.compile(text) for text in self.made_words if len(re.sub(r"\(\.\+\)|\W", "", text)) > 2]

    def word(self, word):
        """Whether a part of a key is written somewhere, whole or with places."""
        return word in self.words or any(one.fullmatch(word) for one in self.made)

    def key(self, key):
        """Whether a key is used: written out, or put together from a beginning and words that the sources have."""
        if key in self.literals or key.startswith((*TYPED, *RULES)):
            return True
        if key.startswith("pages.text."):
            return False  # templates write their keys out
        parts = key.split(".")
        rests = [".".join(found.groups()) for one in self.composed if (found := re.fullmatch(one, key))]
        rests += [".".join(parts[at:]) for at in range(2, len(parts)) if ".".join(parts[:at]) in self.literals]
        return any(map(self.written, rests))

    def written(self, rest):
        """Whether the rest of a key is a word, or words with dots between them."""
        dots = [at for at, sign in enumerate(rest) if sign == "."]
        return self.word(rest) or any(self.word(rest[:at]) and self.written(rest[at + 1 :]) for at in dots)


@pytest.fixture(scope="module")
def said():
    """What the sources say."""
    return Said()


def test_no_key_is_left_over(said):
    """Every text can be said: a translator translates nothing for nobody."""
    none_of([key for key in all_texts("en") if not said.key(key)])


def test_a_key_that_is_left_over_is_found(said):
    """The test above can fail, for keys that are written out and for those that are put together."""
    assert said.key("pages.text.site_name")
    assert said.key("pages.listed_born")  # put together in `web/view.py`
    assert not said.key("pages.text.not_rated_any_more")
    assert not said.key("pages.listed_shoesize")
    assert not said.key("systems.nobody_says_this")


def test_the_texts_of_the_pages_have_names_that_say_what_they_are_for():
    """A key that ends in a number, or a place called {a}, tells a translator nothing."""
    texts = section("en", "pages.text")
    numbered = [key for key in texts if re.search(r"_\d+$", key)]
    none_of(numbered + [text for text in texts.values() if {one for one in places(text) if len(one) < 2} - {"k"}])


def test_the_architecture_names_the_fold_of_a_new_field_as_the_page_does():
    """Whoever adds a field looks for it under these words."""
    guide = (SOURCE.parents[1] / "docs" / "architecture.md").read_text("utf-8")
    assert f"“{section('en', 'pages.text')['disputed_readings']}”" in guide


SAID = {"ArpadError", "UncoveredDate", "BadRulebook", "BadFile", "BadInput", "Unsupported", "MissingExtra", "Busy"}
SAID_BY_NAME = {"notes", "note", "why", "advice", "remark"}


def is_plain(node):
    """Whether an expression is a text that is written out: a literal, one with places, or two joined."""
    if isinstance(node, ast.BinOp):
        return is_plain(node.left) or is_plain(node.right)
    if isinstance(node, ast.IfExp):
        return is_plain(node.body) or is_plain(node.orelse)
    if isinstance(node, ast.List | ast.Tuple):
        return any(map(is_plain, node.elts))
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def plain_texts(source):
    """The errors and notes of some code that are built from a plain text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            said = node.args[:1] if name in SAID else []
            names = {one.arg for one in node.keywords}
            if name not in ("say", "arrow_table") and "doors" not in names:  # why a field is at some doors is for us
                said += [one.value for one in node.keywords if one.arg in SAID_BY_NAME]
            yield from (ast.unparse(one) for one in said if is_plain(one))


def test_no_error_and_no_note_is_a_plain_text():
    """What people read has a key; a sentence in code cannot be translated."""
    none_of(
        f"{path.relative_to(SOURCE)}: {text}"
        for path in sorted(SOURCE.rglob("*.py"))
        for text in plain_texts(path.read_text(encoding="utf-8"))
    )


def test_a_plain_text_is_found():
    """The test above can fail."""
    source = """
raise BadInput(f"{year} is not a year", at="born")
raise errors.BadFile("cannot be read" if path else say("lists.import.empty"))
Answer(notes=["assumed: an adult"], system="fide")
say("lists.import.not_csv", why="no columns")
raise BadInput(say("values.not.rating", value=value), at="rating")
"""
    assert len(list(plain_texts(source))) == 3


def keys_written(path):
    """The keys of a file with their sections, as often as they are written."""
    section_name = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section_name = line
        elif " = " in line and not line.startswith((" ", "#")):
            yield f"{path.stem} {section_name} {line.partition(' = ')[0].strip()}"


def test_no_key_is_written_twice():
    """Of two texts with one key, the first would never be shown."""
    none_of(key for key, times in Counter(key for path in FILES for key in keys_written(path)).items() if times > 1)


def kinds_of_names():
    """The kind of every `UnknownName` in the code, as a pattern of its key, and whether it says of what."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "UnknownName":
                kind = node.args[0]
                parts = kind.values if isinstance(kind, ast.JoinedStr) else [kind]
                texts = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in parts]
                yield str(path.relative_to(SOURCE)), "".join(texts), "of" in {one.arg for one in node.keywords}


def test_every_kind_of_name_has_words():
    """What an `UnknownName` calls a kind is a message, and says of what it is where its words need that."""
    texts, offenders = section("en", "errors.kind"), []
    for file, kind, of in kinds_of_names():
        found = [text for key, text in texts.items() if re.fullmatch(kind, key)]
        if not found:
            offenders.append(f"{file}: errors.kind has no {kind}")
        elif kind != ".+" and any(("of" in places(text)) != of for text in found):
            offenders.append(f"{file}: {kind} says of what it is, or its words do, but not both")
    none_of(offenders)


READING = {"whole_of", "between", "number", "refused"}  # what reads a value, and the kind of value as second argument


def kinds_of_values():
    """The kind of every value that the code reads."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in READING and len(node.args) > 1:
                kind = node.args[1]
                if isinstance(kind, ast.Constant) and isinstance(kind.value, str):
                    yield kind.value


def test_every_kind_of_value_has_words():
    """What is said of a value that was refused is a message; `--workers 100` once was a bug."""
    none_of(sorted(set(kinds_of_values()) - set(section("en", "values.not"))))


@pytest.mark.parametrize(("names", "said"), [
    (["dwz", "uschess"], "No setting of ecf is called 'elo'. Known: dwz, uschess."),
    (["elo-2", "elo-1"], "No setting of ecf is called 'elo'. Did you mean 'elo-1' or 'elo-2'? Known: elo-1, elo-2."),
    (["elo-2", *"abcdefgh"], "No setting of ecf is called 'elo'. Did you mean 'elo-2'?"),
    ([], "No setting of ecf is called 'elo'; there are none."),
])  # fmt: skip
def test_an_unknown_name_leads_to_the_known_ones(names, said):
    """The nearest names first, and all of them where they are few or none is near; a copy says the same."""
    error = UnknownName("setting", "elo", of="ecf", known=names, at="settings")
    assert error.message == said
    assert str(copy(error)) == f"{said} (at settings)"


def test_field_references_are_fields():
    """`{field:born}` and `{question:first}` name something that exists."""
    from arpad.questions import HOMES

    fields = set(subject_texts("en", "fields"))
    questions = {*HOMES, "check", "list import", "convert", "mcp", "serve"}
    none_of(
        f"{key}: {text}"
        for key, text in all_texts("en").items()
        if not {f"help.{name}" for name in re.findall(r"\{field:(\w+)\}", text)} <= fields
        or not set(re.findall(r"\{question:([\w ]+)\}", text)) <= questions
    )


def test_each_door_names_a_field_its_own_way():
    """One message, four voices."""
    message = say("notes.k.assumed.born", k=20)
    shown = {}
    for door in ("library", "api", "command", "page"):
        with speaking(door=door):
            shown[door] = str(message)
    assert "(`birth_year`)" in shown["library"]
    assert "(`born`)" in shown["api"]
    assert "(--born)" in shown["command"]
    assert "(“Year of birth”)" in shown["page"]


@pytest.mark.parametrize("language", shipped())
def test_paper_has_no_options(language):
    """A remark on an event says on paper what it says in a terminal, but for the options, and ends as a sentence."""
    notes = {
        key: text
        for key, text in subject_texts(language, "notes").items()
        if "{field:" in text and key.startswith(("event.", "norms.", "dual."))
    }
    assert len(notes) > 20
    shown = {}
    for door in ("command", "paper"):
        with speaking(language, door=door):
            values = dict.fromkeys(re.findall(r"\{(\w+)", "".join(notes.values())), 3)
            shown[door] = {key: str(say(f"notes.{key}", **values)) for key in notes}
    none_of(f"{key}: {text}" for key, text in shown["command"].items() if "--" not in text)
    none_of(
        f"{key}: {text}"
        for key, text in shown["paper"].items()
        if "--" in text or not re.search(r"\w.*[^\W_]\.$|\]\.$", text) or text[:20] != shown["command"][key][:20]
    )


def test_paper_keeps_what_was_assumed():
    """Only the option goes: the brackets it is in, or its own clause."""
    kind, adult = say("notes.norms.kind", kind="swiss"), say("notes.event.k.assumed.born", whom="3 Ito")
    with speaking(door="paper"):
        assert str(kind) == "The file does not say what kind of event this is; taken as swiss."
        assert str(adult) == "For 3 Ito K assumes an adult, because the year of birth is not known."


def test_a_page_has_only_its_own_fields_in_brackets():
    """There is one for the year of birth, and none for the host federation of a tournament."""
    with speaking(door="page"):
        assert str(say("notes.norms.host", host="CRO")) == "The host federation comes from the file: CRO."
        assert str(say("forecast.refused.typical_born")).endswith("give the year of birth (“Year of birth”).")


def test_numbers_are_written_as_people_write_them():
    """A real minus, signs where they are wanted, counts with their noun."""
    from decimal import Decimal

    assert figure(Decimal("-4.80")) == "−4.80"
    assert figure(30, signed=True) == "+30"
    assert figure(Decimal("0.0")) == "0"
    assert str(say("values.too.many_games", games=1, most=5)).startswith("1 game ")
    assert str(say("values.too.many_games", games=1500, most=5)).startswith("1,500 games ")


def test_a_message_is_a_value():
    """Messages are equal when equal, and a field may be one of the values."""
    assert say("questions.given_twice", field_name=FieldName("k")) == Message(
        "questions.given_twice", {"field_name": FieldName("k")}
    )


@pytest.mark.parametrize(
    ("items", "said"), [([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")]
)
def test_a_list_is_read_as_people_say_it(items, said):
    """Commas, and the word of the place before the last item."""
    assert fill("{names:or}", {"names": list(items)}) == said
