"""The view of a checked file: the verdict, what is inconsistent or odd, and what a rating office requires."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arpad.calculation.explain import WIDTH
from arpad.calculation.serialise import success
from arpad.cli.files import any_serious, as_oddities, oddity_lines, size_of
from arpad.cli.show import Reply, in_lines
from arpad.cli.views import tournaments, view
from arpad.core.tournaments import by_kind
from arpad.messages import say
from arpad.questions.tournaments import FileCheck
from arpad.tournaments.submission import READY, to_do

if TYPE_CHECKING:
    from arpad.cli.show import Style
    from arpad.questions import Asked

FILES = tournaments  # imported because it registers how files are read


@view.register(FileCheck)
def _(answer: FileCheck, asked: Asked) -> Reply:
    if answer.office is not None:
        return Reply(
            lambda style: _for_office(answer, style),
            lambda: success(answer),
            working=answer.explain,
            look=not answer.ready,
        )
    return Reply(
        lambda style: _summary(answer, style, every=getattr(asked.question, "all", False)),
        lambda: success(answer),
        look=not answer.consistent or any_serious(answer.oddities),
    )


def _for_office(answer: FileCheck, style: Style) -> str:
    """What the office requires; what prevents a submission comes first."""
    key = "ready" if answer.ready else "not_ready"
    head = say(f"command.check.office.{key}", office=(answer.office or "").upper())
    good = say("command.check.good", ready=sum(item.state == READY for item in answer.items))
    return "\n".join(
        [style("strong", str(head)), *(row for message in to_do(answer.items) for row in in_lines(message)), str(good)]
    )


def _summary(answer: FileCheck, style: Style, *, every: bool) -> str:
    """The verdict, then what is inconsistent or was left out, then what is odd."""
    tournament = answer.tournament
    serious = [*as_oddities(tournament, answer.found), *(oddity for oddity in tournament.oddities if oddity.serious)]
    odd = [oddity for oddity in tournament.oddities if not oddity.serious]
    name = tournament.name or say("command.check.unnamed")
    head = str(say("command.check.head", name=name, size=size_of(tournament)))
    verdict = str(say("command.check.findings", findings=len(serious)) if serious else say("command.check.consistent"))
    gap = " " if len(head) + len(verdict) < WIDTH else "\n"
    parts = [f"{head}{gap}{style('strong', verdict)}"]
    if serious:
        parts.append("\n".join(oddity_lines(serious, every=every)))
    if odd:
        title = str(say("command.check.odd", odd=len(odd)))
        parts.append("\n".join([style("faint", title), *oddity_lines(odd, every=every)]))
    shortened = not every and len(by_kind([*serious, *odd])) < len(serious) + len(odd)
    return "\n\n".join([*parts, *([str(say("command.check.all"))] if shortened else [])])
