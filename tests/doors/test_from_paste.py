"""What a pasted text says about the player and the event fills the question's fields, at every door."""

import json
from datetime import date

import pytest
from pastes import SAMPLES

from arpad.cli import main
from arpad.questions import read_question, spec_of
from arpad.questions.from_paste import rating_for
from arpad.reading import read_paste

DAY = "2026-11-15"
CARD = SAMPLES["02"].text  # Rating 1873, national 1901, international 1873, born 1998, federation ENG
EVENT = "Tournament\tAutumn Open\nDate\t2026/03/01 to 2026/03/07\nTime control (Rapid)\t15 min + 10 sec\n"


def by_command(text, tmp_path, capsys, *words, question="rate"):
    """The reply of a command that is given a paste."""
    file = tmp_path / "card.txt"
    file.write_text(text, encoding="utf-8")
    main([question, *words, "--paste", str(file), "--json"])
    return json.loads(capsys.readouterr().out)


def test_a_card_needs_no_rating_of_its_own(tmp_path, capsys, client):
    """Command and API rate the card of sample 02 by the rating that it gives, and say so."""
    command = by_command(CARD, tmp_path, capsys, "--k", "20", "--on", DAY)
    api = client.post("/api/v1/fide-standard/rate", json={"paste": CARD, "k": 20, "on": DAY}).json()
    assert command["value"] == api["value"]
    assert command["notes"] == api["notes"]
    # FIDE 8.1.2: 376 and 218 points are 0.91 and 0.78, so 20 × (1 − 0.91) + 20 × (0.5 − 0.78).
    assert (api["value"]["rating"], api["value"]["change"]) == (1873, "-3.80")
    assert "From the paste: rating 1873, year of birth 1998, federation ENG." in api["notes"]
    assert api["reading"]["about"]["born"] == {"value": 1998, "line": 14, "text": "Year of birth\t1998"}


def test_what_is_given_counts_more_and_is_said(tmp_path, capsys, client):
    """Another rating than the card's is used, and the card's is named with its line."""
    command = by_command(CARD, tmp_path, capsys, "1850", "--on", DAY)
    api = client.post("/api/v1/fide-standard/rate", json={"paste": CARD, "rating": 1850, "on": DAY}).json()
    assert command["value"]["rating"] == api["value"]["rating"] == 1850
    said = "Used is the rating 1850; the paste has 1873 (line 6)."
    assert said in command["notes"]
    assert said in api["notes"]
    same = client.post("/api/v1/fide-standard/rate", json={"paste": CARD, "rating": "1 873", "on": DAY}).json()
    assert not any("the paste has" in note for note in same["notes"])


def test_fides_own_calculation(tmp_path, capsys):
    """Sample 15: rating, K, system, events and days are on the page, and so are the changes: 12.00, -3.20 and 8.80."""
    reply = by_command(SAMPLES["15"].text, tmp_path, capsys)["value"]
    assert (reply["rating"], reply["k"], reply["change"]) == (1873, 20, "8.80")
    assert [(event["name"], event["change"]) for event in reply["events"]] == [
        ("Rivermouth Open 2026", "12.00"),
        ('3rd "Golden Rook" Tournament "A" group 2026', "-3.20"),
    ]
    assert reply["on"] == "2026-03-09"


def test_the_event_on_the_page(tmp_path, capsys):
    """Days, time control and system are those of the event."""
    reply = by_command(f"{EVENT}{CARD}", tmp_path, capsys)
    assert (reply["value"]["system"], reply["value"]["on"]) == ("fide-rapid", "2026-03-01")
    said = next(note for note in reply["notes"] if note.startswith("From the paste"))
    assert "time control 15 min + 10 sec" in said
    assert "last day 2026-03-07" in said
    asked = read_question(
        spec_of("rate"), {"paste": f"{EVENT}{CARD}"}, today=date.fromisoformat(DAY), door="api"
    ).question
    assert [(event.name, str(event.ended)) for event in asked.events()] == [("Autumn Open", "2026-03-07")]


def test_another_first_day_leaves_the_last_one_out(tmp_path, capsys):
    """If the user gives another day than the paste, its last day is not used either."""
    reply = by_command(f"{EVENT}{CARD}", tmp_path, capsys, "--on", "2026-05-01")
    assert reply["value"]["on"] == "2026-05-01"
    assert "Used is the first day 2026-05-01; the paste has 2026-03-01 (line 2)." in reply["notes"]
    assert not any("last day" in note for note in reply["notes"])


