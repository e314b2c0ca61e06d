"""`arpad mcp`: an assistant sees the declared questions as tools, and gets the API's own answers."""

import asyncio
import json
import os
import re
import subprocess
import sys

from serving import get

from conftest import library

mcp = library("mcp")

from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: E402  # only where the extra is there
from mcp.client.streamable_http import streamable_http_client  # noqa: E402

JSON = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
ASKED = {"rating": 1750, "born": 2010, "game": ["1950:win"], "on": "2026-11-15"}


def assisted(work):
    """What comes of some work with a session."""

    async def within():
        command = StdioServerParameters(command=sys.executable, args=["-m", "arpad", "mcp"], env=dict(os.environ))
        async with stdio_client(command) as streams, mcp.ClientSession(*streams) as session:
            await session.initialize()
            return await work(session)

    return asyncio.run(within())


def test_an_assistant_asks(client):
    """The tools are the questions that say so; an answer is the API's, a refusal names its field."""

    async def work(session):
        tools = (await session.list_tools()).tools
        good = await session.call_tool("rate", ASKED)
        bad = await session.call_tool("rate", {**ASKED, "rating": "-5"})
        none = await session.call_tool("nothing", {})
        return tools, good, bad, none

    tools, good, bad, none = assisted(work)
    assert {"rate", "expect", "need", "outlook", "compare", "rules"} <= {one.name for one in tools}
    assert not {"list find", "serve"} & {one.name for one in tools}
    rate = next(one for one in tools if one.name == "rate")
    assert {"rating", "game", "system", "on"} <= set(rate.input_schema["properties"])
    assert {"fide-standard", "dwz", "lichess"} <= set(rate.input_schema["properties"]["system"]["enum"])
    assert all(len(one.description) < 120 and one.annotations.read_only_hint for one in tools)
    found = json.loads(good.content[0].text)
    assert found == client.post("/api/v1/fide-standard/rate", json={**ASKED, "steps": True}).json()
    assert any(step["article"] for step in found["steps"])
    assert (bad.is_error, json.loads(bad.content[0].text)["at"]) == (True, "rating")
    assert none.is_error


def test_an_answer_that_takes_too_long_is_refused(monkeypatch):
    """An assistant is told in a sentence, as everybody else."""
    from arpad.web import assistants

    async def slow(*_):
        raise TimeoutError

    monkeypatch.setattr("arpad.web.middleware.completed", slow)
    asked = mcp.types.CallToolRequestParams(name="rate", arguments=ASKED)
    refused = asyncio.run(assistants.call(None, None, asked))
    assert refused.is_error
    assert "This took longer than" in json.loads(refused.content[0].text)["error"]


def test_an_answer_that_no_client_takes_is_refused(monkeypatch):
    """The protocol's own client ends the connection at a megabyte; a sentence says what to ask instead."""
    from arpad.web import assistants

    async def long(*_):
        return json.dumps({"ok": True, "value": "x" * 400_000})

    monkeypatch.setattr(assistants, "_reply", long)
    asked = mcp.types.CallToolRequestParams(name="rate", arguments=ASKED)
    refused = asyncio.run(assistants.call(None, None, asked))
    assert (refused.is_error, refused.structured_content["code"]) == (True, "answer-too-large")
    assert "Ask for less at once" in refused.structured_content["error"]


def test_nothing_but_messages_is_printed():
    """Every line of the output is a message, the last one too, when the assistant has left."""
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    who = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    line = [sys.executable, "-m", "arpad", "mcp"]
    typed = json.dumps({**asked, "params": who}) + "\n"
    said = subprocess.run(line, input=typed, capture_output=True, text=True, check=True).stdout
    assert [json.loads(one)["id"] for one in said.removesuffix("\n").split("\n")] == [1]


def test_an_assistant_asks_over_http(client):
    """The same tools and answers over HTTP on this machine; another host's name gets nothing."""
    line = [sys.executable, "-m", "arpad", "mcp", "--port", "0"]

    async def asked(address):
        async with streamable_http_client(address) as streams, mcp.ClientSession(*streams[:2]) as session:
            await session.initialize()
            tools = (await session.list_tools()).tools
            return tools, await session.call_tool("rate", ASKED)

    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as serving:
        try:
            address = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", serving.stdout.readline())
            port = int(address[1])
            taken = subprocess.run([*line[:-1], str(port)], capture_output=True, text=True, check=False)
            tools, good = asyncio.run(asked(address[0]))
            elsewhere = get(port, "/mcp", method="POST", body="{}", headers={**JSON, "host": "evil.example"})[0]
        finally:
            serving.terminate()
    assert "outlook" in {one.name for one in tools}
    answer = client.post("/api/v1/fide-standard/rate", json={**ASKED, "steps": True}).json()
    assert json.loads(good.content[0].text) == answer
    assert elsewhere == 421
    assert (taken.returncode, taken.stderr.count("\n")) == (2, 1)
    assert f"port {port} cannot be used" in taken.stderr


def test_the_largest_questions_leave_others_alone():
    """As much as each tool takes, over HTTP: answered or refused by a worker, while another assistant is served."""
    line = [sys.executable, "-m", "arpad", "mcp", "--port", "0"]
    table = "No;Name;Rtg;R1\n" + "".join(f"{n};P{n};1800;{n + 1 if n % 2 else n - 1}w1\n" for n in range(1, 4001))
    event = {"field": 1800, "spread": 150, "rounds": 9}
    largest = {
        "rate": {"rating": 1750, "k": 20, "game": ["1950:1", "1800:½", "2000:0"] * 333},
        "need": {"rating": 1750, "k": 20, "reach": [1800], "against": [1800] * 100},
        "season": {"rating": 1780, "k": 20, "event": [{**event, "on": f"2027-{n:02}-10"} for n in range(1, 13)]},
        "event": {"text": table, "file": "a.csv", "on": "2026-11-15"},
    }

    async def asked(address):
        async with (
            streamable_http_client(address) as streams,
            mcp.ClientSession(*streams[:2]) as greedy,
            streamable_http_client(address) as others,
            mcp.ClientSession(*others[:2]) as session,
        ):
            await greedy.initialize()
            await session.initialize()
            working = asyncio.gather(*(greedy.call_tool(name, given) for name, given in largest.items()))
            listed = 0
            while not working.done():
                listed += bool((await session.list_tools()).tools)
            return listed, await working

    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as serving:
        try:
            address = re.search(r"http://127\.0\.0\.1:(\d+)/mcp", serving.stdout.readline())
            listed, answers = asyncio.run(asked(address[0]))
        finally:
            serving.terminate()
    assert listed > len(largest)
    codes = {name: answer.structured_content.get("code") for name, answer in zip(largest, answers, strict=True)}
    assert set(codes.values()) <= {None, "answer-too-large", "too-slow", "busy"}, codes
