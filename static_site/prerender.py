"""The files of the static site that CPython makes: pages with an example answer, plots, icons, the manifest."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from itertools import product
from urllib.parse import parse_qsl

import vl_convert

from arpad.charts.drawing import THEMES, script
from arpad.messages import speaking
from arpad.reports.page import stylesheet
from arpad.systems import rulebook_of, system_names
from arpad.web import api
from arpad.web.app import PlainReply, create_site, respond
from arpad.web.charts import DRAWN, WIDTHS, charts_of
from arpad.web.pages import ASKING, STATIC
from arpad.web.site import PAGES
from arpad.web.view import view_of

PLACEHOLDER = "@build@"  # replaced by the name of the build
ELSEWHERE = "/@root@"  # replaced by the relative path to the root
ANOTHER_GAME = "&game=1800:draw"  # some plots need two
ICONS = (192, 512)
HOST = [("host", "chess.example"), ("accept", "text/html")]


class BuildDay(date):
    """A fixed date, for pages that are made today and read on any day."""

    @classmethod
    def today(cls) -> date:
        """The day when the rules were last compared with their sources."""
        return max(rulebook_of(name).checked for name in system_names())


async def pages() -> dict[str, bytes]:
    """Every page by file name, with an empty form and the answer to its example."""
    api.date = BuildDay
    app = create_site(PLACEHOLDER)

    async def get(path: str, query: str = "") -> str:
        reply: PlainReply = await respond(app, "GET", f"{ELSEWHERE}{path}", query, root=ELSEWHERE, headers=HOST)
        return reply.body.decode()

    made = {}
    for name, page in PAGES.items():
        text = await get(page.path)
        if name in ASKING:
            for part in ("part", "charts") if name in DRAWN else ("part",):
                text = exchanged(text, await get(f"/{name}.{part}"), await get(f"/{name}.{part}", page.query))
        made[f"{page.path.strip('/')}/index.html".lstrip("/")] = text
    made["waiting/index.html"] = await get("/waiting")
    return {path: _placed(path, text).encode() for path, text in made.items()}


def exchanged(page: str, empty: str, example: str) -> str:
    """A page with its empty answer replaced by the example's."""
    if page.count(empty) != 1 and empty.strip():
        raise ValueError("the page does not contain its own part")
    if empty.strip():
        return page.replace(empty, example)
    before, section, after = page.partition('<section id="charts"')
    opened, end, rest = after.partition(">")
    return f"{before}{section}{opened}{end}\n{example}{rest}"


def _placed(path: str, text: str) -> str:
    """A page with relative addresses, so that the site can be in any folder; its script does the rest."""
    up = "/".join([".."] * path.count("/")) or "."
    return text.replace("<body ", "<body data-prebuilt ", 1).replace(ELSEWHERE, up)


def chart_plots() -> dict[str, object]:
    """The plot of every chart that a page draws, in every look."""
    plots: dict[str, object] = {}
    with speaking("en", door="page"):
        for name, more in product(DRAWN, ("", ANOTHER_GAME)):
            view = view_of(PAGES[name], parse_qsl(PAGES[name].query + more))
            for chart in charts_of(name, view.asked, view.answer):
                for theme, width, broad in product(THEMES, WIDTHS.values(), (True, False)):
                    look = {"theme": theme, "width": width, "pointer": True}
                    drawn = replace(chart, broad=broad)
                    plot = drawn.specification(**look)
                    plots[drawn.look(**look).key] = {
                        key: value for key, value in plot.items() if key not in ("description", "datasets")
                    }
    return plots


def scripts() -> dict[str, bytes]:
    """The page's own files, the style of reports and the script that draws charts, at the server's addresses."""
    own = {f"static/{path.name}": path.read_bytes() for path in sorted(STATIC.iterdir()) if path.is_file()}
    return {**own, "tournament.css": stylesheet().encode(), "script/vega.js": script().encode()}


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
