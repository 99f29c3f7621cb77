# SPDX-License-Identifier: GPL-2.0
"""Metrics of a network of two cells, written by hand."""

from pathlib import Path
from typing import Any

from kit import equals, folder, near
from wlablib.analysis import capacities, networks

XSTATS: dict[str, Any] = {"rate_bps": 1000, "bytes_delivered": 1000, "drops": {"aqm": 2}}
BEARERS = {number: {"rate_bps": 1000} for number in ("2", "3")}
LINK: dict[str, Any] = {"kind": "wlink", "xstats": XSTATS, "options": {"sched": "rr"}, "bearers": BEARERS}
RESULT: dict[str, Any] = {
    "ended_s": 12.0,
    "warmup_s": 2.0,
    "flows": {
        "a": {"from": "server", "to": "ue-1", "bytes": 3000},
        "b": {"from": "server", "to": "ue-1", "bytes": 1000},
        "c": {"from": "server", "to": "ue-2", "bytes": 2000},
        "d": {"from": "ue-3", "to": "server", "bytes": 500},
    },
    "links": {"x.down": LINK, "y.down": LINK, "core.forward": {"kind": "netem"}},
}


def check_jains_index() -> None:
    """Jain's index has bounds that it reaches."""
    equals("same", networks.jain([5.0] * 7), 1.0)
    near("one has all", networks.jain([0, 0, 3, 0]), 0.25, 1e-12)
    near("1, 2, 3", networks.jain([1, 2, 3]), 36 / 42, 1e-12)
    equals("nothing", networks.jain([0, 0]), None)


def check_figures_of_a_network(where: Path) -> None:
    """Sums of 10 s; a user without a flow does not count. Users share what a cell has: the mean of rates."""
    # Users have bearers 2 and 3; one of y's has another rate for a half of the time.
    (where / "events.tsv").write_text("rate\t6000000000\ty.down\t1\t1000\t5000\t3\n")
    told = networks.metrics(RESULT, {"x": ["ue-1", "ue-2"], "y": ["ue-3", "ue-4"]}, where)
    apart = networks.metrics(RESULT, {}, where)
    equals("a node", told["nodes"]["ue-1"], {"received_bps": 3200.0})
    equals("the server", told["nodes"]["server"], {"sent_bps": 4800.0, "received_bps": 400.0})
    both: dict[str, Any] = {"received_bps": 4800.0, "received_jain": 0.9}
    equals("a cell", told["cells"]["x"], {"users": ["ue-1", "ue-2"], **both})
    sent: dict[str, Any] = {"sent_bps": 400.0, "sent_jain": 1.0}
    equals("another", told["cells"]["y"], {"users": ["ue-3", "ue-4"], **sent})
    equals("all users", told["users"], {**both, **sent})
    equals("all nodes", apart["users"]["received_bps"], 5200.0)
    equals("links", list(told["links"]), ["x.down", "y.down"])
    near("a rate", told["links"]["x.down"]["utilisation_percent"], 100 * 8000 / 12000, 1e-9)
    near("two rates", told["links"]["y.down"]["utilisation_percent"], 100 * 8000 / 24000, 1e-9)
    equals("drops", told["links"]["x.down"]["dropped_sdus"], 2)
    text = networks.as_text(told)
    equals("a line", text[2].split(), ["server", "0.400", "4.800"])
    equals("a cell's line", text[-3].split(), ["cell", "x", "4.800", "0.9000", "-"])


def check_few_lines_of_many() -> None:
    """Links are many, so that what each looks through has few SDUs; what they could carry is the same."""
    cells = {"x": ["ue-1", "ue-2"], "y": ["ue-3", "ue-4"]}
    wire = {**LINK, "xstats": {**XSTATS, "rate_bps": 3000}}
    result = {**RESULT, "links": {"x.down": LINK, "y.down": LINK, "core.forward": wire, "opp.forward": wire}}
    sdus = [f"sdu\t{t}\t{link}\tf\tforth\t{n}\t1\t{t}\t1500\t1\t0\t-\t0\t0\t0\t0\t0\t1448"
            for t in range(9) for link in ("x.down", "core.forward") for n in (2, 3)]  # fmt: skip
    rest = ["rate\t6000000000\ty.down\t1\t1000\t5000\t3", "rate\t7000000000\ty.down\t2\t5000\t1000\t3"]
    rest += [f"grant\t{t}\topp.forward\t1\t1\t{t}\t1" for t in (100, 200)]
    with folder() as where, folder() as few:
        (where / "events.tsv").write_text("\n".join([*sdus[:20], *rest, *sdus[20:]]) + "\n")
        capacities.write_log(where, few)
        told, again = (networks.metrics(result, cells, one) for one in (where, few))
        lines = (few / "events.tsv").read_text().splitlines()
    equals("the metrics", again, told)
    near("of bearers 1, 2, 3", told["links"]["core.forward"]["utilisation_percent"], 100 * 8000 / 20000, 1e-9)
    near("of opportunities", told["links"]["opp.forward"]["utilisation_percent"], 100 * 8000 / 2400, 1e-9)
    equals("lines", len(lines), 4 + len(rest))
