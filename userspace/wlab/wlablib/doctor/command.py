# SPDX-License-Identifier: GPL-2.0
"""The command: its words, what is looked at in which order, and what is printed."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..lib.beside import NOT_FOUND, Stop, device, options, print_json, show, time_ns
from . import clocks, module, probe, processors, report
from .clocks import LIVE
from .device import CHECKS as OF_DEVICE, add_kernel, ask, from_files
from .link import CHECKS as OF_LINK, Link, place, rows
from .machine import Machine
from .report import NOTE, Finding

# Exit codes of its own: a script asks whether something failed.
FAILED, WRONG = 1, 2
PROBE_NS, PROBE_MIN_NS, PROBE_MAX_NS = 2 * 10**9, 10**8, 600 * 10**9
NAME_SIZE = 16


@dataclass
class Words:
    """What was typed."""

    json: bool
    root: str
    probe_ns: int
    devices: list[str]


def parse(argv: list[str]) -> Words:
    probe = partial(time_ns, "--probe", least_ns=PROBE_MIN_NS, most_ns=PROBE_MAX_NS, code=WRONG)
    takes: dict[str, Callable[[str], Any]] = {"--probe": probe, "--root": folder}
    found, devices = options("doctor", argv, ("--json", "--no-probe"), takes, WRONG)
    if "--probe" in found and "--root" in found:
        raise Stop(WRONG, "--probe measures this machine, --root looks at the files of another")
    # Another root has no clock to measure.
    none = "--no-probe" in found or "--root" in found
    probe_ns = 0 if none else found.get("--probe", PROBE_NS)
    return Words("--json" in found, found.get("--root", ""), probe_ns, devices)


def folder(name: str) -> str:
    try:
        os.scandir(name).close()
    except OSError as error:
        raise Stop(WRONG, f"--root {name}: {error.strerror}") from None
    return name


def find(machine: Machine, name: str) -> None:
    """A device that there is."""
    if len(name.encode()) >= NAME_SIZE or "/" in name:
        raise Stop(NOT_FOUND, f'"{name}" is no name of a device')
    if machine.live:
        device(name)
    elif not machine.number(f"/sys/class/net/{name}/ifindex", 0):
        raise Stop(NOT_FOUND, f'no device "{name}" below {machine.root}')


def of_device(machine: Machine, name: str) -> Iterator[Finding]:
    find(machine, name)
    dev = from_files(machine, name)
    if machine.live:
        add_kernel(dev)
    yield from report.run(OF_DEVICE, dev, dev=name)
    if not machine.live:
        why = "qdiscs and offloads come from a kernel, not from files"
        yield Finding(NOTE, "wlink", name, "unknown: --root looks at files only", why)
        return
    links = show(name)
    tree = rows(ask("tc", "qdisc", "show", "dev", name))
    for shown in links:
        link = Link(shown, show(name, shown["handle"], "bearer", "all"))
        place(link, tree)
        yield from report.run(OF_LINK, machine, dev, link, dev=name)
    if not links:
        why = "without one there is nothing to look at but the device"
        change = f"tc qdisc replace dev {name} root wlink rate RATE delay TIME limit LIMIT"
        yield Finding(NOTE, "wlink", name, f"there is none on {name}", why, change)


def look(machine: Machine, words: Words, findings: list[Finding]) -> int:
    """Return: an exit code; what was found until something went wrong is among the findings, too."""
    code = 0
    try:
        of_machine = module.CHECKS + clocks.CHECKS + processors.CHECKS
        findings += report.run([one for one in of_machine if machine.live or one[0] not in LIVE], machine)
        if words.probe_ns:
            findings += report.run(probe.CHECKS, machine, probe.measure(words.probe_ns))
        every = [] if words.devices or not machine.live else [link["dev"] for link in show()]
        for name in words.devices or dict.fromkeys(every):
            for finding in of_device(machine, name):
                findings.append(finding)
    except Stop as stop:
        code = stop.complain()
    findings += report.run(probe.EXPECTED, machine)
    return code or (FAILED if report.counts(findings)[report.FAIL] else 0)


def print_all(machine: Machine, findings: list[Finding], as_json: bool) -> None:
    counts = report.counts(findings)
    if as_json:
        late = {"lateness": vars(machine.late)} if machine.late else {}
        print_json({"findings": [finding.as_json() for finding in findings]} | counts | late)
    else:
        print("".join(finding.as_text() for finding in findings), end="")
        print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))


def main(argv: list[str]) -> int:
    words = parse(argv)
    machine = Machine(words.root)
    for name in words.devices:
        find(machine, name)
    findings: list[Finding] = []
    code = look(machine, words, findings)
    print_all(machine, findings, words.json)
    return code
