"""`arpad print` and `arpad publish`: an event as documents on paper, and as pages for any web host."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, cast

from arpad.cli.files import Force, any_serious, oddity_lines, reading_bar, size_of
from arpad.cli.reply import Done
from arpad.errors import BadFile, BadInput, cause
from arpad.formats.organiser_tables import read_prizes
from arpad.formats.saving import check_outputs, save
from arpad.messages import PAPER, say, speaking, voice
from arpad.questions import readers
from arpad.questions.declare import defaulting, flag, optional, question, required
from arpad.questions.fields import LONGEST_PATH
from arpad.questions.standings import TieFields
from arpad.questions.tournaments import EXAMPLE, NormFields, RatedFile, RatedPart
from arpad.reports import check_form, form_of
from arpad.reports.documents import A4, DOCUMENTS, FORMS, PAPERS, EventDocuments, document, printed
from arpad.reports.publishing import event_pages, publish
from arpad.tournaments.prizes import SHARES
from arpad.tournaments.standings import standings

if TYPE_CHECKING:
    from arpad.core.tournaments import Tournament
    from arpad.tournaments.prizes import Share

LONGEST_ADDRESS = 400
ON_THIS_MACHINE = "it reads and writes files of this machine"
PRIZES = ("prizes",)
PRIZE_TABLE = "docs/examples/prizes.csv"
RATING_REPORT = "rating-report"
RANKED = ("standings", "crosstable", "wall-by-name", "wall-by-rank", "prizes")
# The documents for which an option has a meaning; anything else is refused instead of ignored.
MEANT_FOR = {
    "by": RANKED,
    "unrated": RANKED,
    "group": RANKED[:-1],
    "round": (*RANKED, "pairings", "slips", "cards"),
    "prizes": ("prizes",),
    "player": ("it1",),
    "title": ("titles", "it1"),
    "organiser": ("it3", "fa1", "ia1"),
    "cards": (RATING_REPORT,),
    "part": (RATING_REPORT,),
}


@dataclass(frozen=True, kw_only=True)
class EventFile(RatedFile, NormFields, TieFields, Force):
    """A tournament file, and what its ratings, norms and standings depend on."""


@question(
    "print",
    needs=("path", "document", "to"),
    doors=frozenset({"command"}),
    why=ON_THIS_MACHINE,
    examples=(
        {"path": EXAMPLE, "document": "standings", "to": "standings.pdf", "by": ["BH/C1,BH,SB"]},
        {"path": EXAMPLE, "document": "pairings", "to": "round-5.pdf", "round": 5, "paper": "letter"},
        {"path": EXAMPLE, "document": "prizes", "to": "prizes.pdf", "prizes": PRIZE_TABLE, "share": "hort"},
        {"path": EXAMPLE, "document": "it3", "to": "it3.html", "organiser": "Lagoon Chess Club"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class Print(RatedPart, EventFile):
    """Print a document of an event, as PDF or as a page."""

    document: str = required(readers.text, example="standings", word=True, choices=tuple(DOCUMENTS))
    to: str = required(readers.path, example="standings.pdf", group="report", longest=LONGEST_PATH)
    paper: str = defaulting(readers.text, A4, example="letter", group="report", choices=tuple(PAPERS))
    round: int | None = optional(readers.count, example="5")
    group: str | None = optional(readers.text, example="U18")
    prizes: str | None = optional(readers.path, example="prizes.csv", longest=LONGEST_PATH, group="prizes")
    share: str = defaulting(readers.text, "places", example="hort", group="prizes", only_with=PRIZES, choices=SHARES)
    several: bool = flag(group="prizes", only_with=PRIZES)
    organiser: str | None = optional(readers.text, example="Lagoon Chess Club", longest=LONGEST_ADDRESS, group="event")
    cards: bool = flag(group="report")

    def run(self) -> Done:
        """Make the document and write it."""
        check_form(self.to, FORMS)
        for option, documents in MEANT_FOR.items():
            if getattr(self, option) and self.document in DOCUMENTS and self.document not in documents:
                raise BadInput(say("documents.not_for", name=self.document, documents=documents), at=option)
        inputs = [path for path in (self.path, self.table_path, self.prizes) if path is not None]
        check_outputs([self.to], inputs, force=self.force)
        with reading_bar(self.path):
            found = self.in_file()
            tournament = self.with_list(self.in_one(found) if self.document == RATING_REPORT else found)
        event = EventDocuments(
            tournament=tournament,
            round=self.round,
            ranked=lambda number: standings(
                tournament,
                self.names,
                **self.options,
                round=number,
                group=self.group,
                prizes=() if self.prizes is None else read_prizes(self.prizes),
                share=cast("Share", self.share),
                several=self.several,
            ),
            rate=lambda: self.rated(tournament),
            judge=lambda: self.norms_in(tournament),
            player=self.player,
            share=cast("Share", self.share),
            organiser=self.organiser,
            cards=self.cards,
        )
        now = datetime.now()  # noqa: DTZ005  # the user's own clock
        with speaking(voice().language, door=PAPER):
            made = document(self.document, event)
            data = printed(made, form_of(self.to), at=now, paper=self.paper)
        save(data, self.to, force=self.force)
        odd = [oddity for oddity in tournament.oddities if oddity.lost]
        return Done(
            text=f"{self.to}   {size_of(tournament)}",
            value={"file": self.to, "document": self.document, "bytes": len(data)},
            below=oddity_lines(odd),
            look=any_serious(tournament.oddities),
        )


@question(
    "publish",
    needs=("path", "site"),
    doors=frozenset({"command"}),
    why=ON_THIS_MACHINE,
    examples=(
        {"path": EXAMPLE, "site": "site"},
        {"path": EXAMPLE, "site": "site", "by": ["BH/C1,BH,SB"], "pgn": "docs/examples/games.pgn"},
    ),
)
@dataclass(frozen=True, kw_only=True)
class Publish(EventFile):
    """Publish an event as static pages in a folder; run again, it writes only what changed."""

    site: str = required(readers.path, example="site", word=True, longest=LONGEST_PATH)
    player: int | None = field(default=None, init=False)  # the pages have everybody, so nobody is asked for
    pgn: str | None = optional(readers.path, example="games.pgn", longest=LONGEST_PATH, group="file")

    def run(self) -> Done:
        """Make the pages and write those that changed."""
        with reading_bar(self.path):
            tournament = self.tournament()
        event = EventDocuments(
            tournament=tournament,
            ranked=lambda number: standings(tournament, self.names, **self.options, round=number),
            rate=lambda: self.rated(tournament),
            judge=lambda: self.norms_in(tournament),
        )
        games = self._games(tournament)
        with speaking(voice().language, door=PAPER):
            done = publish(event_pages(event, games), self.site, force=self.force)
        counts = {"files": done.files, "written": len(done.written), "removed": len(done.removed)}
        return Done(
            text=str(say("publish.summary", folder=self.site, **counts)),
            value={"folder": self.site, "files": done.files, "written": done.written, "removed": done.removed},
            below=oddity_lines([oddity for oddity in tournament.oddities if oddity.lost]),
            look=any_serious(tournament.oddities),
        )

    def _games(self, tournament: Tournament) -> bytes | None:
        """The games: from the file named, or from the event's own file if it is PGN."""
        if self.pgn is not None:
            try:
                with open(self.pgn, "rb") as file:
                    return file.read()
            except OSError as error:
                raise BadFile(say("formats.file.unreadable", why=cause(error)), at=self.pgn) from None
        source = tournament.source
        return source.data if source is not None and source.format == "pgn" else None
