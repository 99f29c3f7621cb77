# SPDX-License-Identifier: GPL-2.0
"""What a packet costs: the bounds of tests/bench, counted in instructions in one short boot."""

import re
import subprocess
from pathlib import Path

import pytest
from guestrun import LACKS

BENCH = Path(__file__).resolve().parents[1] / "bench/run"
# Of the ratios that --quick has.
LEAST = 6
# It ends at SIGTERM and says what it has; timeout sends one only if it is in the foreground.
HANGS_S = 1500
FIGURE = re.compile(r"(.*): ([0-9.]+), bound ([0-9.]+)")


def check_what_a_packet_costs() -> str:
    argv = ["timeout", "--foreground", str(HANGS_S), str(BENCH), "--quick"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if lacks := LACKS.search(done.stderr):
        raise pytest.skip.Exception(lacks[0])
    held = [line[2:] for line in done.stdout.splitlines() if line.startswith("- ")]
    assert len(held) >= LEAST, f"{len(held)} figures: {(done.stderr or done.stdout)[-1000:]}"
    found = [figure for line in held if (figure := FIGURE.match(line))]
    assert len(found) == len(held), "\n".join(held)
    missed = [one[0] for one in found if float(one[2]) > float(one[3])]
    assert not missed, "\n".join(missed)
    return "; ".join(held)
