# SPDX-License-Identifier: GPL-2.0
"""`wlinkctl check` and tc judge alike: one table of lines, each asked both."""

import json
from pathlib import Path

from lab import HERE, OUT, call, expect, wlab

PROFILE = OUT / "grammar.profile"

TWOSTATE = "mean_good 1s mean_bad 100ms ber_good 1e-6"
AM = "rate 384kbit tti 10ms mode am pdu 40"

# Links; a class is one of the link before it.
GOOD = f"""
qdisc rate 1mbit
qdisc rate 384Kbit
qdisc rate 0
qdisc rate 1
qdisc rate 100gbit
qdisc rate unlimited
qdisc rate 1.5mbit tti 10ms delay 25ms pdu 40 limit 40
qdisc rate 64kbps
qdisc rate 1mbit limit 100kib
qdisc rate 1mbit limit 250ms
qdisc rate 1mbit limit 1000000
qdisc rate 1mbit tti 0
qdisc rate 1mbit tti 1us
qdisc rate 1mbit pdu 65000 header 535
qdisc rate 1mbit seed 0xFF
qdisc rate 1mbit seed 18446744073709551615
qdisc rate 1mbit sched prio prio 255
class prio 3
class rate 64kbit delay 1s limit 5
class mode am pdu 40 window 512 rev_delay 30ms rev_channel uniform rev_loss 1%
class channel gilbert p 1% r 0.5
class aqm codel target 5ms ecn on
qdisc rate 1mbit tti 1ms sched pf
qdisc rate 1mbit channel none
qdisc rate 1mbit channel uniform loss 1%
qdisc rate 1mbit channel uniform loss 1
qdisc rate 1mbit channel gilbert p .008 r 7.3%
qdisc rate 1mbit channel gilbert p 0.1 r 0.2 loss_good 0.01 loss_bad 0.5
qdisc rate 1mbit channel twostate {TWOSTATE} ber_bad 1%
qdisc rate 1mbit channel twostate {TWOSTATE} ber_bad 1e-2
qdisc rate 1mbit channel rayleigh fer 10% fdt 0.01
qdisc {AM}
qdisc {AM} window 4095 poll_window off poll_timer off discard reset maxdat 255
qdisc {AM} status list poll_pdu 4096 status_prohibit 1ms mrw_timer 3600s
qdisc {AM} rev_rate 64kbit rev_delay same rev_channel gilbert rev_p 0.1 rev_r 0.2
qdisc rate 1mbit mode um pdu 60 reorder 64 reorder_timer 100ms duplicates on
qdisc rate 1mbit mode asr pdu 250 window 2048 alpha 3.125 beta 0 rttvar signed nack_guard auto
qdisc rate 1mbit mode fsr pdu 250 rto 1.1s ack_delay 0 ack_bytes 8
qdisc rate 1mbit discard_timer 100ms
qdisc {AM} start handover queue 50
qdisc rate 1mbit jitter 20ms jitter_dist lognormal jitter_dev 9ms jitter_reorder on
qdisc rate 1mbit duplicate 1% corrupt 1% corrupt_unit byte
qdisc preset umts-384
class preset umts-64
class mode um
qdisc preset umts-384 rate 128kbit channel none limit 20
qdisc rate 64kbit preset gprs
qdisc preset shared-64 mode am pdu 40
qdisc rate 1mbit limit 40 aqm red minth 5 maxp 0.1 gentle on weight 0.002
qdisc rate 1mbit limit 40 aqm sbd minth 20 tr 200ms alpha 5 maxth limit
qdisc rate 1mbit limit 40 aqm sbd minth 20 tr 200ms hold off clamp on
qdisc rate 1mbit limit 64kb aqm red minth 5kb maxth 15kb maxp 10% sdu 1000
qdisc rate 1mbit aqm codel target 5ms interval 100ms
qdisc rate 1mbit aqm droptail ramp_from 100ms ramp_to 300ms
qdisc rate 1mbit aqm codel ramp_from off
qdisc rate 1mbit limit 40 profile sbd-3g
class limit 50
class aqm red minth 5 maxp 0.1
class profile none
qdisc rate 1mbit profile none
qdisc rate 1mbit profile {PROFILE}
qdisc rate 1mbit mode asr pdu 250 alpha 2 limit 40 aqm sbd minth 20 tr 200ms alpha 4
qdisc rate 1mbit at next
qdisc rate 1mbit at now
qdisc rate 1mbit tti 10ms
class
"""

