#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What a packet costs: the bounds of tests/bench, measured quickly in one boot."""

import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1] / "bench/run"
LIMIT_S = 900


def main() -> int:
    try:
        words = [str(BENCH), "--quick", "--repetitions", "2"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        print(f"not ok bench - did not end within {LIMIT_S} s")
        return 0
    held = [line[2:] for line in done.stdout.splitlines() if line.startswith("- ")]
    if not held:
        print(f"not ok bench - no figure: {(done.stderr or done.stdout)[-300:].strip()}")
    for line in held:
        missed = line.endswith(": missed")
        print(f"{'not ok' if missed else 'ok'} bench - {line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
