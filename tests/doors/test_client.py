"""A client that a program makes from the OpenAPI document: its calls are answered, and its fields have types."""

import asyncio
import json
import re
import subprocess
import sys
from datetime import date
from importlib import import_module
from pathlib import Path

import httpx
import pytest

from arpad.systems import system_names
from arpad.web.app import create_app
from arpad.web.openapi import document

GENERATOR = Path(sys.executable).with_name("openapi-python-client")
USE = Path(__file__).with_name("client_use.py.txt")
ADDRESS = "http://testserver"


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The generated package, imported as `arpad_client`."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(document()), encoding="utf-8")
    made = [str(GENERATOR), "generate", "--path", "openapi.json", "--output-path", "arpad_client", "--meta", "none"]
    ran = subprocess.run(made, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "unsupported" not in ran.stdout.lower(), ran.stdout
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(folder))
        yield import_module("arpad_client")


@pytest.fixture(scope="module")
def client(package):
    """A client of the application itself, without a server."""
    app = httpx.AsyncClient(transport=httpx.ASGITransport(create_app()), base_url=ADDRESS)
    return package.Client(base_url=ADDRESS).set_async_httpx_client(app)


def test_a_program_with_the_client_passes_strict_checks(package):
    """Five questions, their answers and a refusal, without a cast, an ignored error or an expression that is `Any`."""
    folder = Path(package.__file__).parents[1]
    program = USE.read_text(encoding="utf-8")
    assert not re.search(r"\bcast\(|type: ignore|\bAny\b", program)
    (folder / "use.py").write_text(program, encoding="utf-8")
    strict = ["--strict", "--disallow-any-expr", "--follow-imports=silent", "--python-executable", sys.executable]
    line = [str(Path(sys.executable).with_name("mypy")), *strict, "use.py"]
    ran = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


def call(name, client, *place, tag="ratings", **given):
    """What one of the client's functions returns."""
    return asyncio.run(import_module(f"arpad_client.api.{tag}.{name}").asyncio(*place, client=client, **given))


def model(name, module):
    """A class of the client's models."""
    return getattr(import_module(f"arpad_client.models.{module}"), name)


def test_rate(client):
    """1950 beaten by 1750 with K 40: docs/start.md."""
    system = model("RateGetSystem", "rate_get_system")("fide-standard")
    reply = call("rate_get", client, system, rating="1750", game=["1950:win"], born="2010", on="2026-11-15", steps=True)
    assert reply.ok is True
    assert (reply.value.new_rating, reply.value.change, reply.value.k) == (1780, "30.40", 40)
    assert reply.value.on == date(2026, 11, 15)
    assert [(game.opponent, game.rated) for game in reply.value.per_game] == [(1950, True)]
    assert {rule.sure for rule in reply.rules} <= {"confirmed", "inferred", "disputed"}
    assert reply.steps[0].label


@pytest.mark.parametrize("system", system_names())
def test_no_answer_loses_a_field(client, system):
    """For every system: the client decodes the answer as the type that `kind` names, with every field described."""
    by_system = {"glicko-2": "GlickoChange", "lichess": "LichessChange", "uschess-regular": "Estimate"}
    reply = call("rate_get", client, model("RateGetSystem", "rate_get_system")(system), rating="1500",
                 game=["1700:win"], born="1990", on="2026-11-15")  # fmt: skip
    assert type(reply.value).__name__ == reply.value.kind == by_system.get(system, reply.value.kind)
    assert reply.value.additional_properties == {}
    assert reply.additional_properties == {}
    sent = asyncio.run(client.get_async_httpx_client().get(
        f"/api/v1/{system}/rate?rating=1500&game=1700:win&born=1990&on=2026-11-15"))  # fmt: skip
    assert reply.to_dict() == sent.json()


EXAMPLES = {
    path: operations["post"]
    for path, operations in document()["paths"].items()
    if "post" in operations and "/lists/" not in path
}


@pytest.mark.parametrize("path", EXAMPLES)
def test_every_documented_answer_is_decoded_whole(client, path):
    """Every question's example: what the client's types hold is what was sent, to the last field."""
    posted = EXAMPLES[path]
    place = {one["name"]: one["example"] for one in posted.get("parameters", ()) if one["in"] == "path"}
    body = posted["requestBody"]["content"]["application/json"]["example"]
    sent = asyncio.run(client.get_async_httpx_client().post(path.format(**place), json=body)).json()
    name = posted["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    decoded = model(name, re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()).from_dict(sent)
    assert decoded.to_dict() == sent
    assert not further_fields(decoded)


def test_a_batch_is_decoded_item_by_item(client):
    """An answer as its type, and a refusal as an error, each with its status."""
    asked = {"questions": [{"question": "expect", "rating": 1500, "opponent": 1700}, {"question": "rate", "rating": 1}]}
    sent = asyncio.run(client.get_async_httpx_client().post("/api/v1/batch", json=asked)).json()
    decoded = model("BatchReply", "batch_reply").from_dict(sent)
    assert [type(one).__name__ for one in decoded.answers] == ["BatchedReply", "Problem"]
    assert [one.status for one in decoded.answers] == [200, 422]
    assert type(decoded.answers[0].value).__name__ == "Expectation"
    assert decoded.to_dict() == sent


def further_fields(value):
    """The fields inside a decoded answer that its types do not have."""
    if isinstance(value, list):
        return [name for one in value for name in further_fields(one)]
    if not hasattr(value, "additional_properties"):
        return []
    names = [one.name for one in value.__attrs_attrs__ if one.name != "additional_properties"]
    own = list(value.additional_properties) if names else []  # without names it is a mapping, such as ratings by pace
    return own + [name for inner in names for name in further_fields(getattr(value, inner))]


def test_expect(client):
    """200 points below: 0.24 by table 8.1.2."""
    system = model("ExpectGetSystem", "expect_get_system")("fide-standard")
    reply = call("expect_get", client, system, rating="1500", opponent="1700", on="2026-11-15")
    assert reply.value.expected == 0.24
    assert reply.value.chances.model == "calibrated"


def test_first(client):
    """Five games of docs/start.md give a first rating of 1922."""
    system = model("FirstGetSystem", "first_get_system")("fide-standard")
    games = ["1902:1", "1877:1", "1884:½", "2012:0", "1832:½"]
    reply = call("first_get", client, system, game=games, on="2025-11-01")
    assert (reply.value.rating, len(reply.value.per_game)) == (1922, 5)


def test_a_body(client):
    """The rating that expects 0.75 against 1700 is 1889: docs/start.md."""
    system = model("NeedPostSystem", "need_post_system")("fide-standard")
    body = model("NeedPostBody", "need_post_body").from_dict({"expected": 0.75, "against": [1700], "on": "2026-11-15"})
    reply = call("need_post", client, system, tag="forecasts", body=body)
    assert reply.value.rating == 1889


def test_match(client):
    """A match without a system in its address; 120 + 300 / 2 points of 515."""
    reply = call("match_get", client, tag="matches", wins="120", losses="95", draws="300")
    assert (reply.value.games, reply.value.score) == (515, 270)


def test_a_refusal(client):
    """A rating that is none is refused at its field."""
    system = model("RateGetSystem", "rate_get_system")("fide-standard")
    reply = call("rate_get", client, system, rating="10000", game=["1950:win"])
    assert (reply.ok, reply.at) == (False, "rating")
    assert reply.error.endswith(".")
