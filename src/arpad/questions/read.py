"""Turns what a door received, texts by name, into a question; errors say where the problem is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Protocol

from arpad.core import EloStanding, Player
from arpad.errors import ArpadError, BadFile, BadInput, Busy, UnknownName, Unsupported
from arpad.messages import FieldName, say
from arpad.questions.declare import MOST, Given, Place, Spec, field_help, given_fields, missing, unknown_field
from arpad.questions.from_paste import FromPaste, filled_from, reading_of, which_rating
from arpad.reading import names_a_player, parse_date, split_games
from arpad.reading.notation import opponent_and_result
from arpad.systems.fide.k import entering
from arpad.systems.fide.rules import FideRules

if TYPE_CHECKING:
    from arpad.calculation.answer import Answer
    from arpad.core import Event
    from arpad.lists import ResolvedPlayer
    from arpad.messages import Message
    from arpad.questions.declare import HasFields, Question
    from arpad.questions.fields import ListFields
    from arpad.reading.pasted import Paste
    from arpad.systems.base import System


YES, NO = ("yes", "true", "1", "on"), ("no", "false", "0", "off")
DEFAULT_SYSTEM = "fide-standard"
# What the library calls an argument, and the fields that it comes from: the one that was given, or the first there is.
FIELDS_OF_ARGUMENT = {
    "games": ("game", "against", "event"),
    "player": ("player", "rating"),
    "settings": ("set",),
    "tournament": ("path", "text"),
    "against": ("against", "game", "field", "rounds"),
    "path": ("path", "text"),
    "prizes": ("prizes", "table"),
    "event kind": ("event_kind",),
    "first": ("system",),
    **dict.fromkeys(("c", "position", "scale", "tau", "tolerance"), ("set",)),
}
# What a system counts: its games, and if it rates several events, those too.
GAME = re.compile(r"game\[(\d+)\]")
IN_EVENT = re.compile(r"event\[(\d+)\](?:\.(.+))?")
PASTES = ("paste", "paste_file")
FILE_ALONE = ("game", "against", "event", "field", "spread", "rounds", "base")  # not to be typed with a file of fields


@dataclass(frozen=True, slots=True)
class FieldFile:
    """The file, or files, that some fields come from."""

    path: str = ""
    names: frozenset[str] = frozenset()
    notes: tuple[Message, ...] = ()

    def locate(self, error: ArpadError) -> None:
        """Name the file in an error about one of its fields: `event[0].game[1]` is `open.toml, event 1, game 2`."""
        if error.at is None or re.split(r"\W", error.at, maxsplit=1)[0] not in self.names:
            return
        place = re.sub(r"\[(\d+)\]", lambda number: f" {int(number[1]) + 1}", error.at).replace(".", ", ")
        error.at = f"{self.path}, {place}"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was understood, the people looked up for it, and the file that some fields come from."""

    question: Question
    people: People
    file: FieldFile = FieldFile()
    lines: tuple[str, ...] = ()  # games typed in plain words, not in our notation
    from_paste: FromPaste | None = None

    def answer(self) -> Answer:
        """The answer; an error says which field it is about."""
        try:
            return self.question.answer()
        except ArpadError as error:
            self.locate(error)
            raise

    def locate(self, error: ArpadError) -> None:
        """Name the field, not the library's argument, in an error about the answer; and the file that it came from."""
        fields = self.question.spec.fields
        own = error.said.key.startswith("questions.")  # a question's own refusal names its field already
        own = own or (isinstance(error, UnknownName) and error.at == "against")  # as does a setting of Lichess
        if error.at in FIELDS_OF_ARGUMENT and not own:
            there = [name for name in FIELDS_OF_ARGUMENT[error.at] if name in fields]
            error.at = next((name for name in there if getattr(self.question, name, None)), next(iter(there), error.at))
        elif error.at is None and isinstance(error, Unsupported) and "system" in fields:
            error.at = "system"
        elif not own and error.at is not None:
            error.at = self._place_of(error.at)
        self.file.locate(error)

    def _place_of(self, at: str) -> str:
        """The field of a game or an event that a system counted; unchanged where none is sure."""
        in_event = IN_EVENT.fullmatch(at)
        inner = at if in_event is None else in_event[2] or ""
        game = GAME.fullmatch(inner)
        if in_event is None and game is None:
            return at
        events = getattr(self.question, "event", ())
        owners = [("", self.question), *((f"event[{place}]", event) for place, event in enumerate(events))]
        places = []  # games outside any event are the first event
        for path, owner in owners:
            if isinstance(getattr(owner, "opponent", None), Player):
                return "opponent"
            given = [(name, getattr(owner, name, ())) for name in ("game", "against")]
            typed = [f"{path}.{name}[{place}]".lstrip(".") for name, games in given for place in range(len(games))]
            places += [(path, typed)] if typed or path else []
        number = 0 if in_event is None else int(in_event[1])
        if getattr(self.question, "pasted", None) is not None or number >= len(places):
            return "event" if events else at
        if in_event is None and len(places) > 1:  # the games of all events are counted together
            return "event" if all(path for path, _ in places) else at
        path, typed = places[number]
        if game is not None:
            return typed[int(game[1])] if int(game[1]) < len(typed) else at
        return f"{path}.{inner}".strip(".") or "game"

    @property
    def reading(self) -> Paste | None:
        """How a paste, or games typed in plain words, were read; None if there are neither."""
        pasted: Paste | None = getattr(self.question, "pasted", None)
        if pasted is not None or not self.lines:
            return pasted
        from arpad.reading import read_lines  # with all layouts, which the plain notation does not need

        return read_lines(self.lines)

    @property
    def notes(self) -> list[Message]:
        """Notes on who was looked up, what was ignored or assumed, what overrides a file, and unrated pasted games."""
        beside = [getattr(self.question, name, None) for name in ("ignored", "age_note", "pace_note")]
        pasted: Paste | None = getattr(self.question, "pasted", None)
        unrated = () if pasted is None else pasted.unrated
        filled = () if self.from_paste is None else self.from_paste.notes
        said = (note for note in beside if note is not None)
        return [*self.people.notes, *said, *self.file.notes, *filled, *unrated]


