# SPDX-License-Identifier: GPL-2.0
"""The link-layer paper's claims: the cells of its figures with goodputs and delays as its curves lie."""

from itertools import pairwise

from kit import equals, expect
from report_kit import Seeds, change, judged, kept
from wlablib.experiment.words import Values
from wlablib.report import verdict as rules
from wlablib.report.data import Slot, Study
from wlablib.report.order import judge_page, of_item
from wlablib.report.readings import best, judge

GOODPUT, DELAY = "goodput_kbit", "media_delay_s"
FIGURES = [f"figure {n}" for n in range(2, 14)]
# Which part of the link each protocol loses at the highest loss, as the paper's figures and text have it.
LOST = {
    ("file", "uniform"): {"raw": 0.7, "fsr": 0.3, "asr": 0.25, "rlc": 0.3},
    ("file", "twostate"): {"raw": 0.7, "fsr": 0.15, "asr": 0.2, "rlc": 0.5},
    ("web", "uniform"): {"raw": 0.8, "fsr": 0.5, "asr": 0.2, "rlc": 0.7},
    ("web", "twostate"): {"raw": 0.8, "fsr": 0.3, "asr": 0.2, "rlc": 0.7},
}
MEDIA = {"raw": 0.9, "fsr": 1.2, "asr": 1.0, "rlc": 0.95}


def near(mean: float) -> Seeds:
    return [0.9995 * mean, mean, 1.0005 * mean]


def goodput(protocol: str, load: str, errors: str, contention: bool, loss: float) -> float:
    """Of 60 kbit/s; what contention takes it takes from FSR twice."""
    part = LOST[load, errors][protocol] * loss / 9.8
    if (load, errors, protocol) == ("file", "uniform", "rlc"):
        # Below ASR at first, above it at last.
        part = min(part, 0.2)
    if protocol == "rlc" and load == "web" and errors == "uniform" and loss == 9.8:
        part = 0.55
    left = 60 * (1 - part)
    if not contention:
        return left
    if protocol == "fsr":
        # Below the raw link, or nearly as good as it; as RLC/AM; above it.
        raw, rlc = (goodput(p, load, errors, True, loss) for p in ("raw", "rlc"))
        if load == "file":
            return 0.6 * raw if errors == "twostate" else 0.9 * 0.6 * left
        return (1.01 if errors == "twostate" else 1.02) * rlc
    return 0.6 * left


def delay(protocol: str, errors: str, loss: float, slower: bool) -> float:
    """RLC/AM delays more than ASR where it gives more."""
    if not loss:
        return 1.0
    if protocol == "fsr":
        return 1.2 + (0.03 * loss if errors == "twostate" else 0.0)
    return MEDIA[protocol] - (0.1 if slower and protocol == "asr" else 0.0)


def usual() -> Study:
    study = kept()
    for slot in study.having("link", FIGURES):
        values = slot.values
        load, errors = str(values["workload"]), str(values["errors"])
        protocol, contention = str(values["protocol"]), bool(values["contention"])
        loss = float(values["loss_percent"])
        change(slot, GOODPUT, near(goodput(protocol, load, errors, contention, loss)))
        if contention:
            slower = load == "file" and errors == "uniform" and loss == 9.8
            change(slot, DELAY, near(delay(protocol, errors, loss, slower)))
    return study


def pick(study: Study, protocol: str, load: str, errors: str, contention: bool, loss: float) -> Slot:
    (slot,) = study.having(
        "link",
        FIGURES,
        protocol=protocol,
        workload=load,
        errors=errors,
        contention=contention,
        loss_percent=loss,
    )
    return slot


def link(study: Study) -> dict[str, str]:
    return {one.name: one.verdict for one in judge_page(study, study.about("link"))}


