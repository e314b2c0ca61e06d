"""Rating lists at the command: from the download to the export, and players by ID or name."""

import http.server
import subprocess
import sys
import threading
from collections import Counter

import pytest
import rating_lists as made
from imported_lists import PEOPLE, lines_of, take

from arpad.cli import main
from arpad.errors import BadFile, BadInput
from arpad.lists import download_list, import_list, recognise
from conftest import ROOT
from doors import asked


class Server(http.server.SimpleHTTPRequestHandler):
    """A server with Range that breaks off the first answer in the middle."""

    content, breaks, asked = b"", 1, []

    def do_GET(self):  # the library's name
        Server.asked.append(self.headers.get("Range"))
        if self.path == "/missing.zip":
            self.send_error(404)
            return
        start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-")) if self.headers.get("Range") else 0
        if start >= len(Server.content):  # RFC 9110, 15.5.17: the whole size, and nothing else
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(Server.content)}")
            self.end_headers()
            return
        rest = Server.content[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(rest)))
        self.send_header("ETag", '"one"')
        self.end_headers()
        broken = Server.breaks > 0
        Server.breaks -= 1
        self.wfile.write(rest[: len(rest) // 2] if broken else rest)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def server(tmp_path):
    Server.content = made.zipped(
        tmp_path / "served.zip", made.combined(tmp_path / "players_list_foa.txt", 300)
    ).read_bytes()
    Server.breaks, Server.asked = 1, []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()


def test_fetch_takes_up_what_broke_off(server, tmp_path):
    """A download that breaks off is said to, is kept, and goes on where it stopped; the file is whole at the end."""
    folder = str(tmp_path / "files")
    with pytest.raises(BadFile, match="try again"):
        download_list(f"{server}/players_list.zip", folder)
    path = download_list(f"{server}/players_list.zip", folder)
    with open(path, "rb") as file:
        assert file.read() == Server.content
    assert Server.asked == [None, f"bytes={len(Server.content) // 2}-"]


@pytest.mark.parametrize(("more", "asked"), [(b"", 1), (b"something else", 2)])
def test_fetch_knows_a_part_that_is_the_whole(server, tmp_path, more, asked):
    """A part as long as the file is the file (RFC 9110, 14.4); a longer one is of something else and is thrown away."""
    Server.breaks = 0
    (tmp_path / "players_list.zip.part").write_bytes(Server.content + more)
    (tmp_path / "players_list.zip.mark").write_text('"one"', encoding="utf-8")
    path = download_list(f"{server}/players_list.zip", str(tmp_path))
    with open(path, "rb") as file:
        assert file.read() == Server.content
    assert len(Server.asked) == asked
    assert sorted(one.name for one in tmp_path.glob("players_list.zip*")) == ["players_list.zip"]


def test_fetch_says_what_failed(server, tmp_path):
    """A refusal, an absent server and an address of another kind each have their own sentence."""
    with pytest.raises(BadFile, match="404"):
        download_list(f"{server}/missing.zip", str(tmp_path))
    with pytest.raises(BadFile, match="Check the connection"):
        download_list("http://127.0.0.1:9/x.zip", str(tmp_path), timeout=60)
    with pytest.raises(BadInput, match="https://"):
        download_list("file:///etc/passwd", str(tmp_path))


def test_the_commands_from_fetch_to_export(server, tmp_path, data, capsys, monkeypatch):
    """Fetch, find, show, rate by ID and by name, export: each through the command line, with the list named."""
    import json

    monkeypatch.setenv("ARPAD_DATA", data)
    Server.breaks = 0
    names = [one["name"] for one in PEOPLE]
    rated = [one for one in PEOPLE if one["standard"] > 1500 and names.count(one["name"]) == 1][:2]

    def says(*words):
        code = main([*words, "--json"])
        answer = json.loads(capsys.readouterr().out)
        assert (code == 0) == answer["ok"], answer
        return answer

    assert says("list", "find", "karpov")["error"].startswith("No rating list")
    assert says("list", "fetch", "--url", f"{server}/players_list.zip", "--month", "2026-11")["value"]["players"] == 300
    assert says("list", "find", str(rated[0]["id"]))["value"]["players"][0]["name"] == rated[0]["name"]
    page = says("list", "show", str(rated[0]["id"]))
    assert page["value"]["next_k"]["standard"]["k"] == rated[0]["standard_k"]
    assert page["rules"]
    by_id = says("rate", f"@{rated[0]['id']}", f"@{rated[1]['id']}:draw", "--on", "2026-11-15")
    by_number = says(
        "rate",
        str(rated[0]["standard"]),
        f"{rated[1]['standard']}:draw",
        "--k",
        str(rated[0]["standard_k"]),
        "--on",
        "2026-11-15",
    )
    people = by_id["people"]
    assert [one["name"] for one in people] == [rated[0]["name"], rated[1]["name"]]
    assert by_id["value"] | {"k_why": None} == by_number["value"]
    assert any("fide 2026-11" in note for note in by_id["notes"])
    named = says("rate", f"@{rated[0]['id']}", f"{rated[1]['name']}:draw", "--on", "2026-11-15")
    assert (named["value"], named["people"]) == (by_id["value"], people)
    begun = Counter(name[:2] for name in names).most_common(1)[0][0]  # several names begin with these two letters
    assert "may be any of" in says("rate", "1750", f"{begun}:draw", "--on", "2026-11-15")["error"]
    for words in (("expect", "@{0}", "@{1}"), ("need", "@{0}", "--reach", "2800", "--against", "@{1}"),
                  ("outlook", "@{0}", "--against", "@{1}"), ("performance", "@{1}:win"), ("first", "@{1}:1"),
                  ("compare", "@{0}", "@{1}:win", "--systems", "elo")):  # fmt: skip
        answer = says(*(word.format(rated[0]["id"], rated[1]["id"]) for word in words), "--on", "2026-11-15")
        assert any("fide 2026-11" in note for note in answer["notes"]), words
    out = tmp_path / "out.parquet"
    assert says("list", "export", str(out))["value"]["players"] == 300
    assert "exists already" in says("list", "export", str(out))["error"]
    assert says("list", "export", str(out), "--force")["ok"]
    nowhere = says("list", "export", str(tmp_path / "nowhere" / "out.csv"))
    assert "cannot be written" in nowhere["error"]
    assert nowhere["at"] == str(tmp_path / "nowhere" / "out.csv")
    assert list(tmp_path.glob(".*")) == []
    assert says("list", "months")["value"]["lists"][0]["players"] == 300
    assert "2026-10" in says("rate", f"@{rated[0]['id']}", "2000:win", "--on", "2026-10-15")["error"]


def test_ages_are_bands_in_order(data, tmp_path, capsys):
    """The bands of an audit are named by both ends, the youngest first, and hold who was born in their years."""
    for month in ("oct26", "nov26"):
        import_list(recognise(str(ROOT / "docs" / "examples" / f"standard_{month}frl.txt")), data=data)
    picture = tmp_path / "out.svg"
    line = ["list", "audit", "2026-10", "2026-11", "--data", data, "--chart", str(picture)]
    assert main(line) == 0
    assert f"Written to {picture}." in " ".join(capsys.readouterr().out.split())
    drawn = picture.read_bytes()
    assert main(line) == 2
    assert "exists already" in capsys.readouterr().err
    assert picture.read_bytes() == drawn
    ages = [one for one in asked([*line[:-2], "--json"])["value"]["distributions"] if one["by"] == "age"]
    # Rated and born, in the file: 2012, 2010, 1998, 1995 and 1992, 1989, 1984, 1971, and one without a year.
    bands = {"10–14": 1, "15–19": 1, "25–29": 1, "30–34": 2, "35–39": 1, "40–44": 1, "55–59": 1, "unknown": 1}
    assert [(one["group"], one["players"]) for one in ages] == list(bands.items())


def test_whoever_was_found_is_named(data, capsys, monkeypatch, tmp_path):
    """A misspelt name is rated only with a word about it; opponents stand in the table; the list's K says so."""
    monkeypatch.setenv("ARPAD_DATA", data)
    take(made.written(tmp_path / "list.txt", made.combined_head(), lines_of()), data)
    names = [one["name"] for one in PEOPLE]
    me, other = [one for one in PEOPLE if one["standard"] > 1500 and names.count(one["name"]) == 1][:2]
    surname, _, forename = me["name"].partition(", ")
    misspelt = f"{surname[0]}{surname[2]}{surname[1]}{surname[3:]}, {forename}"

    def shown(*words):
        assert main([*words, "--on", "2026-11-15"]) == 0
        return capsys.readouterr().out

    out = shown("rate", misspelt, "bye", f"@{other['id']}:draw", "1950:win", "--games", "5")
    assert f"player       {me['name']}" in out
    assert f"'{misspelt}' was read as {me['name']}" in " ".join(out.split())
    assert [line.split()[2].rstrip(",") for line in out.splitlines() if line.startswith("2 ")] == [
        other["name"].partition(",")[0].split()[0]
    ]
    assert f"{me['standard_k']}   from the list fide 2026-11" in out
    assert "Using K from the rating list; --games cannot change it." in out
    assert "was read as" not in shown("rate", me["name"], "1950:win")
    assert f"opponent {other['name']}" in " ".join(shown("expect", "1750", f"@{other['id']}").split())
    need = shown("need", "1750", "--reach", "1760", "--against", f"@{other['id']},1800")
    assert f"Opponent: {other['name']} (" in " ".join(need.split())
    by_list = shown("rate", f"@{me['id']}", "1950/30:win", "--deviation", "50", "--system", "glicko-2", "--brief")
    typed = shown("rate", str(me["standard"]), "1950/30:win", "--deviation", "50", "--system", "glicko-2", "--brief")
    assert [line.split()[:3] for line in by_list.splitlines()[1:]] == [line.split()[:3] for line in typed.splitlines()]
    assert other["name"] in shown("rate", "1750", f"@{other['id']}@w:win", "--deviation", "50", "--system", "glicko")
    compared = shown("compare", f"@{me['id']}", "1950:win", "--systems", "fide-standard,elo")
    assert "K is 32 unless another is set" in " ".join(compared.split())
    assert "Ratings are those of the rating list fide 2026-11." in compared


def test_rating_by_number_opens_no_list():
    """`arpad rate 1750 1950:win` loads neither the database nor Arrow."""
    heavy = "{'duckdb', 'pyarrow', 'numpy', 'arpad.lists'}"
    probe = "import sys, arpad.cli\narpad.cli.main(['rate', '1750', '1950:win'])\n"
    probe += f"print(sorted({heavy} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_the_family_says_how_its_commands_are_typed(capsys):
    """`arpad list` alone names its commands as they stand behind it, with an example of its own."""
    assert main(["list"]) == 0
    said = capsys.readouterr().out
    assert "usage: arpad list COMMAND ..." in said
    assert "\n  find    find players" in said
    assert "for example: arpad list find carlsen" in said


def test_what_is_long_or_missing_fits(data, tmp_path, capsys):
    """A list's long name stays within 80 columns, and somebody without a name has a line that says so."""
    club = tmp_path / "club.csv"
    club.write_text("id,name,standard,rapid,blitz\n1,,1500,1600,1700\n", encoding="utf-8")
    name = "the very long name of a regional federation"
    assert main(["list", "import", str(club), "--month", "2026-11", "--name", name, "--data", data]) == 0
    assert main(["list", "months", "--data", data]) == 0
    assert main(["list", "show", "1", "--data", data]) == 0
    said = capsys.readouterr().out
    assert "name      not given   ID 1" in said
    assert max(map(len, said.splitlines())) <= 80


def test_a_player_is_shown_by_name(data, capsys):
    """A name that one player of the documented list has is as good as the ID; of two Marchettis none is shown."""
    import_list(recognise(str(ROOT / "docs" / "examples" / "standard_nov26frl.txt")), data=data)
    by_id = asked(["list", "show", "9900029", "--data", data, "--json"])
    for words in (["Lindqvist, Ada"], ["ada", "lindqvist"]):
        assert asked(["list", "show", *words, "--data", data, "--json"]) == by_id
    for name, says in {"Marchetti": "may be any of 2", "Nobody, At All": "Write less of the name, or the ID."}.items():
        assert main(["list", "show", name, "--data", data]) == 2
        assert says in capsys.readouterr().err