BAD = f"""
class rate unlimited
class tti 1ms
class seed 5
class sched rr
class rate 101gbit
class limit 0
class channel gilbert p 0.1
class at next
class mode am pdu 40 reorder 5
qdisc tti 1ms
qdisc limit 40
qdisc rate
qdisc rate 384kbitt
qdisc rate 101gbit
qdisc rate -1
qdisc rate 1.0000000001mbit
qdisc rate 1mbit rate 2mbit
qdisc rate 1mbit ttl 1ms
qdisc rate 1mbit at later
qdisc rate 1mbit tti 5
qdisc rate 1mbit tti 999ns
qdisc rate 1mbit tti 11s
qdisc rate 1mbit delay 31000000s
qdisc rate 1mbit pdu 65536
qdisc rate 1mbit pdu 65500 header 40
qdisc rate 1mbit header 1025
qdisc rate 1mbit limit 0
qdisc rate 1mbit limit 1000001
qdisc rate 1mbit limit 2000mib
qdisc rate 100gbit limit 1s
qdisc rate 1mbit limit many
qdisc rate 1mbit seed -1
qdisc rate 1mbit seed 18446744073709551616
qdisc rate 1mbit prio 256
qdisc rate 1mbit sched pf
qdisc rate unlimited tti 1ms
qdisc rate unlimited mode am
qdisc rate unlimited limit 100ms
qdisc rate unlimited aqm codel
qdisc rate unlimited profile sbd-3g
qdisc rate 1mbit channel link
qdisc rate 1mbit channel gilbrt
qdisc rate 1mbit channel gilbert p 0.1
qdisc rate 1mbit channel gilbert p 2 r 1
qdisc rate 1mbit channel uniform
qdisc rate 1mbit channel uniform p 0.1
qdisc rate 1mbit channel uniform los 1%
qdisc rate 1mbit channel twostate {TWOSTATE}
qdisc rate 1mbit channel twostate {TWOSTATE} ber_bad 2
qdisc rate unlimited channel twostate {TWOSTATE} ber_bad 1e-2
qdisc rate 1mbit channel rayleigh fer 10%
qdisc rate 1mbit channel rayleigh fer 100% fdt 0.01
qdisc rate 1mbit p 0.1
qdisc rate 1mbit loss 1%
qdisc rate 1mbit jitter 10ms jitter_dist gamma
qdisc rate 1mbit delay 100ms 10ms
qdisc rate 1mbit reorder 25%
qdisc rate 1mbit duplicate 101%
qdisc rate 1mbit mode um pdu 60 start handover
qdisc rate 1mbit window 512
qdisc {AM} window 4096
qdisc {AM} poll_timer 0
qdisc {AM} poll_timer 10us
qdisc {AM} poll_window 101%
qdisc {AM} maxdat 256
qdisc {AM} mrw_timer off
qdisc {AM} rto 1s
qdisc {AM} rev_rate 0
qdisc {AM} rev_p 0.1
qdisc {AM} rev_channel gilbert rev_p 0.1
qdisc rate 1mbit mode amm
qdisc rate 1mbit mode am pdu 1
qdisc rate 1mbit mode um reorder 65
qdisc rate 1mbit mode tm maxdat 3
qdisc rate 1mbit mode asr pdu 250 window 2049
qdisc rate 1mbit mode asr pdu 250 alpha 17
qdisc rate 1mbit mode asr pdu 250 ack_bytes 0
qdisc rate 1mbit rev_delay 1ms
qdisc rate 100gbit mode am pdu 40 delay 3600s
qdisc preset umts-385
qdisc preset umts-384 preset gprs
qdisc preset umts-384 mode um window 5
qdisc rate 1mbit aqm sbb
qdisc rate 1mbit aqm red minth 5
qdisc rate 1mbit aqm red minth 20 maxth 10 maxp 0.1
qdisc rate 1mbit limit 40 aqm red minth 40 maxp 0.1
qdisc rate 1mbit aqm red minth 5 maxth 15kb maxp 0.1
qdisc rate 1mbit aqm sbd minth 20
qdisc rate 1mbit aqm droptail ecn on
qdisc rate 1mbit aqm codel ramp_from 100ms
qdisc rate 1mbit aqm codel ramp_from 300ms ramp_to 100ms
qdisc rate 1mbit minth 5
qdisc rate 1mbit profile sbd-4g
qdisc rate 1mbit limit 10 profile sbd-3g
qdisc rate 1mbit profile sbd-3g aqm codel
qdisc rate 1mbit profile {OUT}/none
"""


def lines() -> list[tuple[str, bool]]:
    """Each with whether it is good."""
    return [(line, some is GOOD) for some in (GOOD, BAD) for line in some.split("\n") if line]


def checked(text: str) -> list[dict[str, str]]:
    """What wlinkctl says of them: what would be shown, or what is wrong."""
    program = str(Path(json.loads(wlab("build", "--json").out)["tools"]) / "wlinkctl")
    answers = call([program, "--json", "check", "-"], input=text).stdout
    shown = iter(call([program, "check", "-"], input=text).stdout.splitlines())
    return [a if "error" in a else {"shown": next(shown)} for a in map(json.loads, answers.splitlines())]


def differ(good: bool, said: dict[str, str], tc: dict[str, str]) -> bool:
    """Good lines are shown alike, and bad ones refused by one sentence."""
    if good:
        return "shown" not in tc or said.get("shown", "").split() != tc["shown"].split()
    return "error" not in tc or said.get("error", "nothing") not in tc["error"]


def check_wlinkctl_check_and_tc_judge_alike() -> str:
    OUT.mkdir(parents=True, exist_ok=True)
    PROFILE.write_text("64kbit red minth 5 maxp 0.3\n1mbit sbd minth 20 tr 200ms\n")
    asked = lines()
    text = "".join(f"{line}\n" for line, _ in asked)
    (OUT / "grammar.lines").write_text(text)
    guest = f"python3 {HERE}/link/grammar_guest.py <{OUT}/grammar.lines"
    called = wlab("exec", "--", "sh", "-c", guest)
    expect(called.status == 0, called.err)
    answers = [json.loads(line) for line in called.out.splitlines()]
    said = checked(text)
    expect(len(answers) == len(said) == len(asked) > 60, f"{len(answers)} and {len(said)} answers")
    wrong = [
        f"{line}\n  is {'good' if good else 'bad'}; wlinkctl: {ours}; tc: {theirs}"
        for (line, good), ours, theirs in zip(asked, said, answers)
        if differ(good, ours, theirs)
    ]
    expect(not wrong, "\n".join(wrong))
    return f"{len(asked)} lines, {sum(good for _, good in asked)} of them good"
