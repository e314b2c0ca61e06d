"""The help: commands under headings, near options for a wrong one, example files, and one sentence for an extra."""

import re
import shutil
import subprocess
import sys
from collections import Counter

import pytest
from offenders import none_of

import arpad
from arpad import MissingExtra
from arpad.cli import command_spec, commands, grouped, main
from arpad.cli.help import help_of
from arpad.cli.manual import manual
from arpad.cli.show import Style
from arpad.cli.words import event_fields, option_of
from arpad.errors import extra_needed
from arpad.messages import FOLDER, Voice, subject_texts
from conftest import ROOT

EXTRA = re.compile(r"needs? .*the extra `(\w+)` \(.+ is not installed\); `pip install 'arpad\[(\w+)\]'` installs it\.")


def test_every_command_is_under_one_heading(capsys):
    """The overview names each command once, and the release."""
    counted = Counter(name for names in grouped(commands()).values() for name in names)
    assert counted == Counter(commands())
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.index("\nGames and ratings\n") < shown.index("\nLooking ahead\n") < shown.index("\nTournaments\n")
    assert "arpad --version" in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 80


def test_an_unknown_option_offers_the_nearest_three(capsys):
    """Not all of them: `arpad rate` has more than thirty."""
    assert main(["rate", "1750", "1950:win", "--hieght", "3"]) == 2
    offered = re.findall(r"'(--[\w-]+)'", capsys.readouterr().err)
    assert offered[0] == "--hieght"
    assert len(offered) == 4


def test_an_unknown_command_offers_the_nearest(capsys):
    """A family of commands is a name too; nothing near, and there are three instead of all."""
    assert main(["ledgers"]) == 2
    assert "Did you mean 'ledger'?" in capsys.readouterr().err
    assert main(["xyz"]) == 2
    assert len(re.findall(r"'([a-z ]+)'", capsys.readouterr().err)) == 4


def test_headings_are_bold_where_there_is_colour():
    """As in the overview; elsewhere there is no sign of it."""
    assert "\x1b[1marguments:\x1b[0m" in help_of(command_spec("rate"), Style(colour=True))
    assert "\x1b" not in help_of(command_spec("rate"))


def test_sentences_call_an_option_as_it_is_typed():
    """`--system`, not `--pool-system`; what is a word here and an option there has one name."""
    typed = {}
    for name in commands():
        fields = command_spec(name).fields
        for field, given in {**fields, **event_fields(fields)}.items():
            typed.setdefault(field, set()).add(None if given.word else option_of(given))
    options = {field: ways.pop() for field, ways in typed.items() if len(ways) == 1 and None not in ways}
    assert len(options) > 100
    voice = Voice(door="command")
    none_of(f"{field}: {voice.field(field)}" for field, option in options.items() if voice.field(field) != option)


def test_an_example_file_is_written_once(tmp_path, monkeypatch, capsys):
    """The file is the documentation's own, nothing is overwritten, and a near name is suggested."""
    monkeypatch.chdir(tmp_path)
    assert main(["example", "open.trf"]) == 0
    assert (tmp_path / "open.trf").read_bytes() == (ROOT / "docs" / "examples" / "open.trf").read_bytes()
    assert "arpad event open.trf" in capsys.readouterr().out
    assert main(["example", "open.trf"]) == 2
    assert main(["example", "opeen.trf"]) == 2
    assert "Did you mean 'open.trf'?" in capsys.readouterr().err
    assert main(["example"]) == 0
    assert "norms.trf" in capsys.readouterr().out


def test_the_help_says_how_to_get_its_example_files(capsys):
    """An installed user has no `docs` folder."""
    assert main(["event", "--help"]) == 0
    shown = capsys.readouterr().out
    assert "docs/" not in shown
    assert "`arpad example open.trf`" in shown


def test_a_missing_extra_is_told_in_one_form():
    """Each message that names an extra says what needs it, what is missing, and how to install it."""
    subjects = {path.stem for path in (ROOT / "src" / "arpad" / "messages" / "en").glob("*.txt")}
    texts = [text for name in subjects for text in subject_texts("en", name).values() if "arpad[" in text]
    assert len(texts) >= 10, FOLDER
    for text in texts:
        told = EXTRA.search(text)
        assert told, text
        assert told[1] == told[2]


def test_the_library_that_is_missing_is_named():
    """The sentence names the first library that was not found."""
    with pytest.raises(MissingExtra, match=r"\(no_such_library is not installed\)"), extra_needed("bulk.error.extra"):
        import no_such_library  # noqa: F401


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")
def test_the_manual_page_is_read_without_a_warning(tmp_path):
    """The program behind `man` has nothing to say about it."""
    page = tmp_path / "arpad.1"
    page.write_text(manual("1"), encoding="utf-8")
    line = ["groff", "-man", "-Tutf8", "-ww", "-K", "utf8", str(page)]
    ran = subprocess.run(line, capture_output=True, text=True, check=False)
    assert ran.returncode == 0
    assert ran.stderr == ""
    assert "what a game, an event or a rating period does" in ran.stdout


def test_the_release_is_named_without_loading_the_command():
    """Scripts ask for it, so it loads the package and what that needs, and none of its rooms."""
    program = (
        "import sys; sys.argv = ['arpad', '--version']; from arpad.__main__ import main; main(); "
        "print(*sorted(name for name in sys.modules if name.startswith('arpad')))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == [f"arpad {arpad.__version__}", "arpad arpad.__main__ arpad.lazy"]
