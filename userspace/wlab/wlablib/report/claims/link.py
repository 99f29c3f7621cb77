# SPDX-License-Identifier: GPL-2.0
"""Claims of the link-layer paper (Xylomenos and Makidis)."""

from ...experiment.words import Value, Values, same
from ..data import Slot, Study, matches
from ..words import cell_text
from .claim import Claim, Evidence, Gap, against, gap, made

PAPER = "link"
THROUGHPUT = tuple(f"figure {n}" for n in range(2, 10))
MEDIA = tuple(f"figure {n}" for n in range(10, 14))
GOODPUT = "goodput_kbit"
DELAY = "media_delay_s"
TWOSTATE_FILE: Values = {"errors": "twostate", "workload": "file", "contention": True}


def loss(slot: Slot) -> float:
    return float(slot.values.get("loss_percent", 0))


def pairs(
    study: Study, found: Evidence, items: tuple[str, ...], a: str, b: str, **wanted: Value
) -> list[tuple[Slot, Slot]]:
    """Cells of protocol a, each with that of protocol b in the same conditions."""
    out = []
    for slot in study.having(PAPER, items, protocol=a, **wanted):
        other = study.partner(slot, {"protocol": b}, items)
        if other is None:
            found.lack(f"protocol {b} with {cell_text(slot.values, ('protocol',))}")
        else:
            out.append((slot, other))
    if not out:
        found.lack(f"cells of {a} and {b}" + (f" with {cell_text(wanted)}" if wanted else ""))
    for item in items if not wanted else ():
        if not study.having(PAPER, [item], protocol=a):
            found.lack(f"{a} in {item}")
    return out


def highest(study: Study, items: tuple[str, ...]) -> float:
    return max((loss(s) for s in study.having(PAPER, items)), default=0.0)


def hard_for_asr(slot: Slot, top: float) -> bool:
    """Where the paper has RLC/AM before ASR."""
    of_interest: Values = {"workload": "file", "errors": "uniform"}
    return matches(slot.values, of_interest) and loss(slot) == top


def asr_fsr(study: Study) -> Claim:
    """Below counts only beyond the interval of the difference."""
    found = Evidence()
    both = pairs(study, found, THROUGHPUT, "asr", "fsr")
    against(found, both, GOODPUT, lambda g: not g.below_surely(), max(1, len(both)))
    tells = f"Below is beyond the interval of the difference at one for {len(both)} comparisons."
    return made("link-asr-fsr", PAPER, "ASR is at or above FSR everywhere", found, tells if both else "")


def asr_rlc(study: Study) -> Claim:
    """By the means."""
    found = Evidence()
    top = highest(study, THROUGHPUT)
    both = pairs(study, found, THROUGHPUT, "asr", "rlc")
    against(found, [p for p in both if not hard_for_asr(p[0], top)], GOODPUT, Gap.above)
    sentence = "ASR is above RLC/AM but for file transfer over uniform links at the highest loss"
    return made("link-asr-rlc", PAPER, sentence, found)


def rlc_best(study: Study) -> Claim:
    """The exception of the claim before."""
    found = Evidence()
    top = highest(study, THROUGHPUT)
    wanted: Values = {"errors": "uniform", "workload": "file", "loss_percent": tidy(top)}
    both = pairs(study, found, THROUGHPUT, "rlc", "asr", **wanted)
    against(found, both, GOODPUT, Gap.above)
    sentence = "RLC/AM is above ASR with file transfer over uniform links at the highest loss"
    return made("link-rlc-best", PAPER, sentence, found)


def tidy(value: float) -> Value:
    """As a cell has it: 5, not 5.0."""
    return int(value) if value.is_integer() else value


def fsr_raw(study: Study) -> Claim:
    """At every loss level, by the means."""
    found = Evidence()
    both = pairs(study, found, THROUGHPUT, "raw", "fsr", **TWOSTATE_FILE)
    against(found, [p for p in both if loss(p[0])], GOODPUT, Gap.above)
    sentence = "FSR collapses below the raw link with file transfer, two-state errors and contention"
    return made("link-fsr-raw", PAPER, sentence, found)


def clean(study: Study, found: Evidence, slot: Slot) -> Slot | None:
    """The raw link without errors: what media would see with neither errors nor a protocol."""
    load = {k: slot.values[k] for k in ("workload", "contention") if k in slot.values}
    have = [s for s in study.having(PAPER, MEDIA, protocol="raw", **load) if not loss(s)]
    alike = [s for s in have if same(s.values.get("errors"), slot.values.get("errors"))]
    for one in (*alike, *have):
        return one
    found.lack(f"the raw link without errors, {cell_text(load)}")
    return None


def beside_clean(study: Study, found: Evidence, protocol: str) -> list[tuple[Slot, Slot]]:
    """Each cell of a protocol with errors, and the clean link."""
    out = []
    for slot in study.having(PAPER, MEDIA, protocol=protocol):
        base = clean(study, found, slot) if loss(slot) else None
        if base:
            out.append((slot, base))
    if not out:
        found.lack(f"media with {protocol}")
    return out


def media_adaptive(study: Study) -> Claim:
    """Against the raw link without errors; a rise counts only beyond its interval."""
    found = Evidence()
    both = [p for protocol in ("asr", "rlc") for p in beside_clean(study, found, protocol)]
    against(found, both, DELAY, lambda g: not g.above_surely(), max(1, len(both)))
    sentence = "ASR and RLC/AM do not raise media delay above that of the raw link without errors"
    return made("link-media-adaptive", PAPER, sentence, found)


def media_fsr(study: Study) -> Claim:
    """Over two-state links, with each workload, at the loss level where it is most."""
    found = Evidence()
    worst: dict[object, tuple[float, Slot, Slot]] = {}
    for slot, base in beside_clean(study, found, "fsr"):
        if slot.values.get("errors") != "twostate":
            continue
        have = gap(slot, base, DELAY)
        if have is None:
            found.lack_pair(DELAY, slot, base)
            continue
        load = slot.values.get("workload")
        if load not in worst or have.mean > worst[load][0]:
            worst[load] = have.mean, slot, base
    for _, slot, base in worst.values():
        against(found, [(slot, base)], DELAY, Gap.above_surely)
    sentence = "FSR raises media delay over two-state links above that of the raw link without errors"
    return made("link-media-fsr", PAPER, sentence, found, found.seen())
