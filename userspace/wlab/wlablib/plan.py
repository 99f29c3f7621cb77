# SPDX-License-Identifier: GPL-2.0
"""From a scenario to the guest's plan (guest/plan.h tells its format)."""

import re
from pathlib import Path

from .flows import Flow, own_seed, words
from .scenario import Link, Scenario
from .tcwords import word_of
from .units import rate_bps

# A run starts where all levels of the timer wheel begin anew (8^7 ticks of
# 10 ms), so that every run of a boot sees the timers of a run alone. The clock
# of the guest has a grain of 256 ns, which divides it.
GRID_NS = (1 << 21) * 10_000_000

GUEST_DIR = Path("/run/wlab")
PLACES = ("server", "router", "ue")
HOME = {"wired.down": "server", "wired.up": "router", "radio.down": "router", "radio.up": "ue"}
MAC = {"wired.down": 1, "wired.up": 2, "radio.down": 3, "radio.up": 4}
NET = {"server": "10.0.1", "ue": "10.0.2"}
SEND_PORT = 10001
RECEIVE_PORT = 20001

# facts for both profiles: nothing that depends on the past of the guest
COMMON = {
    "net.ipv6.conf.all.disable_ipv6": "1",
    "net.ipv6.conf.default.disable_ipv6": "1",
    "net.ipv4.tcp_no_metrics_save": "1",
    "net.ipv4.tcp_fastopen": "0",
}

# TCP as the papers' simulators have it, as near as Linux comes. The receive
# buffer is so large that data not read yet never narrows the window, which
# its 16 bits bound.
PAPER = {
    "net.ipv4.tcp_sack": "0",
    "net.ipv4.tcp_dsack": "0",
    "net.ipv4.tcp_timestamps": "0",
    "net.ipv4.tcp_window_scaling": "0",
    "net.ipv4.tcp_recovery": "0",
    "net.ipv4.tcp_early_retrans": "0",
    "net.ipv4.tcp_frto": "0",
    "net.ipv4.tcp_ecn": "0",
    "net.ipv4.tcp_reordering": "3",
    "net.ipv4.tcp_max_reordering": "3",
    "net.ipv4.tcp_retrans_collapse": "0",
    "net.ipv4.tcp_thin_linear_timeouts": "0",
    "net.ipv4.tcp_no_ssthresh_metrics_save": "1",
    "net.ipv4.tcp_slow_start_after_idle": "1",
    "net.ipv4.tcp_mtu_probing": "0",
    "net.ipv4.tcp_plb_enabled": "0",
    "net.ipv4.tcp_moderate_rcvbuf": "0",
    "net.ipv4.tcp_shrink_window": "0",
    "net.ipv4.tcp_rmem": "4096 1048576 1048576",
    "net.ipv4.tcp_wmem": "4096 262144 262144",
    "net.ipv4.tcp_min_tso_segs": "1",
    "net.ipv4.tcp_tso_rtt_log": "0",
    "net.ipv4.tcp_autocorking": "0",
    "net.ipv4.tcp_limit_output_bytes": "4194304",
    "net.ipv4.tcp_syn_linear_timeouts": "0",
    "net.ipv4.tcp_backlog_ack_defer": "0",
    "net.ipv4.tcp_rto_min_us": "200000",
}
PAPER_ROUTE = "initcwnd 1 initrwnd 44 window 65535 quickack 1 rto_min 200ms"
PAPER_READ = 128 << 10


def device(link: str) -> str:
    """A link's device is called after it."""
    return link.replace(".", "-")


def link_args(link: Link, name: str, seed: int) -> str:
    """tc arguments, with a seed where the user gives none."""
    if link.kind != "wlink" or word_of(link.args, "seed") is not None:
        return link.args
    return f"seed {own_seed(seed, name)} {link.args}"


def start_of(run: int) -> int:
    """CLOCK_MONOTONIC at the start of the run-th run of a boot."""
    return (run + 1) * GRID_NS