def read_question(
    spec: Spec, given: Mapping[str, object], *, today: date, door: str, people: People | None = None
) -> Asked:
    """The question asked; `given` has texts, numbers, or lists of them, by name."""
    allowed = spec.fields_at(door)
    _check_names(given, allowed, "")
    typed = {
        name: _as_texts(allowed[name], value, name) for name, value in given.items() if not _empty(value, allowed[name])
    }
    _check_together(typed, allowed)
    if door != "page":  # a form shows fields that wait for another
        _check_alone(typed, allowed)
    texts, file = _expanded(typed, allowed)
    try:
        people = people or People(list=_text_or_none(texts, "list"), data=_text_or_none(texts, "folder"))
        usual = Place("", today, DEFAULT_SYSTEM, people)
        text, from_paste = _pasted(spec, texts, usual)
        texts = texts if from_paste is None else {**texts, **from_paste.texts}
        lacking = missing(spec, texts)
        if lacking == ["rating"] and file.path:
            raise BadFile(say("questions.plan_rating"), at=file.path)
        if lacking is not None:
            raise _needed(lacking, allowed)
        counts = {name: _values_in(value) for name, value in texts.items()}
        if door != "command" and sum(counts.values()) > spec.most_values:
            said = say("questions.too_many_values", count=sum(counts.values()), most=spec.most_values)
            raise BadInput(said, at=max(counts, key=lambda name: counts[name]))
        day = parse_date(_text(texts["on"], "on"), at="on") if "on" in texts else today
        place = usual._replace(day=day, system=str(texts.get("system", DEFAULT_SYSTEM)))
        values = _values(allowed, {name: value for name, value in texts.items() if name not in text}, "", place)
        make: Callable[..., Question] = spec.kind
        question = make(today=today, day=day, **values, **text)
        return Asked(question, people, file, _in_words(texts), from_paste)
    except ArpadError as error:
        file.locate(error)
        raise


def _pasted(spec: Spec, texts: Mapping[str, object], place: Place) -> tuple[dict[str, object], FromPaste | None]:
    """The pasted text of a question, read first because it fills other fields, and what it fills."""
    given = {name: texts[name] for name in PASTES if name in texts}
    text = _values(spec.fields, given, "", place)
    if not text:
        return {}, None
    pasted = reading_of(str(next(iter(text.values()))), _text_or_none(texts, "whose"))
    from_paste = filled_from(pasted, spec, texts, place)
    unclear = which_rating(pasted.about)
    if "rating" in spec.needs and not {"rating"} & (texts.keys() | from_paste.filled.keys()) and unclear is not None:
        raise unclear
    return text, from_paste


def _values_in(given: object) -> int:
    """How many values were given in lists, including those inside events and players."""
    if isinstance(given, Mapping):
        return sum(map(_values_in, given.values()))
    return sum(_values_in(value) or 1 for value in given) if isinstance(given, list | tuple) else 0


