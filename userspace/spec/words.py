# SPDX-License-Identifier: GPL-2.0
"""The table of words (kernel/include/wlink/words.h), for what is made of it."""

import functools
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "kernel/include"

Row = dict[str, Any]
# Tables that stand in two places.
INNER = {"reverse_channel": "channel", "row_aqm": "aqm"}
# Of each type of numbers.
MOST = {"u32": 2**32 - 1, "u64": 2**64 - 1}


@functools.cache
def rows() -> list[Row]:
    """One for each attribute, as words.c has them."""
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/words"
        include = [f"-I{INCLUDE}", f"-I{INCLUDE}/uapi"]
        subprocess.run(["gcc", *include, "-o", program, str(HERE / "words.c")], check=True)
        found: list[Row] = json.loads(subprocess.run([program], check=True, capture_output=True).stdout)
    return found


def nests() -> dict[str, list[Row]]:
    """Their rows, by number."""
    found: dict[str, list[Row]] = {}
    for row in sorted(rows(), key=lambda row: int(row["number"])):
        found.setdefault(row["nest"], []).append(row)
    return found
