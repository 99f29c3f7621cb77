# SPDX-License-Identifier: GPL-2.0
"""The two directions of a link, by name."""

# Devices of `wlab live`.
DEVICES = {"down": "downlink", "up": "uplink"}


def way_of(name: str) -> str:
    """The direction of a run's link or of a device of `wlab live`; empty where the name has none."""
    last = name.rpartition(".")[2]
    return next((way for way, device in DEVICES.items() if last in (way, device)), "")
