"""US Chess at the command line: a broken section file is refused in the library's words."""

import pytest

from arpad.errors import BadFile
from arpad.formats.section import read_section
from doors import asked


def test_a_broken_section_is_refused_in_one_sentence(tmp_path):
    """The command says what the library says, with file, line and column, and without a traceback."""
    path = tmp_path / "section.csv"
    path.write_text("id,rating,results\nA,1500,B:1\nB,good,A:0\n", encoding="utf-8")
    with pytest.raises(BadFile, match="is not a rating") as caught:
        read_section(str(path))
    answer = asked(["section", str(path), "--json"])
    assert (answer["ok"], answer["error"], answer["at"]) == (False, caught.value.message, caught.value.at)
