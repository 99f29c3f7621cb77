# SPDX-License-Identifier: GPL-2.0
"""The scenarios that `wlab channel` makes of a file of an experiment, one for each seed."""

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..lib import toml
from ..lib.faults import within
from ..lib.files import read_bytes
from ..lib.paths import BUILD, PACKAGE
from ..lib.progress import Progress
from ..lib.scratch import scratch

MADE = BUILD / "channels"


def folder_of(channel: Path) -> Path:
    """Where what is made of a file is kept, as long as it, what it reads and what makes it stay."""
    users = toml.load(channel).get("user", {}).values()
    read = [channel.parent / one["file"] for one in users if "file" in one]
    parts = [channel, *read, *sorted((PACKAGE / "channel").glob("*.py"))]
    digest = sha256(b"".join(sha256(read_bytes(path)).digest() for path in parts)).hexdigest()
    return MADE / f"{channel.stem}-{digest[:12]}"


def scenario(channel: Path, seed: int) -> dict[str, Any]:
    """The scenario of a seed, whose flows and seed the experiment has; its files are in folder_of()."""
    # They need numpy, which other experiments do without.
    from ..channel import make, plan

    where = folder_of(channel) / str(seed)
    if not where.exists():
        raw = {**toml.load(channel), "seed": seed}
        progress = Progress(f"the channel of {channel.stem}, seed {seed}")
        with within(f"{channel}: "):
            made = make.make(plan.read(raw, channel.parent), lambda i, n: progress.tick(f"user {i} of {n}"))
        where.parent.mkdir(parents=True, exist_ok=True)
        with scratch(str(where.parent)) as fresh:
            make.write(made, fresh / "made", force=False)
            # Another process may have made the same meanwhile.
            with suppress(OSError):
                (fresh / "made").rename(where)
        progress.done(f"{len(made.tracks)} users")
    whole: dict[str, Any] = toml.load(where / "scenario.toml")
    del whole["flow"], whole["seed"]
    for cell in whole["cell"].values():
        cell["traces"] = {user: f"{seed}/{name}" for user, name in cell["traces"].items()}
    for at in whole.get("at", []):
        at["trace"] = f"{seed}/{at['trace']}"
    return whole
