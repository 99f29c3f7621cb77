# SPDX-License-Identifier: GPL-2.0
"""TCP and sparse packets over both directions of a link with a TDD pattern."""

from math import sqrt

from lab import expect, run, sdus

SLOT = 500_000
PATTERN = 5 * SLOT


def check_tdd() -> str:
    """DDDSU: no slot carries both directions, TCP has what the downlink's slots give, and what
    comes now and then waits for a time uniform over the gap.
    """
    wlink = "rate 20mbit tti 500us delay 5ms limit 200 tdd DDDSU tdd_special 10"
    text = (
        f'duration = "30s"\nseed = 7\n[radio]\ndown.wlink = "{wlink}"\n'
        f'up.wlink = "{wlink} tdd_direction uplink"\n'
        '[[flow]]\nname = "bulk"\nkind = "tcp"\n'
        '[[flow]]\nname = "sparse"\nkind = "udp"\nrate = 79937\nsize = 100\ndirection = "up"\n'
    )
    result, folder = run("tdd", text)
    down, up = ([s for s in sdus(folder, link) if s.drop == "none"] for link in ("radio.down", "radio.up"))
    slots = [{s.start // SLOT % 5 for s in way} for way in (down, up)]
    expect(slots == [{0, 1, 2, 3}, {4}], f"slots of the downlink and the uplink: {slots}")
    expect(not any(s.start % SLOT for s in down + up), "a start within a slot")
    # Patterns in the second half, in which TCP has long filled the buffer.
    since = 15_000 * 1_000_000
    until = max(s.end for s in down) // PATTERN * PATTERN
    got = sum(8 * s.bytes for s in down if since < s.end <= until)
    ideal = 20e6 * (3 * SLOT + SLOT * 10 // 14) / PATTERN * (until - since) / 1e9
    expect(abs(got / ideal - 1) < 0.001, f"{got} bit of {ideal:.0f}")
    waits = [s.start - s.arrival for s in up if s.flow == "sparse"]
    mean, error = sum(waits) / len(waits), PATTERN / sqrt(12 * len(waits))
    expect(min(waits) > 0 and max(waits) <= PATTERN, f"waits of {min(waits)}..{max(waits)} ns")
    expect(abs(mean - PATTERN / 2) < 4 * error, f"mean {mean} ns")
    goodput = result["flows"]["bulk"]["goodput_bps"] / 1e6
    found = f"{mean / 1e6:.3f} ms (ideal 1.25 +- {4 * error / 1e6:.3f})"
    return f"TCP has {goodput:.2f} Mbit/s, sparse packets wait {found}"
