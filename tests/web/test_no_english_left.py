"""No English is left on a page in another language, and its figures are the same."""

import html
import re
from functools import cache
from html.parser import HTMLParser

import chromium
import pytest
from offenders import none_of
from starlette.testclient import TestClient

from arpad.messages import locale_of, shipped
from arpad.web.app import create_app
from arpad.web.learn import chapters
from arpad.web.pupils import EXAMPLE
from arpad.web.site import PAGES
from conftest import ROOT

ON = "on=2026-11-15"
SYSTEMS = ("dwz", "ecf", "icu", "uschess-regular", "glicko-2", "lichess", "chesscom", "elo", "fide-blitz")
PATHS = sorted({
    *(f"{page.path}?{page.query}" for page in PAGES.values()),
    *chromium.PAGES.values(),
    *(f"/?system={one}&{ON}&rating=1750&game=1950:win&game=1700:loss" for one in SYSTEMS),
    *(f"/learn/rules?system={one}&{ON}" for one in SYSTEMS),
    *(f"/first?system={one}&{ON}&game=1902:1&game=1877:1&game=1884:0.5" for one in SYSTEMS),
    f"/?system=fide-standard&{ON}&rating=1750&game=1950:0.7",
    f"/?system=fide-standard&{ON}&rating=abc&game=1950:win",
    f"/?system=fide-standard&{ON}&rating=1750&game=1950:win&born=1",
    "/?system=fide-standard&on=1990-02-03&rating=1500&game=1950:win",
    "/tournament?example=harbour-open",
    "/ahead/pupils",
    "/paste",
    "/nonsense",
    f"/paste?door=played&{ON}&paste=1950+1%0A1800+%C2%BD%0Aabc",
    *(f"/learn/{one.name}" for chapter in chapters("en") for one in chapter.entries),
} - {"/learn/api?"} - {"/learn/api"})  # fmt: skip
# Tournaments that are sent: with norms, and with a round to come.
SENT = ("norms.trf", "last-round.trf")
ALL = [*PATHS, *SENT]
SHOWN = {"title", "alt", "aria-label", "data-label", "data-copy", "data-peek"}
VOID = ("meta", "link", "input", "img", "br", "source", "hr", "path", "wbr")
VERBATIM = {"code", "pre", "script", "style", "textarea", "kbd"}  # what programs read, and what was typed
QUOTED = {
    "cite",
    "art",
    "name",
    "tongues",
    "languages",
    "fed",
}  # classes: articles, names of people and of languages, federations
# What is called the same everywhere: codes, formats, programs, and what the examples and the tests typed.
NAMES = re.compile(
    r"\b(?:\d+\.\d+\.\d+rc\d+"
    r"|Harbour Open|Rijeka|(?:Autumn|City|Christmas|Spring|Summer|Winter) Open|League|Ada"
    r"|Arpad|API|JSON|CSV|HTTP|GET|POST|RFC|Python|curl|Excel|PDF|PGN|TRF|Swiss-Manager|Swiss-Chess|Papi|Sharly Chess"
    r"|Vega|FIDE|ID|Elo|DWZ|ECF|ICU|DSB|US Chess|Chess\.com|Lichess|Glicko(?:-2)?|Glickman|RD|TPR|PTP|ARO|Rp|Rc|Ro|chg"
    r"|BH|BPG|BWG|DE|SB|WIN|AOB|FB|KS|REP|GE|STD|TPN|RTNG|IT1|IT3|IA|FID|SPRT|Original Life Master|Life Masters?"
    r"|W?[GIFC]M|(?:online )?(?:quick|regular)"
    r"|blitz|bullet|rapid|UltraBullet|[Cc]razyhouse|lila|scalachess|Tomas|Silva|www|dp|ln|gm|im|fm|of"
    r"|Mark E\. Glickman|Enter|Esc|Ctrl|list import|arpad(?: \w+)?|maybe|abc|nonsense|xyz|opens|league)\b"
)


