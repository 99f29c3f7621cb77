#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Whether the tests would see a fault: small ones of kernel/core, one at a time.

run.py OUT [LIST]... (make -C tests/unit mutants LISTS="LIST...") reads LIST.toml beside it, `all` is
every list; without one it takes each tenth fault of those for make check. A list has files of the core,
the tests that see them first, and faults: a text that stands once in the file, what it becomes,
and for one that survives a sentence that shows that it changes nothing, or "unseen". Each fault is
compiled, that of a header with all that include it, and linked with what the Makefile has built in
OUT/fast, and those tests are run, then the scripts, then all. It is found when one fails, ends badly
or does not end. One verdict a list.
"""

import concurrent.futures
import dataclasses
import hashlib
import os
import resource
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CORE = ROOT / "kernel/core"
# Behind a fault that has an effect, and survives.
UNSEEN = "unseen"
VERDICTS = {True: "survives", False: "is found, though the list says no", None: "does not compile"}
# make check has time for each so-manieth.
EACH = 10
# Random stories that are played for each fault, and links or bearers that an oracle works out.
STORIES = "20"
DRAWN = "100"
# What stands among the tests and is a program of its own: the scripts, and oracles.
PROGRAMS = {"script": "", "emit_mac": "mac.py", "emit_rlc": "rlc.py"}
# What ends within so many times its processor time without a fault, hangs not.
TIMES_PATIENT = 20
BYTES_MAX = 4 << 30


@dataclasses.dataclass
class Fault:
    """A change of one file."""

    path: str
    text: str
    into: str
    survives: str
    tests: list[str]

    def __str__(self) -> str:
        return f"{self.path}: {self.text!r} -> {self.into!r}"


class Stale(Exception):
    """A list that does not fit the sources."""


def read_list(name: str) -> tuple[bool, list[Fault]]:
    """Return: whether it is for make check, and its faults."""
    path = HERE / f"{name}.toml"
    table: dict[str, Any] = tomllib.loads(path.read_text())
    faults = []
    for file in table["file"]:
        source = (CORE / file["path"]).read_text()
        for text, into, *why in file["faults"]:
            if source.count(text) != 1 or text == into:
                raise Stale(f"{path.name} is stale at {file['path']}: {text!r} stands there "
                            f"{source.count(text)} times")
            faults.append(Fault(file["path"], text, into, "".join(why), file["tests"]))
    return table["check"], faults


def seconds_used() -> float:
    """Return: processor time of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Bench:
    """What the Makefile has built, and how."""

    def __init__(self, out: Path) -> None:
        self.fast = out.resolve() / "fast"
        self.compiler = (self.fast / "compile").read_text().split()
        self.limits: dict[tuple[str, ...], int] = {}

    def argv(self, where: Path, tests: tuple[str, ...]) -> list[str]:
        """Return: how these tests are run; without one all are."""
        if tests == ("script",):
            return [str(where / "script"),
                    *map(str, sorted((HERE.parent / "scripts").glob("*/*.txt")))]
        if tests and tests[0] in PROGRAMS:
            oracle = HERE.parent / "oracle" / PROGRAMS[tests[0]]
            return ["/bin/bash", "-o", "pipefail", "-c", '"$0" 1 "$1" | /usr/bin/python3 "$2" /dev/stdin',
                    str(where / tests[0]), DRAWN, str(oracle)]
        return [str(where / "unit"), STORIES, *tests]

    def runs(self, fault: Fault) -> list[tuple[str, ...]]:
        """Return: groups of tests, in their order."""
        groups = []
        here: list[str] = []
        for test in fault.tests:
            if test in PROGRAMS:
                groups += [tuple(here), (test,)] if here else [(test,)]
                here = []
            else:
                here.append(test)
        if here:
            groups.append(tuple(here))
        return groups + [group for group in (("script",), ()) if group not in groups]

    def learn(self, group: tuple[str, ...]) -> None:
        """How long these tests take without a fault, which they must pass."""
        if group in self.limits:
            return
        began = seconds_used()
        done = subprocess.run(self.argv(self.fast, group), stdout=subprocess.PIPE, check=False)
        if done.returncode:
            raise Stale(f"{' '.join(group) or 'all'}: status {done.returncode} without a fault")
        self.limits[group] = 2 + round(TIMES_PATIENT * (seconds_used() - began))

    def passes(self, where: Path, group: tuple[str, ...]) -> bool:
        """Return: whether these tests see nothing."""
        limit = self.limits[group]

        def bound() -> None:
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
            resource.setrlimit(resource.RLIMIT_AS, (BYTES_MAX, BYTES_MAX))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        with subprocess.Popen(self.argv(where, group), stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, preexec_fn=bound) as process:
            assert process.stdout
            for line in process.stdout:
                if line.startswith(b"not ok"):
                    process.kill()
                    return False
        return process.returncode == 0

    def users(self, path: str) -> list[str]:
        """Return: what a file of the core is compiled with: itself, or all that include it."""
        if path.endswith(".c"):
            return [path]
        users = []
        for rule in sorted(self.fast.glob("core/**/*.d")):
            if any(os.path.normpath(word).endswith(f"/core/{path}") for word in rule.read_text().split()):
                users.append(str(rule.relative_to(self.fast / "core").with_suffix(".c")))
        return users

    def build(self, where: Path, fault: Fault) -> dict[str, str]:
        """Compile what has a fault in it. Return: objects, by those in whose place they are, or none."""
        core = where / "core"
        shutil.copytree(CORE, core, dirs_exist_ok=True)
        mutant = core / fault.path
        mutant.write_text(mutant.read_text().replace(fault.text, fault.into))
        objects = {}
        for path in self.users(fault.path):
            own = path.removesuffix(".c") + ".o"
            if subprocess.call([*self.compiler, "-w", "-c", str(core / path), "-o", str(core / own)]):
                return {}
            objects[str(self.fast / "core" / own)] = str(core / own)
        return objects

    def link(self, program: str, where: Path, objects: dict[str, str]) -> None:
        """A program with some objects in others' places."""
        command = (self.fast / f"{program}.link").read_text().split()
        assert objects.keys() <= set(command)
        command = [objects.get(word, word) for word in command]
        subprocess.run([*command, "-o", str(where / program)], check=True)

    def survives(self, fault: Fault) -> bool | None:
        """Return: whether nothing sees it, or None of what does not compile."""
        # A name of its own that stays, for the compiler's cache.
        where = self.fast / hashlib.sha256(str(fault).encode()).hexdigest()[:16]
        try:
            objects = self.build(where, fault)
            if not objects:
                return None
            for group in self.runs(fault):
                program = group[0] if group and group[0] in PROGRAMS else "unit"
                if not (where / program).exists():
                    self.link(program, where, objects)
                if not self.passes(where, group):
                    return False
        finally:
            shutil.rmtree(where)
        return True


