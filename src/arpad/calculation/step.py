"""How a number keeps its reason.

Every value in a calculation is a `Step`: *known* (it was given), *ruled* (a dated clause fixes it) or *found*
(a formula gives it). A step holds the steps it rests on, so the calculation is its own explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Self, TypeVar, Union

if TYPE_CHECKING:
    from arpad.rulebooks import Rule

Given = Union["Step", tuple["Step", ...]]
NOTHING: Mapping[str, Any] = {}


class Step(NamedTuple):
    """A value and its reason. `words` holds what only a sentence needs, such as the row of a table."""

    key: str
    value: Any
    given: Mapping[str, Given] = NOTHING
    rule: Rule[object] | None = None
    formula: Formula | None = None
    words: Mapping[str, Any] = NOTHING

    @property
    def kind(self) -> str:
        """`known`, `ruled` or `found`; a step that rests on others is not `known`, even without a formula."""
        if self.formula is None and self.rule is not None:
            return "ruled"
        return "found" if self.formula is not None or self.given else "known"

    def reasons(self) -> list[Step]:
        """The steps this one rests on directly."""
        reasons: list[Step] = []
        for given in self.given.values():
            if isinstance(given, Step):
                reasons.append(given)
            else:
                reasons += given
        return reasons


# A calculation creates many steps, so this bypasses the named tuple's own constructor.
_make = partial(tuple.__new__, Step)


def known(key: str, value: object) -> Step:
    """A value that was given."""
    return _make((key, value, NOTHING, None, None, NOTHING))


def ruled(key: str, rule: Rule[object], value: object, *, words: Mapping[str, object] = NOTHING, **given: Step) -> Step:
    """A value that a clause fixes, perhaps by looking at other steps."""
    return _make((key, value, given, rule, None, words))


def found(key: str, by: Formula, *, words: Mapping[str, object] = NOTHING, **given: Step) -> Step:
    """The value a formula gives; further reasons may be given besides its inputs."""
    return _make((key, by.of(given), given, None, by, words))


def summed(
    key: str, by: Formula, parts: tuple[Step, ...], *, words: Mapping[str, object] = NOTHING, **others: tuple[Step, ...]
) -> Step:
    """The value a formula gives for any number of parts; parts that do not count may be given as well."""
    return _make((key, by.function([part.value for part in parts]), {"parts": parts, **others}, None, by, words))


def walk(*steps: Step) -> Iterator[Step]:
    """Each step once, reasons before what rests on them: the order of a hand calculation."""
    order: dict[int, Step] = {}
    _visit(steps, order)
    return iter(order.values())


def _visit(steps: Iterable[Given], order: dict[int, Step]) -> None:
    """Add steps to the order, each after those it rests on; a step rests on older ones, so there are no cycles."""
    # Without nested generators: every answer walks its trail, and this is twice as fast.
    for step in steps:
        if not isinstance(step, Step):
            _visit(step, order)
        elif id(step) not in order:
            if step.given:
                _visit(step.given.values(), order)
            order[id(step)] = step


class Formula(NamedTuple):
    """A function and the text that shows its arithmetic; the text names exactly the inputs."""

    function: Callable[..., Any]
    text: str
    inputs: tuple[str, ...]
    of: Callable[[Mapping[str, Step]], object]  # computes the value from the input steps

    def __call__(self, *args: object, **kwargs: object) -> Any:
        return self.function(*args, **kwargs)

    def __reduce__(self) -> tuple[Callable[..., Formula], tuple[str, str]]:
        return _formula_named, (self.function.__module__, self.function.__name__)


def formula(text: str, *, remember: int = 0) -> Callable[[Callable[..., object]], Formula]:
    """Give a function the text that shows its arithmetic; text with other names than its arguments fails at import.

    With `remember`, steps look up so many values instead of computing them again, as a power of a Decimal takes long.
    """

    def decorate(function: Callable[..., object]) -> Formula:
        inputs = function.__code__.co_varnames[: function.__code__.co_argcount]
        if set(places(text)) != set(inputs):
            raise TypeError(f"{function.__name__}: the text names {places(text)}, the function takes {inputs}")
        quick = lru_cache(remember, typed=True)(function) if remember else function
        return Formula(function, text, inputs, _applied(quick, inputs))

    return decorate


def places(text: str) -> tuple[str, ...]:
    """The names of the placeholders in a text."""
    return tuple([part.partition("}")[0] for part in text.split("{")[1:]])


def _applied(function: Callable[..., object], inputs: tuple[str, ...]) -> Callable[[Mapping[str, Step]], object]:
    """A function applied to the values of its input steps; faster for two or three inputs, the usual case."""
    if len(inputs) == 2:
        first, second = inputs
        return lambda given: function(given[first].value, given[second].value)
    if len(inputs) == 3:
        first, second, third = inputs
        return lambda given: function(given[first].value, given[second].value, given[third].value)
    return lambda given: function(*[given[name].value for name in inputs])


def _formula_named(module: str, name: str) -> Formula:
    """A formula by module and name, so that answers can be sent to other processes."""
    found: Formula = getattr(import_module(module), name)
    return found


class Arithmetic(Protocol):
    """The operators of a formula; a `Decimal` has them too, but takes whole constants alone."""

    def __neg__(self) -> Self: ...
    def __add__(self, other: Self | float, /) -> Self: ...
    def __radd__(self, other: float, /) -> Self: ...
    def __sub__(self, other: Self | float, /) -> Self: ...
    def __rsub__(self, other: float, /) -> Self: ...
    def __mul__(self, other: Self | float, /) -> Self: ...
    def __rmul__(self, other: float, /) -> Self: ...
    def __truediv__(self, other: Self | float, /) -> Self: ...
    def __rtruediv__(self, other: float, /) -> Self: ...
    def __floordiv__(self, other: Self | float, /) -> Self: ...
    def __pow__(self, other: Self | float, /) -> Self: ...
    def __rpow__(self, other: float, /) -> Self: ...


N = TypeVar("N", bound=Arithmetic)  # the inputs and the result of a formula are numbers of one kind
