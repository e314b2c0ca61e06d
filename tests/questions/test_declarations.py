"""One declaration a question: what the doors make of it, and that none is left out without a reason."""

import re
from argparse import ArgumentParser
from dataclasses import dataclass
from datetime import date
from itertools import product

import pytest
from offenders import none_of

from arpad.calculation.answer import Answer, Figure
from arpad.calculation.serialise import public_fields
from arpad.cli import main
from arpad.cli.help import field_help, help_of, parser_of
from arpad.cli.words import split
from arpad.core import Player
from arpad.errors import ArpadError, BadInput, UnknownName
from arpad.messages import Message, section, speaking
from arpad.questions import HOMES, by_name, questions_at, read_question, readers, spec_of
from arpad.questions.declare import (
    IN_REPORT,
    QUESTIONS,
    Given,
    Spec,
    given_fields,
    optional,
    question,
    required,
    several,
)
from arpad.questions.fields import Asking
from arpad.web.forms import read_form
from arpad.web.pages import templates
from arpad.web.sheet import Sheet
from arpad.web.site import PAGES, Page
from arpad.web.view import View
from conftest import ROOT

TODAY = date(2026, 11, 15)
SPECS = {name: spec_of(name) for name in HOMES}


REPORTED = ("event",)  # the tournament page asks it
# Where a form gives a field under other names: in rows, in lines, in the fields of two days or of each event.
IN_FORM = {
    "game": {"row"},
    "against": {"row"},
    "opponent": {"row"},
    "set": {"speed", "set"},
    "name": {"event"},
    "changes": {"after", "until"},
    "data": {"file"},
}


NOT_ALWAYS = {("compare", "systems")}  # the door shows every system


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_a_question_is_at_the_doors_it_says(spec, client, capsys):
    """A command, an address of the API and a page, for each question that says so and for no other."""
    asked = [route.name for route in client.app.routes if getattr(route, "name", "") == f"api.{spec.name}"]
    assert ("api" in spec.doors) == bool(asked)
    assert ("page" in spec.doors) == (spec.name in PAGES or spec.name in REPORTED)
    assert ("command" in spec.doors) == (main([*spec.name.split(), "--help"]) == 0)
    capsys.readouterr()


@pytest.mark.parametrize("spec", questions_at("page").values(), ids=list(questions_at("page")))
def test_a_form_has_every_field_of_its_question(spec, client):
    """What is declared for the page is in the form that people see, with an answer's readings among it."""
    page = PAGES["tournament" if spec.name in REPORTED else spec.name]
    systems = ("fide-rapid", "lichess", "dwz") if page.asks else ("fide-standard",)  # between them they use every field
    names = set()
    for system, grown in product(systems, ("", "&add=target&add=norm", "&add=event")):
        asked = re.sub(r"system=[\w-]+&?", "", page.query)
        query = f"system={system}&{asked}{grown}" if page.asks else "example=harbour-open"
        text = client.get(f"{page.path}?{query}").text
        names |= {*re.findall(r'<(?:input|select|textarea)[^>]* name="(\w+)', text)}
    names |= approval_asked(page, client)
    for name, one in spec.fields_at("page").items():
        if (spec.name, name) in NOT_ALWAYS:
            continue
        assert names & IN_FORM.get(name, {name}), name
        for inner in given_fields(one.nested) if one.nested else ():
            assert names & IN_FORM.get(inner, {inner}), f"{name}.{inner}"


def approval_asked(page, client):
    """The approval by FIDE, if the page asks about it for 60+30, which in 2026 needs one, and not for 90+30."""
    if page.asks:
        asked = re.sub(r"(system|on)=[\w-]+&?", "", page.query).partition("&event")[0]
        for event in ("", f"&event=Open&on={TODAY}&game=1800:1"):
            fast, slow = (
                client.get(f"{page.path}?system=fide-standard&on={TODAY}&{asked}{event}&time={time}%2B30").text
                for time in (60, 90)
            )
            assert 'name="qc_approved"' not in slow
            if 'name="qc_approved"' in fast:
                return {"qc_approved"}
        return set()
    file = (ROOT / "docs" / "examples" / "norms.trf").read_text(encoding="utf-8")
    fast, slow = (
        client.post(
            "/tournament", files={"file": ("norms.trf", file.replace("\n122 90+30", f"\n122 {time}").encode())}
        ).text
        for time in ("60+30", "90+30")
    )
    assert 'name="qc_approved"' not in slow
    return {"qc_approved"} if 'name="qc_approved"' in fast else set()


