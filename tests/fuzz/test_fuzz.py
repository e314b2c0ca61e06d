"""Every reader and door, given anything: a short run; `make fuzz` is the long one."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from damage import damaged_at_random
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from targets import FOUND, alone, targets

from conftest import ROOT, require

RUN = Path(__file__).with_name("run.py")
FEW = 40  # inputs of each target, for everybody's patience


@pytest.fixture(autouse=True)
def _alone():
    """A folder to work in, and nothing changed by it."""
    with alone():
        yield


# Starlette leaves the file of a form that it cannot read to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", targets())
def test_anything_is_read_or_refused(name):
    """Inputs that are understood, the same with damage, and bytes and texts of any kind."""
    target = targets()[name]
    seeds = target.inputs()

    @examples(FEW)
    @given(
        st.tuples(st.sampled_from(seeds), st.integers(0, 2**32))
        | st.binary(max_size=target.longest)
        | st.text(max_size=target.longest // 4).map(str.encode)
    )
    def tried(given):
        target(given if isinstance(given, bytes) else damaged_at_random(given[0], random.Random(given[1])))  # noqa: S311

    for seed in seeds:
        target(seed)
    tried()


@pytest.mark.parametrize("name", targets())
def test_the_first_input_is_understood(name):
    """Fuzzing begins with something that is read to its end; from what is refused at once it would not get far."""
    target = targets()[name]
    status = target.run(target.inputs()[0])
    assert status in (None, 200)


@pytest.mark.parametrize("name", targets())
def test_what_once_broke_something_stays_mended(name):
    """Inputs that a longer run found."""
    for path in sorted((FOUND / name.replace(" ", "-")).glob("*")):
        targets()[name](path.read_bytes())


@pytest.mark.parametrize("name", ["days", "body"])
def test_the_long_run_works(name, tmp_path):
    """Atheris tries a hundred inputs of a reader and of a door, guided by their branches."""
    try:
        import atheris  # noqa: F401  # is it there?
    except ImportError:
        require(
            "atheris", there=sys.platform != "linux" or sys.version_info >= (3, 14), line="atheris is not installed"
        )
        pytest.skip("atheris is not there for this system")
    done = subprocess.run(
        [sys.executable, str(RUN), "--target", name, "-runs=100", f"-artifact_prefix={tmp_path}/"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    assert "Done 100 runs" in done.stderr


def test_damage_is_tried(tmp_path):
    """The run without guidance damages what was kept, and says how much it tried."""
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / "seed").write_bytes(b"2026-11-15")
    line = [sys.executable, str(RUN), "--target", "days", "--damage", "600", "50", str(tmp_path)]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "Done 50 runs" in done.stderr


def test_the_usage_names_the_targets():
    """`run.py --help` fuzzes nothing."""
    done = subprocess.run([sys.executable, str(RUN), "--help"], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.startswith("usage: run.py SECONDS")
    assert all(name in " ".join(done.stdout.split()) for name in targets())
