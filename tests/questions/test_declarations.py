"""One declaration a question: what the doors make of it, and that none is left out without a reason."""

from argparse import ArgumentParser
from dataclasses import dataclass
from datetime import date

import pytest

from arpad.calculation.answer import Answer, Figure
from arpad.calculation.serialise import public_fields
from arpad.cli.help import field_help, help_of, parser_of
from arpad.cli.words import split
from arpad.core import Player
from arpad.errors import ArpadError, BadInput, UnknownName
from arpad.messages import Message, section, speaking
from arpad.questions import HOMES, by_name, questions_at, read_question, readers, spec_of
from arpad.questions.declare import DOORS, QUESTIONS, Given, given_fields, optional, question, required, several
from arpad.questions.fields import Asking

TODAY = date(2026, 11, 15)
SPECS = {name: spec_of(name) for name in HOMES}


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_a_question_is_at_every_door_or_says_why(spec):
    """A question or field that a door lacks has a stated reason."""
    assert (spec.doors == DOORS) == (not spec.why)
    for one in spec.fields.values():
        assert (one.doors == DOORS) == (not one.why), one.name


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_a_question_has_its_words(spec):
    """Every question says what it answers, every field what it means and what forms call it."""
    assert section("en", "questions.about")[spec.name]
    labels = section("en", "fields.label")
    for one in spec.fields.values():
        assert field_help(one.name)
        assert "page" not in one.doors or spec.name not in FORMS or one.name in labels, one.name
        for inner in given_fields(one.nested).values() if one.nested and one.name == "event" else ():
            assert field_help(inner.name)


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


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_an_answer_is_declared_by_its_type(spec):
    """A question names the type of its answer, whose public fields are the JSON value."""
    kinds = getattr(spec.answer_type, "__args__", (spec.answer_type,))
    for kind in kinds:
        assert issubclass(kind, Answer)
        assert {"system", "on"} <= {name for name, *_ in public_fields(kind)}


@pytest.mark.parametrize("spec", questions_at("command").values(), ids=list(questions_at("command")))
def test_help_has_every_option_in_80_columns(spec):
    """The help of a command names every field it takes."""
    with speaking(door="command"):
        text = help_of(spec)
    assert max(map(len, text.splitlines())) <= 80
    for one in spec.fields_at("command").values():
        spelt = f"--{(one.option or one.name).replace('_', '-')}"
        assert one.word or spelt in text, one.name


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
    from arpad.messages import catalogue

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

        rating: Player = required(readers.somebody, example="1750", word=True)
        friend: tuple[Player, ...] = several(readers.opponent, example="1800")
        club: str | None = optional(readers.text, example="Riverside", group="player")

        def answer(self) -> Greeting:
            return Greeting(system="made-up", on=self.today, trail=(), club=self.club, rating=int(self.rating.rating))

    monkeypatch.setitem(globals(), "Greeting", Greeting)
    declared = question("greet", needs=("rating",), examples=({"rating": 1750, "club": "Riverside"},))(Greet)
    texts = dict(catalogue.subject_texts("en", "fields"))
    texts |= {"help.club": "your club", "label.club": "Club", "help.friend": "a friend", "label.friend": "Friend"}
    command = {**catalogue.subject_texts("en", "command"), "summary.greet": "greet somebody"}
    given = {("en", "fields"): texts, ("en", "command"): command}
    real = catalogue.subject_texts
    monkeypatch.setattr(
        catalogue, "subject_texts", lambda language, name: given.get((language, name)) or real(language, name)
    )
    catalogue.section.cache_clear()
    yield declared.spec
    del QUESTIONS["greet"]
    monkeypatch.undo()
    catalogue.section.cache_clear()


def test_a_new_field_appears_at_every_door(made_up):
    """One declaration and one message: help, completion, query, form and OpenAPI have the field."""
    from arpad.web import offers, openapi

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
    assert typed.answer().value() == {"system": "made-up", "on": "2026-11-15", "club": "Riverside", "rating": 1750}
    schemas = openapi.Schemas()
    body = openapi.body_schema(made_up, made_up.fields_at("api"))
    assert body["properties"]["club"]["description"] == "your club"
    assert schemas.of(typed.answer().__class__) == {"$ref": "#/components/schemas/Greeting"}
    assert "club" in schemas.components["Greeting"]["properties"]
    left = [one for one in made_up.fields_at("page").values() if one.name not in offers.IN_ROWS]
    assert "club" in [one.name for one in left]


def test_a_field_that_a_door_lacks_needs_a_reason():
    """A declaration without one is refused where it is written."""
    with pytest.raises(TypeError, match="says why"):
        Given(name="secret", doors=frozenset({"command"}))
