"""The questions as tools for assistants over the Model Context Protocol, made from their declarations."""

from __future__ import annotations

from functools import partial
from socket import socket
from typing import TYPE_CHECKING, Any

from mcp import types
from mcp.server import Server

from arpad import __version__
from arpad.calculation.serialise import failure
from arpad.errors import ArpadError, UnknownName
from arpad.messages import entry, section, speaking
from arpad.questions import questions_at
from arpad.web.api import answer_of
from arpad.web.openapi import body_schema, system_schema
from arpad.web.replies import dumps
from arpad.web.workers import run, workers

if TYPE_CHECKING:
    from arpad.questions import Spec


def server() -> Server[Any]:
    """The server, for standard input and HTTP alike."""
    return Server(
        "arpad",
        version=__version__,
        instructions=entry("en", "command.about"),
        on_list_tools=_list,
        on_call_tool=_call,
    )


async def _list(_: object, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[tool_of(spec) for spec in tools().values()])


async def _call(_: object, asked: types.CallToolRequestParams) -> types.CallToolResult:
    """The answer as JSON with its steps and articles, or an error."""
    with speaking("en", door="api"):
        try:
            if asked.name not in tools():
                raise UnknownName("question", asked.name[:100], known=tools(), at="question")
            found = await run(partial(answer_of, asked.name, dict(asked.arguments or {})))
        except ArpadError as error:
            found = failure(error)
    text = types.TextContent(type="text", text=dumps(found).decode())
    return types.CallToolResult(content=[text], structured_content=found, is_error=not found["ok"])


def tools() -> dict[str, Spec]:
    """The questions that assistants may ask."""
    return {name: spec for name, spec in questions_at("api").items() if spec.tool}


def tool_of(spec: Spec) -> types.Tool:
    """A question as a tool, with its fields and the names of all systems, which an assistant sees nowhere else."""
    schema = body_schema(spec, spec.fields_at("api"))
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

    app = server().streamable_http_app()
    config = uvicorn.Config(app, http="arpad.web.server:LimitedProtocol", log_level="warning", server_header=False)
    async with workers(processes):
        await uvicorn.Server(config).serve(sockets=[listening])


async def over_stdio(processes: int) -> None:
    """Answer over standard input and output until the input ends."""
    from mcp.server.stdio import stdio_server

    serving = server()
    async with workers(processes), stdio_server() as (read, write):
        await serving.run(read, write, serving.create_initialization_options())
