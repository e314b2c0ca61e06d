"""What comes in: a tournament file, a paste, a table of games or one game as a sentence, and the preview of its effect.

Nothing is written here. A preview lists who was recognised, who is new and who is in doubt, what is odd, and who would
change by how much; accepting it is a decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from os.path import basename, splitext
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from arpad.core import DRAW, LOSS, WIN, Pace
from arpad.core.tournaments import ABSENT, BYES, FORFEIT, PENDING, SHORT, USUAL, Oddity, Round, Tournament
from arpad.core.tournaments import PLAYED as IN_ROUND
from arpad.errors import BadFile, BadInput
from arpad.formats import read
from arpad.ledger.book import PLAYED, SCORE_OF, Book, GameEnd, LedgerEvent, LedgerGame, Person, Reported, game_row
from arpad.ledger.decisions import Submission
from arpad.ledger.matching import DOUBTFUL, NEW, SURE, Matched, Matcher, Surroundings
from arpad.ledger.tables import is_used_column, member_columns, title_of
from arpad.messages import Message, apart, say
from arpad.reading.days import parse_date
from arpad.reading.results import both_results, is_score
from arpad.reading.text import name_words, plain
from arpad.reading.time_controls import parse_pace

if TYPE_CHECKING:
    from arpad.core.tournaments import Entrant

NEW_PERSON = "new"  # what somebody in doubt may be settled as, besides the number of a person
HOWS = {IN_ROUND: PLAYED, SHORT: "short", FORFEIT: "forfeit"}
FEW = 5  # in doubt, that each is told with the reasons
LONG = 16  # days: people play elsewhere while a longer event goes on
SAME = 0.5  # the share of an event's games that make it the same event


class DayRows(NamedTuple):
    """A day of a table: its rows below the headings, and the event that they name."""

    table: bytes
    event: str


@dataclass(frozen=True, slots=True)
class Draft:
    """An event as it came in, before anybody was recognised."""

    name: str
    pool: str
    start: date
    end: date
    players: tuple[Reported, ...]
    games: tuple[LedgerGame, ...]
    pace: Pace | None = None
    time_control: str | None = None
    problems: tuple[Message, ...] = ()  # what somebody has to look at before it is accepted
    notes: tuple[Message, ...] = ()
    source: Submission | None = None
    typed: bool = False  # a single game that somebody typed
    days: tuple[tuple[date, DayRows], ...] = ()  # a table of several days, each an event of its own


@dataclass(frozen=True, slots=True)
class Mover:
    """A person whose rating would change, or does: before, after, and the first event through which it does."""

    person: str
    name: str
    before: Decimal | None
    after: Decimal | None
    event: str | None = None

    @property
    def change(self) -> Decimal | None:
        """The difference; None if there was no rating, or is none."""
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class Preview:
    """What a submission would do: who is who, what is in doubt, and who changes, based on a state of the log."""

    draft: Draft
    entries: tuple[Matched, ...]
    based_on: int
    movers: tuple[Mover, ...] = ()
    doubled: tuple[Message, ...] = ()  # events that look like this one
    same_names: bool = False
    anyway: bool = False
    settled: Mapping[int, str] = field(default_factory=dict)

    def settle(
        self, people: Mapping[int, str] | None = None, *, same_names: bool = False, anyway: bool = False
    ) -> Preview:
        """The preview with doubts settled: by number in the event, the person's number or `new`.

        `same_names` says that every name without a year of birth that only one person has is that person. `anyway`
        accepts what is odd about the event.
        """
        settled = {**self.settled, **(people or {})}
        numbers = {one.reported.no for one in self.entries}
        for no in settled:
            if no not in numbers:
                raise BadInput(say("ledger.no_entry", entry=no), at="person")
        return replace(self, settled=settled, same_names=self.same_names or same_names, anyway=self.anyway or anyway)

    def who(self, one: Matched) -> str | None:
        """The person an entry is taken as: a number, `new`, or None as long as it is in doubt."""
        if one.reported.no in self.settled:
            return self.settled[one.reported.no]
        if one.state == SURE:
            return one.person
        if one.state == NEW:
            return NEW_PERSON
        return one.candidates[0] if self.same_names and one.by_name_alone else None

    @property
    def open(self) -> tuple[Matched, ...]:
        """The entries that are still in doubt."""
        return tuple(one for one in self.entries if self.who(one) is None)

    @property
    def problems(self) -> tuple[Message, ...]:
        """What is odd about the event, unless it was accepted."""
        return () if self.anyway else (*self.draft.problems, *self.doubled)

    @property
    def ready(self) -> bool:
        """Whether it can be accepted."""
        return not self.open and not self.problems


def preview_of(draft: Draft, book: Book, around: Surroundings) -> Preview:
    """Who is who in an event."""
    matcher = Matcher(book.persons())
    entries = tuple(matcher.match_all(draft.players, around))
    return Preview(draft, entries, book.last, doubled=tuple(doubles(draft, entries, book)))


def doubles(draft: Draft, entries: Sequence[Matched], book: Book) -> Iterator[Message]:
    """The events that were accepted already and look like this one: the same file, or most of the same games."""
    persons = {one.reported.no: one.person or (one.candidates[:1] or (None,))[0] for one in entries}
    mine = {_pairing(persons[game.white], persons[game.black], game) for game in draft.games if game.black is not None}
    for event in book.events.values():
        if draft.source is not None and event.submission == draft.source.hash and event.pool == draft.pool:
            yield say("ledger.doubled.file", event=event.id, name=event.name)
            continue
        if event.pool != draft.pool or event.end < draft.start or event.start > draft.end:
            continue
        theirs = {
            _pairing(book.who(event.entries[game.white].person), book.who(event.entries[game.black].person), game)
            for game in event.games.values()
            if game.black is not None
        }
        if mine and len(mine & theirs) >= SAME * len(mine):
            yield say("ledger.doubled.games", event=event.id, name=event.name, games=len(mine & theirs))


def _pairing(white: str | None, black: str | None, game: LedgerGame) -> tuple[Any, ...]:
    sides = sorted([(str(white), str(game.score)), (str(black), str(game.other))])
    return (*sides[0], *sides[1])


def draft_of_file(
    data: bytes,
    name: str,
    *,
    pool: str,
    called: str | None = None,
    start: date | None = None,
    end: date | None = None,
    columns: Mapping[str, str] | None = None,
    section: str | None = None,
    days: Mapping[date, DayRows] | None = None,
) -> Draft:
    """The event in a tournament file, a pasted table or a table of games; raises BadFile if it cannot be read.

    `days` are the parts of a table of several days, if nobody said when it was.
    """
    tournament = read(data, columns, name=name, section=section)
    parts = tuple((days or {}).items())
    begins = start or tournament.start or (parts[0][0] if parts else None)
    ends = end or tournament.end or (parts[-1][0] if parts else begins)
    if begins is None or ends is None:
        raise BadInput(say("ledger.no_day"), at="on")
    if ends < begins:
        raise BadInput(say("ledger.ends_before", start=begins, end=ends), at="until")
    games, odd = _games(tournament)
    oddities = tuple(_without_day_column(tournament.oddities)) if parts else tournament.oddities
    lost = [oddity.placed for oddity in oddities if _to_look_at(oddity)]
    named = parts[0][1].event if len(parts) == 1 else ""
    return Draft(
        name=called or tournament.name or named or _title(tournament, name) or splitext(basename(name))[0],
        pool=pool,
        start=begins,
        end=ends,
        players=tuple(reported_of(entrant) for entrant in tournament.entrants),
        games=tuple(games),
        pace=tournament.pace,
        time_control=tournament.time_control,
        problems=(*lost, *odd),
        notes=(
            *([say("ledger.by_day", days=len(parts))] if len(parts) > 1 else []),
            *(oddity.placed for oddity in oddities if not _to_look_at(oddity)),
        ),
        source=Submission.of(data, name),
        days=parts if len(parts) > 1 else (),
    )


def _title(tournament: Tournament, name: str) -> str | None:
    """The title above a table."""
    source = tournament.source
    return title_of(source.data, name) if source is not None and source.format in ("csv", "xlsx") else None


HALF_A_LINE = ("formats.trf.short", "formats.trf.no_name")  # so the rest of a file may be missing too


def _to_look_at(oddity: Oddity) -> bool:
    """Whether somebody has to look at it before the event counts: figures may be wrong, or somebody is not named."""
    return oddity.serious or oddity.says.key in HALF_A_LINE


def _without_day_column(oddities: Iterable[Oddity]) -> Iterator[Oddity]:
    """What is odd about a table whose columns for the day and the event are used here, though not by its reader."""
    for oddity in oddities:
        if oddity.says.key != "formats.table.unused":
            yield oddity
        elif columns := [one for one in cast("list[str]", oddity.says.values["columns"]) if not is_used_column(one)]:
            yield replace(oddity, says=say(oddity.says.key, columns=columns))


def reported_of(entrant: Entrant) -> Reported:
    """A player as a file has them."""
    player = entrant.player
    rating = player.rating
    born = player.birth_year or (entrant.born.year if entrant.born is not None else None)
    return Reported(
        no=entrant.no,
        name=entrant.called,
        born=born,
        fide=None if player.fide_id is None else str(player.fide_id),
        club=entrant.national_id,
        rating=None if rating is None else int(rating),
        sex=player.sex,
        federation=player.federation,
        title=player.title,
    )


def _games(tournament: Tournament) -> tuple[list[LedgerGame], list[Message]]:
    """Every game once, seen from both sides; what only one side has, or both have differently, is odd."""
    rounds = {entrant.no: entrant.rounds for entrant in tournament.entrants}
    games: list[LedgerGame] = []
    odd: list[Message] = []
    if len(rounds) < len(tournament.entrants):
        odd.append(say("ledger.odd.numbers"))
    for no, played in rounds.items():
        for number, here in enumerate(played, start=1):
            if here.kind in (PENDING, ABSENT):
                if here.kind == PENDING:
                    odd.append(say("ledger.odd.pending", round=number, no=no))
                continue
            if here.kind in BYES or here.opponent is None:
                score = SCORE_OF.get(str(USUAL.get(here.kind, Decimal(0))), Decimal(0))
                games.append(LedgerGame(0, number, no, None, score, Decimal(0), here.kind))
                continue
            there = _round(rounds, here.opponent, number)
            if there is None or there.opponent != no or not _mirrored(here, there):
                odd.append(say("ledger.odd.one_sided", round=number, no=no, opponent=here.opponent))
                continue
            if _is_white(no, here):
                score, other = here.score or Decimal(0), there.score or Decimal(0)
                games.append(LedgerGame(0, number, no, here.opponent, score, other, HOWS[here.kind]))
    games.sort(key=lambda game: (game.round, game.white))
    return [replace(game, id=place) for place, game in enumerate(games, start=1)], odd


def _round(rounds: Mapping[int, Sequence[Round]], no: int, number: int) -> Round | None:
    theirs = rounds.get(no, ())
    return theirs[number - 1] if number <= len(theirs) else None


def _mirrored(here: Round, there: Round) -> bool:
    """Whether the two sides tell the same game."""
    if here.kind != there.kind or here.score is None or there.score is None:
        return False
    if here.kind == FORFEIT:
        return here.score + there.score <= 1
    return here.score + there.score == 1


def _is_white(no: int, here: Round) -> bool:
    return here.colour == "white" or (here.colour is None and no < (here.opponent or 0))


def draft_of_sentence(text: str, book: Book, today: date, *, pool: str | None = None) -> Draft:
    """One game as people write it: `Ann Baker 1-0 Carl Dorn, blitz, today`; White first.

    What is behind the second name may be the pool, a day and a time control, in any order, with commas. Raises BadInput
    for anything else.
    """
    typed = plain(text).split()
    places = [place for place, word in enumerate(typed) if is_score(word)]
    if len(places) != 1:
        raise BadInput(say("ledger.not_a_game", text=text), at="game")
    score, other, how = scores_of(typed[places[0]])
    second, *rest = (part.strip() for part in " ".join(typed[places[0] + 1 :]).split(","))
    day, pace, chosen = today, None, pool
    for part in filter(None, rest):
        if part in book.pools:
            chosen = part
        elif part.lower() in DAYS:
            day = today - timedelta(days=DAYS[part.lower()])
        elif any(letter.isdigit() for letter in part) and "+" in part:
            pace = parse_pace(part, at="game")
        else:
            day = parse_date(part, at="game")
    names = " ".join(typed[: places[0]]), second
    if not all(names) or name_words(names[0]) == name_words(names[1]):
        raise BadInput(say("ledger.not_a_game", text=text), at="game")
    return Draft(
        name=f"{names[0]} – {names[1]}",
        pool=pool_named(book, chosen),
        start=day,
        end=day,
        players=(Reported(1, names[0]), Reported(2, names[1])),
        games=(LedgerGame(1, 1, 1, 2, score, other, how),),
        pace=pace,
        source=Submission.of(text.encode(), str(say("ledger.typed"))),
        typed=True,
    )


def draft_of_game(white: Person, black: Person, result: str, pool: str, day: date) -> Draft:
    """One game of two people who are known; raises BadInput for what is not a result, or one person twice."""
    score, other, how = scores_of(result)
    if white.id == black.id:
        raise BadInput(say("ledger.one_player", name=white.name), at="black")
    text = f"{white.name} ({white.id}) {result} {black.name} ({black.id}), {day.isoformat()}"
    return Draft(
        name=f"{white.name} – {black.name}",
        pool=pool,
        start=day,
        end=day,
        players=(Reported(1, white.name, white.born), Reported(2, black.name, black.born)),
        games=(LedgerGame(1, 1, 1, 2, score, other, how),),
        source=Submission.of(text.encode(), str(say("ledger.typed"))),
        typed=True,
    )


def scores_of(result: str) -> tuple[Decimal, Decimal, GameEnd]:
    """Both scores of a result, White's first, and how it ended: `1-0`."""
    found = both_results(result) if result.strip() else None
    if found is None or not all(one in SCORES_OF for one in found):
        raise BadInput(say("ledger.not_a_result", value=result), at="result")
    return SCORES_OF[found[0]], SCORES_OF[found[1]], "forfeit" if "forfeit" in found[0] else "played"