def _in_words(texts: Mapping[str, object]) -> tuple[str, ...]:
    """The games typed in plain words: `won against 1950`, but not `1950:win` or `1950 win`."""
    games = texts.get("game", ())
    typed = [str(text).strip() for text in (games if isinstance(games, list | tuple) else [games])]
    return tuple(text for text in split_games(typed) if " " in text and opponent_and_result(text)[1] is None)


def _expanded(texts: dict[str, object], allowed: Mapping[str, Given]) -> tuple[dict[str, object], FieldFile]:
    """What was given plus the fields of a file, if one was given, and the file. A typed value wins over the file's.

    Games and events cannot be typed in addition to a file.
    """
    file = next((name for name in texts if allowed[name].expand is not None), None)
    expand = None if file is None else allowed[file].expand
    if file is None or expand is None:
        return texts, FieldFile()
    paths = [_text(path, file, allowed[file].longest) for path in _list(texts[file], file)]
    typed = {name: value for name, value in texts.items() if name != file}
    beside = [FieldName(name) for name in FILE_ALONE if name in typed]
    if beside:
        raise BadInput(say("questions.file_alone", field_name=FieldName(file), fields=beside), at=file)
    found = expand(paths)
    source = FieldFile(", ".join(paths), frozenset(found) - frozenset(typed), tuple(_overrides(found, typed, allowed)))
    _check_names(found, {name: given for name, given in allowed.items() if given.expand is None}, f"{source.path}, ")
    return {**found, **typed}, source


def _overrides(
    found: Mapping[str, object], typed: Mapping[str, object], allowed: Mapping[str, Given]
) -> Iterator[Message]:
    """Notes on which of the file's player fields were overridden by typing, and which still come from the file."""
    of_player = {"rating", *(name for name, given in allowed.items() if given.group == "player")}
    own = {name: value for name, value in found.items() if name in of_player}
    other = [
        say("questions.instead", field_name=FieldName(name), typed=typed[name], value=value)
        for name, value in own.items()
        if str(typed.get(name, value)) != str(value)
    ]
    if other:
        yield say("questions.overridden", changes=other)
        left = [
            say("questions.from_file", field_name=FieldName(name), value=own[name]) for name in own if name not in typed
        ]
        if left:
            yield say("questions.rest", fields=left)


def _check_names(given: Mapping[str, object], allowed: Mapping[str, Given], path: str) -> None:
    for name in given:
        if name not in allowed:
            typed = str(name)[:100]
            raise unknown_field("field", typed, name, allowed, known=allowed, at=f"{path}{typed}")


def _check_together(given: Mapping[str, object], allowed: Mapping[str, Given]) -> None:
    """Refuse a field together with the one it replaces."""
    for name in given:
        other = allowed[name].instead_of
        if other in given:
            raise BadInput(say("questions.not_together", field_name=FieldName(other), other=FieldName(name)), at=name)


def _check_alone(given: Mapping[str, object], allowed: Mapping[str, Given]) -> None:
    """Refuse a field that means nothing without another, unless its value is the default."""
    for name, value in given.items():
        if not allowed[name].only_with:
            continue
        there = [other for other in allowed[name].only_with if other in allowed]
        nothing = NO if allowed[name].flag else ()
        changes_nothing = str(value).lower() in (str(allowed[name].default).lower(), *nothing)
        if there and not changes_nothing and not any(other in given for other in there):
            others = [FieldName(other) for other in there]
            raise BadInput(say("questions.only_with", field_name=FieldName(name), others=others), at=name)


def _empty(value: object, given: Given | None) -> bool:
    """Whether a value counts as none: blanks too, but not for a field that has only a few words for values."""
    has_words = given is None or given.flag or given.choices
    return value is None or value == [] or (isinstance(value, str) and not (value if has_words else value.strip()))


def _needed(names: Sequence[str], allowed: Mapping[str, Given], path: str = "") -> BadInput:
    """The error that a field is needed, with an example unless it is a whole file."""
    there = [name for name in names if name in allowed] or names[:1]
    first = there[0]
    example = allowed[first].example if first in allowed else ""
    key = "questions.needed" if len(there) == 1 else "questions.one_needed"
    if not example:
        key = "questions.needed_alone" if len(there) == 1 else "questions.one_needed_alone"
    fields = [FieldName(name) for name in there]
    return BadInput(say(key, field_name=FieldName(first), fields=fields, example=example), at=f"{path}{first}")


