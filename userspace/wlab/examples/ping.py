# SPDX-License-Identifier: GPL-2.0
# mypy: disable-error-code="import"
"""Pings over the presets of cells, idle and beside a download: distributions, and their parts.

PYTHONPATH=userspace/wlab python3 userspace/wlab/examples/ping.py [FOLDER]
"""

import sys
from pathlib import Path
from statistics import fmean

import matplotlib.pyplot as plt
import wlab
from wlablib.analysis import why
from wlablib.experiment import cells, experiment

# The queue of a download would hide all else: last.
PARTS = [*(part for part in why.PARTS if part != "queue"), "queue"]

here = Path(sys.argv[1] if len(sys.argv) > 1 else "ping")
figure, (spread, bars) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
names = []
for cell in cells.expand(experiment.load("cell-ping"), quick=True):
    names.append(f"{cell.values['preset']}, {cell.values['load']}")
    result = wlab.run(cell.scenario, out=here / names[-1].replace(", ", "-"), force=True)
    series = result.series["ping.rtt"]
    trips = sorted((series["answered"] - series["sent"])[series["answered"] >= 0] / 1e6)
    dash = ":" if cell.values["load"] == "idle" else "-"
    color = f"C{6 + (len(names) - 1) // 2}"
    spread.step(trips, [(i + 1) / len(trips) for i in range(len(trips))], dash, color=color, label=names[-1])
    pings = [group for group in why.read(result.folder)[1] if group.flow == "ping"]
    left = 0.0
    for number, part in enumerate(PARTS):
        mean = sum(fmean(way.parts[part]) for way in pings) / 1e6
        first = why.TITLES[part] if len(names) == 1 else None
        bars.barh(names[-1], mean, left=left, color=f"C{number}", label=first)
        left += mean
    bars.text(49, names[-1], f"{left:.0f}", ha="right", va="center")
spread.set(xscale="log", xlabel="round trip (ms)", ylabel="share of pings")
spread.legend(loc="upper center", ncols=3, bbox_to_anchor=(0.5, 1.18), fontsize="small")
bars.set(xlim=(0, 50), xlabel="mean part (ms), both ways; at the right their sum")
bars.invert_yaxis()
bars.legend(loc="upper center", ncols=3, bbox_to_anchor=(0.5, 1.18), fontsize="small")
figure.savefig(here / "ping.png", dpi=110)
