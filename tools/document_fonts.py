"""Make the fonts of printed documents: Latin, Greek and Cyrillic letters of Source Sans 3 and Source Serif 4.

    python tools/document_fonts.py SANS SERIF

The two folders are the unpacked npm packages `source-sans` and `source-serif`. It needs fontTools. The licence reserves
the name "Source" for unchanged fonts, so ours are called Arpad Sans and Arpad Serif.
"""

import re
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter, load_font, save_font

FONTS = Path(__file__).parent.parent / "src/arpad/reports/fonts"
LETTERS = (
    *range(0x20, 0x250),  # Latin
    *range(0x2B0, 0x370),  # modifiers and combining accents
    *range(0x370, 0x530),  # Greek and Cyrillic
    *range(0x1E00, 0x1F00),  # Vietnamese and other accented Latin letters
    *range(0x2000, 0x2070),  # punctuation
    *range(0x2070, 0x2120),  # small figures, currencies, №
    *range(0x2150, 0x2160),  # fractions
    *range(0x2190, 0x2200),  # arrows
    *range(0x2200, 0x2270),  # −, ≤, ≥
    *range(0x2580, 0x2620),  # boxes and circles
    *range(0x2700, 0x2720),  # ✓ and ✗
)
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "tnum", "lnum"]
POSTSCRIPT = 6
NAMED = (1, 3, 4, 6, 16, 18, 21)  # entries of a font's names that contain the family
MADE = {
    "ArpadSans-Regular": ("sans", "SourceSans3-Regular"),
    "ArpadSans-Semibold": ("sans", "SourceSans3-Semibold"),
    "ArpadSerif-Semibold": ("serif", "SourceSerif4-Semibold"),
}


def main() -> int:
    """Write the fonts and the licence that goes with them."""
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    folders = dict(zip(("sans", "serif"), map(Path, sys.argv[1:]), strict=True))
    FONTS.mkdir(exist_ok=True)
    for name, (folder, source) in MADE.items():
        options = Options(layout_features=FEATURES, hinting=False, notdef_outline=True)
        font = load_font(folders[folder] / "TTF" / f"{source}.ttf", options)
        chosen = Subsetter(options)
        chosen.populate(unicodes=LETTERS)
        chosen.subset(font)
        for entry in font["name"].names:
            if entry.nameID in NAMED:
                entry.string = re.sub("Source ?(Sans|Serif) ?[34]", r"Arpad \1", entry.toUnicode())
                if entry.nameID == POSTSCRIPT:
                    entry.string = entry.toUnicode().replace(" ", "")
        save_font(font, FONTS / f"{name}.ttf", options)
    texts = [(folder / "LICENSE.md").read_text(encoding="utf-8") for folder in folders.values()]
    owners = [text.partition("\n")[0] for text in texts]  # the rest is the same licence
    (FONTS / "OFL.txt").write_text("\n".join([*owners, texts[0].partition("\n")[2]]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