def check_link_layer() -> str:
    """As the paper has it all claims hold; each change makes these fail."""
    found = link(usual())
    equals("not as the paper", {n: v for n, v in found.items() if v != rules.HOLDS}, {})
    changes: list[tuple[tuple[str, str, str, bool, float], str, float, str]] = [
        (("asr", "web", "twostate", False, 9.8), GOODPUT, 30, "link-asr-fsr"),
        (("asr", "file", "twostate", False, 9.8), GOODPUT, 56, "link-fsr-asr"),
        (("rlc", "web", "uniform", True, 9.8), GOODPUT, 50, "link-asr-rlc"),
        (("rlc", "file", "uniform", True, 9.8), GOODPUT, 20, "link-rlc-best"),
        (("fsr", "web", "uniform", False, 1.5), GOODPUT, 20, "link-fsr-rlc"),
        (("fsr", "web", "twostate", True, 2.5), GOODPUT, 10, "link-fsr-like-rlc"),
        (("fsr", "web", "twostate", True, 2.5), GOODPUT, 50, "link-fsr-like-rlc"),
        (("rlc", "file", "twostate", False, 9.8), GOODPUT, 55, "link-widens"),
        (("rlc", "web", "twostate", False, 5.4), GOODPUT, 55, "link-rlc-raw"),
        (("rlc", "file", "uniform", False, 9.8), GOODPUT, 20, "link-rlc-bursts"),
        (("rlc", "file", "uniform", False, 9.8), GOODPUT, 10, "link-rlc-bulk"),
        (("raw", "file", "uniform", False, 5.4), GOODPUT, 59, "link-raw"),
        (("fsr", "file", "uniform", True, 2.5), GOODPUT, 25, "link-raw"),
        (("fsr", "file", "twostate", True, 9.8), GOODPUT, 36, "link-fsr-raw"),
        (("fsr", "file", "uniform", True, 2.5), GOODPUT, 59, "link-contention"),
        (("asr", "web", "uniform", True, 1.5), DELAY, 1.2, "link-media-adaptive"),
        (("asr", "web", "uniform", True, 1.5), DELAY, 0.7, "link-media-price"),
        (("rlc", "web", "uniform", True, 1.5), DELAY, 1.5, "link-media-most"),
        (("fsr", "web", "twostate", True, 9.8), DELAY, 0.9, "link-media-fsr"),
    ]
    equals("claims that can fail", {claim for *_, claim in changes}, set(found))
    for cell, metric, value, claim in changes:
        study = usual()
        change(pick(study, *cell), metric, near(value))
        equals(f"{cell}, {metric} {value}", link(study)[claim], rules.FAILS)
    return f"{len(found)} hold; {len(changes)} changes"


def check_link_cannot_be_told() -> str:
    """Seeds that differ by more than the cells do: neither holds nor fails, and the power is on the page."""
    study = usual()
    slot = pick(study, "asr", "web", "twostate", False, 9.8)
    change(slot, GOODPUT, [20.0, 50.0, 74.0])
    claims = judged(study, "link")
    equals("verdict", claims["link-asr-fsr"].verdict, rules.UNTOLD)
    for words in ("1 cannot be told", "A difference of more than 100 % would have been seen in each."):
        expect(words in claims["link-asr-fsr"].figures, claims["link-asr-fsr"].figures)
    # The others have nothing of this cell.
    equals("the rest", claims["link-fsr-raw"].verdict, rules.HOLDS)
    # Equal within 5 % and sure of it: no evidence of its own, and none against it.
    study = usual()
    for protocol in ("asr", "fsr"):
        change(pick(study, protocol, "web", "twostate", False, 9.8), GOODPUT, near(48))
    equals("a tie", link(study)["link-asr-fsr"], rules.HOLDS)
    # Sure, but less than a curve shows; then as sure, and more.
    for bits, verdict in ((48.1, rules.HOLDS), (48.4, rules.FAILS)):
        change(pick(study, "fsr", "web", "twostate", False, 9.8), GOODPUT, near(bits))
        equals(f"{bits} above 48", link(study)["link-asr-fsr"], verdict)
    for one in study.having("link", FIGURES, protocol="asr"):
        other = study.partner(one, {"protocol": "fsr"}, FIGURES)
        change(one, GOODPUT, list(other.by_seed(GOODPUT).values()) if other else [])
    equals("ties alone", link(study)["link-asr-fsr"], rules.FAILS)
    return "a wide one, a tie, ties alone"


def check_the_power_of_each() -> str:
    """Each claim of the kept results says what it would have seen."""
    found = judged(kept())
    equals("no power", [name for name, one in found.items() if "would have been seen" not in one.figures], [])
    return f"{len(found)} claims"


def check_gaps_of_gaps() -> str:
    """Two gaps are compared by their own size, not by that of their cells, of which 2 is 5 %."""
    study = usual()
    for loss, fsr in ((5.4, [38.0, 40.0, 42.0]), (9.8, [42.0, 40.0, 38.0])):
        change(pick(study, "fsr", "web", "uniform", False, loss), GOODPUT, fsr)
        change(pick(study, "rlc", "web", "uniform", False, loss), GOODPUT, near(38))
    (said,) = (s for s in of_item(study, "link", "figure 4") if "nearer to FSR" in s.order.text)
    equals("verdict", said.verdict, rules.UNTOLD)
    expect(
        "A difference of more than 100 % would have been seen" in said.found.figures(), said.found.figures()
    )
    return "a gap of two"