@pytest.mark.parametrize(("lines", "system", "rating"), [
    ("Rating\t1873\nRating national\t1901\nRating international\t1873", "fide-standard", 1873),
    ("Rating\t1873\nRating national\t1901\nRating international\t1873", "ecf", 1901),
    ("Rating\t1873\nRating national\t1901\nRating international\t1873", "elo", None),
    ("Rating\t1901\nRating national\t1901\nRating international\t0", "fide-standard", None),
    ("Rating\t1901\nRating national\t1901", "fide-standard", None),
    ("Elo: 1873\nDWZ: 1901", "fide-standard", 1873),
    ("Elo: 1873\nDWZ: 1901", "dwz", 1901),
    ("Rating\t1873", "dwz", 1873),
    ("Rating\t1873\nRating international\t1873", "glicko-2", 1873),
    ("Rating international\t1873", "dwz", None),
    ("Rating\t0", "fide-standard", None),
])  # fmt: skip
def test_which_rating(lines, system, rating):
    """FIDE's systems take the international rating, a federation's the national one; in doubt there is none."""
    found = rating_for(read_paste(f"{lines}\n1950:win").about, system)
    assert (found and found.value) == rating


def test_two_ratings_are_asked(tmp_path, capsys):
    """Where it is not clear which rating counts, both are named."""
    refused = by_command(CARD, tmp_path, capsys, "--system", "glicko-2")
    assert refused["at"] == "rating"
    assert "international rating 1873 (line 6), national rating 1901 (line 5)" in refused["error"]


def test_the_system_of_a_page_is_used_if_it_can_answer(tmp_path, capsys):
    """A crosstable of US Chess is rated by its rules; they give no first rating, so that is FIDE's, which is said."""
    sample = SAMPLES["16"]
    rated = by_command(sample.text, tmp_path, capsys, "--player", sample.player)
    assert (rated["value"]["system"], rated["value"]["rating"]) == ("uschess-regular", 1384)
    first = by_command(sample.text, tmp_path, capsys, "--player", sample.player, question="first")
    assert first["value"]["system"] == "fide-standard"
    assert "Used is the system fide-standard; the paste has uschess-regular (line 12)." in first["notes"]


