# SPDX-License-Identifier: GPL-2.0
"""The sleep study inside the VM, as its only job: see run_sleep."""

import json
import subprocess
from pathlib import Path

PAYLOAD = Path("/run/payload")
RESULT = Path("/run/sleep.json")


def main() -> None:
    """Each command line of the plan; the disk of the VM is for the loads."""
    for args in json.loads((PAYLOAD / "plan.json").read_text()):
        done = subprocess.run(
            [PAYLOAD / "wlink-sleep", *args, "--dir", "/var/tmp", "--out", RESULT],
            stdout=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode or not RESULT.exists():
            print(f"# wlink-sleep {' '.join(args)} ended with {done.returncode}", flush=True)
            continue
        print("SLEEP " + json.dumps(json.loads(RESULT.read_text()), separators=(",", ":")), flush=True)
        RESULT.unlink()


if __name__ == "__main__":
    main()
