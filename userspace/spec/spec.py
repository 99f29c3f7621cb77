#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Prints Documentation/netlink/wlink.yaml with the attributes of a configuration in it.

They are those of the table of words, so that they stand there only.
"""

from collections.abc import Iterator

from words import HERE, INNER, MOST, Row, nests

FAMILY = HERE.parent.parent / "Documentation/netlink/wlink.yaml"
OPERATIONS = "\noperations:\n"
PREFIX = "TCA_WLINK_"


def checks(row: Row) -> dict[str, int]:
    """Bounds that are judged by themselves, and that the type has not by itself."""
    if row["type"] == "STRING":
        return {"max-len": row["max"]}
    if row["text"] or not row["max"]:
        return {}
    ends = {"min": row["min"], "max": row["max"]}
    return {end: value for end, value in ends.items() if value not in (0, MOST[row["type"].lower()])}


def attribute(row: Row, prefix: str) -> str:
    name = row["attr"].removeprefix(prefix).lower().replace("_", "-")
    words = {"name": f'"{name}"' if name in ("on", "off") else name}
    words["type"] = "unused" if row["type"] == "REJECT" else row["type"].lower()
    words["doc"] = '"' + row["meaning"] + '"'
    if row["inner"]:
        words["nested-attributes"] = INNER.get(row["inner"], row["inner"])
    if row["many"]:
        words["multi-attr"] = "true"
    if bounds := checks(row):
        words["checks"] = "{" + ", ".join(f"{end}: {value}" for end, value in bounds.items()) + "}"
    return "{" + ", ".join(f"{key}: {value}" for key, value in words.items()) + "}"


def sets() -> Iterator[str]:
    for nest, rows in nests().items():
        prefix = PREFIX if nest == "options" else f"{PREFIX}{nest.upper()}_"
        yield f"  -\n    name: {nest}\n    name-prefix: {prefix.lower().replace('_', '-')}\n    attributes:"
        yield "      - {name: pad, type: pad}"
        for row in rows:
            yield f"      - {attribute(row, prefix)}"


def spec() -> str:
    family, operations = FAMILY.read_text(encoding="utf-8").split(OPERATIONS)
    return "\n".join([family.rstrip(), *sets(), OPERATIONS + operations])


if __name__ == "__main__":
    print(spec(), end="")