def check_link_cells_missing() -> str:
    study = usual()
    slot = pick(study, "raw", "web", "uniform", True, 0)
    slot.record = None
    claim = judged(study, "link")["link-media-adaptive"]
    equals("without its baseline", claim.verdict, rules.UNJUDGED)
    expect("Missing: link-web-media: workload web" in claim.figures, claim.figures)
    return "a baseline"


def check_link_each_sentence() -> str:
    """Every figure has its sentences, and as the paper has it all hold."""
    study = usual()
    said = [one for item in FIGURES for one in of_item(study, "link", item)]
    equals("fail", [(s.order.item, s.order.text) for s in said if s.verdict != rules.HOLDS], [])
    numbers = [int(s.order.item.split()[1]) for s in said]
    expect(all(b - a <= 1 for a, b in pairwise(numbers)) and numbers[-1] == 13, f"{numbers}")
    return f"{len(said)} sentences"


def check_link_readings() -> str:
    """A reading whose cells are as the paper has it is chosen where the others give all the same."""
    # When the timers of selective repeat start and whether its feedback is traffic, and those of RLC/AM.
    air, over, head, paired = (
        ("air", False),
        ("handover", False),
        ("handover-head", False),
        ("handover", True),
    )
    kinds = {
        "air": (air, air),
        "sr": (over, air),
        "head": (head, air),
        "pair": (paired, air),
        "rlc": (air, over),
        "both": (over, over),
        "both-pair": (paired, paired),
    }
    for name, (sr, rlc) in kinds.items():
        study = kept()
        for slot in (s for s in study.slots if s.record and study.page(s.exp) == "start"):
            values = slot.values
            protocol, contention = str(values["protocol"]), bool(values["contention"])
            cell = protocol, str(values["errors"]), float(values["loss_percent"])
            how = values.get("start"), bool(values.get("pair"))
            right = protocol == "raw" or how == (rlc if protocol == "rlc" else sr)
            bits = goodput(cell[0], "file", cell[1], contention, cell[2]) if right else 30.0
            change(slot, GOODPUT, near(bits))
            if contention:
                slower = cell == (protocol, "uniform", 9.8)
                change(slot, DELAY, near(delay(*cell, slower) if right else 1.0))
        found = judge(study, "start")
        equals(f"chosen for {name}", [one.reading.name for one in best(found)], [name])
        (chosen,) = best(found)
        equals(f"{name} as the paper", [s.order.text for _, s in chosen.said if s.verdict != rules.HOLDS], [])
        equals(
            "figures",
            list(dict.fromkeys(item for item, _ in chosen.said)),
            [f"figure {n}" for n in (2, 3, 6, 10, 7, 11)],
        )
    return f"{len(kinds)}, by {len(chosen.said)} sentences"


def check_link_the_reading_chosen() -> str:
    """Of the kept results: selective repeat is handed over, and what RLC/AM does leaves as many sentences;
    more hold with retransmissions first, fewer with feedback as traffic."""
    found = [one for one in judge(kept(), "start") if one.reading.name in ("air", "sr", "rlc", "both")]
    holds = {one.reading.name: one.counts()[rules.HOLDS] for one in judge(kept(), "start")}
    equals("chosen", [one.reading.name for one in best(found)], ["sr", "both"])
    expect(holds["sr"] > holds["air"] and holds["both"] > holds["rlc"], f"{holds}")
    expect(holds["head"] > holds["sr"] > holds["both-pair"] > holds["pair"], f"{holds}")
    return f"{holds}"


def check_link_what_the_paper_is_silent_on() -> str:
    """What is tried where the paper is silent changes each run, but for the form of a status report."""
    runs: dict[str, list[Slot]] = {}
    study = kept()
    named = [s for s in study.having("start", ["silent"]) if s.record]
    for slot in [*named, *study.having("start", ["readings with uniform errors"], loss_percent=2.5)]:
        runs.setdefault(slot.record["event_sha256"]["1"] if slot.record else "", []).append(slot)
    twice = [[s.values for s in same] for same in runs.values() if len({s.id for s in same}) > 1]
    equals("kinds", len(twice), 1)
    plain, form = sorted(twice[0], key=len)
    wanted: Values = {**plain, "status": "list"}
    equals("but for the form", form, wanted)
    return f"{len(named)} cells"
