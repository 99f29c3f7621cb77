# SPDX-License-Identifier: GPL-2.0
"""Pictures of a channel: a map, and each user's SINR, rate and BLER over time."""

from pathlib import Path
from typing import Any

from ..lib import page
from ..lib.packages import package
from .make import Made, Track
from .radio import Area

INCHES = 1.3
# The BLER changes with each step, so its mean is drawn in so many parts of the time.
MEANS = 120


def draw_map(plt: Any, made: Made, png: Path) -> None:
    """Sites and the ways of users, in metres."""
    area = Area(made.plan)
    figure, axes = plt.subplots(figsize=(7, 7))
    for some, mark, what in ((area.inner, "^", "site"), (area.outer, "v", "interferer")):
        if some:
            axes.plot(*zip(*some), mark, markersize=9, label=what)
    for i, at in enumerate(area.inner):
        axes.annotate(f"cell-{i + 1}", at, textcoords="offset points", xytext=(6, 6), fontsize=8)
    for track in made.tracks:
        if track.path is not None:
            axes.plot(*track.path.T, linewidth=1)
            axes.annotate(track.name, track.path[0], fontsize=7)
    axes.set(aspect="equal", xlabel="m", ylabel="m", title=made.plan.name)
    axes.legend(loc="upper right")
    page.save(plt, figure, png, dpi=120, bbox_inches="tight")


def draw_row(axes: Any, track: Track, made: Made) -> None:
    """SINR, rate and BLER of one."""
    steps, end_s = track.steps, made.plan.duration_ns / 1e9
    at_s = [*(steps.at_ns / 1e9), end_s]
    if steps.sinr_db is not None:
        period_s = made.plan.radio["cqi_period"] / 1e9
        axes[0].plot([i * period_s for i in range(len(steps.sinr_db))], steps.sinr_db, linewidth=0.8)
    axes[1].stairs(steps.rate_bps / 1e6, at_s, linewidth=0.8)
    np = package("numpy", "channel")
    edges_s = np.linspace(0, end_s, MEANS + 1)
    lost_s = np.interp(edges_s, at_s, [0, *np.cumsum(steps.bler * np.diff(at_s))])
    axes[2].stairs(np.diff(lost_s) / np.diff(edges_s), edges_s, linewidth=0.8)
    axes[0].set_ylabel(track.name, fontsize=8)
    for one in axes:
        one.set_xlim(0, end_s)
        for at_ns, _ in track.stays[1:]:
            one.axvline(at_ns / 1e9, color="0.6", linewidth=0.6)


def draw(made: Made, out: Path) -> list[Path]:
    """All of them."""
    package("matplotlib", "plot").use("Agg")
    plt = package("matplotlib.pyplot", "plot")
    pngs = [out / "users.png"]
    rows = len(made.tracks)
    figure, axes = plt.subplots(rows, 3, figsize=(12, INCHES * rows + 1), squeeze=False, sharex=True)
    for row, track in zip(axes, made.tracks):
        draw_row(row, track, made)
    bler = f"mean BLER of {made.plan.duration_ns / 1e9 / MEANS:g} s"
    for one, title in zip(axes[0], ("SINR without fading, dB", "Mbit/s", bler)):
        one.set_title(title, fontsize=9)
    for one in axes[-1]:
        one.set_xlabel("s")
    page.save(plt, figure, pngs[0], dpi=100, bbox_inches="tight")
    if any(track.path is not None for track in made.tracks):
        pngs.append(out / "map.png")
        draw_map(plt, made, pngs[1])
    return pngs
