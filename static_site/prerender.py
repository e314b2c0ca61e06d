"""The files of the static site that CPython makes: pages with an example answer, their files, icons, the manifest."""

from __future__ import annotations

import json
from datetime import date

import vl_convert

from arpad.charts.drawing import THEMES
from arpad.messages import ORIGINAL, languages, speaking
from arpad.reports.page import stylesheet
from arpad.systems import rulebook_of, system_names
from arpad.web import api, learn
from arpad.web.app import PlainReply, create_site, respond
from arpad.web.pages import STATIC
from arpad.web.site import MOVED, PAGES

PLACEHOLDER = "@build@"  # replaced by the name of the build
ELSEWHERE = "/@root@"  # replaced by the relative path to the root
ICONS = (192, 512)
HOST = [("host", "chess.example"), ("accept", "text/html")]


class BuildDay(date):
    """A fixed date, for pages that are made today and read on any day."""

    @classmethod
    def today(cls) -> date:
        """The day when the rules were last compared with their sources."""
        return max(rulebook_of(name).checked for name in system_names())


async def pages() -> dict[str, bytes]:
    """Every page by file name, English at the top and other languages below; a door shows its example."""
    api.date = BuildDay
    app = create_site(PLACEHOLDER)

    async def get(path: str, query: str = "") -> str:
        reply: PlainReply = await respond(app, "GET", f"{ELSEWHERE}{path}", query, root=ELSEWHERE, headers=HOST)
        return reply.body.decode()

    made = {}
    lessons = [lesson.path for chapter in learn.chapters(ORIGINAL) for lesson in chapter.entries]
    for language in languages():
        start = "" if language == ORIGINAL else f"/{language}"
        for path in dict.fromkeys([*(page.path for page in PAGES.values()), *lessons, "/waiting"]):
            made[_file(start + path)] = await get(start + path)
        for old, new in MOVED.items():  # where a link to a page that moved is calculated, and leads on
            made[_file(start + old)] = made[_file(start + new)]
    return {path: _placed(path, text).encode() for path, text in made.items()}


def _file(path: str) -> str:
    return f"{path.strip('/')}/index.html".lstrip("/")


def _placed(path: str, text: str) -> str:
    """A page with relative addresses, so that the site can be in any folder; its script does the rest."""
    up = "/".join([".."] * path.count("/")) or "."
    return text.replace("<body ", "<body data-prebuilt ", 1).replace(ELSEWHERE, up)


def files() -> dict[str, bytes]:
    """The page's own scripts, style and fonts, and the style of reports, at the server's addresses."""
    own = {
        f"static/{path.relative_to(STATIC).as_posix()}": path.read_bytes()
        for path in sorted(STATIC.rglob("*"))
        if path.is_file() and path.stem != "ledger"  # that page is of a file on somebody's machine
    }
    return {**own, "tournament.css": stylesheet().encode()}


def icons() -> dict[str, bytes]:
    """The logo as the icons that an installed page needs."""
    mark = (STATIC / "mark.svg").read_text(encoding="utf-8")
    width = float(mark.partition('viewBox="')[2].partition('"')[0].split()[2])
    return {f"icon-{size}.png": vl_convert.svg_to_png(mark, scale=size / width) for size in ICONS}


def manifest() -> bytes:
    """The manifest, which makes the page installable."""
    with speaking("en", door="page"):
        says = PAGES["rate"].says
    paper = THEMES["light"].paper
    content = {
        "name": "Arpad",
        "short_name": "Arpad",
        "description": says,
        "lang": "en",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": paper,
        "theme_color": paper,
        "icons": [
            {"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for size in ICONS
            for purpose in ("any", "maskable")
        ],
    }
    return json.dumps(content, indent=2).encode()