def _values(allowed: Mapping[str, Given], texts: Mapping[str, object], path: str, place: Place) -> dict[str, object]:
    """The values of the fields that were given."""
    _check_lists(allowed, texts, path)
    return {name: _value(allowed[name], value, f"{path}{name}", place) for name, value in texts.items()}


def _check_lists(allowed: Mapping[str, Given], texts: Mapping[str, object], path: str) -> None:
    """Refuse a list where a single value belongs but the singular takes a list: games go in `game`, not `games`."""
    for name, value in texts.items():
        singular = allowed.get(name.removesuffix("s"))
        if isinstance(value, list | tuple) and not allowed[name].many and singular is not None and singular.many:
            names = {"field_name": FieldName(name), "other": FieldName(singular.name)}
            raise BadInput(say("questions.list_is_for", help=field_help(name), **names), at=f"{path}{name}")


def _value(given: Given, value: object, at: str, place: Place) -> object:
    if given.nested is not None:
        if not isinstance(value, list | tuple):
            raise BadInput(say("questions.objects"), at=at)
        return tuple(_nested(given.nested, fields, f"{at}[{no}]", place) for no, fields in enumerate(_list(value, at)))
    if given.many:
        texts = [_text(text, f"{at}[{no}]", given.longest) for no, text in enumerate(_list(value, at, given.most))]
        values = texts if given.split is None else _list(given.split(texts), at, given.most)
        return tuple(_read(given, text, f"{at}[{no}]", place) for no, text in enumerate(values))
    return yes_or_no(value, at) if given.flag else _read(given, value, at, place)


def _nested(kind: type[HasFields], given: object, at: str, place: Place) -> object:
    """One nested object, such as an event; its own day, if it has one, applies to everything in it."""
    if not isinstance(given, Mapping):
        raise BadInput(say("questions.objects"), at=at)
    allowed = given_fields(kind)
    _check_names(given, allowed, f"{at}.")
    texts = {
        name: _as_texts(allowed[name], value, f"{at}.{name}")
        for name, value in given.items()
        if not _empty(value, allowed[name])
    }
    lacking = next((name for name, given_field in allowed.items() if given_field.needed and name not in texts), None)
    if lacking is not None:
        raise _needed([lacking], allowed, f"{at}.")
    if "on" in texts:
        place = place._replace(day=parse_date(_text(texts["on"], f"{at}.on"), at=f"{at}.on"))
    make: Callable[..., object] = kind
    return make(**_values(allowed, texts, f"{at}.", place))


def _as_texts(given: Given, value: object, at: str) -> object:
    """What was given for a field, with each object, such as a game, as the text that says the same."""
    if given.as_object is None or not isinstance(value, list | tuple | Mapping):
        return value
    kind = given.as_object
    place = Place(at, date.min, DEFAULT_SYSTEM, People())  # which no text of an object depends on

    def text_of(one: object, number: int) -> object:
        if not isinstance(one, Mapping):
            return one
        found: HasNotation = _nested(kind, one, f"{at}[{number}]", place)  # type: ignore[assignment]
        return found.notation

    return [text_of(one, number) for number, one in enumerate(value if isinstance(value, list | tuple) else [value])]


class HasNotation(Protocol):
    """An object that can be given instead of a text, and knows that text."""

    @property
    def notation(self) -> str: ...


def _read(given: Given, value: object, at: str, place: Place) -> object:
    if given.read is None:
        raise TypeError(f"{given.name} has no reader")
    text = _text(value, at, given.longest)
    return given.read(value if given.as_it_is and isinstance(value, str) else text, place._replace(at=at))


def _list(value: object, at: str, most: int = MOST) -> Sequence[object]:
    values = value if isinstance(value, list | tuple) else [value]
    if len(values) > most:
        raise BadInput(say("questions.too_many", count=len(values), most=most), at=at)
    return values