def mac(link: str) -> str:
    return f"02:00:00:00:00:{MAC[link]:02x}"


def ip_batches(sc: Scenario) -> dict[str, list[str]]:
    """What `ip -batch` is to do in each namespace."""
    route = sc.tcp.route
    if route is None:
        route = PAPER_ROUTE if sc.tcp.profile == "paper" else ""
    out: dict[str, list[str]] = {"router": [], "server": [], "ue": []}
    for near, far, place in (("wired.up", "wired.down", "server"), ("radio.down", "radio.up", "ue")):
        out["router"].append(
            f"link add {device(near)} address {mac(near)} type veth"
            f" peer name {device(far)} address {mac(far)} netns {place}"
        )
        ends = (("router", near, far, 2, 1), (place, far, near, 1, 2))
        for where, own, other, host, peer in ends:
            dev, net = device(own), NET[place]
            out[where] += [
                f"link set dev {dev} gso_max_segs 1 up",
                f"addr add {net}.{host}/24 dev {dev}",
                f"neigh add {net}.{peer} lladdr {mac(other)} dev {dev} nud permanent",
            ]
    for place, far, leg in (("server", "ue", "wired.down"), ("ue", "server", "radio.up")):
        via = f"via {NET[place]}.2 dev {device(leg)}"
        out[place].append(f"route add {NET[far]}.0/24 {via} {route}".rstrip())
    return out


def sysctls(sc: Scenario) -> list[tuple[str, str, str]]:
    """(namespace, name, value); '?' marks names that may be missing."""
    out = [(p, f"?{k}", v) for p in PLACES for k, v in COMMON.items()]
    out.append(("router", "net.ipv4.ip_forward", "1"))
    profile = PAPER if sc.tcp.profile == "paper" else {}
    congestion = sc.tcp.congestion or ("reno" if profile else "cubic")
    for place in ("server", "ue"):
        out += [(place, f"?{k}", v) for k, v in profile.items()]
        out.append((place, "net.ipv4.tcp_congestion_control", congestion))
        out += [(place, k, v) for k, v in sc.tcp.sysctl.items()]
    return out


def flow_line(sc: Scenario, seed: int, flow: Flow, index: int) -> str:
    """The plan's line for one flow."""
    down = flow.direction == "down"
    src, dst = ("server", "ue") if down else ("ue", "server")
    stop = "-" if flow.stop_ns is None else str(flow.stop_ns)
    read = flow.read
    if read is None:
        read = PAPER_READ if sc.tcp.profile == "paper" else 0
    return (
        f"flow {flow.name} {flow.kind} {src} {dst} {NET[src]}.1 {SEND_PORT + index}"
        f" {NET[dst]}.1 {RECEIVE_PORT + index} {flow.start_ns} {stop}"
        f" {flow.congestion or '-'} {own_seed(seed, flow.name)} {words(flow, read)}"
    )


