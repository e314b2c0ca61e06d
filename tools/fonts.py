"""The page's fonts: subsets of Source Serif 4 and Source Sans 3, made from their npm packages.

Run it with the two unpacked packages, `@fontsource-variable/source-serif-4` and `@fontsource-variable/source-sans-3`:
`python tools/fonts.py SERIF SANS`. It writes `src/arpad/web/static/fonts/`, with the licence beside the files. A
browser loads a file only for the letters in its range, which `arpad.css` names.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter, save_font
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).parent.parent / "src" / "arpad" / "web" / "static" / "fonts"
FEATURES = ["kern", "liga", "lnum", "tnum", "mark", "mkmk", "ccmp", "locl"]
# The letters of each file; the package splits them in the same way.
RANGES = {
    "latin": [
        (0x20, 0x7E),
        (0xA0, 0xFF),
        (0x152, 0x153),
        (0x2010, 0x2026),
        (0x2032, 0x203A),
        (0x20AC, 0x20AC),
        (0x2212, 0x2212),
    ],
    "latin-ext": [(0x100, 0x17F), (0x218, 0x21B)],
    "cyrillic": [(0x400, 0x45F), (0x490, 0x491)],
    "greek": [(0x370, 0x3FF)],
}


def subset(
    source: Path, target: Path, letters: list[tuple[int, int]], axes: dict[str, float | tuple[float, float]]
) -> None:
    """Write the part of a variable font that has some letters, with its axes fixed or narrowed."""
    options = Options()
    options.flavor, options.layout_features, options.hinting = "woff2", FEATURES, False
    font = TTFont(source, lazy=False)
    cut = Subsetter(options)
    cut.populate(unicodes=[code for first, last in letters for code in range(first, last + 1)])
    cut.subset(font)
    save_font(instantiateVariableFont(font, axes, inplace=True), target, options)


def main(serif: Path, sans: Path) -> None:
    """Write every file, and say how large it is."""
    HERE.mkdir(exist_ok=True)
    for name, letters in RANGES.items():
        for face, source, axes in (
            ("display", serif / "files" / f"source-serif-4-{name}-opsz-normal.woff2", {"opsz": 44, "wght": 500}),
            ("sans", sans / "files" / f"source-sans-3-{name}-wght-normal.woff2", {"wght": (400, 700)}),
        ):
            target = HERE / f"{face}-{name}.woff2"
            subset(source, target, letters, axes)
            print(target.name, target.stat().st_size)
    shutil.copy(sans / "LICENSE", HERE / "LICENSE.txt")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
