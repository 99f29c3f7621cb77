# SPDX-License-Identifier: GPL-2.0
"""Draws one result: occupancy, congestion windows and packets over time."""

import os
from pathlib import Path
from typing import Any

from ...lib import page
from ...lib.files import read_text
from ...lib.packages import package
from ...lib.paths import BUILD, LabError
from ..resultfile import link_of, rows
from ..traffic import DELIVERED, lost
from .data import RATE_UNITS, Limit, Played, Points, Rates, Result, columns, delivered, fit, loads, played

SENT, RECEIVED, DROPPED, LINE, QUIET = "#9fb6d4", "#1f4e8c", "#d62728", "#222222", "#888888"
CHOSEN = "#e08214"
DARK = "#f6e3d5"
# They differ in lightness, for colour blindness and print in grey.
BEARERS = (LINE, CHOSEN, "#5aa7c8", "#7b3294", "#4d9221")
LIMIT_LINE: dict[str, Any] = {"linewidth": 0.8, "linestyle": ":"}
# Links that play, of which each has a panel.
PLAYS_MAX = 6
# More lines than this would merge into a grey area.
LINES_MAX = 40


def pyplot() -> Any:
    """Import matplotlib, without a display."""
    # The folder of its font cache; the user's home may not be writable.
    os.environ.setdefault("MPLCONFIGDIR", str(BUILD / "matplotlib"))
    package("matplotlib", "plot").use("Agg")
    plt = package("matplotlib.pyplot", "plot")
    plt.rcParams.update(
        {
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.color": "#e4e4e4",
            "grid.linewidth": 0.6,
            "axes.axisbelow": True,
            "lines.linewidth": 1.0,
            # Files that can be made again, with text as text.
            "svg.hashsalt": "wlab",
            "svg.fonttype": "none",
            "pdf.fonttype": 42,
        }
    )
    if page.LOOK.style:
        if (file := Path(page.LOOK.style)).exists():
            # With a bound, which matplotlib's own reader has not.
            read_text(file)
        try:
            plt.style.use(page.LOOK.style)
        except (OSError, ValueError) as e:
            raise LabError(f"--style {page.LOOK.style}: {e}") from None
    return plt


def panels(rows: int, columns: int, size: tuple[float, float], **how: Any) -> tuple[Any, Any, Any]:
    """matplotlib, a figure of so many inches, and its panels by row and column; at least one row."""
    plt, how = pyplot(), {"squeeze": False, "layout": "constrained", **how}
    figure, axes = plt.subplots(max(1, rows), columns, figsize=size, **how)
    return plt, figure, axes


def legend_below(figure: Any, axes: Any, inches: float, columns: int) -> None:
    """Put the legend of some panels below all of them, where it hides nothing."""
    named = dict(pair for ax in axes for pair in zip(*ax.get_legend_handles_labels()[::-1]))
    figure.legend([*named.values()], [*named], loc="lower center", ncols=columns, fontsize=8, frameon=False)
    edge = inches / figure.get_size_inches()[1]
    figure.get_layout_engine().set(rect=(0, edge, 1, 1 - edge))


def from_zero(ax: Any, what: str, most: float | None = None) -> None:
    """A panel's values are `what`, and from 0 on."""
    ax.set(ylim=(0, most), ylabel=what)


def mark_rates(ax: Any, rates: Rates, heads: list[tuple[float, str]]) -> None:
    """Mark changes of the rate by lines, unless there are too many, shade outages, and label the periods."""
    for (t, bps), (end, _) in zip(rates, [*rates[1:], (ax.get_xlim()[1], 0.0)]):
        if not bps and end > t:
            ax.axvspan(t, end, color=DARK, linewidth=0, zorder=0)
    if len(rates) <= LINES_MAX:
        for t, _ in rates[1:]:
            ax.axvline(t, color=QUIET, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    for t, text in heads:
        ax.annotate(
            text,
            (t, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            ha="center",
            color="#444444",
        )


def say(ax: Any, text: str) -> None:
    """Print in an empty panel why it is empty."""
    ax.annotate(text, (0.5, 0.5), xycoords="axes fraction", ha="center", color=QUIET)


def name_above(ax: Any) -> None:
    """Put the legend above a panel, where it hides nothing."""
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), frameon=False, ncols=4, borderpad=0.1)


def nothing(ax: Any, result: Result, link: str, what: str) -> None:
    """Print that none of some packets has come to a link, or that this cannot be known."""
    kind = result.data["links"].get(link, {}).get("kind", "wlink")
    none = f"no {what} has come to {link}"
    say(ax, none if kind == "wlink" else f"{link} is {kind}, which has no events")


