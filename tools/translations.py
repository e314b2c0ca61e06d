"""What each language has of the messages, and what is wrong with it.

translations.py                   how much of each file every language has, and its faults; fails if there are faults
translations.py LANGUAGE          what a language has, file by file
translations.py LANGUAGE FILE     the texts of a file that it lacks, in English, ready to be translated; one section
                                  of it by FILE.SECTION, as in fields.label
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from configparser import ConfigParser
from configparser import Error as BadIni
from pathlib import Path
from string import Formatter

from arpad.messages.locale import PLURALS, Locale, locale_of
from arpad.messages.texts import FOLDER, ORIGINAL, languages, own_texts

# What only programs or programmers read: the OpenAPI document, names in Python, options, and words that people type.
ENGLISH_ONLY = (
    "properties.", "web.openapi.", "questions.about.", "fields.python.", "fields.python_question.", "fields.command.",
    "fields.other_names.", "command.other_words.", "tournaments.other_criteria.",
)  # fmt: skip


def subjects() -> list[str]:
    """The names of the files."""
    return sorted(path.stem for path in Path(FOLDER, ORIGINAL).glob("*.txt"))


def to_translate(subject: str) -> dict[str, str]:
    """The English texts of a file that every language has its own words for, by their whole keys."""
    texts = {f"{subject}.{key}": text for key, text in own_texts(ORIGINAL, subject).items()}
    return {key: text for key, text in texts.items() if not key.startswith(ENGLISH_ONLY)}


def translated(language: str, subject: str) -> dict[str, str]:
    """The texts that a language has in a file, by their whole keys."""
    return {f"{subject}.{key}": text for key, text in own_texts(language, subject).items()}


def missing(language: str) -> list[str]:
    """The keys that a language lacks."""
    return [key for one in subjects() for key in to_translate(one) if key not in translated(language, one)]


def faults(language: str) -> Iterator[str]:
    """What is wrong with the texts of a language, each with its key."""
    if language not in PLURALS:
        yield f"{language}: PLURALS in src/arpad/messages/locale.py has no rule for it"
    strangers = {path.stem for path in Path(FOLDER, language).glob("*.txt")} - {*subjects()}
    yield from (f"{language}/{name}.txt: there is no such file in English" for name in sorted(strangers))
    for subject in subjects():
        file = Path(FOLDER, language, f"{subject}.txt")
        yield from (f"{language}/{subject}.txt: {fault}" for fault in ini_faults(file))
        english = to_translate(subject) if language != ORIGINAL else translated(ORIGINAL, subject)
        for key, text in translated(language, subject).items():
            if key not in english:
                yield f"{language}: {key} is not a text to translate"
            else:
                yield from (f"{language}: {key} {fault}" for fault in text_faults(english[key], text, language))


def ini_faults(path: Path) -> Iterator[str]:
    """What keeps programs for translators from reading a file and writing it again as it is."""
    if not path.is_file():
        return
    text = path.read_text(encoding="utf-8")
    parser = ConfigParser(delimiters=("=",), comment_prefixes=("#",), interpolation=None, empty_lines_in_values=False)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    try:
        parser.read_string(text)
    except BadIni as error:  # a key before the first section, a section or a key that is there twice
        yield str(error).replace("\n", " ")
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("#") and re.search(r"\s;", line):
            yield f"line {number} has a space before a semicolon, which begins a comment in INI; write a full stop"
        if line.startswith("\t") or line != line.rstrip():
            yield f"line {number} has a tab or spaces at its end"


def text_faults(english: str, text: str, language: str) -> Iterator[str]:
    """What is wrong with a text: its places, plural forms and marks."""
    try:
        wanted, found = places(english), places(text)
    except ValueError as error:
        yield f"cannot be read: {error}"
        return
    if wanted.keys() != found.keys():
        yield f"has the places {sorted(found)}, English has {sorted(wanted)}"
    forms = PLURALS.get(language, PLURALS[ORIGINAL])[0]
    for name, specs in found.items():
        counts = any("|" in spec for spec in wanted.get(name, ()))
        joins = any(spec and "|" not in spec for spec in wanted.get(name, ()))  # also a list, as in {rounds:and}
        for spec in specs:
            if "{" in spec:
                yield f"{{{name}:{spec}}} has a place within a place; the count is put before its form by itself"
            if spec and counts and ("|" in spec or not joins) and len(spec.split("|")) != len(forms):
                yield f"{{{name}:{spec}}} needs {len(forms)} forms: {', '.join(forms)}"
            elif "|" in spec and not counts:
                yield f"{{{name}:{spec}}} counts, and in English it does not"
            elif (spec == "+") and wanted.get(name) and "+" not in wanted[name]:
                yield f"{{{name}:+}} has a sign, and in English it has none"
    yield from mark_faults(english, text, language)


def mark_faults(english: str, text: str, language: str) -> Iterator[str]:
    """What is wrong with the marks of a text: backticks, asterisks, quotation marks."""
    if sorted(set(re.findall(r"`[^`]*`", english))) != sorted(set(re.findall(r"`[^`]*`", text))):
        yield "has other words between backticks, which are for typing"
    if text.count("*") % 2 != english.count("*") % 2:
        yield "has an asterisk too many or too few"
    if language != ORIGINAL and re.search(r"(?<!\()'[^'`]*\{[^'`]*'", text):
        yield "has straight quotation marks; those of the language are in its locale.txt"


def places(text: str) -> dict[str, list[str]]:
    """The places of a text, `field:born` and `question:first` among them, each with what follows its colon."""
    found: dict[str, list[str]] = {}
    for _, name, spec, _ in Formatter().parse(text):
        if name in ("field", "question"):
            found.setdefault(f"{name}:{spec}", [])
        elif name is not None:
            found.setdefault(name, []).append(spec or "")
    return found


def locale_faults(language: str) -> Iterator[str]:
    """What `locale.txt` of a language lacks: nothing in it is borrowed from English."""
    texts = own_texts(language, "locale")
    yield from (f"{language}: locale.{key} is missing" for key in own_texts(ORIGINAL, "locale") if key not in texts)
    for key in ("ships", "reviewed"):
        if texts.get(key) not in ("yes", "no"):
            yield f"{language}: locale.{key} is yes or no"
    if "…" not in texts.get("quotes", ""):
        yield f"{language}: locale.quotes has … between its marks"


def summary(language: str) -> str:
    """A language in one line: its coverage, whether it ships, and whether it was reviewed."""
    locale: Locale = locale_of(language)
    every = sum(len(to_translate(one)) for one in subjects())
    have = every - len(missing(language))
    state = "ships" if locale.ships else "in the making"
    return (
        f"{language}  {locale.name:<12} {have:>5} of {every} texts, {100 * have // every:>3} %, {state}, "
        f"{'' if locale.reviewed else 'not '}reviewed by a native speaker"
    )


def lacking(language: str, subject: str, only: str = "") -> str:
    """The English texts of a file, or of one section, that a language lacks, as a file with sections and comments."""
    have, lines, section = translated(language, subject), [], ""
    heading: list[str] = []  # of a section that has no line yet
    comments: list[str] = []
    keep = False
    for line in Path(FOLDER, ORIGINAL, f"{subject}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip()[1:-1]
            heading, comments = ["", *comments, line], []
        elif line.startswith("#"):
            comments += [line]
        elif line.startswith(" "):
            lines += [line] if keep else []
        elif line:
            owners, dot, last = line.partition("=")[0].strip().rpartition(".")
            start = subject if section == subject else f"{subject}.{section}"
            keys = [f"{start}.{owner}{dot}{last}" for owner in owners.split("|")]
            keep = only in ("", section) and any(key not in have and not key.startswith(ENGLISH_ONLY) for key in keys)
            if keep:
                lines += [*heading, *comments, line]
                heading = []
            comments = []
    return "\n".join(lines).strip()


def borrowed(language: str, subject: str) -> int:
    """How many texts of a file are word for word the English ones: some rightly, some not translated yet."""
    english = to_translate(subject)
    return sum(text == english.get(key) for key, text in translated(language, subject).items())


def not_there(language: str, subject: str, section: str) -> Iterator[str]:
    """Why a report cannot be made."""
    if language and language not in languages():
        yield f"There is no src/arpad/messages/{language} yet: make the folder, and copy en/locale.txt into it."
    if subject and subject not in subjects():
        yield f"There is no file {subject}; the files are {', '.join(subjects())}."
    elif section:
        sections = re.findall(r"^\[(.+)\]", Path(FOLDER, ORIGINAL, f"{subject}.txt").read_text("utf-8"), re.MULTILINE)
        if section not in sections:
            yield f"{subject}.txt has no section {section}; it has {', '.join(sections)}."


def unfinished(language: str) -> Iterator[str]:
    """What a language that ships lacks, a line for each file."""
    lacks = missing(language)
    for subject in subjects():
        if keys := [key for key in lacks if key.startswith(f"{subject}.")]:
            more = f" and {len(keys) - 5} more" if len(keys) > 5 else ""
            yield f"{language}: missing, though the language ships: {', '.join(keys[:5])}{more}"


def main(language: str = "", asked: str = "") -> int:
    """Report; the exit code is 1 if something is wrong."""
    subject, _, section = asked.partition(".")
    if refused := [*not_there(language, subject, section)]:
        print(*refused, sep="\n", file=sys.stderr)
        return 1
    if subject:
        print(lacking(language, subject, section))
        return 0
    if language:
        for one in subjects():
            wanted, have = to_translate(one), translated(language, one)
            if wanted:
                print(
                    f"{one:<14} {sum(key in have for key in wanted):>4} of {len(wanted):>4}, "
                    f"{borrowed(language, one):>4} of them as in English"
                )
    wrong = []
    for one in [language] if language else languages():
        print(summary(one))
        wrong += [*faults(one), *locale_faults(one)]
        if locale_of(one).ships:
            wrong += unfinished(one)
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
