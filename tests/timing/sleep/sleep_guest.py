# SPDX-License-Identifier: GPL-2.0
"""The sleep study inside the VM, as its only job: see run_sleep."""

import json
import subprocess
from pathlib import Path

PAYLOAD = Path("/run/payload")
RESULT = Path("/run/sleep.json")


def main() -> None:
    """Each command line of the plan; the disk of the VM is for the loads."""
    if subprocess.run(["swapon", "/dev/vdc"], check=False).returncode:
        print("# no swap", flush=True)
    for args in json.loads((PAYLOAD / "plan.json").read_text()):
        argv = [str(PAYLOAD / "wlink-sleep"), *args, "--dir", "/var/tmp", "--out", str(RESULT)]
        with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as tool:
            assert tool.stderr
            # Not a terminal, so that it says whole lines.
            for line in tool.stderr:
                print(line, end="", flush=True)
        if tool.returncode or not RESULT.exists():
            print(f"# wlink-sleep {' '.join(args)} ended with {tool.returncode}", flush=True)
            continue
        print("SLEEP " + json.dumps(json.loads(RESULT.read_text()), separators=(",", ":")), flush=True)
        RESULT.unlink()


if __name__ == "__main__":
    main()
