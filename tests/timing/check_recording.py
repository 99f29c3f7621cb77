#!/usr/bin/python3 -ISB
# SPDX-License-Identifier: GPL-2.0
"""Recording costs at most 1.3 times not recording, on one processor, and loses nothing.

To a file everywhere, with lines at once where packets come at a pace. In a flood
lines at once cost more, which is told, not judged, and what the kernel's buffer had
no room for is counted. A ratio is that of the dearest repetition to the cheapest
that was not recorded.
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
for row in rows:
    if row["record"] == "not":
        continue
    judged = row["record"] == "file" or "flood" not in row["cell"]
    events = row["events"] + (0 if judged else row["lost"])
    whole = events >= row["packets"] > 1000 and not (judged and row["lost"])
    name, count = f"{row['cell']}, {row['record']}", f"{row['events']} events of {row['packets']} packets"
    print(f"{'ok' if whole else 'not ok'} recording - {name}: {count}, {row['lost']} lost")
    good = row["worst"] <= BOUND or not judged
    text = f"{row['ratio']:.2f} times the cost of not recording, {row['worst']:.2f} at worst"
    print(f"{'ok' if good else 'not ok'} recording - {name}: {text}{'' if judged else ', not judged'}")
