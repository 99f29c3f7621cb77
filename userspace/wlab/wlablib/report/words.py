# SPDX-License-Identifier: GPL-2.0
"""Numbers, names, links and tables in Markdown for the report's pages."""

import re
from math import floor, log10
from urllib.parse import quote

from ..analysis.metrics import SUFFIXES, split_flow, unit
from ..experiment.cells import spell
from ..experiment.words import Values

# Titles of cells' keys; other keys are printed without underscores.
KEYS = {
    "rate_kbit": "rate (kbit/s)",
    "flows": "flows",
    "aqm": "AQM",
    "minth": "minth (SDUs)",
    "maxth": "maxth (SDUs)",
    "tr_ms": "T_r (ms)",
    "maxp": "maxp",
    "buffer": "buffer (SDUs)",
    "protocol": "protocol",
    "errors": "errors",
    "loss_percent": "frame loss (%)",
    "workload": "workload",
    "contention": "contention",
    "stack": "stack",
    "congestion": "congestion control",
}
DIGITS_ALONE = 4
# A relative half width below this is rounding noise.
ROUNDING = 1e-12


def key_title(key: str) -> str:
    """The title of a cell's key."""
    return KEYS.get(key, key.replace("_", " "))


def key_value(key: str, value: object) -> str:
    """A key and its value for a legend: `T_r 50 ms`."""
    name, _, unit = key_title(key).partition(" (")
    shown = unit.removesuffix(")") if unit and unit != "SDUs)" else ""
    return f"{name} {value_text(value)}{' ' + shown if shown else ''}"


def metric_title(name: str) -> str:
    """The title of a metric with its unit: `delay (s)`, `goodput of flow1 (kbit/s)`, `goodput gain (%)`."""
    plain, flow = split_flow(name)
    for suffix in SUFFIXES:
        plain = plain.removesuffix(suffix)
    plain = plain.replace("_", " ") + (f" of {flow}" if flow else "")
    return f"{plain} ({unit(name)})" if unit(name) else plain


def value_text(value: object) -> str:
    """A value of a cell as text."""
    return spell(value) if isinstance(value, str | int | float) else str(value)


def cell_text(values: Values, but: tuple[str, ...] = ()) -> str:
    """A cell as text: `rate_kbit 384, flows 1`."""
    return ", ".join(f"{k} {value_text(v)}" for k, v in values.items() if k not in but) or "the one cell"


def decimals(value: float, half: float | None, digits: int) -> int:
    """Decimal places for `digits` digits of the half width, or for four digits of the value."""
    if half:
        return max(0, digits - 1 - floor(log10(half)))
    if value:
        return max(0, DIGITS_ALONE - 1 - floor(log10(abs(value))))
    return 0


def number(value: float | None, half: float | None = None, digits: int = 2) -> str:
    """Print a number with its half width: `290.5 ± 4.2`."""
    if value is None:
        return "none"
    if half is not None and half <= ROUNDING * abs(value):
        half = 0.0
    places = decimals(value, half, digits)
    text = f"{value:.{places}f}"
    if "." in text and not half:
        text = text.rstrip("0").rstrip(".")
    return text if half is None else f"{text} ± {half:.{places}f}" if half else f"{text} ± 0"


def plain(value: float, half: float | None) -> str:
    """Print a paper's number with exactly the digits that the TOML has."""
    text = value_text(value)
    return text if half is None else f"{text} ± {value_text(half)}"


def slug(text: str) -> str:
    """A string for a file's name."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def link(text: str, path: str, title: str = "") -> str:
    """A link in Markdown."""
    where = quote(path, safe="/=,.-_+#")
    return f'[{text}]({where} "{title}")' if title else f"[{text}]({where})"


def row(words: list[str]) -> str:
    """A row of a table in Markdown."""
    return "| " + " | ".join(w.replace("|", "\\|").replace("\n", " ") for w in words) + " |"


def table(head: list[str], body: list[list[str]], left: int = 1) -> list[str]:
    """A table in Markdown; the first `left` columns are aligned left."""
    marks = [":--" if i < left else "--:" for i in range(len(head))]
    return [row(head), "|" + "|".join(marks) + "|", *(row(r) for r in body)]


def count(n: int, word: str, many: str = "") -> str:
    """`1 cell`, `3 cells`."""
    return f"{n} {word if n == 1 else many or word + 's'}"


def first_line(text: str, width: int = 200) -> str:
    """The first line of an error, for a table."""
    lines = [s.strip() for s in text.splitlines() if s.strip()]
    line = next((s for s in lines if not s.startswith("#")), "no reason is given")
    return line if len(line) <= width else line[: width - 3] + "..."


def some(words: list[str], most: int = 6) -> str:
    """Join a list for a sentence; items beyond `most` are only counted."""
    shown = "; ".join(words[:most])
    return shown if len(words) <= most else f"{shown}; and {len(words) - most} more"