def draw_limit(ax: Any, limit: Limit, most: float, end: float, unit: float) -> None:
    """Draw the limit, or print it at the top if it is far above the curve."""
    far = limit.far(most)
    top = max(v for _, v in limit.steps) / unit
    if not far:
        t, v = zip(*limit.steps)
        ax.step([*t, end], [x / unit for x in (*v, v[-1])], where="post", color=DROPPED, **LIMIT_LINE)
        ax.set_ylim(0, top * 1.18)
    ax.annotate(
        f"{limit.text} \N{UPWARDS ARROW}" if far else limit.text,
        (1.0, 1.0 if far else limit.steps[-1][1] / unit),
        xycoords=("axes fraction", "axes fraction" if far else "data"),
        xytext=(-2, 2),
        textcoords="offset points",
        ha="right",
        color=DROPPED,
    )


def draw_buffer(ax: Any, result: Result, link: str) -> None:
    """Draw the occupancy of the buffer of each of a link's bearers, in the limit's unit."""
    limit, bearers = result.limit(link), result.occupancy[link]
    unit = 1e3 if limit and limit.in_bytes else 1.0
    most = 0.0
    for (bearer, steps), colour in zip(bearers.items(), BEARERS * 64):
        values = steps.bytes if unit > 1 else steps.sdus
        y = [v / unit for v in values]
        ax.step(steps.t_s, y, where="post", color=colour, linewidth=0.8, label=f"bearer 1:{bearer:x}")
        most = max(most, *values)
    ax.set_ylim(0, None)
    if limit:
        draw_limit(ax, limit, most, result.end, unit)
    if len(bearers) > 1:
        name_above(ax)
    if not bearers:
        nothing(ax, result, link, "packet")
    name = f"{link}\n" if len(result.links) > 1 else ""
    ax.set_ylabel(f"{name}buffer\n({'kB' if unit > 1 else 'SDUs'})")


def has_background(result: Result) -> bool:
    return any(result.background(link).exists() for link in result.links)


def draw_loads(ax: Any, result: Result) -> None:
    """Draw the background load over time beside the rates that are delivered."""
    have = loads(result)
    size, unit = fit(max(*have.offered, *have.others, *have.taken), RATE_UNITS)
    lines = [("other flows delivered", have.others, RECEIVED)]
    if any(have.offered):
        offered = [bps / size for bps in have.offered]
        ax.stairs(offered, have.edges_s, fill=True, color="#d9d9d9", label="load")
        lines.insert(0, ("load delivered", have.delivered, QUIET))
    if has_background(result):
        lines.append(("taken in the cell", have.taken, CHOSEN))
    for label, rates, colour in lines:
        ax.stairs([bps / size for bps in rates], have.edges_s, color=colour, label=label, baseline=None)
    from_zero(ax, f"background\n({unit})")
    name_above(ax)


def draw_played(ax: Any, link: str, have: Played) -> None:
    """Draw what a link that plays could carry behind what came to it and what it delivered."""
    size, unit = fit(max(*have.capacity, *have.sent, *have.received), RATE_UNITS)
    if have.capacity:
        capacity = [bps / size for bps in have.capacity]
        ax.stairs(capacity, have.edges_s, fill=True, color="#d9d9d9", label="capacity")
    for label, rates, colour in (("sent", have.sent, SENT), ("received", have.received, RECEIVED)):
        ax.stairs([bps / size for bps in rates], have.edges_s, color=colour, label=label, baseline=None)
    from_zero(ax, f"{link}\n({unit})")
    name_above(ax)


def draw_programs(ax: Any, result: Result) -> None:
    """Draw what is delivered of programs, by user and direction or by link."""
    have = {name: delivered(result, packets) for name, packets in result.traffic.programs.items()}
    size, unit = fit(max(bps for rates, _ in have.values() for bps in rates), RATE_UNITS)
    for (name, (rates, edges)), colour in zip(have.items(), BEARERS * 64):
        label = name.removeprefix("programs ")
        ax.stairs([bps / size for bps in rates], edges, color=colour, label=label, baseline=None)
    from_zero(ax, f"programs\n({unit})")
    name_above(ax)


def draw_cwnd(ax: Any, result: Result, flow: str) -> None:
    """Draw a flow's congestion window in segments."""
    t, cwnd = columns(result.series(f"{flow}.cwnd"), 1)
    if t:
        end = result.flows[flow]["end_ns"] / 1e9
        ax.step([*t, max(end, t[-1])], [*cwnd, cwnd[-1]], where="post", color=LINE)
    else:
        say(ax, "no acknowledgment has come")
    from_zero(ax, f"{flow}\ncwnd (segm.)")