def judge(bench: Bench, name: str, faults: list[Fault]) -> bool:
    """Print the verdict of a list. Return: whether it is good."""
    unseen = sum(fault.survives == UNSEEN for fault in faults)
    for fault in faults:
        for group in bench.runs(fault):
            bench.learn(group)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        survive = list(pool.map(bench.survives, faults))
    good = True
    for fault, alive in zip(faults, survive, strict=True):
        if alive is not bool(fault.survives):
            print(f"# {fault} {VERDICTS[alive]}")
            good = False
    print(f"{'ok' if good else 'not ok'} 0 - mutants of {name}: {len(faults)} faults, "
          f"{survive.count(False)} found, {survive.count(True)} survive, of which "
          f"{unseen} are known to have an effect", flush=True)
    return good


def main(argv: list[str]) -> int:
    """Return: 0, or 1 when a fault survives or a list is stale."""
    every = sorted(path.stem for path in HERE.glob("*.toml"))
    names = every if argv[1:] in ([], ["all"]) else argv[1:]
    good = True
    bench = Bench(Path(argv[0]))
    for name in names:
        try:
            in_check, faults = read_list(name)
            if argv[1:]:
                good = judge(bench, name, faults) and good
            elif in_check:
                # What survives is played to all tests, which takes long.
                found = [one for one in faults if not one.survives]
                good = judge(bench, name, found[::EACH]) and good
        except Stale as stale:
            print(f"not ok 0 - mutants of {name}: {stale}", flush=True)
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
