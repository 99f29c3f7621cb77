# SPDX-License-Identifier: GPL-2.0
"""The table of words: what it must not have does not compile."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TABLE = "kernel/include/wlink/words.h"
LAST = "#undef WL_WORD\n"
GOOD = 'WL_WORD(OTHER, rlc, TCA_WLINK_RLC_MAX, 32, window, "other", "other", "other", "another", SWITCH ANY)'


def compiled(tmp_path: Path, row: str) -> str:
    """What the compiler says of the table with one more row."""
    for folder in ("tc-plugin", "kernel/include"):
        shutil.copytree(ROOT / folder, tmp_path / folder, dirs_exist_ok=True)
    table = tmp_path / TABLE
    table.write_text(table.read_text().replace(LAST, f"{row}\n{LAST}", 1))
    command = [
        "gcc",
        "-std=gnu11",
        "-fsyntax-only",
        "-Itc-plugin",
        "-Ikernel/include",
        "-Ikernel/include/uapi",
    ]
    done = subprocess.run(
        [*command, "tc-plugin/table/rows.c"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert bool(done.returncode) == ("error:" in done.stderr)
    return done.stderr


def test_a_row_more(tmp_path: Path) -> None:
    assert compiled(tmp_path, GOOD) == ""


@pytest.mark.parametrize(
    "old, new, error",
    [
        ('"another"', '""', "ONE_ROW_TCA_WLINK_RLC_MAX"),
        ("TCA_WLINK_RLC_MAX", "TCA_WLINK_RLC_WINDOW", "ONE_ROW_TCA_WLINK_RLC_WINDOW"),
        ("OTHER", "WINDOW", "WL_WINDOW"),
        ("rlc,", "rcl,", "NEST_rcl"),
        ("SWITCH ANY", "RANGE(FURLONGS, 0, 1) ANY", "WL_UNIT_FURLONGS"),
    ],
)
def test_what_is_no_row(tmp_path: Path, old: str, new: str, error: str) -> None:
    assert error in compiled(tmp_path, GOOD.replace(old, new))
