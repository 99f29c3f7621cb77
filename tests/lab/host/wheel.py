# SPDX-License-Identifier: GPL-2.0
"""The wheel in a root that has Python and nothing else: no compiler, no ip, no tc, no user but one."""

import json
import os
import resource
import shutil
from functools import cache
from pathlib import Path

from brief import brief
from lab import OUT, ROOT, Called, Skipped, call, conserved, container_program, expect, linux, run, write

BARE = ROOT / "build" / "vm" / "bare"
# $1: the root; $2: what to run in it; $3: what else the machine lacks; $4: what to run it by.
INSIDE = """mount --bind /proc "$1/proc" && mount --bind /dev "$1/dev" || exit
mount -t tmpfs none "$1/dev/shm" && mount -t tmpfs -o mode=1777 none "$1/tmp" || exit
mkdir -m 777 "$1/tmp/home" && cp "$5" "$1/tmp/wheel.toml" && eval "$3" || exit
exec $4 chroot --userspec=1000:1000 "$1" env -i PATH=/usr/bin:/bin HOME=/tmp/home \\
	PYTHONPATH=/opt/wlink:/opt/matplotlib sh -c "cd /tmp && $2"
"""
# With other qdiscs, filters and wlinkctl: each of these programs looks for other files.
TEXT = brief("""duration = "2s"
[radio.down] wlink = "rate 384kbit tti 10ms delay 25ms limit 40"
[radio.up] netem = "delay 25ms limit 40"
[[at]] time = "500ms"; run = "wlinkctl set {down} rate 192kbit"
[[at]] time = "600ms"; run = "tc class add dev {down} parent 1: classid 1:2 wlink mode um"
[[at]] time = "600ms"
run = "tc filter add dev {down} parent 1: protocol ip flower ip_proto tcp classid 1:2"
[[flow]] name = "file"; kind = "tcp"
""")
WLAB = "python3 -m wlablib.cli.main"
FIRST_PICTURE_S = 60


def checked(argv: list[str]) -> str:
    done = call(argv)
    expect(done.returncode == 0, f"{' '.join(argv)}:\n{done.stdout}{done.stderr}")
    return done.stdout


@cache
def wheel() -> str:
    """That of these sources."""
    return checked([str(ROOT / "userspace" / "wheel")]).split()[-1]


def pip(*words: str) -> list[str]:
    return ["/usr/bin/python3", "-m", "pip", "install", "-q", "--no-deps", "--no-index", *words, wheel()]


def installed(target: Path) -> Path:
    """What pip makes of the wheel."""
    shutil.rmtree(target, ignore_errors=True)
    checked(pip("--target", str(target)))
    return target