def test_the_report_of_the_tournament_page_has_what_questions_leave_to_it(client):
    """Norms, standings with their tie-breaks, what an office needs, and the certificates to download."""
    left = {name for name, spec in SPECS.items() if spec.why == IN_REPORT["why"]}
    page, before_the_last = (
        client.post("/tournament", files={"file": (name, file.read_bytes())}, data={"by": "BH,SB"}).text
        for name in ("norms.trf", "last-round.trf")
        for file in [ROOT / "docs" / "examples" / name]
    )
    shown = {
        "norms": ">Norms</h2>" in page,
        "next": "what each result would do</h2>" in before_the_last,
        "standings": ">Standings</h2>" in page,
        "ties": all(f">{code}</th>" in page for code in ("BH", "SB")),
        "check": "Nothing stops this report from being sent to FIDE." in page,
        "certificate": 'name="to" value="certificates"' in page,
        "chances": 'name="chances" value="1"' in before_the_last,
    }
    assert shown == dict.fromkeys(left, True)


def test_a_question_that_a_door_lacks_needs_a_reason():
    """A declaration without one is refused where it is written."""
    with pytest.raises(TypeError, match="says why"):
        Spec(name="secret", kind=object, doors=frozenset({"command"}))


def missing_words(spec):
    """What a question does not say: what it answers, what a field means, or what forms call it."""
    labels = section("en", "fields.label")
    if not section("en", "questions.about")[spec.name]:
        yield "what it answers"
    for one in spec.fields.values():
        nested = given_fields(one.nested).values() if one.nested and one.name == "event" else ()
        yield from (f"the help of {inner.name}" for inner in (one, *nested) if not field_help(inner.name))
        if "page" in one.doors and spec.name in FORMS and one.name not in labels:
            yield f"the label of {one.name}"


def test_a_question_has_its_words():
    """Every question says what it answers, every field what it means and what forms call it."""
    none_of(f"{name}: {what} is missing" for name, spec in SPECS.items() for what in missing_words(spec))


@pytest.mark.parametrize("system", ["fide-standard", "dwz", "ecf", "icu", "uschess-regular", "elo", "glicko-2"])
@pytest.mark.parametrize("spec", questions_at("command").values(), ids=list(questions_at("command")))
def test_notes_name_fields_that_the_question_has(spec, system):
    """A note says what can be given here, not what another question would take."""
    if "system" not in spec.fields:
        system = None
    for example in spec.examples:
        given = {**example, "system": system} if system else example
        try:
            notes = read_question(spec, given, today=TODAY, door="command").question.answer().notes
        except ArpadError:  # a system that cannot answer it
            continue
        for note in notes:
            assert set(fields_named(note)) <= set(spec.fields), str(note)


CLOSED = [(spec, given) for spec in SPECS.values() for given in spec.fields.values() if given.choices]


@pytest.mark.parametrize(("spec", "given"), CLOSED, ids=[f"{spec.name}-{given.name}" for spec, given in CLOSED])
def test_what_is_not_among_the_choices_is_refused(spec, given):
    """A closed set is closed, also where the answer would not need the field."""
    beside = {name: spec.fields[name].example for name in given.only_with[:1]}
    example = {**spec.examples[0], **beside}
    with pytest.raises(ArpadError):
        read_question(spec, {**example, given.name: "AAA"}, today=TODAY, door="command").question.answer()


def fields_named(said):
    """The fields that a message names, and those that the messages in it name."""
    if isinstance(said, Message):
        yield from (part.name for part in said.parts() if part.kind == "field")
        for value in said.values.values():
            yield from fields_named(value)
    elif isinstance(said, list | tuple):
        for one in said:
            yield from fields_named(one)


FORMS = ("rate", "period", "diary", "expect", "need", "outlook", "season", "first", "performance", "compare")


def test_an_answer_is_declared_by_its_type():
    """A question names the type of its answer, whose public fields are the JSON value."""
    kinds = {name: getattr(spec.answer_type, "__args__", (spec.answer_type,)) for name, spec in SPECS.items()}
    none_of(
        f"{name}: {kind}"
        for name, answers in kinds.items()
        for kind in answers
        if not issubclass(kind, Answer) or not {"system", "on"} <= {field for field, *_ in public_fields(kind)}
    )


def test_help_has_every_option_in_80_columns():
    """The help of a command names every field it takes."""
    offenders = []
    for name, spec in questions_at("command").items():
        with speaking(door="command"):
            text = help_of(spec)
        offenders += [f"{name}: {line}" for line in text.splitlines() if len(line) > 80]
        options = [one for one in spec.fields_at("command").values() if not one.word]
        spelt = [f"--{(one.option or one.name).replace('_', '-')}" for one in options]
        offenders += [f"{name}: {option} is missing" for option in spelt if option not in text]
    none_of(offenders)