DAYS = {"today": 0, "yesterday": 1}
SCORES_OF: Mapping[str, Decimal] = {
    "win": WIN, "draw": DRAW, "loss": LOSS, "forfeit-win": WIN, "forfeit-loss": LOSS,
}  # fmt: skip


def pool_named(book: Book, name: str | None) -> str:
    """A pool by name; without one, the only one there is."""
    if name is not None and name in book.pools:
        return name
    if name is None and len(book.pools) == 1:
        return next(iter(book.pools))
    key = "ledger.name_pool" if name is None else "ledger.which_pool"
    raise BadInput(say(key, name=name, pools=sorted(book.pools)), at="pool")


def in_doubt(entries: Sequence[Matched]) -> Message:
    """Who is in doubt: the number and name of each, and, unless there are many, who it may be and why."""
    named = [f"{one.reported.no} {one.reported.name}" for one in entries]
    if len(entries) <= FEW:
        said = [": ".join(filter(None, (", ".join(one.candidates), apart(one.reasons)))) for one in entries]
        named = [f"{name} ({why})" for name, why in zip(named, said, strict=True)]
    return say("ledger.in_doubt", players=named)


def accepted(preview: Preview, book: Book) -> tuple[dict[str, Any], dict[int, str]]:
    """The body of the decision that accepts a preview, and the persons by number in the event."""
    next_id = book.new_person()
    people: list[dict[str, Any]] = []
    persons: dict[int, str] = {}
    for one in preview.entries:
        who = preview.who(one)
        if who is None:
            raise BadInput(in_doubt(preview.open), at="person")
        if who == NEW_PERSON:
            who = f"P{next_id + len(people)}"
            people.append(facts_of(one.reported, who))
        elif who not in book.people:
            raise BadInput(say("ledger.no_person", person=who), at="person")
        persons[one.reported.no] = who
    draft = preview.draft
    event: dict[str, Any] = {
        "name": draft.name,
        "pool": draft.pool,
        "start": draft.start.isoformat(),
        "end": draft.end.isoformat(),
    }
    if draft.pace is not None:
        event["pace"] = [str(draft.pace.minutes), str(draft.pace.increment)]
    if draft.time_control is not None:
        event["time_control"] = draft.time_control
    entries = [{"person": persons[one.reported.no], "reported": _known(one.reported)} for one in preview.entries]
    body = {"event": event, "entries": entries, "games": [game_row(game) for game in draft.games], "people": people}
    return body, persons


