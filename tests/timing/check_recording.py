#!/usr/bin/python3 -ISB
# SPDX-License-Identifier: GPL-2.0
"""Recording costs at most 1.3 times not recording, on one processor, and loses nothing.

With --raw; lines are made later. The ratio of lines made at once is told, not
judged: they cost more than the packet where both share a processor.
"""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BOUND = 1.3

run = subprocess.Popen([HERE / "run_recording", "--quick", "--json"], text=True, stdout=subprocess.PIPE)
assert run.stdout
rows = []
for line in run.stdout:
    if line.startswith("# "):
        print(line, end="", flush=True)
    else:
        rows = json.loads(line)
if run.wait() or not rows:
    print(f"not ok recording - run_recording ended with {run.returncode}")
    sys.exit(0)
lines_cost = {row["cell"]: row["ratio"] for row in rows if row["record"] == "json"}
for row in rows:
    if row["record"] == "not":
        continue
    whole = row["lost"] == 0 and row["events"] >= row["packets"] > 1000
    name, count = f"{row['cell']}, {row['record']}", f"{row['events']} events of {row['packets']} packets"
    print(f"{'ok' if whole else 'not ok'} recording - {name}: {count}, {row['lost']} lost")
    if row["record"] == "raw":
        good = row["ratio"] <= BOUND
        text = f"{row['ratio']:.2f} times the cost of not recording"
        text += f", lines at once {lines_cost[row['cell']]:.2f}"
        print(f"{'ok' if good else 'not ok'} recording - {name}: {text}")