@cache
def root() -> Path:
    """The root, with the wheel in it."""
    if os.getuid() or not shutil.which("mmdebstrap"):
        raise Skipped("a root needs root and mmdebstrap; type: userspace/need vm")
    if call(["unshare", "-m", "true"]).returncode:
        raise Skipped("no mount namespace to prepare a root in")
    if not (BARE / "usr").is_dir():
        fresh = BARE.with_name("bare.new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.parent.mkdir(parents=True, exist_ok=True)
        suite = Path("/etc/os-release").read_text().partition("VERSION_CODENAME=")[2].split()[0]
        checked(["mmdebstrap", "-q", "--variant=minbase", "--include=python3", suite, str(fresh)])
        fresh.rename(BARE)
    installed(BARE / "opt" / "wlink")
    return BARE


def inside(script: str, lacks: str = "true", by: str = "") -> Called:
    """Run it in the root as an ordinary user, in /tmp, which has wheel.toml."""
    words = [str(root()), script, lacks, by, str(write("wheel", TEXT))]
    done = call(["unshare", "-m", "sh", "-c", INSIDE, "sh", *words])
    return Called(done.returncode, done.stdout, done.stderr)


def out_of(script: str) -> str:
    done = inside(script)
    expect(done.status == 0, f"{script}:\n{done.out}{done.err}")
    return done.out


def check_runs() -> str:
    """By the wheel's kernel, tc and programs: the same to the bit as from the tree."""
    ours, _ = run("wheel", TEXT)
    theirs = json.loads(out_of(f"{WLAB} run wheel.toml --out wheel --json"))
    expect(theirs["versions"]["tc"] != ours["versions"]["tc"], f"its tc: {theirs['versions']}")
    conserved(theirs)
    for key in ("event_sha256", "scenario_sha256", "flows"):
        expect(ours[key] == theirs[key], f"{key} is not that of a run from the tree")
    return str(theirs["event_sha256"])[:16]


def check_demo() -> str:
    """The first picture within a minute of the processor's time, pip's part included."""
    plots = root() / "opt" / "matplotlib"
    if not (plots / "matplotlib").is_dir():
        argv = ["/usr/bin/python3", "-m", "pip", "install", "-q", "--target", f"{plots}.new", "matplotlib"]
        if call(argv).returncode:
            raise Skipped("pip has no matplotlib here")
        shutil.rmtree(plots, ignore_errors=True)
        Path(f"{plots}.new").rename(plots)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    installed(OUT / "installed")
    out_of(f"{WLAB} demo --out demo && test -s demo/report.html")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    expect(took < FIRST_PICTURE_S, f"it takes {took:.0f} s")
    return f"{took:.0f} s"


def check_imports() -> str:
    """The module, and what a run by it gives."""
    code = "import wlab; print(wlab.__file__, wlab.run(wlab.load('wheel.toml'), out='own').hash)"
    file, digest = out_of(f'python3 -c \\"{code}\\"'.replace("\\", "")).split()
    expect(file.startswith("/opt/wlink/"), f"it is {file}")
    expect(digest == run("wheel", TEXT)[0]["event_sha256"], "the events are others")
    return digest[:16]


def check_contents() -> str:
    """What GPL-2.0 wants beside the programs; the Python that it needs, of which pip is told."""
    folder = installed(OUT / "installed")
    at = folder / "wlablib"
    told = (at / "built" / "SOURCE").read_text()
    for name in ("linux ", "iproute2 ", "libmnl "):
        expect(name in told, f"SOURCE has no {name}")
    for part in ("COPYING", "userspace/wlab/lab.config", "userspace/wlab/patches", "userspace/wheel"):
        expect((at / "sources" / part).exists(), f"there is no {part}")
    (metadata,) = folder.glob("wlink-*.dist-info/METADATA")
    expect("Requires-Python: >=3.11" in metadata.read_text().splitlines(), metadata.read_text())
    code = "import wlink; print(wlink.__file__, wlink.Link('preset lte-good').next_event())"
    module = call(["/usr/bin/python3", "-c", code], env={**os.environ, "PYTHONPATH": str(folder)})
    expect(module.stdout.startswith(f"{folder}/wlink/"), f"the library: {module.stdout}{module.stderr}")
    return told.splitlines()[-1]


def check_pip_on_another_architecture() -> str:
    """On another architecture."""
    text = "is not a supported wheel on this platform"
    done = call(["setarch", "i686", *pip("--target", str(OUT / "refused"))])
    expect(done.returncode != 0 and text in done.stderr, f"'{text}' is not in:\n{done.stdout}{done.stderr}")
    return text


# Of a container with 64 MB, in the files of new and old control groups.
LITTLE = """mkdir -p "$1/sys/fs/cgroup" && mount -t tmpfs none "$1/sys/fs/cgroup" || exit
at=$1/sys/fs/cgroup
mkdir "$at/memory"
echo 64000000 >"$at/memory.max"
echo 9000000 >"$at/memory.current"
printf 'active_file 0\\ninactive_file 0\\n' >"$at/memory.stat"
cp "$at/memory.max" "$at/memory/memory.limit_in_bytes"
cp "$at/memory.current" "$at/memory/memory.usage_in_bytes"
cp "$at/memory.stat" "$at/memory"
"""
NOEXEC = 'mount -o remount,noexec "$1/tmp" && mount -o remount,noexec "$1/dev/shm"'
NO_PLOTS = 'mkdir -p "$1/opt/matplotlib" && mount -t tmpfs none "$1/opt/matplotlib"'
READ_ONLY = 'mount -t tmpfs -o ro none "$1/tmp/home"'


AMX = 'echo amx_tile >"$1/tmp/cpu" && mount --bind "$1/tmp/cpu" "$1/proc/cpuinfo"'


def refused(text: str, lacks: str = "true", by: str = "", words: str = "run wheel.toml --out wheel") -> None:
    """One sentence instead of a run, and no trace of Python."""
    done = inside(f"{WLAB} {words}", lacks, by)
    said = done.err.removesuffix("wlab: failed\n").removesuffix("wlab doctor tells more\n")
    expect(done.status == 1 and text in said, f"'{text}' is not in:\n{done.err}")
    expect(said.count("\n") == 1, f"more than a sentence:\n{done.err}")


def check_what_a_machine_lacks() -> str:
    """Each is said before the wait."""
    version, numbers, _ = linux()
    refused("for x86-64 only, this machine is i686", by="setarch i686")
    refused("memory: this container has 55.0 MB free", LITTLE)
    refused("can hold the guest's memory (noexec)", NOEXEC)
    refused("Read-only file system", READ_ONLY, words="run wheel.toml")
    refused("matplotlib is missing", NO_PLOTS, words="demo")
    # The wheel's own kernel is what counts, whatever sources the machine has.
    if numbers < (6, 16):
        refused("ptrace: refused: Operation not permitted", by=f"{container_program()} traceless")
    if numbers < (6, 13):
        refused(f"this processor has AMX, with which linux-source-{version} cannot start", AMX)
    return "another processor, no ptrace, AMX, 64 MB, no programs in /tmp, a home to read only, no matplotlib"
