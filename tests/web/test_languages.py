"""A made-up language, every text of which is in brackets: what a page says outside them is in no message file."""

import dataclasses
import html
import re
import shutil
from datetime import date
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from message_files import languages_in
from starlette.testclient import TestClient

import arpad
from arpad.core import TITLES
from arpad.messages import section, speaking
from arpad.questions import questions_at, read_question, spec_of
from arpad.questions.rules import rulebook_names, rules
from arpad.web.app import create_app
from arpad.web.site import PAGES
from conftest import ROOT

PATHS = [f"{page.path}?{page.query}" for page in PAGES.values()]
REFUSED = [
    "/?system=fide-standard&on=2026-11-15&rating=1750&game=1950:0.7",
    "/?system=fide-standard&on=2026-11-15&rating=1750&game=1950:maybe",
    "/?system=fide-standard&on=2026-11-15&rating=1750&game=1950:win&born=1",
    "/period?system=fide-standard&on=2026-11-15&rating=1750&event=A&game=1950:1&event=B&paste=foo",
    "/first?system=elo&on=2026-11-15&game=1902:1",
]
SHOWN = {"title", "alt", "placeholder", "aria-label", "data-label", "data-copy", "data-peek", "data-k", "content"}
VERBATIM = {"code", "pre", "script", "style", "textarea"}  # what programs read, and what was typed
FIDE_COLUMNS = ("Ro", "Rp", "Rc", "we", "chg", "K×chg")  # as FIDE heads its own reports
TIE_BREAKS = ("ARO", "BH", "BPG", "BWG", "DE", "SB", "WIN")  # FIDE's codes
EVENTS = ("Autumn Open", "City Open", "Christmas Open", "Spring Open", "Summer Open", "League")  # of the examples
QUOTED = {"cite", "fig", "name", "tongues"}  # classes: citations, figures, names of people and of languages


def texts_in(value):
    """The texts in the value of a rule: a K has the case that it is for."""
    if isinstance(value, str):
        return [value] if " " in value else []
    if dataclasses.is_dataclass(value):
        value = [getattr(value, one.name) for one in dataclasses.fields(value)]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for one in parts for text in texts_in(one)]


@cache
def names():
    """What the systems, the titles and the events of the examples are called, which no language translates."""
    systems = section("en", "pages.system").values()
    words = {word for name in systems for word in re.findall(r"\w+", name)}
    return re.compile(
        "|".join([*sorted(map(re.escape, systems), key=len, reverse=True), *words, *EVENTS, *TITLES, "Arpad"])
    )


@cache
def rule_texts():
    """What the rulebooks say, longest first: rules are quoted in the language of their sources."""
    found = set()
    for name in rulebook_names():
        book = rules(name)
        found |= {book.title}
        for rule in book:
            found |= set(texts_in(rule.value))
            found |= {rule.says, rule.cite, rule.document.title, *rule.others, *filter(None, [rule.reading])}
    return sorted((text for text in found if re.search("[ -]", text)), key=len, reverse=True)


@cache
def examples():
    """What is typed: the examples of the fields."""
    return {one.example for spec in questions_at("page").values() for one in spec.fields.values()}


@pytest.fixture
def bracketed(tmp_path, monkeypatch):
    """The language xx: English in brackets."""
    with languages_in(tmp_path, monkeypatch):
        shutil.copytree(tmp_path / "en", tmp_path / "xx")
        for file in (tmp_path / "xx").glob("*.txt"):
            file.write_text(_wrapped(file.read_text(encoding="utf-8")), encoding="utf-8")
        yield


def _wrapped(text):
    """Every text in brackets, except the names of systems and how numbers are written."""
    found, section = [], ""
    for line in re.sub(r"\n +", " ", text).splitlines():  # a text may go on in indented lines
        section = line if line.startswith("[") else section
        found.append(
            line if section in ("[system]", "[locale]") else re.sub(r"^([^#\[][^=]*? = )(.*)$", r"\1⟦\2⟧", line)
        )
    return "\n".join([*found, ""])


class Texts(HTMLParser):
    """What a page shows outside brackets, which may begin before a link and end behind it."""

    def __init__(self):
        super().__init__()
        self.around, self.found, self.depth = [], [], 0

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag != "meta" or given.get("name") == "description":
            self.found += [outside(given[name]) for name in SHOWN & set(given) if not is_example(name, given[name])]
        if tag not in ("meta", "link", "input", "img", "br", "source"):
            self.around.append((tag, set((given.get("class") or "").split())))

    def handle_endtag(self, tag):
        while self.around and self.around.pop()[0] != tag:
            pass

    def handle_data(self, data):
        text, self.depth = unbracketed(data, self.depth)
        if not any(tag in VERBATIM or classes & QUOTED for tag, classes in self.around):
            self.found.append(words_of(text))


def is_example(name, text):
    """Whether a placeholder is something to type."""
    return name == "placeholder" and (text in examples() or re.search(r"\d", text) is not None)


