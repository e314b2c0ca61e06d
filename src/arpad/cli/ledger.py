"""The `arpad ledger` commands: a club's own ratings in one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from getpass import getuser
from typing import TYPE_CHECKING, Any, TypedDict, cast

from arpad.calculation.serialise import to_json
from arpad.cli.reply import Done
from arpad.cli.show import fitted, in_lines
from arpad.core import whole_of
from arpad.messages import figure, say
from arpad.questions import readers
from arpad.questions.declare import Place, optional, question, required, several
from arpad.questions.fields import LONGEST_PATH, Asking

if TYPE_CHECKING:
    from arpad.ledger import Effect, Ledger, Mover, Period, Policy
    from arpad.messages import Message

ABOUT: Mapping[str, Any] = {"doors": frozenset({"command"}), "why": "it works with a ledger of this machine"}
LONGEST_REASON = 1000
LONGEST_ADDRESS = 400
SHOWN = 20  # people who moved, and entries, that a preview shows
LEFT = ("name", "event", "state", "reasons", "kind", "who", "about", "at", "opponent", "result", "colour")


class By(TypedDict):
    """Who decides, and why."""

    who: str
    why: str


def number(typed: str, place: Place) -> int:
    """A number of the log, of a game, or of a list."""
    return whole_of(typed, "most", 1, at=place.at)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class OfLedger(Asking):
    """Which ledger."""

    ledger: str = required(readers.path, example="club.arpad", word=True, longest=LONGEST_PATH)

    def opened(self) -> Ledger:
        """The ledger."""
        from arpad import ledger

        return ledger.open(self.ledger)


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class Deciding(Asking):
    """Who decides, and why."""

    who: str | None = optional(readers.text, example="Ann", group="decision")
    reason: str | None = optional(
        readers.text, example="late result", option="why", longest=LONGEST_REASON, group="decision"
    )

    @property
    def by(self) -> By:
        """Who, by default the user of this machine, and why."""
        return {"who": self.who or getuser(), "why": self.reason or ""}


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class InPool(Asking):
    """Which pool, if there are several."""

    in_pool: str | None = optional(readers.text, example="blitz", option="pool")


@dataclass(frozen=True, kw_only=True, init=False, repr=False, eq=False)
class PoolFields(Asking):
    """The system of a pool, and what it begins with."""

    pool_system: str = required(readers.text, example="glicko-2", option="system")
    begin: str | None = optional(readers.text, example="1500", option="start")
    at_once: str | None = optional(readers.text, example="month", option="period", choices=("event", "month"))
    set: tuple[tuple[str, str], ...] = several(readers.named_value, example="k=20")


def who_moved(movers: Sequence[Mover]) -> str:
    """People whose rating changed, the largest change first."""
    if not movers:
        return str(say("ledger.command.nobody_moved"))
    rows = [
        [
            one.name,
            "" if one.before is None else figure(one.before),
            "" if one.after is None else figure(one.after),
            "" if one.change is None else figure(one.change, signed=True),
            one.event or "",
        ]
        for one in movers[:SHOWN]
    ]
    more = [str(say("ledger.command.more", more=len(movers) - SHOWN))] if len(movers) > SHOWN else []
    return "\n".join([fitted(["name", "before", "after", "change", "event"], rows, "event", left=LEFT), *more])


def done(effect: Effect, told: Message | None = None) -> Done:
    """What a decision did; `told` is what to say besides who moved."""
    parts = [str(say("ledger.command.decided", number=effect.decision)), *([] if told is None else [str(told)])]
    parts += [f"{pool}\n{who_moved(movers)}" for pool, movers in effect.movers.items()] or [who_moved(())]
    below = [say("ledger.command.idle", number=number, why=why) for number, why in effect.idle]
    idle = [{"decision": number, "why": str(why)} for number, why in effect.idle]
    moves = {pool: moved(movers) for pool, movers in effect.movers.items()}
    about = {"decision": effect.decision, "movers": moves, "idle": idle}
    return Done(text="\n\n".join(parts), value=about, below=below, look=bool(effect.idle))


def moved(movers: Sequence[Mover]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [{**to_json(one), "change": None if one.change is None else str(one.change)} for one in movers]


@question(
    "ledger new",
    needs=("ledger", "pool_system"),
    **ABOUT,
    examples=(
        {"ledger": "club.arpad", "pool_system": "glicko-2"},
        {"ledger": "club.arpad", "pool_system": "elo", "begin": "1500", "in_pool": "blitz", "club": "Riverside"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class LedgerNew(Deciding, InPool, PoolFields, OfLedger):
    """Make a ledger with its first pool."""

    club: str | None = optional(readers.text, example="Riverside")

    def run(self) -> Done:
        """Make the file."""
        from arpad import ledger

        made = ledger.new(
            self.ledger,
            system=self.pool_system,
            who=self.by["who"],
            pool=self.in_pool or "main",
            name=self.club or "",
            start=self.begin,
            period=cast("Period | None", self.at_once),
            settings=dict(self.set),
        )
        pools = {name: to_json(pool) for name, pool in made.book.pools.items()}
        text = say("ledger.command.made", ledger=self.ledger)
        return Done(text="\n".join(in_lines(text)), value={"ledger": self.ledger, "pools": pools})


@question(
    "ledger pool",
    needs=("ledger", "new_pool", "pool_system"),
    **ABOUT,
    examples=({"ledger": "club.arpad", "new_pool": "rapid", "pool_system": "fide-rapid"},),
)
@dataclass(frozen=True, kw_only=True)
class LedgerPool(Deciding, PoolFields, OfLedger):
    """Add a pool: games that are rated together."""

    new_pool: str = required(readers.text, example="rapid", word=True)

    def run(self) -> Done:
        """Add the pool."""
        return done(
            self.opened().add_pool(
                self.new_pool,
                self.pool_system,
                start=self.begin,
                period=cast("Period | None", self.at_once),
                settings=dict(self.set),
                **self.by,
            )
        )


def persons(typed: str, place: Place) -> tuple[str, str]:
    """NUMBER=PERSON."""
    return readers.named_value(typed, place)


@question(
    "ledger settings",
    needs=("ledger",),
    **ABOUT,
    examples=({"ledger": "club.arpad", "policy": "window", "window": "30"},),
)
@dataclass(frozen=True, kw_only=True)
class LedgerSettings(Deciding, OfLedger):
    """The club's name, and whether a published list may be revised."""

    club: str | None = optional(readers.text, example="Riverside")
    policy: str | None = optional(readers.text, example="revise", choices=("never", "revise", "window"))
    window: int | None = optional(number, example="30")

    def run(self) -> Done:
        """Change them, or show them."""
        opened = self.opened()
        if any(value is not None for value in (self.club, self.policy, self.window)):
            policy = cast("Policy | None", self.policy)
            opened.set_policy(name=self.club, policy=policy, window=self.window, **self.by)
        settings = opened.book.settings
        says = say(f"ledger.policy.{settings.policy}", window=settings.window)
        text = say("ledger.command.settings", club=settings.name or self.ledger, says=says)
        return Done(text=str(text), value=to_json(settings))
