"""Everything Arpad says to people: a key and values go in, a sentence in the right language and door comes out.

A message is written where something has to be said (`say("notes.k.next", k=20)`) and becomes a sentence where somebody
reads it. The sentences are in `messages/<language>/*.txt`; the first word of a key names the file.
"""

from arpad.messages.catalogue import entry, languages, section
from arpad.messages.figures import figure, listed
from arpad.messages.message import FieldName, Message, fill, say
from arpad.messages.voice import Voice, speaking, voice

__all__ = [
    "FieldName",
    "Message",
    "Voice",
    "entry",
    "figure",
    "fill",
    "languages",
    "listed",
    "say",
    "section",
    "speaking",
    "voice",
]