def facts_of(reported: Reported, id: str) -> dict[str, Any]:
    """A new person from what was reported."""
    ids = {scheme: value for scheme, value in (("fide", reported.fide), ("club", reported.club)) if value}
    facts = {name: getattr(reported, name) for name in ("name", "born", "sex", "federation", "title")}
    known = {name: value for name, value in facts.items() if value is not None}
    return {"id": id, **known, **({"ids": ids} if ids else {})}


def _known(reported: Reported) -> dict[str, Any]:
    values = {name: getattr(reported, name) for name in reported.__slots__}
    return {name: value for name, value in values.items() if value is not None}


def members_in(data: bytes, name: str, columns: Mapping[str, str] | None = None) -> Tournament:
    """A table of members: names, what it has of birth, IDs, sex, ratings, and columns that only the club needs."""
    try:
        tournament = read(data, columns, name=name, entries=True)
    except BadFile as error:
        if columns or error.said.key != "formats.table.not_recognised":
            raise
        named = member_columns(data, name)
        if not named:
            raise BadFile(say("ledger.no_members"), at=name) from None
        tournament = read(data, named, name=name, entries=True)
    if any(entrant.rounds for entrant in tournament.entrants) and not columns:
        named = member_columns(data, name)  # on another sheet than the season's games
        tournament = read(data, named, name=name, entries=True) if named else tournament
    if any(entrant.player.name is None for entrant in tournament.entrants):
        raise BadFile(say("ledger.nameless"), at=name)
    unlike_names = (
        Oddity(say("ledger.figure_in_name", name=entrant.called), entrant.line, None, lost=True)
        for entrant in tournament.entrants
        if any(map(str.isdecimal, entrant.called)) and _has_only_a_name(reported_of(entrant))
    )
    return replace(tournament, oddities=(*tournament.oddities, *unlike_names))


