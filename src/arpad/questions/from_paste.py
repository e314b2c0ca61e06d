"""Fields that are filled from what a pasted text says about the player and the event; what is typed counts more."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from arpad.errors import ArpadError, BadInput
from arpad.messages import Message, say
from arpad.questions.declare import Given, Place
from arpad.reading import names_a_player
from arpad.systems import SYSTEMS, family

if TYPE_CHECKING:
    from arpad.questions.declare import Spec
    from arpad.reading.particulars import Particulars, StatedValue
    from arpad.reading.pasted import Paste

OF_PLAYER = ("k", "born", "games", "title", "federation")  # fields that are called as in `Particulars`
RATINGS = ("international", "national", "rating")
BY_LAST_DAY = "uschess"  # whose events are dated by their last day


@dataclass(frozen=True, slots=True)
class FromPaste:
    """The fields that were filled from a paste, and those given otherwise than the paste has them."""

    filled: Mapping[str, StatedValue]
    instead: Mapping[str, StatedValue]  # what the paste has
    typed: Mapping[str, object]
    ratings: tuple[Message, ...] = ()  # which of two ratings the opponents count with

    @property
    def notes(self) -> list[Message]:
        """What comes from the paste, what was given instead of it, and which ratings count."""
        used = [
            say("questions.pasted_value", what=say(f"reading.about.{name}"), value=stated.value)
            for name, stated in self.filled.items()
        ]
        other = [
            say(
                "questions.not_as_pasted",
                what=say(f"reading.about.{name}"),
                typed=self.typed[name],
                value=stated.value,
                line=stated.line,
            )
            for name, stated in self.instead.items()
        ]
        return [*([say("questions.from_paste", values=used)] if used else []), *other, *self.ratings]

    @property
    def texts(self) -> dict[str, object]:
        """The filled fields as a door receives them."""
        return {name: str(stated.value) for name, stated in self.filled.items()}


def filled_from(paste: Paste, spec: Spec, typed: Mapping[str, object], place: Place) -> FromPaste:
    """What a paste gives for the fields of a question; `place` has the system that is used if none is given."""
    about, declared = paste.about, spec.fields
    system = system_of(about, spec, typed, place)
    by_last_day = system in SYSTEMS and family(system) == BY_LAST_DAY
    known = {
        "rating": rating_for(about, system),
        **{name: getattr(about, name) for name in OF_PLAYER},
        "on": (by_last_day and about.ended) or about.on,
        "ended": about.ended,
        "time": about.time,
        "system": None if "rules" in typed else about.system,
    }
    found = {
        name: one
        for name, one in known.items()
        if one is not None and name in declared and declared[name].used_by(system)
    }
    place = place._replace(system=system)
    instead = {
        name: one for name, one in found.items() if name in typed and _differs(declared[name], typed[name], one, place)
    }
    if "system" in found and found["system"].value != system:
        instead["system"] = found["system"]
    left = {*typed, *instead, *(["born"] if "age" in typed else []), *(["ended"] if "on" in instead else [])}
    filled = {name: one for name, one in found.items() if name not in left}
    ratings = _which_count(paste, system if "system" in declared else None)
    return FromPaste(filled, instead, {"system": system, **typed}, ratings)


def system_of(about: Particulars, spec: Spec, typed: Mapping[str, object], place: Place) -> str:
    """The system given, or the paste's if it can answer the question, or else the usual one."""
    if "system" in typed or "rules" in typed or about.system is None:
        return str(typed.get("system", place.system))
    named = str(about.system.value)
    return named if "system" in spec.fields and spec.name not in SYSTEMS[named].lacks else place.system


def _differs(given: Given, typed: object, stated: StatedValue, place: Place) -> bool:
    """Whether a field was given otherwise than a paste has it; a player's name or ID is not compared with a rating."""
    text = str(typed)
    if given.read is None or names_a_player(text):
        return False
    with suppress(ArpadError):  # what cannot be read is refused where the question is read
        return given.read(text, place) != given.read(str(stated.value), place)
    return False


def rating_for(about: Particulars, system: str) -> StatedValue | None:
    """The player's rating in a system: FIDE's is the international one, a federation's the national one.

    A rating of no kind is taken only if it cannot be the other one. None without a rating, or if it is not clear which.
    """
    group = SYSTEMS[system].group if system in SYSTEMS else ""
    own, other = {
        "fide": (about.international, about.national),
        "national": (about.national, about.international),
    }.get(group, (None, None))
    if own is not None:
        return own if own.value != "unrated" else None
    ratings = [stated for name in RATINGS if (stated := getattr(about, name)) is not None and stated.value != "unrated"]
    if other is not None:
        ratings = [stated for stated in ratings if stated.value != other.value]
    return ratings[-1] if len({stated.value for stated in ratings}) == 1 else None


def counted_in(paste: Paste, system: str) -> Paste:
    """A paste with the opponents' ratings that count in a system: in a federation's own the national ones."""
    if not _is_national(system):
        return paste
    games = (
        game if game.national_rating is None else replace(game, opponent=game.national_rating, rating_state="rated")
        for game in paste.games
    )
    return replace(paste, games=tuple(games))


def only_national(paste: Paste) -> bool:
    """Whether the text has national ratings of opponents and no others."""
    kinds = {(game.national_rating is not None, game.opponent is not None) for game in paste.games}
    return (True, False) in kinds and kinds <= {(True, False), (False, False)}


def _which_count(paste: Paste, system: str | None) -> tuple[Message, ...]:
    """Which ratings of the opponents count, if a paste has national ones; `system` is None for several at once."""
    if all(game.national_rating is None for game in paste.games):
        return ()
    if system is None or not _is_national(system):
        return (say(f"questions.{'only_national' if only_national(paste) else 'both_ratings'}.international"),)
    if all(game.opponent in (None, game.national_rating) for game in paste.games):
        return (say("questions.only_national.national"),)
    others = sum(game.opponent is not None and game.national_rating is None for game in paste.games)
    return (say(f"questions.both_ratings.{'some' if others else 'national'}", games=others),)


def _is_national(system: str) -> bool:
    return system in SYSTEMS and SYSTEMS[system].group == "national"


@lru_cache(maxsize=2)
def reading_of(text: str, player: str | None, accept: tuple[int, ...] = ()) -> Paste:
    """A pasted text, which is read for the fields and again for the games."""
    from arpad.reading import read_paste  # with all layouts, which what is typed does not need

    return read_paste(text, player=player, accept=accept)


def which_rating(about: Particulars) -> BadInput | None:
    """The error that asks for the rating where a paste has several, or the wrong one; None if it has none."""
    ratings = {name: stated for name in RATINGS if (stated := getattr(about, name)) is not None}
    if not ratings:
        return None
    found = [
        say("questions.pasted_rating", kind=say(f"reading.about.{name}"), value=one.value, line=one.line)
        for name, one in ratings.items()
    ]
    return BadInput(say("questions.which_rating", found=found), at="rating")
