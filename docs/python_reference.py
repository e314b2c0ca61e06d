"""The Python reference: every public name with its signature, its docstring and what it offers."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass
from textwrap import dedent
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import arpad
from arpad.calculation.answer import Answer
from arpad.calculation.serialise import json_name, property_help

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = "# Python reference\n\nMade from the docstrings of the public names by `make docs`.\n"
MODULE = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Za-z])")  # `decimal.` in front of `Decimal`
FUNCTION = re.compile(r"<(?:built-in )?function (\w+)(?: at \w+)?>")  # a default that is a function
WIDE = 100


class _Annotation:
    """An annotation that a signature prints as in the source: without quotes and modules."""

    def __init__(self, given: Any) -> None:
        text = getattr(given, "__forward_arg__", given)
        self.text = MODULE.sub("", text if isinstance(text, str) else inspect.formatannotation(text))

    def __repr__(self) -> str:
        return self.text


def reference() -> str:
    """The whole page."""
    public = {name: getattr(arpad, name) for name in arpad.__all__ if not name.startswith("__")}
    classes = {name: value for name, value in public.items() if inspect.isclass(value)}
    errors = {name: value for name, value in classes.items() if issubclass(value, Exception)}
    in_bulk = {name: value for name in arpad.bulk.__all__ if inspect.isfunction(value := getattr(arpad.bulk, name))}
    parts = [HEAD, "## Functions\n"]
    parts += [_function(f"arpad.{name}", value) for name, value in public.items() if inspect.isfunction(value)]
    parts += ["## Functions for whole rating periods\n"]
    parts += [_function(f"arpad.bulk.{name}", value) for name, value in in_bulk.items()]
    sets = {name: get_args(value) for name, value in public.items() if get_origin(value) is Literal}
    parts += ["## Closed sets\n", "Type checkers know their values; anything else is refused.\n"]
    parts += [f"- `arpad.{name}`: {', '.join(f'`{one}`' for one in values)}" for name, values in sets.items()]
    parts += ["\n## Classes\n", *(_class(name, value) for name, value in classes.items() if name not in errors)]
    parts += ["## Errors\n", *(_class(name, value) for name, value in errors.items())]
    return "\n".join(parts)


def _function(name: str, value: Any) -> str:
    return f"### {name}\n\n```py\n{_call(name, value)}\n```\n\n{_said(value)}\n"


def _class(name: str, value: type) -> str:
    lines = [f"### arpad.{name}\n", f"{_said(value)}\n"]
    shown = _fields(value)
    if shown:
        meanings = is_dataclass(value) and issubclass(value, Answer)
        heading = ["| field | type | meaning |", "|---|---|---|"] if meanings else ["| field | type |", "|---|---|"]
        rows = [f"| `{field}` | {_type(value, field)} |" for field in shown]
        if meanings:
            names = [json_name(value, field) for field in shown]
            rows = [f"{row} {property_help(value.__name__, name)} |" for row, name in zip(rows, names, strict=True)]
        lines += [*heading, *rows, ""]
    members = list(_members(value))
    told = [_method(name, member) for name, member in vars(value).items() if _is_told(name, member)]
    return "\n".join([*lines, *members, *([""] if members else []), *told])


def _is_told(name: str, member: object) -> bool:
    """Whether a method has more to say than fits in a line: what it accepts, gives and raises."""
    return not name.startswith("_") and inspect.isfunction(member) and "\n" in (inspect.getdoc(member) or "")


def _method(name: str, member: Any) -> str:
    return f"#### .{name}\n\n```py\n{_call(f'.{name}', member)}\n```\n\n{_said(member)}\n"


def _fields(value: type) -> list[str]:
    """The public fields: those of an answer's JSON, those of a named tuple, those that any other class declares."""
    if is_dataclass(value):
        return [field.name for field in fields(value) if not field.metadata.get("hidden")]
    if hasattr(value, "_fields"):
        return list(value._fields)
    return [name for name in inspect.get_annotations(value) if not name.startswith("_")]


def _members(value: type) -> Iterator[str]:
    """The public methods and properties that a class adds, each as a line of a list."""
    for name, member in vars(value).items():
        if name.startswith("_") or not inspect.getdoc(member) or _is_told(name, member):
            continue
        if isinstance(member, property):
            yield f"- `.{name}`: {_first_line(member)}"
        elif inspect.isfunction(member) or isinstance(member, classmethod | staticmethod):
            yield f"- `{_call(f'.{name}', getattr(value, name), width=None)}`: {_first_line(member)}"


def _call(name: str, value: Any, *, width: int | None = WIDE) -> str:
    """A signature as people write it: on one line where it fits, else one parameter on each line."""
    signature = inspect.signature(value)
    parameters = [
        parameter
        if parameter.annotation is parameter.empty
        else parameter.replace(annotation=_Annotation(parameter.annotation))
        for parameter in signature.parameters.values()
        if parameter.name != "self"
    ]
    plain = signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)
    gives = (
        "" if signature.return_annotation is signature.empty else f" -> {_Annotation(signature.return_annotation)!r}"
    )
    line = FUNCTION.sub(r"\1", f"{name}{plain}{gives}")
    if width is None or len(line) <= width:
        return line
    texts = [FUNCTION.sub(r"\1", str(parameter)) for parameter in parameters]
    named = [place for place, parameter in enumerate(parameters) if parameter.kind is parameter.KEYWORD_ONLY]
    if named:
        texts.insert(named[0], "*")
    return f"{name}(\n" + "".join(f"    {text},\n" for text in texts) + f"){gives}"


def _type(value: type, field: str) -> str:
    for owner in value.__mro__:
        given = inspect.get_annotations(owner).get(field)
        if given is not None:
            return f"`{_Annotation(given)!r}`".replace("|", "\\|")
    return ""


def _said(value: Any) -> str:
    """The docstring; an example is shown as code, and what it lays out in columns stays in columns."""
    text = inspect.getdoc(value) or ""
    text = re.sub(r"(?m)^((?: {4}\S.*\n?)+)$", lambda code: f"```py\n{dedent(code[1]).rstrip()}\n```\n", text)
    return re.sub(r"(?m)^( {2,}\S.*(?:\n {2,}\S.*)*)", r"```text\n\1\n```", text)


def _first_line(value: Any) -> str:
    return (inspect.getdoc(value) or "").partition("\n")[0]