def _has_only_a_name(one: Reported) -> bool:
    return one == Reported(one.no, one.name)


def events_on_days(book: Book, draft: Draft) -> Iterator[tuple[LedgerEvent, set[str]]]:
    """The other events that count on the days of a draft, each with its people.

    A single game is no such event, nor is a long one, such as a championship over the winter: others go on meanwhile.
    """
    days = [day for day, _ in draft.days] or [draft.start + timedelta(days=no) for no in range(_length(draft))]
    for event in book.events.values() if draft.days or _length(draft) <= LONG else ():
        at_once = _length(event) <= LONG and any(event.start <= day <= event.end for day in days)
        if at_once and len(event.games) > 1 and not event.excluded:
            played = {no for game in event.games.values() for no in (game.white, game.black) if no is not None}
            yield event, {book.who(event.entries[no].person) for no in played}


def _length(event: Draft | LedgerEvent) -> int:
    return (event.end - event.start).days + 1


@dataclass(frozen=True, slots=True)
class MembersPreview:
    """A table of members before it is taken over: who is known already, who is new, and who is in doubt."""

    entries: tuple[Matched, ...]
    ratings: Mapping[int, str]  # by number in the table; taken over only into a pool
    pool: str | None
    day: date
    based_on: int
    submission: Submission
    problems: tuple[Message, ...] = ()  # rows that could not be read
    notes: tuple[Message, ...] = ()  # what else was noticed, such as columns that are not used
    settled: Mapping[int, str] = field(default_factory=dict)
    same_names: bool = False  # every name without a year of birth that only one person has is that person

    def who(self, one: Matched) -> str | None:
        """The person a row is taken as: a number, `new`, or None as long as it is in doubt."""
        if one.reported.no in self.settled:
            return self.settled[one.reported.no]
        if one.state == DOUBTFUL:
            return one.candidates[0] if self.same_names and one.by_name_alone else None
        return one.person if one.state == SURE else NEW_PERSON

    @property
    def open(self) -> tuple[Matched, ...]:
        """The rows that are still in doubt."""
        return tuple(one for one in self.entries if self.who(one) is None)
