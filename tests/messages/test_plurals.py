"""Beside a number stands the noun in the form that the number takes: `1 game`, `2 games`."""

import re
from functools import cache
from string import Formatter

import pytest
from offenders import none_of

from arpad.messages import FOLDER, shipped
from arpad.messages.texts import own_texts
from conftest import ROOT

SUBJECTS = sorted(path.stem for path in (ROOT / FOLDER / "en").glob("*.txt") if path.stem != "properties")
BESIDE = re.compile(r"\{(\w+)\}\*?[ \u00a0]\*?([^\W\d_]{2,})")
# First words of forms that are no nouns, or also mean something else.
NO_NOUNS = {
    "mehr", "von", "weitere", "de", "más", "is", "are", "of", "more", "new", "lists", "first", "elo", "parte", "autres",
    "rated",
    "рейтинг", "первый",
}  # fmt: skip
# Places of words and codes.
NO_NUMBERS = {"format", "ending", "program", "list", "pace", "kind", "system", "code", "entry", "game", "round"}
# Texts whose number is never one in a way that shows: a limit or a constant of ours or of a rule, so many that there is
# something to say, thousands of players or games, or a decimal such as 0,24.
NEVER_ONE = """
answers.without_cap bulk.error.no_games_there chances.refused.finished chances.refused.size chances.seeded chances.shown
charts.expected.cap command.audit.adults forecast.norm.more_rounds forecast.refused.by_result
forecast.refused.one_by_one forecast.strength.outside forecast.strength.within formats.chess_results.large
formats.file.long_line formats.file.many_lines formats.file.many_players formats.game.events formats.game.many_rounds
formats.program.sections formats.table.many_cells formats.table.many_characters formats.table.many_players
formats.table.many_rounds formats.table.unpacked formats.trf.many_rounds formats.trf.write_rounds hero.detail.outcomes
hero.detail.scores hero.k.k.assumed.games hero.otherwise.games.assumed hero.otherwise.k.assumed.born.games
hero.otherwise.k.assumed.games hero.sentence.drew hero.sentence.drew.gain hero.sentence.drew.loss
hero.sentence.first.above hero.sentence.first.below hero.sentence.first.half hero.sentence.first.lacking
hero.sentence.lost hero.sentence.lost.loss hero.sentence.needed_rating hero.sentence.often hero.sentence.target.less
hero.sentence.target.more hero.sentence.won hero.sentence.won.gain learn.below ledger.doubt.twins lists.bad.cut_off
lists.bad.too_long lists.import.shorter lists.several lists.too_many notes.chances.unrated notes.dwz.far_above
notes.dwz.far_above.new notes.ecf.full notes.event.icu.provisional notes.field.near_rating notes.field.standings
notes.games.assumed notes.icu.full notes.k.blitz notes.model.band notes.model.open notes.need.followed
notes.reliability.established notes.reliability.established.inactive notes.reliability.few
notes.reliability.few.inactive notes.reliability.junior notes.reliability.junior.inactive notes.section.by_year
notes.start.year questions.too_long report_page.assumed.born.games report_page.assumed.games report_page.chances_say
reports.desk.simulated reports.next_left_out steps.says.k.assumed.born.games steps.says.k.assumed.games
steps.says.mean.many steps.says.norm.simulated steps.says.reach.many systems.icu.not_still systems.icu.provisional
tournaments.finding.byes tournaments.missed.games tournaments.missed.one_federation tournaments.missed.own_federation
tournaments.missed.players tournaments.missed.same_title tournaments.missed.titled
tournaments.norms.by_rating.games_unknown tournaments.norms.many_rounds uschess.beyond uschess.match.apart
"""


@cache
def texts_of(language):
    """All texts of a language that people see, by their whole keys."""
    return {f"{one}.{key}": text for one in SUBJECTS for key, text in own_texts(language, one).items()}


def forms_of(language):
    """The nouns that stand beside a count in some text of a language, each in all its forms."""
    places = (place for text in texts_of(language).values() for place in Formatter().parse(text))
    specs = {spec for _, name, spec, _ in places if name not in (None, "field") and "|" in (spec or "")}
    forms = {form for spec in specs if not spec.startswith("=") for form in spec.split("|")}
    return {form.split()[0].lower() for form in forms if form.split()} - NO_NOUNS


def numbers_beside_nouns(language, texts):
    """The places of numbers without plural forms that such a noun follows, by the keys of their texts."""
    nouns = forms_of(language)
    for key, text in texts.items():
        for name, word in BESIDE.findall(text):
            if name not in NO_NUMBERS and word.lower() in nouns:
                yield key, f"{{{name}}} {word}"


@pytest.mark.parametrize("language", shipped())
def test_a_noun_beside_a_number_has_its_forms(language):
    """Unless the number is never one, or never changes the form, which somebody has looked at."""
    none_of([f"{key}: {said}" for key, said in numbers_beside_nouns(language, texts_of(language))
             if key not in NEVER_ONE.split()])  # fmt: skip


def test_every_text_that_was_looked_at_is_needed():
    """A text that has its forms now is on the list no more."""
    found = {key for language in shipped() for key, _ in numbers_beside_nouns(language, texts_of(language))}
    assert {*NEVER_ONE.split()} - found == set()


def test_a_noun_without_its_forms_is_found():
    """The test above can fail."""
    texts = {"x.one": "{games} games", "x.two": "{games:game|games}", "x.three": "{system} games"}
    assert [*numbers_beside_nouns("en", texts)] == [("x.one", "{games} games")]
