"""`python -m arpad` is the command `arpad`."""

import sys

from arpad.cli import main

sys.exit(main())