def period_ns(sc: Scenario) -> int:
    """How often to empty the event buffer: long before it can be full."""
    rates = [word_of(link.args, "rate") for link in sc.links.values() if link.kind == "wlink"]
    # Presets, which need no rate, are slower.
    fastest = max([1_000_000, *(rate_bps(r) for r in rates if r is not None)])
    # Half of 32 MiB at about 150 bytes for each of 8 events a packet of 1500.
    return max(10_000_000, min(10**10, (16 << 20) * 1500 * 8 * 10**9 // (fastest * 8 * 150)))


def write(runs: list[tuple[Scenario, int]], folder: Path) -> Path:
    """Write the plan of all runs, each with its seed, and the batch files it names."""
    lines: list[str] = []
    for run, (sc, seed) in enumerate(runs):
        out = folder / str(run)
        out.mkdir()
        write_run(sc, seed, out)
        lines += run_lines(sc, seed, run)
    plan = folder / "plan"
    plan.write_text("\n".join(lines) + "\n")
    return plan


def write_hold(sc: Scenario, folder: Path, argv: str) -> None:
    """The plan of a topology without flows, for a command in the router."""
    write([(sc, sc.seed)], folder)
    no = ("flow ", "at ", "finish ", "event ", "go")
    lines = [line for line in (folder / "plan").read_text().splitlines() if not line.startswith(no)]
    (folder / "plan").write_text("\n".join([*lines, f"hold router {argv}", "go"]) + "\n")


def with_ports(sc: Scenario, line: str) -> list[str]:
    """A filter with the port of the receiver in the place of {FLOW}; one for each flow of a group."""
    group = next((g for g in re.findall(r"\{([^}]*)\}", line) if g in sc.groups), None)
    names = sc.groups[group] if group else [""]
    lines = [line.replace(f"{{{group}}}", f"{{{one}}}") for one in names]
    for i, flow in enumerate(sc.flows):
        lines = [x.replace(f"{{{flow.name}}}", str(RECEIVE_PORT + i)) for x in lines]
    return lines


def write_run(sc: Scenario, seed: int, out: Path) -> None:
    """Batch files of ip and tc, and the names that the log is to use."""
    for place, batch in ip_batches(sc).items():
        (out / f"ip.{place}").write_text("\n".join(batch) + "\n")
    tc: dict[str, list[str]] = {}
    end: dict[str, list[str]] = {}
    for name, link in sc.links.items():
        where, dev = HOME[name], device(name)
        args = f"{link.kind} {link_args(link, name, seed)}".rstrip()
        tc.setdefault(where, []).extend(
            [
                f"qdisc add dev {dev} root handle 1: {args}",
                *(f"class add dev {dev} parent 1: {line}" for line in link.classes),
                *(
                    f"filter add dev {dev} parent 1: {one}"
                    for line in link.filters
                    for one in with_ports(sc, line)
                ),
            ]
        )
        end.setdefault(where, []).append(f"qdisc del dev {dev} root")
    for where, batch in tc.items():
        (out / f"tc.{where}").write_text("\n".join(batch) + "\n")
        # Show first: what is flushed then tells the log what was still held.
        (out / f"end.{where}").write_text("\n".join(["qdisc show", *end[where]]) + "\n")
    names = [f"link {device(n)} {n}" for n in sc.links]
    names += [
        f"flow {SEND_PORT + i} {f.name} {f.direction} {f.transport}" for i, f in enumerate(sc.flows)
    ]
    (out / "names").write_text("\n".join(names) + "\n")


def run_lines(sc: Scenario, seed: int, run: int) -> list[str]:
    """The plan of one run."""
    out = GUEST_DIR / str(run)
    used = [p for p in ("server", "router", "ue") if p in {HOME[n] for n in sc.links}]
    lines = [
        f"out {out}",
        f"start {start_of(run)}",
        f"duration {sc.duration_ns}",
        f"period {period_ns(sc)}",
        "buffer 32768",
        *(f"ns {p}" for p in PLACES),
        *(f"sysctl {p} {k} {v}" for p, k, v in sysctls(sc)),
        *(f"prepare {p} exec ip -batch {out}/ip.{p}" for p in ("router", "server", "ue")),
        *(f"begin {p} exec tc -batch {out}/tc.{p}" for p in used),
        *(f"finish {p} stats.{p} exec tc -j -s -batch {out}/end.{p}" for p in used),
        *(f"at {a.place} {a.time_ns} {a.run}" for a in sc.ats),
        "event tcp/tcp_probe sport < 20000",
    ]
    if any(link.kind == "wlink" for link in sc.links.values()):
        lines += [f"event wlink/wlink_{e}" for e in ("sdu", "rate", "channel", "grant", "play")]
    lines += [flow_line(sc, seed, f, i) for i, f in enumerate(sc.flows)]
    return [*lines, "go"]
