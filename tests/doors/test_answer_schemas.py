"""OpenAPI describes every field of every answer; that the answers of all cases fit is in test_cases.py."""

from closed_schemas import closed
from jsonschema import Draft202012Validator

from arpad.messages import subject_texts
from arpad.questions import questions_at
from arpad.web.api import ROOT, path_of
from arpad.web.openapi import document
from conftest import ROOT as FOLDER
from conftest import library


def objects(schema, path=""):
    """Every schema of an object in the document, with its place."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield path, schema
        for name, inner in schema.items():
            yield from objects(inner, f"{path}/{name}")
    elif isinstance(schema, list):
        for place, inner in enumerate(schema):
            yield from objects(inner, f"{path}/{place}")


def test_a_new_field_of_an_answer_breaks_nobody():
    """Every object of an answer has its fields described, and none says that there will never be others."""
    for path, schema in objects(document()["components"]["schemas"]):
        assert schema.get("properties") or "additionalProperties" in schema, path
        assert schema.get("additionalProperties") is not False, path


def test_an_answer_is_told_by_its_kind():
    """Where an answer is one of several, `kind` says which: nothing decodes Glicko-2 as FIDE."""
    schemas = document()["components"]["schemas"]
    value = schemas["RateReply"]["properties"]["value"]
    assert value["discriminator"]["propertyName"] == "kind"
    assert len(value["oneOf"]) == len(value["discriminator"]["mapping"]) > 1
    for name, reference in value["discriminator"]["mapping"].items():
        assert schemas[reference.rpartition("/")[2]]["properties"]["kind"]["const"] == name


def test_every_question_of_the_api_is_described():
    """The document has an address for each question, with the schema of its answer, a tag and every status."""
    paths, tags = document()["paths"], {tag["name"] for tag in document()["tags"]}
    for spec in questions_at("api").values():
        for method, operation in paths[f"{ROOT}{path_of(spec)}"].items():
            assert set(operation["tags"]) <= tags
            always = {"200", "404", "405", "413", "415", "422", "429", "503"}
            assert set(operation["responses"]) == always | ({"304"} if method == "get" else set())
            needed = {one["name"] for one in operation["parameters"] if one["required"]}
            assert needed >= (set(spec.needs) & set(spec.fields_at("api")) if method == "get" else set())
            assert all("example" in one for one in operation["parameters"] if one["required"])


def test_what_is_always_needed_is_marked():
    """A question that the command asks about a file has no file here: the field in its place is needed."""
    paths = document()["paths"]
    for path, name in (
        ("{system}/pupils", "text"),
        ("paste", "text"),
        ("title", "text"),
        ("{system}/section", "players"),
    ):
        operations = paths[f"{ROOT}/{path}"]
        assert name in operations["post"]["requestBody"]["content"]["application/json"]["schema"]["required"]
        needed = [one["name"] for one in operations.get("get", {}).get("parameters", ()) if one["required"]]
        assert name in needed or "get" not in operations


def test_every_property_is_described():
    """Of answers, replies, errors and bodies; by the words that the Python reference has too."""
    for path, schema in objects(document()):
        for name, inner in schema.get("properties", {}).items():
            assert inner.get("description"), f"{path}: {name}"


def test_no_description_is_left_over():
    """Every text about a field is about one that some answer has."""
    used = set()
    for name, schema in document()["components"]["schemas"].items():
        owner = "Reply" if name.endswith("Reply") and name != "BatchReply" else name
        for field in schema["properties"]:
            used |= {field, f"{owner}.{field}"}
    assert set(subject_texts("en", "properties")) <= used


def test_every_example_is_answered(client):
    """What the document shows can be sent as it is; a list of players must be imported first."""
    for path, operations in document()["paths"].items():
        if path == ROOT:
            continue  # the index, which has no body
        posted = operations["post"]
        place = {one["name"]: one["example"] for one in posted.get("parameters", ()) if one["in"] == "path"}
        body = posted["requestBody"]["content"]["application/json"]["example"]
        reply = client.post(path.format(**place), json=body)
        assert reply.status_code == 200 or reply.json()["code"] == "no-lists", (path, reply.text)


def test_every_file_can_be_sent_as_shown(client):
    """In a form with the other fields, and by itself with the other fields in the query."""
    for path, operations in document()["paths"].items():
        content = operations.get("post", {}).get("requestBody", {}).get("content", {})
        place = {
            one["name"]: one["example"]
            for one in operations.get("post", {}).get("parameters", ())
            if one["in"] == "path"
        }
        if "multipart/form-data" in content:
            form = dict(content["multipart/form-data"]["example"])
            file = form.pop("file")
            sent = client.post(path.format(**place), files={"file": ("open.csv", file)}, data=form)
            assert sent.status_code == 200, (path, sent.text)
            alone = content["application/octet-stream"]["example"].encode()
            kind = {"content-type": "application/octet-stream"}
            sent = client.post(path.format(**place), params={**form, "file": "open.csv"}, content=alone, headers=kind)
            assert sent.status_code == 200, (path, sent.text)


def test_every_reply_is_shown(client):
    """Each operation has an example of its reply, which is one that its schema allows, to the last field."""
    whole = document()
    for path, operations in whole["paths"].items():
        for operation in operations.values():
            good = operation["responses"]["200"]["content"]["application/json"]
            example = whole["components"]["examples"][good["examples"]["reply"]["$ref"].rpartition("/")[2]]["value"]
            schema = closed({**good["schema"], "components": whole["components"]})
            assert [error.message for error in Draft202012Validator(schema).iter_errors(example)] == [], path
    assert client.get("/openapi.json").json()["components"]["examples"] == whole["components"]["examples"]


def test_the_players_that_are_shown_are_those_of_the_example(client, tmp_path, monkeypatch):
    """The two questions that need an imported list show what the example's list has."""
    lists = library("arpad.lists")
    monkeypatch.setenv("ARPAD_DATA", str(tmp_path))
    lists.import_list(lists.recognise(str(FOLDER / "docs" / "examples" / "standard_nov26frl.txt")), data=str(tmp_path))
    shown = document()["components"]["examples"]
    found = client.get("/api/v1/lists/find?q=weissmueller+karl").json()
    assert found == shown["ListFindReply"]["value"]
    page = client.get("/api/v1/lists/players/9900064").json()
    assert {**page["value"], "next_k": {}} == shown["ListShowReply"]["value"]["value"]


