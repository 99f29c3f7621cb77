# SPDX-License-Identifier: GPL-2.0
"""The control page against links of a stock kernel: what it sets tc shows, and what it may not it leaves."""

from functools import partial

from steps import PAYLOAD, a, case

for number, what in enumerate(
    (
        "both directions in one transaction, shown by tc, and undone",
        "its own traffic is never emulated",
        "two pages at once",
        "a refusal of one direction leaves both",
        "a device that vanishes, and what the page leaves behind",
    )
):
    case(f"wlinkctl web: {what}")(partial(a, f"python3 {PAYLOAD}/page_client.py {number}"))
