"""The view of an entry list: the field, everybody as looked up, and the starting list as a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from arpad.cli.reply import AnswerReply, Reply, answered, reply_with
from arpad.cli.show import Style, declared, facts, in_lines, warn
from arpad.formats.saving import check_outputs, save
from arpad.messages import apart, say
from arpad.questions.entries import EntriesOf, start_file
from arpad.tournaments.entries import EntryList
from arpad.tournaments.submission import MISSING, submission_items

if TYPE_CHECKING:
    from arpad.messages import Message
    from arpad.questions import Asked

PASTED = "-"  # instead of a file: what is typed or pasted
HEADER = "header."  # items of a report about the event itself


@answered.register(EntriesOf)
def _(question: EntriesOf, asked: Asked) -> Reply:
    """The field; with a file to write, the starting list as well, and what the event itself still lacks."""
    if question.to is not None:
        inputs = [question.path] if question.path and question.path != PASTED else []
        check_outputs([question.to], inputs, force=question.force)
    if question.path == PASTED:
        question = replace(question, path=None, text=sys.stdin.read())
    event, answer = question.started()
    if question.to is None:
        return reply_with(answer, asked)
    data, lost = start_file(event, question.to, question.file_format)
    for oddity in lost:
        warn(str(oddity))
    save(data, question.to, force=question.force)
    missing = [item.what for item in submission_items(event) if item.state == MISSING and item.key.startswith(HEADER)]
    return EntriesReply(answer=answer, asked=asked, written=question.to, missing=tuple(missing))


@dataclass(frozen=True, kw_only=True)
class EntriesReply(AnswerReply[EntryList]):
    """A starting list that was written, and what its event still lacks."""

    missing: tuple[Message, ...] = ()

    def summary(self, style: Style) -> str:
        """The field, everybody in order, and the file: elsewhere a file takes the place of the tables."""
        wrote = in_lines(say("command.wrote", path=self.written))
        return "\n\n".join([facts(self.figures(), style), *map(declared, self.answer.tables()), "\n".join(wrote)])

    def remarks(self) -> Iterator[Message | str]:
        """The notes of the answer, and what the event lacks."""
        yield from super().remarks()
        if self.missing:
            yield say("command.entries.missing", facts=apart(self.missing))
