"""Learn: the questions players ask, in chapters, with a search; each has an example that can be changed.

`questions.toml` has the chapters, their questions and the example of each. The texts are in `messages/…/learn.txt`:
a short answer, and what is exactly so. The figures are worked out when a page is shown.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import combining, normalize
from urllib.parse import parse_qsl, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arpad.calculation.answer import Answer
from arpad.calculation.explain import Line, lines
from arpad.core.numbers import decimal, half_up
from arpad.errors import ArpadError, MissingExtra
from arpad.messages import Message, figure, say, section, thousands, voice
from arpad.questions import by_name, questions_at, spec_of
from arpad.questions.declare import field_help
from arpad.reading import score_of
from arpad.systems.answers import Expectation, RatingChange
from arpad.systems.comparison import Comparison
from arpad.systems.elo import by_plain_elo
from arpad.web import pages
from arpad.web.answers import ask, lists_there, own_lists
from arpad.web.api import LONG, ROOT, pairs_of, path_of, today
from arpad.web.details_played import side_by_side
from arpad.web.forms import read_form
from arpad.web.hero import hero_of
from arpad.web.hero_parts import Hero, long_day, points, signed
from arpad.web.replies import GOOD, NOT_FOUND, answering, status_of
from arpad.web.site import DOORS, PAGES, Page, named
from arpad.web.view import View

ASKED = Path(__file__).parent / "questions.toml"
ROWS = 5  # games that an example lets the reader change; longer ones are opened on their own page
RESULTS = ("win", "draw", "loss")
TYPED = ("rating", "opponent", "against", "expected")  # fields of an example that can be changed
WORD = re.compile(r"[\w½]+(?:\.[a-z]+)?")
# What a word counts where it is found: in the question itself, among other words for it, in the answer, in the rule.
WEIGHTS = {"asks": 8, "also": 6, "lead": 2, "exact": 1}
STEM = 4  # letters; a longer word may begin with the one that is looked for, or the other way round
SHORT_WORKING = 9  # lines of a working that are shown at once


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question: its chapter, the question and the query of its example, and its texts."""

    name: str
    chapter: str
    question: str
    query: str
    texts: Mapping[str, str]

    @property
    def asks(self) -> str:
        """The question as people ask it."""
        return self.texts["asks"]

    @property
    def path(self) -> str:
        """Its address."""
        return f"{DOORS['learn'].path}/{self.name}"


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter with its questions, in order."""

    name: str
    title: str
    entries: tuple[Lesson, ...]


@cache
def chapters(language: str) -> tuple[Chapter, ...]:
    """All chapters, those for beginners first."""
    titles = section(language, "learn.chapter")
    texts = {kind: section(language, f"learn.{kind}") for kind in ("shows", *WEIGHTS)}
    asked = tomllib.loads(ASKED.read_text(encoding="utf-8"))
    return tuple(
        Chapter(
            chapter,
            titles[chapter],
            tuple(
                Lesson(name, chapter, one["page"], one["query"], {kind: found[name] for kind, found in texts.items()})
                for name, one in questions.items()
            ),
        )
        for chapter, questions in asked.items()
    )


def entries() -> list[Lesson]:
    """Every question in the order of the chapters."""
    return [entry for chapter in chapters(voice().language) for entry in chapter.entries]


class SearchHits(NamedTuple):
    """What a search found, the best first; `close` if no question has all of the words."""

    asked: str
    entries: list[Lesson]
    close: bool = False


def search(asked: str) -> SearchHits:
    """The questions whose texts have the words that were typed, or most of them."""
    ignored = section(voice().language, "learn.ignored")["words"].split()
    typed = list(_words(asked))
    wanted = [word for word in typed if word not in ignored] or typed
    ranked = []
    for entry in entries():
        worth = [_worth(word, entry) for word in wanted]
        if any(worth):
            ranked.append((sum(map(bool, worth)), sum(worth), entry))
    most = max((matched for matched, *_ in ranked), default=0)
    best = sorted((one for one in ranked if one[0] == most), key=lambda one: -one[1])
    return SearchHits(asked, [entry for *_, entry in best], close=most < len(wanted))


def _worth(word: str, entry: Lesson) -> int:
    """What a word counts for a question; 0 if none of its texts has it."""
    return max(
        weight if any(_alike(word, other) for other in _words(entry.texts[kind])) else 0
        for kind, weight in WEIGHTS.items()
    )


def _alike(word: str, other: str) -> bool:
    """Whether a word is meant by another: the beginning of it, or the other way round (`drawing`, `draw`)."""
    return other.startswith(word) or (len(other) >= STEM and word.startswith(other))


@cache
def _words(text: str) -> tuple[str, ...]:
    """The words of a text, in small letters without accents."""
    plain = "".join(letter for letter in normalize("NFKD", text.lower()) if not combining(letter))
    return tuple(WORD.findall(plain.replace("⁄", "/")))


class ExampleGame(NamedTuple):
    """A game of an example: the opponent as it is typed, and the result, one of win, draw and loss."""

    opponent: str
    result: str


@dataclass(frozen=True, slots=True)
class Example:
    """An example as it stands: its fields, and the answer worked out now; an error leaves the first answer there."""

    entry: Lesson
    pairs: tuple[tuple[str, str], ...]
    answer: Answer | None
    hero: Hero | None = None
    error: ArpadError | None = None

    @property
    def given(self) -> dict[str, str]:
        """The fields that have one value."""
        return {name: text for name, text in self.pairs if name != "game"}

    @property
    def rows(self) -> list[ExampleGame]:
        """The games that can be changed; none if there are too many, or several events."""
        if any(name == "event" for name, _ in self.pairs):
            return []
        games = [text.rpartition(":") for name, text in self.pairs if name == "game"]
        rows = [ExampleGame(opponent, _result(result)) for opponent, _, result in games]
        return rows if len(rows) <= ROWS else []

    @property
    def playable(self) -> bool:
        """Whether the reader can change it here."""
        return bool(self.rows) or self.entry.question in ("expect", "need")

    @property
    def address(self) -> str:
        """The page that answers it, with its fields."""
        return f"{PAGES[self.entry.question].path}?{urlencode(self.pairs, safe=':')}"

    @property
    def by(self) -> Message:
        """The rules it goes by."""
        on, k = long_day(date.fromisoformat(self.given["on"])), self.given.get("k")
        if "system" not in self.given:
            return say("learn.by_rules_all", on=on)
        system = named("system", self.given["system"])
        return (
            say("learn.by_rules", system=system, on=on)
            if k is None
            else say("learn.by_rules_k", system=system, k=k, on=on)
        )

    @property
    def working(self) -> list[Line]:
        """The lines of the working that are worked out or ruled; what was given is in the form."""
        trail = () if self.answer is None or isinstance(self.answer, Comparison) else self.answer.trail
        return [line for line in lines(*trail, articles=True) if line.heading or line.cite or "=" in line.figures]


def _result(text: str) -> str:
    """A result as the example's buttons call it."""
    score = score_of(text)
    return RESULTS[0] if score == 1 else RESULTS[1] if score else RESULTS[2]


