"""What programs expect of an API: CORS, ETags, compression, batches, problem+json, readiness and metrics."""

import time

import jsonschema
import pytest
from starlette.testclient import TestClient

from arpad.errors import BadInput
from arpad.web.api import until, without_duplicates
from arpad.web.app import create_app
from arpad.web.middleware import completed
from arpad.web.settings import ServerSettings

RATE = "/api/v1/fide-standard/rate?rating=1750&born=2010&game=1950:win"
DATED = f"{RATE}&on=2026-11-15"


def test_pages_of_other_sites_may_read_the_api(client):
    """A browser on another site is told so, also when it asks before; nobody else's page may read ours."""
    asking = {"origin": "https://club.example"}
    assert client.get(DATED, headers=asking).headers["access-control-allow-origin"] == "*"
    before = {**asking, "access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    reply = client.options("/api/v1/elo/rate", headers=before)
    assert (reply.status_code, reply.headers["access-control-allow-origin"]) == (204, "*")
    assert "content-type" in reply.headers["access-control-allow-headers"]
    assert "access-control-allow-origin" not in client.get("/", headers=asking).headers


def test_the_origins_can_be_chosen():
    """With origins in the settings, others get no permission."""
    app = create_app(settings=ServerSettings(processes=0, hosts=("testserver",), origins=("https://club.example",)))
    asked = TestClient(app)
    allowed = [asked.get(DATED, headers={"origin": f"https://{name}.example"}).headers for name in ("club", "other")]
    assert [found.get("access-control-allow-origin") for found in allowed] == ["https://club.example", None]


def test_a_repeat_is_not_sent_again(client):
    """The same address has the same ETag, and whoever has it gets 304 without a body; another answer has another."""
    first = client.get(DATED)
    again = client.get(DATED, headers={"if-none-match": f'"x", {first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert client.get(DATED.replace("win", "loss")).headers["etag"] != first.headers["etag"]
    assert client.get(f"{RATE}&on=2026", headers={"if-none-match": "*"}).status_code == 422


@pytest.mark.parametrize("path", [DATED, "/static/arpad.css", "/"])
def test_a_tag_is_that_of_its_content(client, path):
    """HEAD has the tag of GET, no two addresses share one, and it is known again weak, strong or as an asterisk."""
    first = client.get(path)
    tag = first.headers["etag"]
    assert client.head(path).headers["etag"] == tag != client.head("/static/arpad.js").headers["etag"]
    for known in (tag, tag.removeprefix("W/"), "*"):
        again = client.get(path, headers={"if-none-match": known})
        assert (again.status_code, again.content) == (304, b""), known
        assert "accept-encoding" in again.headers["vary"].lower()


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        (DATED, "public, max-age=3600"),
        (RATE, "no-cache"),  # today's answer may be another tomorrow
        ("/api/v1/fide-standard/rate?rating=@1503014&game=1950:win&on=2026-11-15", None),
        ("/openapi.json", "no-cache"),
        ("/", "no-cache"),
    ],
)
def test_an_answer_is_kept_while_it_cannot_change(client, path, kept):
    """With its day in the address it may be kept for an hour; otherwise it is asked about each time."""
    assert client.get(path).headers.get("cache-control") == kept


def test_replies_are_compressed(client):
    """A long reply comes as gzip to who takes it."""
    assert client.get(DATED, headers={"accept-encoding": "gzip"}).headers["content-encoding"] == "gzip"
    assert "content-encoding" not in client.get(DATED, headers={"accept-encoding": "identity"}).headers


def test_a_batch_answers_each_question_by_itself(client):
    """Answers in the order of the questions, each as its own address gives it; a refusal leaves the others alone."""
    asked = {"rating": 1750, "born": 2010, "game": ["1950:win"], "on": "2026-11-15"}
    questions = [
        {"question": "rate", "system": "fide-standard", **asked},
        {"question": "rate", **asked, "rating": "?"},
        {"question": "rat"},
        {"question": "rate", **asked, "system": "fide"},
        {"question": "list find", "q": ["x"], "folder": "/etc"},
        17,
        [None],
    ]
    reply = client.post("/api/v1/batch", json={"questions": questions})
    answers = reply.json()["answers"]
    assert answers[0] == {"status": 200, **client.get(DATED).json()}
    assert [one["at"] for one in answers[1:]] == ["rating", "question", "system", "folder", "question", "question"]
    assert [one["status"] for one in answers[1:]] == [422, 404, 404, 422, 422, 422]
    assert answers[1]["pointer"] == "/questions/1/rating"
    assert not any(one["ok"] for one in answers[1:])


@pytest.mark.parametrize(
    "body", [{}, {"questions": {}}, {"questions": [], "more": 1}, {"questions": [{"question": "systems"}] * 101}]
)
def test_a_batch_has_one_shape_and_a_limit(client, body):
    """Anything but a list of at most a hundred questions is refused."""
    reply = client.post("/api/v1/batch", json=body)
    assert (reply.status_code, reply.json()["at"]) == (422, "questions")


def test_a_slow_question_of_a_batch_leaves_the_others_alone(client, monkeypatch):
    """What was answered before it is answered, and so is what is asked by itself; what comes after it is refused."""
    now = iter([0, 0, 1, 1000])
    monkeypatch.setattr("arpad.web.api.monotonic", lambda: next(now))
    question = {"question": "expect", "rating": 1500, "opponent": 1700, "k": 20}
    reply = client.post("/api/v1/batch", json={"questions": [question] * 3})
    assert [one["ok"] for one in reply.json()["answers"]] == [True, True, False]
    assert "no time was left" in reply.json()["answers"][2]["error"]


def endless():
    while True:
        pass


def test_a_question_of_a_batch_is_given_up_in_time():
    """Where there is a main thread, as in a worker, the question itself is stopped."""
    with pytest.raises(TimeoutError), until(time.monotonic() + 0.1):
        endless()
    with pytest.raises(TimeoutError), until(time.monotonic()):
        pytest.fail("there was no time to begin")


def test_a_batch_has_the_limit_of_one_answer(client, monkeypatch):
    """More than may be sent is refused in a sentence."""
    monkeypatch.setattr("arpad.web.api.LARGEST_ANSWER", 1000)
    monkeypatch.setattr("arpad.web.middleware.LARGEST_ANSWER", 1000)
    reply = client.post("/api/v1/batch", json={"questions": [{"question": "systems"}] * 3})
    assert (reply.status_code, "at most 1000 are sent" in reply.json()["error"]) == (422, True), reply.text


def test_an_error_is_problem_json_whose_type_leads_to_the_docs(client):
    """RFC 9457's members beside ours: the type is a place on the page about the API, the pointer one in the body."""
    game = {"event": [{"game": ["1950:win"]}, {"game": ["19:foo"]}], "rating": 1750}
    reply = client.post("/api/v1/fide-standard/rate", json=game)
    assert reply.headers["content-type"] == "application/problem+json"
    found = reply.json()
    assert (found["status"], found["title"], found["detail"]) == (422, "not a result of a game", found["error"])
    assert (found["code"], found["at"], found["pointer"]) == ("not-a-result", "event[1].game[0]", "/event/1/game/0")
    page, code = found["type"].split("#")
    assert code == found["code"]
    assert f'id="{code}"' in client.get(page).text
    jsonschema.validate(found, client.get("/openapi.json").json()["components"]["schemas"]["Problem"])


@pytest.mark.parametrize(
    ("path", "at"),
    [
        ("/api/v1/fide-standard/rate?rating=x", "rating"),
        ("/api/v1/fide/rate", "system"),
        ("/api/v1/elo/rat", "question"),
    ],
)
def test_what_is_not_in_a_body_has_no_pointer(client, path, at):
    """A field of the query or of the address is named, but there is no body to point into."""
    found = client.get(path).json()
    assert (found["at"], found["pointer"]) == (at, None)


@pytest.mark.parametrize(
    ("game", "at", "pointer"),
    [
        (["1950:win", "1800:foo"], "game[1]", "/game/1"),
        ("1950:foo", "game[0]", "/game"),
        (["1950:win 1800:draw", "1700:foo"], "game[2]", "/game"),  # not the second element of two
        (["1950:win 1800:foo", "1700:draw"], "game[1]", "/game"),
        ([{"opponent": 1950, "result": "win"}, "1800:foo"], "game[1]", "/game/1"),
        ({"opponent": 1950, "result": "foo"}, "game[0].result", "/game/result"),
    ],
)
def test_a_pointer_leads_to_what_was_sent(client, game, at, pointer):
    """Of several games in one text each has a number, but in the body there is only the text."""
    for body, before in (({"game": game}, ""), ({"event": [{"game": game}]}, "event[0].")):
        found = client.post("/api/v1/fide-standard/rate", json={"rating": 1750, "k": 20, **body}).json()
        whole = f"/event/0{pointer}" if before else pointer
        assert (found["at"], found["pointer"]) == (f"{before}{at}", whole)


def test_a_batch_is_json(client):
    """Another content type is refused as at any other address."""
    reply = client.post("/api/v1/batch", content=b"<a/>", headers={"content-type": "application/xml"})
    assert (reply.status_code, reply.json()["code"]) == (415, "wrong-content-type")


async def slow(app, scope, body):
    """Take too long for anything but saying so."""
    if "refused" not in scope:
        raise TimeoutError
    return await completed(app, scope, body)


def broken(*_):
    raise ZeroDivisionError


LARGE = b" " * 300_000


@pytest.mark.parametrize(
    ("body", "patched", "status"),
    [
        (LARGE, {}, 413),
        (b"{}", {"arpad.web.middleware.completed": slow}, 503),
        (b"{}", {"arpad.web.api.answer_of": broken}, 500),
        (b"{", {}, 422),
    ],
)
def test_every_refusal_has_the_same_form(client, body, patched, status, monkeypatch):
    """Too large, too slow, broken or wrong: a page of another site can read why."""
    for name, work in patched.items():
        monkeypatch.setattr(name, work)
    asking = {"origin": "https://club.example"}
    reply = client.post("/api/v1/fide-standard/rate", content=body, headers=asking)
    assert (reply.status_code, reply.headers["content-type"]) == (status, "application/problem+json")
    assert reply.json()["status"] == status
    assert reply.headers["access-control-allow-origin"] == "*"
    assert {"x-request-id", "content-security-policy"} <= set(reply.headers)
    assert reply.headers.get("retry-after") == ("2" if status == 503 else None)


@pytest.mark.parametrize(("path", "whole"), [("/", True), ("/rate.part", False)])
def test_a_page_that_takes_too_long_says_so(client, path, whole, monkeypatch):
    """People get a page, or the part of one that was asked for, and what they typed is still there."""
    monkeypatch.setattr("arpad.web.middleware.completed", slow)
    reply = client.get(f"{path}?rating=1750&game=1950:win")
    assert (reply.status_code, reply.headers["content-type"]) == (503, "text/html; charset=utf-8")
    assert "This took longer than" in reply.text
    assert ("<html" in reply.text, "rating=1750" in reply.text) == (whole, True)


def test_ready_and_metrics(client):
    """Ready beside healthy; requests by status and durations in Prometheus' form."""
    assert client.get("/ready").json() == {"ok": True}
    client.get("/api/v1/elo/rate?rating=x")
    text = client.get("/metrics").text
    for name in ("arpad_requests_total", "arpad_request_seconds_bucket", "arpad_queue"):
        assert f"\n{name}" in text
    assert 'arpad_requests_total{method="GET",status="422"}' in text


def test_every_reply_has_the_id_of_its_request(client):
    """The ID that came, or a new one."""
    assert client.get("/health", headers={"x-request-id": "abc-7"}).headers["x-request-id"] == "abc-7"
    assert len(client.get("/health", headers={"x-request-id": 'a"b'}).headers["x-request-id"]) == 32


DUPLICATE = b'{"rating": 1750, "rating": 1800, "game": ["1950:win"]}'


def test_a_name_that_appears_twice_is_refused(client):
    """Which of the two was meant is not guessed, at the top or deeper."""
    for body in (DUPLICATE, b'{"rating": 1750, "event": [{"game": ["1950:1"], "game": []}]}'):
        assert client.post("/api/v1/fide-standard/rate", content=body).status_code == 422
    assert client.post("/api/v1/fide-standard/rate", content=DUPLICATE).json()["at"] == "rating"


def test_each_name_of_an_object_is_looked_up_once(client):
    """Of 20,000 names the one that appears twice is found without comparing each name with all others."""

    class Name(str):
        compared = 0
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other):
            Name.compared += 1
            return str.__eq__(self, other)

    pairs = [(Name(f"n{number}"), 0) for number in (*range(20_000), 19_999)]
    with pytest.raises(BadInput) as refused:
        without_duplicates(pairs)
    assert refused.value.at == "n19999"
    assert Name.compared < 10 * len(pairs)
    names = ",".join(f'"{name}":0' for name, _ in pairs)
    reply = client.post("/api/v1/elo/rate", content=f"{{{names}}}")
    assert (reply.status_code, reply.json()["at"]) == (422, "n19999")