def unbracketed(text, depth=0):
    """What is outside brackets, and how many are still open."""
    found = ""
    for one in text:
        depth = depth + 1 if one == "⟦" else max(depth - 1, 0) if one == "⟧" else depth
        found += one if depth == 0 and one != "⟧" else ""
    return found, depth


def words_of(text):
    """A text, if it has a word that is no name and not quoted from a rule."""
    text = html.unescape(text).strip()
    for quoted in rule_texts():
        text = re.sub(re.escape(quoted), "", text, flags=re.IGNORECASE) if quoted.lower() in text.lower() else text
    return text if re.search(r"[^\W\d_]{2,}", names().sub("", text)) else ""


def outside(text):
    return words_of(unbracketed(text or "")[0])


def left(page):
    """The words of a page that are in no message file."""
    texts = Texts()
    texts.feed(page)
    return sorted({found for found in texts.found if found})


@pytest.fixture
def foreign(bracketed):
    del bracketed
    return TestClient(create_app(language="xx"))


@pytest.mark.parametrize("path", [*PATHS, *REFUSED, "/nonsense"])
def test_a_page_says_nothing_outside_the_message_files(foreign, path):
    """Headings, labels, hints, figures, notes, errors; what was typed is shown as it was."""
    shown = left(foreign.get(path, headers={"accept": "text/html"}).text)
    assert [text for text in shown if text not in path] == []


def test_a_report_says_nothing_outside_the_message_files(foreign):
    """The page of a tournament, names of players and the event aside."""
    file = (ROOT / "docs" / "examples" / "open.trf").read_bytes()
    page = foreign.post("/tournament", files={"file": ("open.trf", file)}).text
    event = arpad.read(ROOT / "docs" / "examples" / "open.trf")
    players = [one.player for one in event.entrants]
    said = [event.name, event.city, event.federation, event.kind, *FIDE_COLUMNS, *TIE_BREAKS, "open.trf"]
    said += [text for one in players for text in (one.name, one.federation, one.title)]
    known = {word for text in said if text for word in re.findall(r"[^\W\d_]{2,}", text)}
    found = {word for text in left(page) for word in re.findall(r"[^\W\d_½]{2,}", names().sub("", text))}
    assert found - known == set()


@pytest.mark.usefixtures("bracketed")
def test_an_explanation_says_nothing_outside_the_message_files():
    """The working of an answer, as text."""
    given = {"rating": "1750", "born": "2010", "game": ["1950:win"], "on": "2026-11-15"}
    with speaking("xx", door="page"):
        answer = read_question(spec_of("rate"), given, today=date(2026, 11, 15), door="page").question.answer()
        text = " ".join(answer.explain().split())  # a rule may go on in the next line
    assert "⟦" in text
    assert outside(text) == ""


SCRIPTS = sorted((Path(arpad.__file__).parent / "web" / "static").glob("*.js"))
PLACE = r"\$\{(?:[^{}`]|`[^`]*`|\{(?:[^{}]|\{[^{}]*\})*\})*\}"  # of a template
LITERAL = re.compile(rf"""//[^\n]*|"(?:\\.|[^"\\\n])*"|`(?:\\.|{PLACE}|[^`\\])*`""")
TO_THE_BROWSER = re.compile(r"(?:querySelector(?:All)?|matches|closest|matchMedia|rootMargin:?|===|fetch)\s*\(?$")
PROSE = re.compile(r"[A-Za-z]{2,}[.,;:!?]? +[A-Za-z0-9$]|^[A-Z][a-z]+$")


def prose_in(script):
    """The literals of a script that are words to be read: several, or one with a capital, if no call to the browser."""
    for found in LITERAL.finditer(script):
        text = re.sub(PLACE, "0", found[0][1:-1])
        if not found[0].startswith("//") and not TO_THE_BROWSER.search(script[: found.start()]) and PROSE.search(text):
            yield found[0]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_has_no_words_of_its_own(path):
    """What a script says comes from the messages, with the page."""
    script = path.read_text("utf-8")
    keys = {"Enter", "Escape", "Tab", "ArrowDown", "ArrowUp", "Home", "End", "Files"}  # as browsers call them
    assert [text for text in prose_in(script) if text[1:-1] not in keys] == []


def test_words_in_a_script_are_found():
    """The test above can fail."""
    script = """say(` The best ${list.length} of ${all({ on: { day } })}; type more`); // It's a comment
a = one.born && `born ${one.born}`; b = text.replace(/x/, "standard $1"); c = "Copied"; d = phrase("from_list");
e = form.querySelector("input, textarea"); f = matchMedia("(min-width: 60rem)");"""
    assert len(list(prose_in(script))) == 4


def test_a_script_s_words_are_the_messages_for_it():
    """Every phrase that a script asks for is there, and nothing else is."""
    scripts = "".join(path.read_text("utf-8") for path in SCRIPTS)
    asked = {name for given in re.findall(r"phrase\(([^(),]*)", scripts) for name in re.findall(r'"(\w+)"', given)}
    assert asked <= {*section("en", "pages.script")}
    named = {*re.findall(r'"(\w+)"', scripts), *re.findall(r"\bwords\.(\w+)", scripts)}
    assert {*section("en", "pages.script")} <= named