def _text(value: object, at: str, longest: int = 200) -> str:
    """A text, or a number as a text."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadInput(say("questions.not_a_text"), at=at)
    text = value if isinstance(value, str) else repr(value)
    if len(text) > longest:
        raise BadInput(say("questions.too_long", length=len(text), longest=longest), at=at)
    return text.strip()


def _text_or_none(texts: Mapping[str, object], name: str) -> str | None:
    return _text(texts[name], name) if name in texts else None


def yes_or_no(value: object, at: str) -> bool:
    """Whether a flag is given; BadInput for anything but the words for yes and no."""
    if isinstance(value, bool):
        return value
    text = str(value)[:100].strip().lower()
    if not isinstance(value, str | int) or text not in (*YES, *NO):
        raise BadInput(say("questions.yes_or_no", value=text, yes=YES, no=NO), at=at)
    return text in YES


def by_name(spec: Spec | None, pairs: Iterable[tuple[str, str]]) -> dict[str, object]:
    """The fields of a query; those after an `event` belong to that event, as at the command."""
    fields = {} if spec is None else spec.fields
    inner = given_fields(fields["event"].nested) if "event" in fields and fields["event"].nested else {}
    given: dict[str, object] = {}
    events: list[dict[str, object]] = []
    here = given
    for name, text in pairs:
        if name == "event" and inner:
            here = {"name": text}
            events.append(here)
            given["event"] = events
            continue
        owner, field = (here, inner[name]) if name in inner and here is not given else (given, fields.get(name))
        if _empty(text, field):
            continue
        if field is not None and field.many:
            before = owner.get(name)
            owner[name] = [*before, text] if isinstance(before, list) else [text]
        elif name in owner:
            raise BadInput(say("questions.given_twice", field_name=FieldName(name)), at=name)
        else:
            owner[name] = text
    return given


def k_list_of(events: Iterable[Event], rated_by: System, on: date) -> date | None:
    """The list whose K counts for events; None if no last day is known, or if lists have no K in this system."""
    rules = rated_by.rulebook.at(on)
    list_after = entering(events, rules) if isinstance(rules, FideRules) else None
    return None if list_after is None else list_after.k_list


def with_k_of_list(player: Player, k_list: date | None, rated_by: System, lists: ListFields) -> Player:
    """A player found on a rating list, with the K of a later list if that is the one that counts."""
    standing = player.standing
    if k_list is None or player.fide_id is None or not isinstance(standing, EloStanding) or standing.k_from is None:
        return player
    if standing.k_from.month is None or standing.k_from.month >= k_list:
        return player
    from arpad.lists import pace_of, with_k_on

    found, _ = with_k_on(
        {player.fide_id: player}, k_list, pace=pace_of(rated_by.name), name=lists.list, data=lists.folder
    )
    return found[player.fide_id]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPlayer:
    """A player named in a question, as on the rating list."""

    at: str
    name: str | None
    fide_id: int | None
    federation: str | None
    born: int | None
    rating: int | None


@dataclass(slots=True)
class People:
    """The players named in one question, by where they were named, and the lists they were found in."""

    list: str | None = None  # the name of the lists; FIDE's if None
    data: str | None = None  # the folder of the lists; the user's own if None
    named: dict[str, ResolvedPlayer] = field(default_factory=dict)
    day: date | None = None  # the day of the last lookup

    def find(self, text: str, place: Place) -> Player | None:
        """The player a text names; None if it names nobody."""
        if not names_a_player(text):
            return None
        # The rating lists need extra libraries, and most questions name nobody.
        from arpad.lists import has_lists, pace_of, resolve_player

        if not has_lists(self.data):
            raise BadInput(say("questions.no_lists", text=text), at=place.at)
        try:
            found = resolve_player(text.strip(), place.day, pace=pace_of(place.system), name=self.list, data=self.data)
        except (Busy, BadFile):
            raise
        except ArpadError as error:
            raise BadInput(error.said, at=place.at) from None
        self.named[place.at] = found
        self.day = place.day
        return found.player

    def opponent(self, text: str, place: Place) -> Player | None:
        """An opponent, without a K: only the player's own K counts."""
        found = self.find(text, place)
        if found is None or not isinstance(found.standing, EloStanding):
            return found
        return replace(found, standing=replace(found.standing, k=None, k_from=None))

    @property
    def found(self) -> tuple[FoundPlayer, ...]:
        """The players who were found, for the reply."""
        return tuple(
            FoundPlayer(
                at=at,
                name=resolved.listed.name,
                fide_id=resolved.listed.id,
                federation=resolved.listed.federation,
                born=resolved.listed.born,
                rating=resolved.player.rating if isinstance(resolved.player.rating, int) else None,
            )
            for at, resolved in self.named.items()
        )

    @property
    def notes(self) -> Sequence[Message]:
        """Notes on who was found under which name, and which lists were used."""
        if not self.named or self.day is None:
            return ()
        from arpad.lists import accepted_as, list_note

        people = list(self.named.values())
        return [*accepted_as(people), list_note([resolved.list for resolved in people], self.day)]
