"""The questions as tools for assistants over the Model Context Protocol, made from their declarations.

A tool asks the API, in a worker, for the answer with its steps.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from socket import socket
from typing import TYPE_CHECKING, Any

from mcp import types
from mcp.server import Server

from arpad import __version__
from arpad.calculation.serialise import failure
from arpad.errors import ArpadError, BadInput, UnknownName
from arpad.messages import entry, say, section, speaking
from arpad.questions import questions_at
from arpad.questions.read import DEFAULT_SYSTEM
from arpad.web.api import ROOT, STEPS, path_of
from arpad.web.app import inner_app
from arpad.web.middleware import completed_here
from arpad.web.openapi import body_schema, system_schema
from arpad.web.replies import dumps
from arpad.web.settings import EMBEDDED, ServerSettings
from arpad.web.workers import WorkerPool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arpad.questions import Spec

LARGEST = 8 * 1024 * 1024  # bytes of a message, which may hold a tournament file
LARGEST_SENT = 400_000  # bytes of an answer: it is sent as text and as data, and clients take a megabyte of both


def server(pool: WorkerPool | None = None) -> Server[Any]:
    """The server, for standard input and HTTP alike; without workers, a thread answers."""
    return Server(
        "arpad",
        version=__version__,
        instructions=entry("en", "command.about"),
        on_list_tools=_list,
        on_call_tool=partial(call, pool),
    )


async def _list(_: object, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[tool_of(spec) for spec in tools().values()])


async def call(pool: WorkerPool | None, _: object, asked: types.CallToolRequestParams) -> types.CallToolResult:
    """The answer as JSON with its steps and articles, or an error."""
    with speaking("en", door="api"):
        try:
            if asked.name not in tools():
                raise UnknownName("question", asked.name[:100], known=tools(), at="question")
            text = await _reply(pool, tools()[asked.name], asked.arguments or {})
            if len(text) > LARGEST_SENT:
                raise BadInput(say("web.answer_too_large", size=len(text), most=LARGEST_SENT))
        except ArpadError as error:
            text = dumps(failure(error)).decode()
    found = json.loads(text)
    content = types.TextContent(type="text", text=text)
    return types.CallToolResult(content=[content], structured_content=found, is_error=not found["ok"])


async def _reply(pool: WorkerPool | None, spec: Spec, arguments: Mapping[str, Any]) -> str:
    """The API's reply to a question."""
    given = {**arguments, STEPS: True}
    path = f"{ROOT}{path_of(spec)}"
    if "{system}" in path:
        path = path.format(system=given.pop("system", DEFAULT_SYSTEM))
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": []}
    body = [dumps(given)]
    if pool is None:
        reply = await completed_here(inner_app(EMBEDDED, "en"), scope, body, EMBEDDED.seconds)
    else:
        reply = await pool.answer("heavy", scope, body)
    return b"".join(reply.body).decode()


def tools() -> dict[str, Spec]:
    """The questions that assistants may ask."""
    return {name: spec for name, spec in questions_at("api").items() if spec.tool}


def tool_of(spec: Spec) -> types.Tool:
    """A question as a tool, with its fields and the names of all systems, which an assistant sees nowhere else."""
    schema = body_schema(spec, spec.fields_at("api"))
    del schema["properties"][STEPS]  # an assistant always gets them
    if "system" in schema["properties"]:
        schema["properties"]["system"] |= system_schema(spec)
    return types.Tool(
        name=spec.name,
        description=section("en", "questions.about")[spec.name],
        input_schema=schema,
        annotations=types.ToolAnnotations(read_only_hint=True),
    )


async def over_http(listening: socket, processes: int) -> None:
    """Answer at `/mcp` on a local port until stopped."""
    import uvicorn

    async with _serving(processes) as serving:
        app = serving.streamable_http_app(max_request_body_size=LARGEST)
        config = uvicorn.Config(app, http="h11", log_level="warning", server_header=False)
        await uvicorn.Server(config).serve(sockets=[listening])


async def over_stdio(processes: int) -> None:
    """Answer over standard input and output until the input ends."""
    from mcp.server.stdio import stdio_server

    async with _serving(processes) as serving, stdio_server() as (read, write):
        await serving.run(read, write, serving.create_initialization_options())


@asynccontextmanager
async def _serving(processes: int) -> AsyncIterator[Server[Any]]:
    """The server with its workers."""
    pool = WorkerPool(ServerSettings(processes=processes))
    try:
        yield server(pool)
    finally:
        await pool.close()
