"""The coach's table as a page: without a script, with the same figures as the command, and as a file."""

import csv
import html
import io
import json
import re

from arpad.cli import main

TABLE = "name,rating,born,reach,against\nAnna Berg,1780,2010,1800,1700 1750 1800@b\nBen <b>,1900,,,1850"
ASKED = {"text": TABLE, "on": "2026-11-15", "system": "fide-standard"}


def test_the_first_visit_has_an_answered_example_and_the_door_leads_there(client):
    """Three pupils, each with a line; "I'm about to play" has the link."""
    page = client.get("/ahead/pupils").text
    assert page.count("<tr>") == 4
    assert 'href="/ahead/pupils"' in client.get("/ahead").text


def test_the_table_is_that_of_the_command(client, tmp_path, capsys):
    """Every figure of the JSON of `arpad pupils` stands in the page, as the page writes it; names are escaped."""
    file = tmp_path / "pupils.csv"
    file.write_text(TABLE, encoding="utf-8")
    assert main(["pupils", str(file), "--on", "2026-11-15", "--json"]) == 0
    lines = json.loads(capsys.readouterr().out)["value"]["pupils"]
    page = client.post("/ahead/pupils", data=ASKED).text
    rows = [
        [html.unescape(cell) for cell in re.findall(r"<(?:td|th scope=row)[^>]*>(.*?)</t[dh]>", row)]
        for row in re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    ][1:]
    for line, row in zip(lines, rows, strict=True):
        assert row[:3] == [line["name"], str(line["rating"]), str(line["games"])]
        chance = "" if line["chance"] is None else f"{100 * line['chance']:.1f} %"
        assert row[4] == chance
    assert "Ben <b>" not in page
    rows = list(csv.DictReader(io.StringIO(client.post("/ahead/pupils", data={**ASKED, "as": "csv"}).text)))
    assert [row["name"] for row in rows] == ["Anna Berg", "Ben <b>"]
    assert float(rows[0]["chance"]) == round(lines[0]["chance"], 4)


def test_a_table_that_is_not_understood_stays_and_says_why(client):
    """The text is kept for correcting, and the line is named."""
    reply = client.post("/ahead/pupils", data={**ASKED, "text": "name,rating,against\nEva,high,1800"})
    assert reply.status_code == 422
    assert "line 2" in reply.text
    assert "Eva,high,1800" in reply.text