def draw_seq(ax: Any, result: Result, flow: str) -> None:
    """Draw when each packet of a flow was sent, received and dropped."""
    mss = result.flows[flow]["mss"] or 1
    kinds: dict[str, Points] = {k: ([], []) for k in ("sent", "received", "dropped", "aqm")}
    packets = result.traffic.over_all(flow)
    fates = [("sent", p.begin, p) for p in packets]
    fates += [("received", p.end, p) for p in packets if p.fate == DELIVERED]
    fates += [("aqm" if p.fate == "aqm" else "dropped", p.end, p) for p in lost(packets)]
    for kind, ns, p in fates:
        kinds[kind][0].append(ns / 1e9)
        # The SYN has taken number 0.
        kinds[kind][1].append((p.seq - 1) / mss)
    style = {
        "sent": {"marker": ".", "color": SENT, "markersize": 3.2},
        "received": {"marker": ".", "color": RECEIVED, "markersize": 2.2},
        "dropped": {"marker": "x", "color": DROPPED, "markersize": 5.5, "markeredgewidth": 1.1},
        "aqm": {"marker": "o", "color": CHOSEN, "markersize": 4.5, "markerfacecolor": "none"},
    }
    if not kinds["aqm"][0]:
        del kinds["aqm"]
    for kind, (t, number) in kinds.items():
        many = f"{'by the AQM' if kind == 'aqm' else kind} ({len(t)})"
        ax.plot(t, number, linestyle="none", label=many, zorder=3, **style[kind])
    from_zero(ax, f"{flow}\npacket number")
    if not kinds["sent"][0]:
        nothing(ax, result, link_of(result.flows[flow]), "packet with payload")
        return
    ax.legend(loc="upper left", frameon=False, markerscale=1.8, handletextpad=0.1, borderpad=0.1)


def draw(result: Result, png: Path) -> None:
    """Draw occupancies, links that play, load, programs, congestion windows, then each flow's packets."""
    tcp = [n for n, f in result.flows.items() if f["kind"] == "tcp"]
    loaded = has_background(result) or any(f["kind"] == "load" for f in result.flows.values())
    others = [n for n, f in result.flows.items() if n not in tcp and f["kind"] != "load"]
    programs = bool(result.traffic.programs)
    links, plays = result.links, [*played(result).items()][:PLAYS_MAX]
    heights = [1.5] * (len(links) + len(plays) + loaded + programs)
    heights += [1.1] * len(tcp) + [2.3] * len(tcp) + [1.5] * len(others)
    size = page.inches(9.0, 1.2 + 0.95 * sum(heights))
    plt, figure, axes = panels(len(heights), 1, size, sharex=True, height_ratios=heights)
    left = iter(axes[:, 0])
    for link in links:
        ax = next(left)
        draw_buffer(ax, result, link)
        mark_rates(ax, result.rates_of(link), result.heads(link))
        ax.set_xlim(0, result.end)
    for link, have in plays:
        ax = next(left)
        draw_played(ax, link, have)
        mark_rates(ax, result.rates_of(link), [])
    if loaded:
        draw_loads(next(left), result)
    if programs:
        draw_programs(next(left), result)
    for name in tcp:
        draw_cwnd(next(left), result, name)
    for name in tcp:
        draw_seq(next(left), result, name)
    for name in others:
        draw_one = draw_trips if result.flows[name]["kind"] == "ping" else draw_delay
        draw_one(next(left), result, name)
    for ax in axes[len(links) + len(plays) :, 0]:
        mark_rates(ax, result.rates(), [])
    axes[0, 0].set_xlim(0, result.end)
    axes[-1, 0].set_xlabel("time (s)")
    figure.suptitle(f"{result.data['name']}, {' and '.join(links)}, seed {result.data['seed']}")
    figure.align_ylabels()
    page.save(plt, figure, png, dpi=110)


def draw_trips(ax: Any, result: Result, flow: str) -> None:
    """Draw the round trip of each ping by time of sending, and mark those that have no answer."""
    have = list(rows(result.series(f"{flow}.rtt"), int, int, int))
    trips = [(sent / 1e9, (answered - sent) / 1e6) for _, sent, answered in have if answered >= 0]
    lost = [sent / 1e9 for _, sent, answered in have if answered < 0]
    dots = {"linestyle": "none", "marker": ".", "markersize": 2.2, "color": RECEIVED}
    ax.plot([t for t, _ in trips], [ms for _, ms in trips], label=f"answered ({len(trips)})", **dots)
    if lost:
        crosses = {"linestyle": "none", "marker": "x", "markersize": 5.5, "color": DROPPED}
        ax.plot(lost, [0.0] * len(lost), label=f"not answered ({len(lost)})", clip_on=False, **crosses)
        name_above(ax)
    if not have:
        say(ax, "no ping was sent")
    from_zero(ax, f"{flow}\nround trip (ms)")


def draw_delay(ax: Any, result: Result, flow: str) -> None:
    """Draw the end-to-end delay of a UDP flow by time of sending."""
    have = list(rows(result.series(f"{flow}.e2e"), int, int, int))
    sent = [r[1] / 1e9 for r in have]
    delay = [(r[2] - r[1]) / 1e6 for r in have]
    ax.plot(sent, delay, linestyle="none", marker=".", markersize=2.2, color=RECEIVED)
    if not have:
        say(ax, "no packet has been received")
    from_zero(ax, f"{flow}\ndelay (ms)")
