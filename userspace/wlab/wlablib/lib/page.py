# SPDX-License-Identifier: GPL-2.0
"""Tables as text and HTML, and pictures inside a page of HTML."""

import base64
import html
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .files import read_bytes, replacing
from .paths import LabError

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0 }
th, td { padding: .25em .9em; border-bottom: 1px solid #ddd; text-align: right }
th:first-child, td:first-child { text-align: left }
img { max-width: 100%; height: auto }
code, pre { background: #f4f4f4; padding: .1em .3em }
pre { padding: .8em; overflow-x: auto }
figcaption { color: #555; font-size: .9em }
"""


def as_text(table: list[list[str]]) -> str:
    """Align columns, the first to the left; split long headings into two lines."""
    first, *body = table
    headings = [split(c) if i else ("", c) for i, c in enumerate(first)]
    cells = [[h[0] for h in headings], [h[1] for h in headings], *body]
    widths = [max(len(r[i]) for r in cells) for i in range(len(first))]
    return "\n".join(
        "  ".join([r[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(r[1:], widths[1:]))]) for r in cells
    )


def split(text: str) -> tuple[str, str]:
    """Split a heading into two lines of about the same length."""
    words = text.split()
    if len(words) < 2:
        return "", text
    ways = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return min(ways, key=lambda way: max(map(len, way)))


def as_html(table: list[list[str]]) -> str:
    head = "".join(f"<th>{html.escape(c)}" for c in table[0])
    body = "".join("<tr>" + "".join(f"<td>{html.escape(c)}" for c in r) for r in table[1:])
    return f"<table><tr>{head}{body}</table>"


def inline(picture: Path, caption: str) -> str:
    """A figure of HTML with a PNG or SVG as data inside the page."""
    kind = {".png": "image/png", ".svg": "image/svg+xml"}[picture.suffix]
    data = base64.b64encode(read_bytes(picture)).decode()
    text = html.escape(caption)
    image = f'<img alt="{text}" src="data:{kind};base64,{data}">'
    return f"<figure>{image}<figcaption>{text}</figcaption></figure>"


FORMATS = ("png", "svg", "pdf")
# Dates, which would make two files of one picture differ, by format.
DATES: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
INCHES = {"in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4}
SIZE_MAX_INCHES = 100.0


@dataclass
class Look:
    """How the figures of this process are to be, where the command's options say so."""

    format: str = ""
    inches: tuple[float, float] | None = None
    title: str | None = None
    # A style sheet of matplotlib: a file, or the name of one of its own.
    style: str = ""


LOOK = Look()


def size(text: str) -> tuple[float, float]:
    """WIDTHxHEIGHT in inches; a LabError for what is none."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(in|cm|mm)?", text)
    sides = [float(found[i]) * INCHES[found[3] or "in"] for i in (1, 2)] if found else []
    if not sides or not all(0.5 <= side <= SIZE_MAX_INCHES for side in sides):
        raise LabError(f"--size {text}: not WIDTHxHEIGHT of 0.5 to 100 inches, as in 3.5x2.5 or 89x60mm")
    return sides[0], sides[1]


def inches(width: float, height: float) -> tuple[float, float]:
    """The size of a figure that has this one unless the command says another."""
    return LOOK.inches or (width, height)


def save(plt: Any, figure: Any, path: Path, **how: Any) -> None:
    """Write a figure of matplotlib in the format of the file's suffix, and close it."""
    if LOOK.title is not None:
        figure.suptitle(LOOK.title)
    if date := DATES.get(path.suffix[1:]):
        how["metadata"] = date
    with replacing(path) as f:
        try:
            figure.savefig(f, format=path.suffix[1:] or "png", **how)
        except ValueError as e:
            raise LabError(f"{path}: {e}") from None
    plt.close(figure)