def test_what_is_given_is_read_by_the_declaration():
    """Wrong names, texts that are too long, values given twice: refused with the path of the field."""
    rate = spec_of("rate")
    with pytest.raises(UnknownName, match="Did you mean 'born'"):
        read_question(rate, {"rating": 1750, "bron": 2010}, today=TODAY, door="api")
    with pytest.raises(BadInput) as refused:
        read_question(rate, {"rating": 1750, "game": ["1950:win", "1800:x"]}, today=TODAY, door="api")
    assert refused.value.at == "game[1]"
    with pytest.raises(BadInput, match="given twice"):
        by_name(rate, [("rating", "1750"), ("rating", "1800")])
    with pytest.raises(BadInput, match="too long"):
        read_question(rate, {"rating": "1" * 300}, today=TODAY, door="api")
    with pytest.raises(BadInput, match="does not belong here"):
        read_question(rate, {"rating": 1750, "rules": "/etc/passwd"}, today=TODAY, door="api")


@pytest.fixture
def made_up(monkeypatch):
    """A question of the tests' own, with a field that nobody else has."""
    from arpad import messages

    @dataclass(frozen=True, kw_only=True)
    class Greeting(Answer):
        """A greeting."""

        club: str | None
        rating: int

        def summary(self):
            return (Figure("rating", self.rating),)

    @dataclass(frozen=True, kw_only=True)
    class Greet(Asking):
        """Greet somebody."""

        rating: Player = required(readers.player, example="1750", word=True)
        friend: tuple[Player, ...] = several(readers.opponent, example="1800")
        club: str | None = optional(readers.text, example="Riverside", group="player")

        def answer(self) -> Greeting:
            return Greeting(system="made-up", on=self.today, trail=(), club=self.club, rating=int(self.rating.rating))

    monkeypatch.setitem(globals(), "Greeting", Greeting)
    declared = question("greet", needs=("rating",), examples=({"rating": 1750, "club": "Riverside"},))(Greet)
    texts = dict(messages.subject_texts("en", "fields"))
    texts |= {"help.club": "your club", "label.club": "Club", "help.friend": "a friend", "label.friend": "Friend"}
    command = {**messages.subject_texts("en", "command"), "summary.greet": "greet somebody"}
    given = {("en", "fields"): texts, ("en", "command"): command}
    real = messages.subject_texts
    monkeypatch.setattr(
        messages.texts, "subject_texts", lambda language, name: given.get((language, name)) or real(language, name)
    )
    messages.section.cache_clear()
    yield declared.spec
    del QUESTIONS["greet"]
    monkeypatch.undo()
    messages.section.cache_clear()


def test_a_new_field_appears_at_every_door(made_up, monkeypatch):
    """One declaration and one message: help, completion, query, form and OpenAPI have the field."""
    from arpad.web import openapi

    with speaking(door="command"):
        assert "--club CLUB" in help_of(made_up)
        assert "your club" in help_of(made_up)
        assert "arpad greet 1750 --club Riverside" in help_of(made_up)
        options = parser_of(made_up, ArgumentParser("greet")).format_help()
        assert "--club" in options
    words = split(made_up, ["1750", "--club", "Riverside", "--friend", "1800"])
    typed = read_question(made_up, words.given, today=TODAY, door="command").question
    asked = by_name(made_up, [("rating", "1750"), ("club", "Riverside"), ("friend", "1800")])
    queried = read_question(made_up, asked, today=TODAY, door="api").question
    assert typed == queried
    assert typed.answer().value() == {
        "kind": "Greeting",
        "system": "made-up",
        "on": "2026-11-15",
        "club": "Riverside",
        "rating": 1750,
    }
    schemas = openapi.Schemas()
    body = openapi.body_schema(made_up, made_up.fields_at("api"))
    assert body["properties"]["club"]["description"] == "your club"
    assert schemas.of(typed.answer().__class__) == {"$ref": "#/components/schemas/Greeting"}
    assert "club" in schemas.components["Greeting"]["properties"]
    monkeypatch.setitem(HOMES, "greet", "declare")
    form = templates().from_string(
        '{% import "form.html" as f with context %}'
        '{% for one in [sheet.shown("rating")] + sheet.experts %}{{ f.field(one) }}{% endfor %}'
    )
    view = View(Page("greet", "played"), read_form([("club", "Harbour")], today=TODAY))
    with speaking(door="page"):
        rendered = form.render(view=view, page=view.page, form=view.form, root="", sheet=Sheet(view))
    assert re.findall(r'<input[^>]* id="(\w+)"', rendered) == ["rating", "friend", "club"]
    assert '<label for="club">Club</label>' in rendered
    assert 'value="Harbour"' in rendered


def test_a_field_that_a_door_lacks_needs_a_reason():
    """A declaration without one is refused where it is written."""
    with pytest.raises(TypeError, match="says why"):
        Given(name="secret", doors=frozenset({"command"}))
