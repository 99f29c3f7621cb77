# SPDX-License-Identifier: GPL-2.0
# mypy: disable-error-code="import"
"""One bearer, three ways to keep its buffer: delay of each packet, and what it costs.

PYTHONPATH=userspace/wlab python3 userspace/wlab/examples/aqm.py [FOLDER]
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import wlab
from wlablib.lib.paths import WLAB

here = Path(sys.argv[1] if len(sys.argv) > 1 else "aqm")
scenario = WLAB / "scenarios" / "demo.toml"
ways = {
    "drop-tail": ["radio.down.wlink.limit=40"],
    "RED": ["radio.down.wlink.profile=red-3g"],
    "SBD": ["radio.down.wlink.profile=sbd-3g"],
}
rows = {}
figure, panels = plt.subplots(len(ways), sharex=True, sharey=True, figsize=(8, 6), layout="constrained")
for panel, (name, settings) in zip(panels, ways.items()):
    result = wlab.run(wlab.load(scenario, settings), out=here / name, force=True)
    sdus = result.events["sdu"].query("link == 'radio.down' and payload > 0")
    for flow, some in sdus.groupby("flow"):
        got = some[some["drop"] == "none"]
        panel.plot(got.arrival / 1e9, (got.deliver - got.arrival) / 1e9, ".", markersize=2, label=flow)
    lost = sdus[~sdus["drop"].isin(["none", "flush"])]
    panel.plot(lost.arrival / 1e9, 0 * lost.arrival, "rx", markersize=4, label="dropped")
    panel.set(ylabel=f"{name}\ndelay (s)")
    flows = result.flows
    rows[name] = {"kbit/s": flows.goodput_bps.sum() / 1e3, "mean s": flows["delay.mean_ns"].mean() / 1e9}
    rows[name]["dropped"] = len(lost)
panels[0].legend(loc="upper right", ncols=3)
panels[-1].set(xlabel="time (s)")
figure.savefig(here / "aqm.png", dpi=110)
print(pd.DataFrame.from_dict(rows, orient="index").round(3).to_string())