def test_paste_shows_what_the_text_says(tmp_path, capsys):
    """`paste` has it above what was left out, which does not list it again."""
    file = tmp_path / "card.txt"
    file.write_text(CARD, encoding="utf-8")
    assert main(["paste", str(file)]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "About the player and the event: name Harrowgate, Wren (line 2), rating 1873 (line 4)" in out
    assert "Left out, lines 1, 3, 7" in out


@pytest.mark.parametrize("text", [
    "Total\t3.5\n", "Rd.\tSNo\tName\tRtg\tRes.\n", "Elo 1790\n", "",
    "Program Swiss-Manager (c) Heinz Herzog\nYou find all details at http://chess-results.com/tnr1.aspx\n",
])  # fmt: skip
def test_a_paste_without_a_game_says_so(text, tmp_path, capsys, client):
    """Totals, headings, footers, a card's head or nothing: exit code 1 and a sentence, also in the API."""
    file = tmp_path / "rest.txt"
    file.write_text(text, encoding="utf-8")
    assert main(["paste", str(file)]) == 1
    assert "No game could be read from this text." in capsys.readouterr().out
    if text:
        assert client.post("/api/v1/paste", json={"text": text}).json()["notes"] == [
            "No game could be read from this text."
        ]


def test_the_writers_own_rating_in_a_message(tmp_path, capsys, client):
    """`I am 1750` fills the rating at the command and in the API."""
    message = "My rating is 1750. I beat 1950"
    rated = by_command(message, tmp_path, capsys, "--k", "20", "--on", DAY)
    assert (rated["value"]["rating"], rated["notes"]) == (1750, ["From the paste: rating 1750."])
    asked = {"paste": message, "k": 20, "on": DAY}
    assert client.post("/api/v1/fide-standard/rate", json=asked).json()["value"] == rated["value"]


ELO_AND_DWZ = "Rd;Name;Elo;DWZ;Result\n1;Meier;1850;1790;1\n2;Schulz;1900;1888;0\n3;Ng;1700;0;1\n"
BOTH = "The table has two ratings of opponents: the national one counts here; 1 game has only the international one"


def test_a_national_system_takes_the_national_ratings(tmp_path, capsys, client):
    """DWZ by DWZ, and by Elo where an opponent has no DWZ; command, API and page say so."""
    asked = {"rating": 1800, "dwz_index": 20, "born": 1980, "on": DAY}
    words = ("1800", "--system", "dwz", "--dwz-index", "20", "--born", "1980", "--on", DAY)
    command = by_command(ELO_AND_DWZ, tmp_path, capsys, *words)
    typed = client.post("/api/v1/dwz/rate", json={**asked, "game": ["1790:win", "1888:loss", "1700:win"]}).json()
    api = client.post("/api/v1/dwz/rate", json={**asked, "paste": ELO_AND_DWZ}).json()
    assert command["value"] == api["value"]
    assert api["value"]["change"] == typed["value"]["change"]
    assert [game["opponent"] for game in api["value"]["per_game"]] == [1790, 1888, 1700]
    for reply in (command, api):
        assert any(BOTH in note for note in reply["notes"])
    page = client.post("/paste", data={"door": "played", "paste": ELO_AND_DWZ, **asked, "system": "dwz"}).text
    assert all(f'name="row" value="{rating}"' in page for rating in (1790, 1888, 1700))
    assert BOTH in page


ONLY_DWZ = "Rd.\tName\tRtgN\tRes.\n1\tMeier\t1790\t1\n2\tSchulz\t1888\t0\n"


def test_a_table_with_national_ratings_only(tmp_path, capsys, client):
    """They count in a national system, which is said; for FIDE the answer says what they are and what to do."""
    asked = {"rating": 1800, "dwz_index": 20, "born": 1980, "on": DAY}
    reply = client.post("/api/v1/dwz/rate", json={**asked, "paste": ONLY_DWZ}).json()
    assert [game["opponent"] for game in reply["value"]["per_game"]] == [1790, 1888]
    assert "The table has only the opponents' national ratings: they count here." in reply["notes"]
    refused = client.post("/api/v1/fide-standard/rate", json={"rating": 1800, "on": DAY, "paste": ONLY_DWZ})
    assert refused.status_code == 422
    assert "national ratings, which count only in a national system" in refused.text
    file = tmp_path / "card.txt"
    file.write_text(ONLY_DWZ, encoding="utf-8")
    assert main(["rate", "1800", "--paste", str(file), "--on", DAY]) == 2
    assert "choose it (--system)" in " ".join(capsys.readouterr().err.split())
    page = client.post("/paste", data={"door": "played", "paste": ONLY_DWZ, "rating": 1800, "on": DAY}).text
    assert "national ratings, which count only in a national system" in page


def test_a_paste_of_games_to_come_has_nothing_to_rate(tmp_path, capsys):
    """The answer says that the games have no result, and not that none were given."""
    file = tmp_path / "card.txt"
    file.write_text("vs 1850\nvs 1900\n", encoding="utf-8")
    assert main(["rate", "1800", "--paste", str(file), "--on", DAY]) == 2
    assert "2 games have no result yet" in capsys.readouterr().err


def test_fide_takes_the_international_ratings(tmp_path, capsys, client):
    """Elo by Elo, with a note that there is another rating; likewise in a crosstable."""
    reply = by_command(ELO_AND_DWZ, tmp_path, capsys, "1800", "--k", "20", "--on", DAY)
    assert [game["opponent"] for game in reply["value"]["per_game"]] == [1850, 1900, 1700]
    assert "The table has two ratings of opponents: the international one counts here." in reply["notes"]
    cross = (
        "No;Name;Elo;DWZ;1.Rd;2.Rd\n1;Meier, Anna;1850;1790;2w1;3b0\n2;Otto, Eva;1900;1888;1b0;\n3;Ng, Jo;0;1700;;1w1\n"
    )
    asked = {"paste": cross, "whose": "Meier, Anna", "on": DAY, "k": 20, "rating": 1850}
    fide = client.post("/api/v1/fide-standard/rate", json=asked).json()["value"]["per_game"]
    assert [game["opponent"] for game in fide] == [1900, None]
    asked = {"paste": cross, "whose": "Meier, Anna", "on": DAY, "dwz_index": 20, "born": 1980}
    dwz = client.post("/api/v1/dwz/rate", json=asked).json()["value"]
    assert (dwz["rating"], [game["opponent"] for game in dwz["per_game"]]) == (1790, [1888, 1700])


def test_the_day_above_the_games_is_the_events(tmp_path, capsys, client):
    """Without a label: command, API and page take it, say so, and do not list its line as left out."""
    text = "Herbst-Open Kassel, 15.11.2026\n1950:win\n1800:draw\n"
    command = by_command(text, tmp_path, capsys, "1900", "--k", "20")
    api = client.post("/api/v1/fide-standard/rate", json={"rating": 1900, "k": 20, "paste": text}).json()
    for reply in (command, api):
        assert reply["value"]["on"] == "2026-11-15"
        assert reply["reading"]["left_out"] == []
        assert reply["reading"]["about"]["event"]["value"] == "Herbst-Open Kassel"
        assert any("first day 2026-11-15" in note for note in reply["notes"])
    page = client.post("/paste", data={"door": "played", "paste": text, "rating": 1900}).text
    assert 'value="2026-11-15"' in page
