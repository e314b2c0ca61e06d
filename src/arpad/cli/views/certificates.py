"""The view of certificates: their figures, and the file they were written to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from arpad.cli import show
from arpad.cli.files import reading_bar
from arpad.cli.show import Reply, in_lines
from arpad.cli.views import answered
from arpad.formats.saving import check_outputs
from arpad.messages import say
from arpad.questions.titles import CertificateOf
from arpad.reports import check_sheets, write_sheets

if TYPE_CHECKING:
    from arpad.questions import Asked


@answered.register(CertificateOf)
def _(question: CertificateOf, asked: Asked) -> Reply:  # noqa: ARG001
    if question.to is not None:
        check_sheets(question.to, force=question.force)
        check_outputs([question.to], [question.path] if question.path else [], force=question.force)
    with reading_bar(question.path) as step:
        answer = replace(question, progress=step).answer()
    reply = Reply.to(answer)
    if question.to is None:
        return reply
    write_sheets(answer, question.to, force=question.force)
    wrote = "\n".join(in_lines(say("command.wrote", path=question.to)))
    return reply._replace(
        summary=lambda style: f"{show.facts(answer.summary(), style)}\n\n{wrote}",
        json=lambda: {**Reply.to(answer).json(), "written": question.to},
    )
