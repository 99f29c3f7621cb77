# SPDX-License-Identifier: GPL-2.0
"""The command: its words, and where the text goes."""

from dataclasses import asdict
from pathlib import Path

from ..lib.beside import USAGE, Stop, device, options, print_json, show
from ..lib.files import replacing
from ..lib.paths import LabError
from .families import Family, families, lines


def look(dev: str) -> list[Family]:
    links = show(*([dev] if dev else []))
    bearers = [b for link in links for b in show(link["dev"], link["handle"], "bearer", "all")]
    return families(links, bearers)


def write(text: str, path: Path) -> None:
    """Whole or not at all: node_exporter may read at any time, and as another user."""
    try:
        with replacing(path, 0o644) as file:
            file.write(text.encode())
    except LabError as error:
        raise Stop(USAGE, str(error)) from None


def main(argv: list[str]) -> int:
    given, words = options("metrics", argv, ("--json",), {"--out": str}, USAGE)
    as_json, out = "--json" in given, given.get("--out", "")
    if words[:1] == ["dev"] and len(words) > 1:
        words.pop(0)
    if len(words) > 1:
        raise Stop(USAGE, f'metrics takes a device, but got "{words[1]}"')
    if as_json and out:
        raise Stop(USAGE, "metrics takes --json or --out, not both")
    found = look(device(words[0]) if words else "")
    if as_json:
        print_json([asdict(family) for family in found])
        return 0
    text = "".join(f"{line}\n" for line in lines(found))
    if out:
        write(text, Path(out))
    else:
        print(text, end="")
    return 0