class Texts(HTMLParser):
    """The texts of a page, in order; what is quoted or typed is left out."""

    def __init__(self):
        super().__init__()
        self.around, self.found = [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.found += [given[name] for name in SHOWN & {*given} if given[name]]
        if tag not in VOID:
            quoted = (
                tag in VERBATIM
                or given.get("rel") == "external"
                or "hreflang" in given
                or QUOTED & {*(given.get("class") or "").split()}
            )
            self.around.append((tag, bool(quoted)))

    def handle_endtag(self, tag):
        while self.around and self.around.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if data.strip() and not any(quoted for _, quoted in self.around):
            self.found.append(" ".join(html.unescape(data).split()))


def texts_of(page):
    texts = Texts()
    texts.feed(page)
    return texts.found


@pytest.fixture(scope="module")
def client():
    return TestClient(create_app())


@cache
def page(client, language, path):
    """A page in a language, as a browser gets it."""
    headers = {"accept": "text/html", "accept-language": language}
    if path not in SENT:
        return client.get(f"/{language}{path}", headers=headers).text
    file = (path, (ROOT / "docs" / "examples" / path).read_bytes())
    return client.post(f"/{language}/tournament", files={"file": file}, headers=headers).text


def latin(text):
    """The Latin words of a Russian text that are no names."""
    return re.findall(r"[A-Za-z]{2,}", NAMES.sub("", text))


def test_no_english_is_left_on_a_russian_page(client):
    """Every Latin word on every page is a code, a name, or something that was typed."""
    found = {}
    for path in ALL:
        found |= {text[:120]: path for text in texts_of(page(client, "ru", path)) if latin(text) and text not in path}
    none_of(f"{latin(text)} in “{text}” at {path}" for text, path in found.items() if not listed_people(text))


@cache
def people():
    """The names of players, pupils and events in the example files."""
    files = (path for path in (ROOT / "docs" / "examples").iterdir() if path.suffix in (".trf", ".csv"))
    return {*re.findall(r"\b[A-Z][a-z]+", EXAMPLE + "".join(path.read_text("utf-8") for path in files))}


EXAMPLES = re.compile(  # what may be typed, which a text of the page gives as an example
    r"^\W*(?:GER|M \| W|\w+=[\w,=]+|№.*)\W*$|colour=white|speed=rapid|rounding=|scale=480|no=Nr|DE,BH|--\w+"
    r"|1500/60|@w|name, rating"
)


def listed_people(text):
    """Whether the Latin words of a text are names of players, codes of federations, or examples to type."""
    rest = re.sub(r"\b[A-Z]{3}\b", "", re.sub(r"[A-Za-z]+", lambda word: "" if word[0] in people() else word[0], text))
    return not latin(rest) or EXAMPLES.search(rest) is not None


# Words that are the same in English and in another language.
SAME = {
    "de": "Bonus Chance England Name Norm Perf Performance Plan Standard System linear standard",
    "es": "Fed Plan bye",
    "fr": "Chances Documents Perf Performance Place Plan Points Score Section Total article bonus "
    "performance places score standard table Verdict",
}


@pytest.mark.parametrize("language", [one for one in SAME if one in shipped()])
def test_no_text_of_a_page_is_the_english_one(client, language):
    """A text that reads the same in English has only names, figures, and words that both languages have."""
    found = {}
    for path in ALL:
        english = {text for text in texts_of(page(client, "en", path)) if re.search(r"[A-Za-z]{3,}", text)}
        found |= {text: path for text in texts_of(page(client, language, path)) if text in english and text not in path}
    same = {*SAME[language].split()}

    def words(text):
        return {*re.findall(r"[A-Za-z]{3,}", NAMES.sub("", text))} - same

    none_of(f"“{text[:150]}” at {path}" for text, path in found.items() if words(text) and not listed_people(text))


# Words that an English sentence can hardly do without, and that neither German, Spanish nor French has.
ENGLISH = re.compile(
    r"\b(?:the|of|and|with|from|your|you|are|is|this|that|which|have|were|by|to|its|when|what|how|than|there|they|their"
    r"|each|every|must|cannot|only|because|after|before|without|between|where|whose|but|games?|opponents?|rated|unrated"
    r"|players?|rating|expected|wins?|loss|draws?|rounds?|events?|lists?|next|new)\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("language", [one for one in SAME if one in shipped()])
def test_no_english_word_is_left_in_a_text(client, language):
    """Not even one inside a sentence of the other language."""
    found = {}
    for path in ALL:
        texts = texts_of(page(client, language, path))
        found |= {text: path for text in texts if ENGLISH.search(NAMES.sub("", text)) and text not in path}
    none_of(f"“{text[:150]}” at {path}" for text, path in found.items() if not listed_people(text))


def test_english_that_is_left_is_found():
    """The tests above can fail."""
    assert ENGLISH.search("Bewertet: 3 games")
    assert latin("K: a junior under 2300") == ["junior", "under"]
    assert not listed_people("K: a junior under 2300")
    assert texts_of('<p>Здесь <code>win</code></p><b title="rating">K</b>') == ["Здесь", "rating", "K"]


@pytest.mark.parametrize("language", [one for one in shipped() if one != "en"])
def test_the_figures_of_a_page_are_the_same(client, language):
    """What is computed for a program is equal to the last digit, and so is every number of an answer and its tables."""
    different = []
    for one in PAGES.values():
        if one.asks:
            path = f"{one.path}?{one.query}"
            english, other = (figures_in(page(client, tag, path), tag) for tag in ("en", language))
            assert len(english) > 3, path
            different += [
                f"{path}: {there} and {here}" for there, here in zip(english, other, strict=True) if there != here
            ]
            twins = [client.get(f"/{tag}/{one.question}.json?{one.query}").json() for tag in ("en", language)]
            assert computed(twins[0]) == computed(twins[1]), path
    none_of(different)


CELL = re.compile(r'<td[^>]*>(.*?)</td>|<span class="n[^"]*">([^<]*)<', re.DOTALL)


def figures_in(page, language):
    """The numbers in the answer and in the cells of its tables, as English writes them."""
    cells = (html.unescape(re.sub(r"<[^>]*>", " ", first or second)) for first, second in CELL.findall(page))
    plain = (cell.replace(locale_of(language).decimal, ".") for cell in cells)
    return [numbers for cell in plain if (numbers := re.findall(r"[−+]?\d+(?:\.\d+)?", cell))]


WORDED = ("notes", "says", "label", "figures")


def computed(reply):
    """The numbers of a reply, by their place."""
    if isinstance(reply, dict):
        return {name: computed(inner) for name, inner in reply.items() if name not in WORDED}
    if isinstance(reply, list):
        return [computed(one) for one in reply]
    return reply if isinstance(reply, int | float) else None
