# SPDX-License-Identifier: GPL-2.0
"""What happens to packets behind the receiver, as the kernel's TCP and UDP see it."""

from math import sqrt

from lab import events, expect, run, sdus, wlab

MS = 1_000_000
COPY, CORRUPT = 2, 1
BULK = '[[flow]]\nname = "bulk"\nkind = "tcp"\n'
STEADY = '[[flow]]\nname = "steady"\nkind = "udp"\nrate = 80000\nsize = 200\n'


def link(words: str, flows: str) -> str:
    return (
        f'duration = "60s"\nseed = 5\n[radio]\ndown.wlink = "rate 5mbit delay 20ms {words}"\n'
        f'up.wlink = "rate 5mbit delay 20ms"\n{flows}'
    )


def check_errors_are_refused_by_checksums() -> str:
    """What has an error is refused by its checksum: TCP sends it again, UDP does not get it."""
    result, folder = run("corrupted", link("corrupt 2%", BULK + STEADY))
    tcp, udp = result["flows"]["bulk"], result["flows"]["steady"]
    marked = {int(w[4]) for w in events(folder, "impaired") if int(w[6]) & CORRUPT}
    x = result["links"]["radio.down"]["xstats"]
    expect(abs(x["sdus_corrupted"] - len(marked)) <= 1, f"{x['sdus_corrupted']} counted, {len(marked)} told")
    done = [s for s in sdus(folder) if s.drop == "none"]
    mean = len(done) * 0.02
    expect(abs(len(marked) - mean) < 4 * sqrt(mean), f"{len(marked)} errors, not {mean}")
    hit = {flow: sum(s.flow == flow and s.seq in marked for s in done) for flow in ("bulk", "steady")}
    # What is hit in the bytes that carry an address or a port goes astray; nobody gets it, either.
    sent = sum(s.flow == "steady" for s in done)
    expect(udp["packets"] == sent - hit["steady"], f"{udp['packets']} of {sent}, {hit['steady']} with errors")
    again = tcp["retransmissions"]
    expect(again >= hit["bulk"] > 0, f"{again} sent again for {hit['bulk']}")
    return f"{hit['bulk']} errors, {again} TCP segments again; {hit['steady']} UDP packets less"


def check_jitter_in_order_or_not() -> str:
    """Jitter alone reorders nothing; with reorder TCP hears of segments that came early."""
    words = "jitter 10ms jitter_dist uniform jitter_dev 5ms"
    order, folder = run("in-order", link(words, BULK))
    came = [s.deliver for s in sdus(folder) if s.drop == "none"]
    seqs = [s.seq for s in sdus(folder) if s.drop == "none"]
    expect(came == sorted(came) and seqs == sorted(seqs), "in order, but not as they arrived")
    again, folder = run("overtaking", link(words + " jitter_reorder on", BULK))
    seqs = [s.seq for s in sdus(folder) if s.drop == "none"]
    early = sum(b < a for a, b in zip(seqs, seqs[1:]))
    late = [int(w[5]) / MS for w in events(folder, "impaired")]
    expect(10 - 5 * sqrt(3) - 0.001 < min(late) and max(late) < 10 + 5 * sqrt(3) + 0.001, f"{max(late)} ms")
    mean, error = sum(late) / len(late), 5 / sqrt(len(late))
    expect(abs(mean - 10) < 4 * error, f"jitter of {mean} ms")
    # Duplicate acknowledgements make TCP send again what was only late.
    sent = order["flows"]["bulk"]["retransmissions"], again["flows"]["bulk"]["retransmissions"]
    expect(early > len(seqs) / 10 and sent[1] > sent[0], f"{early} early, {sent} sent again")
    expect("jitter" in wlab("why", str(folder)).out, "why does not say it")
    return f"{early} of {len(seqs)} overtaken, {sent[1]} sent again (in order {sent[0]})"


def check_copies() -> str:
    """A copy is a packet of its own to who gets it, and is counted as one."""
    result, folder = run("twice", link("duplicate 10%", STEADY))
    udp, x = result["flows"]["steady"], result["links"]["radio.down"]["xstats"]
    copies = sum(int(w[6]) & COPY != 0 for w in events(folder, "impaired"))
    done = sum(s.drop == "none" for s in sdus(folder))
    expect(x["sdus_duplicated"] == copies > 0, f"{x['sdus_duplicated']} counted, {copies} told")
    expect(abs(copies - 0.1 * (done - copies)) < 4 * sqrt(0.09 * done), f"{copies} copies of {done}")
    expect(udp["packets"] == done > udp["packets_sent"], f"{udp['packets']} received of {done}")
    return f"{copies} copies beside {udp['packets_sent']} packets, all received"