def test_closed_sets_are_enumerations():
    """A generator knows the results, colours, methods, sexes and readings of disputed rules."""
    schemas, paths = document()["components"]["schemas"], document()["paths"]
    assert schemas["PastedGame"]["properties"]["result"]["enum"][:3] == ["win", "draw", "loss"]
    assert schemas["GameChange"]["properties"]["how"]["enum"] == ["played", "forfeit", "bye", "short"]
    assert "tpr" in schemas["Performance"]["properties"]["method"]["enum"]
    asked = {one["name"]: one for one in paths[f"{ROOT}/{{system}}/performance"]["get"]["parameters"]}
    assert {"fide", "tpr", "ptp"} <= set(asked["method"]["schema"]["enum"])
    assert "glicko-2" in asked["system"]["schema"]["enum"]
    assert {"rounding=per-event"} < set(asked["reading"]["schema"]["items"]["enum"])
    game = paths[f"{ROOT}/{{system}}/rate"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    (objects_of_games,) = [one for _, one in objects(game["properties"]["game"])]
    assert {"white", "black"} < set(objects_of_games["properties"]["colour"]["enum"])
    assert {"win", "bye"} < set(objects_of_games["properties"]["result"]["enum"])
    sexes = [schema["properties"]["sex"] for schema in schemas.values() if "sex" in schema["properties"]]
    assert {tuple(one["anyOf"][0]["enum"]) for one in sexes} == {("m", "w")}
