#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Inside the lab kernel: run tdc.py on the cases of each file and count."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import refused
import tables

CASE = re.compile(r"^(not )?ok \d+ (\w+) - (.*)$")
# Any other reason means that tdc gave up in the middle of a file.
MEANT_TO_SKIP = "# skipped - Test case designated as skipped."

# Router solicitations would be SDUs that no case counts with.
NO_IPV6 = Path("/proc/sys/net/ipv6/conf/default/disable_ipv6")

CONFIG = """\
EXTRA_NAMES = {names!r}
ENVIR = {environment!r}
"""


class Count:
    """Results so far."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self.skipped = 0

    def case(self, ok: bool, text: str) -> None:
        self.passed += ok
        self.failed += not ok
        print(f"{'ok' if ok else 'FAIL'}   {text}", flush=True)

    def tap(self, text: str) -> None:
        """Count the cases of a file; what follows a failed one is its story."""
        failing = False
        for line in text.splitlines():
            match = CASE.match(line)
            if not match:
                if failing and line.strip():
                    print(f"       {line.strip()}", flush=True)
                continue
            name = f"{match[2]} {match[3]}"
            if name.rstrip().endswith(MEANT_TO_SKIP):
                self.skipped += 1
                print(f"skip   {name}", flush=True)
                continue
            failing = bool(match[1]) or "# skipped" in name
            self.case(not failing, name)


def configure(testing: Path, build: Path, tc: str) -> tuple[dict[str, object], dict[str, str]]:
    """What commands of cases have for names, and their environment."""
    here = Path(__file__).resolve().parent
    names: dict[str, object] = {
        "TC": tc,
        "IP": shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin:/bin"),
        "WLINKCTL": str(build / "bin/wlinkctl"),
        "RAW": str(here / "raw.py"),
        "SEND": str(here / "send.py"),
        "AGAIN": str(here / "again.py"),
        "STORY": str(here / "story.py"),
        "HEARD": str(here / "heard.py"),
        "BROKEN": str(here / "broken.py"),
        "OUT": "/tmp/wlink.out",
        "TIMEOUT": 60,
    }
    environment = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "TC_LIB_DIR": str(build / "tc"),
        "LC_ALL": "C",
    }
    (testing / "tdc_config_local.py").write_text(
        CONFIG.format(names=names, environment=environment), encoding="utf-8"
    )
    return names, environment


def run_tdc(count: Count, testing: Path, tc: str, file: Path, of: list[tables.Case]) -> None:
    cases = testing / "cases.json"
    # Newer ones of tdc.py have another $DUMMY for each case; here refusals share one.
    cases.write_text(json.dumps(of).replace("$DUMMY", refused.DEVICE), encoding="utf-8")
    with tempfile.NamedTemporaryFile("r", suffix=".tap", encoding="utf-8") as tap:
        command = [sys.executable, "tdc.py", "-p", tc, "-f", str(cases), "--outfile", tap.name]
        done = subprocess.run(
            command,
            cwd=testing,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        before = count.passed + count.failed + count.skipped
        count.tap(tap.read())
    if count.passed + count.failed + count.skipped == before:
        count.case(False, f"{file.parent.name}/{file.name}: tdc.py gave no result\n{done.stdout}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--tc", required=True)
    parser.add_argument("files", type=Path, nargs="+")
    args = parser.parse_args()

    if NO_IPV6.exists():
        NO_IPV6.write_text("1", encoding="ascii")
    count = Count()
    with tempfile.TemporaryDirectory() as scratch:
        # /tmp is the guest's own, so the copy in build/ stays as it came.
        testing = Path(scratch) / "tc-testing"
        shutil.copytree(args.build / "tdc/tc-testing", testing)
        names, environment = configure(testing, args.build, args.tc)
        os.environ["TC_LIB_DIR"] = str(args.build / "tc")
        for file in args.files:
            print(f"--     {file.parent.name}/{file.name}", flush=True)
            single, groups = tables.parts(file.resolve())
            single += [case for group in groups for case in group if not refused.is_raw(case)]
            if single:
                run_tdc(count, testing, args.tc, file, single)
            for group in groups:
                if refused.is_raw(group[0]):
                    refused.play(group, names, environment, count.case)
    print(f"{count.passed} passed, {count.failed} failed, {count.skipped} skipped")
    return 1 if count.failed else 0


if __name__ == "__main__":
    sys.exit(main())
