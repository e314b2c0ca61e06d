"""`python -m arpad` is the command `arpad`; the release is named without loading anything else."""

import sys

from arpad import __version__


def main() -> int:
    """Run the command; `arpad --version` is asked by scripts, and needs no more than the interpreter."""
    if sys.argv[1:] in (["--version"], ["-V"]) and sys.stdout is not None:
        print(f"arpad {__version__}")  # noqa: T201  # a command prints
        return 0
    from arpad.cli import main as command

    return command()


if __name__ == "__main__":
    sys.exit(main())