def example_of(entry: Lesson, typed: list[tuple[str, str]], *, day: date) -> Example:
    """The example of a question, with what was typed instead of its own figures."""
    own = tuple(parse_qsl(entry.query))
    if entry.question not in pages.ASKING:
        return Example(entry, own, None)
    first = Example(entry, own, *_answered_now(entry.question, own, day))
    changed = tuple(_changed(first, dict(typed)))
    if changed == own:
        return first
    try:
        return Example(entry, changed, *_answered_now(entry.question, changed, day))
    except ArpadError as error:
        return Example(entry, changed, first.answer, first.hero, error)


def _changed(first: Example, typed: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The fields of an example, with those that were typed in their places."""
    rows = iter(enumerate(first.rows, start=1))
    for name, text in first.pairs:
        if name == "game" and first.rows:
            number, row = next(rows)
            opponent = typed.get(f"opponent-{number}", row.opponent).strip()
            yield name, f"{opponent}:{typed.get(f'result-{number}', row.result)}"
        else:
            yield name, typed.get(name, text).strip() if name in TYPED else text


def _answered_now(question: str, pairs: tuple[tuple[str, str], ...], day: date) -> tuple[Answer, Hero]:
    """The answer to a query, and the same in one glance."""
    with own_lists():
        asked, answer = ask(question, by_name(spec_of(question), pairs), today=day)
    if isinstance(answer, Expectation) and answer.expected is not None:
        changes = {name: signed(getattr(answer, name)) for name in RESULTS if getattr(answer, name) is not None}
        sentence = say("learn.results", **changes) if changes else None
        label, expected = say("learn.expected"), figure(answer.expected)
        found = hero_of(asked, answer)
        return answer, replace(found, results=(), aside=None, label=label, figure=expected, sentence=sentence)
    return answer, hero_of(asked, answer)


def _in_systems(answer: Answer | None) -> list[tuple[str, str, str]]:
    """The change and the new rating in each system that rates the games."""
    found = side_by_side(answer) if isinstance(answer, Comparison) else []
    return [(line.systems, line.change, line.new_rating) for line in found if line.why is None]


class Scale(NamedTuple):
    """One game on a scale from 0 to 1: the score, what was expected, and the difference."""

    score: Decimal
    expected: Decimal

    @property
    def difference(self) -> Decimal:
        """How far the score is above the expectation."""
        return self.score - self.expected


def scale_of(answer: Answer | None) -> Scale | None:
    """The one game of an answer on a scale; None for several games."""
    games = [game for game in answer.per_game if game.rated] if isinstance(answer, RatingChange) else []
    if len(games) != 1 or games[0].expected is None:
        return None
    return Scale(games[0].score, games[0].expected)


class Compared(NamedTuple):
    """A line of a comparison of figures: what it is, the reason, K, the change, and the new rating."""

    what: str
    says: str
    k: str
    change: str
    new: str


def other_calculators(answer: Answer | None) -> list[Compared]:
    """From what most calculators say to what FIDE does, in two steps: the player's K, then FIDE's own rules."""
    if not isinstance(answer, RatingChange) or answer.k_used is None:
        return []
    theirs, own_k = by_plain_elo(answer), by_plain_elo(answer, k=answer.k_used)
    why = str(answer.k_why or "")
    told = (
        ("learn.others_theirs", say("learn.others_theirs_says", k=theirs.k_used), theirs),
        ("learn.others_k", say("learn.others_k_says", k=answer.k_used, theirs=theirs.k_used, why=why), own_k),
        ("learn.others_rule", say("learn.others_rule_says"), answer),
    )
    return [_compared(str(say(what)), str(says), change) for what, says, change in told]


def both_players(example: Example) -> list[Compared]:
    """What one game does to both players, the opponent with the same K; empty for several games."""
    answer = example.answer
    if not isinstance(answer, RatingChange) or len(answer.per_game) != 1 or example.error is not None:
        return []
    (game,) = answer.per_game
    if game.opponent is None or answer.rating is None or answer.k_used is None:
        return []
    given = dict(example.given) | {"rating": str(game.opponent), "k": str(answer.k_used)}
    turned = {1: "loss", 0: "win"}.get(int(game.score) if game.score == int(game.score) else -1, "draw")
    pairs = (*given.items(), ("game", f"{answer.rating}:{turned}"))
    other, _ = _answered_now(example.entry.question, pairs, answer.on)
    if not isinstance(other, RatingChange):
        return []
    return [
        _compared(str(say("learn.both_you")), figure(answer.rating), answer),
        _compared(str(say("learn.both_opponent")), figure(game.opponent), other),
    ]


def _compared(what: str, says: str, change: RatingChange) -> Compared:
    new = "" if change.new_rating is None else figure(half_up(decimal(change.new_rating)))
    return Compared(what, says, figure(change.k_used), figure(round(change.change, 2), signed=True), new)


def below_on_the_list(rating: str, on: date) -> Message | None:
    """How many players of the imported list have a lower rating; None without a list, or without a rating."""
    if not lists_there() or not rating.isdigit():
        return None
    try:
        from arpad.lists import players_below

        with own_lists():
            found = players_below(Decimal(rating), on=on)
    except (ArpadError, MissingExtra):
        return None
    if not found.rated:
        return None
    share = figure(half_up(Decimal(100 * found.below) / found.rated))
    return say(
        "learn.below",
        on=long_day(found.list.month),
        below=thousands(found.below),
        rated=thousands(found.rated),
        rating=rating,
        share=share,
    )


async def _contents(request: Request) -> Response:
    with answering(request.scope, "page"):
        language = voice().language
        ranges = section(language, "learn.range")
        letters = [(says, ranges[name]) for name, says in section(language, "learn.variable").items()]
        return _shown("learn.html", request, letters=letters)


async def _answered(request: Request) -> Response:
    with answering(request.scope, "page"):
        listed = entries()
        entry = next((one for one in listed if one.name == request.path_params["question"]), None)
        if entry is None:
            raise HTTPException(NOT_FOUND)
        day = today()
        example = example_of(entry, _typed(request), day=day)
        place = listed.index(entry)
        return _shown(
            "learn_answer.html",
            request,
            status=GOOD if example.error is None else status_of(example.error),
            entry=entry,
            example=example,
            hero=None if isinstance(example.answer, Comparison) else example.hero,
            scale=scale_of(example.answer),
            compared=_in_systems(example.answer),
            others=other_calculators(example.answer) if entry.name == "other-calculators" else [],
            both=both_players(example) if entry.name == "zero-sum" else [],
            below=below_on_the_list(example.given.get("rating", ""), day) if entry.name == "good" else None,
            following=listed[place + 1] if place + 1 < len(listed) else listed[0],
            short=SHORT_WORKING,
            own=say(f"learn.own_games.{entry.question}"),
            score=points,
        )


async def _api(request: Request) -> Response:
    with answering(request.scope, "page"):
        language = voice().language
        base = f"{request.url.scheme}://{request.url.netloc}{pages.root_of(request)}"
        return _shown(
            "learn_api.html",
            request,
            PAGES["api"],
            questions=described(language),
            fields=api_fields(language),
            codes=section(language, "errors.code"),
            twins=[f"/{name}.json" for name in (*pages.ASKING, "rules")],
            base=base,
            api=ROOT,
        )


class Described(NamedTuple):
    """A question as the API page shows it."""

    name: str
    says: str
    path: str
    fields: tuple[str, ...]
    example: dict[str, Any]


@cache
def described(language: str) -> list[Described]:
    """Every question, for the API page."""
    about = {**section(language, "command.summary"), **section(language, "learn.asked")}
    return [
        Described(
            spec.name, about[spec.name], f"{ROOT}{path_of(spec)}", tuple(spec.fields_at("api")), dict(spec.examples[0])
        )
        for spec in questions_at("api").values()
    ]


class DescribedField(NamedTuple):
    """A field as the API page shows it."""

    says: str
    example: str
    many: bool


@cache
def api_fields(language: str) -> dict[str, DescribedField]:  # noqa: ARG001  # part of the cache key
    """Every field of the API's questions."""
    found: dict[str, DescribedField] = {}
    for spec in questions_at("api").values():
        for name, given in spec.fields_at("api").items():
            found.setdefault(name, DescribedField(field_help(name), given.example, given.many))
    return found


def _typed(request: Request) -> list[tuple[str, str]]:
    query: bytes = request.scope["query_string"]
    return pairs_of(query) if len(query) < LONG else []


def _shown(template: str, request: Request, page: Page = PAGES["help"], *, status: int = GOOD, **more: Any) -> Response:
    """A page of Learn, with the contents, and what a search found."""
    asked = dict(_typed(request)).get("q", "").strip()
    return pages.shown(
        template,
        View(page, read_form([], today=today())),
        pages.root_of(request),
        status=status,
        chapters=chapters(voice().language),
        found=search(asked) if asked else None,
        asked=asked,
        results=RESULTS,
        **more,
    )


ROUTES = [
    Route("/learn", _contents),
    Route("/learn/api", _api),
    Route("/learn/{question}", _answered),
]
