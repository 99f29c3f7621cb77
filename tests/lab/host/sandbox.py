# SPDX-License-Identifier: GPL-2.0
"""What a guest can do to the host's files: nothing, whatever runs in it and whoever has started it."""

import contextlib
import errno
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from unittest.mock import patch

from lab import (
    OUT,
    ROOT,
    USER,
    WLAB,
    Skipped,
    as_user,
    call,
    container_program,
    expect,
    linux,
    run,
    trouble_modules,
    wlab,
    write,
)

TEXT = "the host's own\n"
# By the guest's root, with its own file system, another mount of the host's, and the host's processes.
# The paths must be there, or nothing is tried.
SCRIPT = """
try() { "$@" 2>/dev/null && echo "done: $*"; }
# By the system call of which hostfs takes options without a name.
export LIBMOUNT_FORCE_MOUNT2=always
mount -o remount,rw / || exit 8
mkdir /tmp/m /tmp/root /tmp/proc
mount -t hostfs none /tmp/m -o FOLDER && mount -t hostfs none /tmp/root -o / || exit 8
mount -t hostfs none /tmp/proc -o /proc || exit 8
test "$(cat /tmp/m/file)" = "the host's own" || exit 9
test -e /tmp/rootFOLDER/file && test -e /tmp/proc/version || exit 9
for d in /tmp/m /tmp/rootFOLDER /tmp/proc/1/rootFOLDER /tmp/proc/PID/rootFOLDER; do
    try sh -c "echo x >> $d/file"
    try sh -c "echo x > $d/new"
    try truncate -s 0 $d/file
    try chmod 777 $d/file
    try touch -d 2000-01-01 $d/file
    try mv $d/file $d/moved
    try ln $d/file $d/linked
    try mkdir $d/folder
    try mknod $d/fifo p
    try unlink $d/file
    try rmdir $d/empty
done
for file in /tmp/root/WLAB /tmp/root/BUILD/bin/wlab-keep BUILD/bin/wlab-keep BUILD/tc/q_wlink.so; do
    test -e $file || exit 9
    try sh -c ": >> $file"
done
try sh -c "echo 1 > /tmp/proc/sys/kernel/printk"
try sh -c "echo 0 > /tmp/proc/PID/oom_score_adj"
touch BUILD/lab-check/sandbox.mark || exit 8
exit 7
"""

# What the guest's kernel, as a process of the host, is to get for each of its calls.
CALLS = {
    "open": errno.EROFS,
    "empty": errno.EROFS,
    "truncate": errno.EROFS,
    "chmod": errno.EROFS,
    "unlink": errno.EROFS,
    "mount": errno.EPERM,
    "unshare": errno.EPERM,
    "clone": errno.EPERM,
    "clone3": errno.ENOSYS,
    "socket": errno.EPERM,
    "socketpair": errno.EPERM,
    "io_uring_setup": errno.EPERM,
    "kill": errno.ESRCH,
}
# WLAB_SANDBOX: namespaces; Landlock of today and of its first ABI, which knows neither truncation
# nor signals: a filter refuses the first, the second it allows.
BY_LANDLOCK = dict.fromkeys(("open", "empty", "truncate", "unlink"), errno.EACCES) | {
    "chmod": errno.EPERM,
    "kill": errno.EPERM,
}
FENCES = {
    "on": CALLS,
    "landlock": CALLS | BY_LANDLOCK,
    "landlock:1": CALLS | BY_LANDLOCK | {"empty": errno.EPERM, "truncate": errno.EPERM, "kill": 0},
}
NAMES = {"on": "namespaces", "landlock": "Landlock", "landlock:1": "Landlock's first ABI"}


@contextlib.contextmanager
def bait() -> Iterator[Path]:
    """A folder that the caller may write, and that must stay as it is."""
    with tempfile.TemporaryDirectory(prefix="bait.", dir=Path.home() if os.getuid() else "/var/tmp") as name:
        folder = Path(name)
        (folder / "file").write_text(TEXT)
        (folder / "empty").mkdir()
        (folder / "file").chmod(0o644)
        yield folder


def state(folder: Path) -> list[object]:
    """All that can be changed of a folder."""
    out: list[object] = [folder.stat().st_mtime_ns]
    for path in sorted(folder.iterdir()):
        st = path.stat()
        out.append((path.name, st.st_mode, st.st_uid, st.st_nlink, st.st_mtime_ns, st.st_ctime_ns))
    return [*out, (folder / "file").read_text()]


def needs(fence: str) -> dict[str, str]:
    """The environment for a fence; what the caller has switched off, or the host lacks, cannot be tried."""
    if os.environ.get("WLAB_SANDBOX") == "off":
        raise Skipped("no sandbox wanted")
    wlab("build")
    name = "namespaces" if fence == "on" else "landlock"
    if name not in call([str(ROOT / "build/bin/wlab-keep"), "-p"]).stdout.split():
        raise Skipped(f"this host has no {name}")
    return os.environ | {"WLAB_SANDBOX": fence}


def own(folder: Path, user: int) -> None:
    for path in (folder, *folder.iterdir()):
        os.chown(path, user, user)


def try_all(folder: Path, become: list[str], env: dict[str, str]) -> None:
    """Run SCRIPT in the guest; it must come through and change nothing."""
    script = SCRIPT.replace("FOLDER", str(folder)).replace("BUILD", str(ROOT / "build"))
    script = script.replace("WLAB", str(WLAB)).replace("PID", str(os.getpid()))
    before = state(folder)
    done = call([*become, str(WLAB), "exec", "--", "sh", "-c", script], env=env)
    expect(done.returncode == 7 and not done.stdout, f"{done.returncode}: {done.stdout}{done.stderr}")
    expect(state(folder) == before, f"the host's folder was {before} and is {state(folder)}")


def by_guest(fence: str) -> str:
    """As whoever runs the tests."""
    env = needs(fence)
    with bait() as folder:
        (ROOT / "build" / "lab-check").mkdir(parents=True, exist_ok=True)
        try_all(folder, [], env)
    return "remounts, mounts of the host and its processes write nothing"


def by_guest_of_user(fence: str) -> str:
    """As a normal user, whose files outside are the guest's to write but for the sandbox."""
    # With what is built already.
    become = [*as_user(), "env", f"WLAB_BUILD={ROOT / 'build'}"]
    env = needs(fence)
    mark = ROOT / "build" / "lab-check"
    mark.mkdir(parents=True, exist_ok=True)
    (mark / "sandbox.mark").touch()
    (mark / "sandbox.mark").chmod(0o666)
    with bait() as folder:
        own(folder, USER)
        try_all(folder, become, env)
    return f"the same as user {USER}"


def by_kernel(fence: str, *words: str) -> str:
    """System calls of the host by the lab kernel itself, as somebody would who has taken it over.

    With seccomp any program of the guest can, by the few calls that its process on the host has.
    """
    env = needs(fence)
    module = trouble_modules("trouble-host") / "trouble.ko"
    with bait() as folder:
        before = state(folder)
        script = f"insmod {module} how=host file={folder}/file pid={os.getpid()}; dmesg --color=never"
        done = call([str(WLAB), "exec", *words, "--", "sh", "-c", script], env=env)
        expect(done.returncode == 0, done.stderr)
        found = re.findall(r"host (\w+): (-?\d+)$", done.stdout, re.MULTILINE)
        said = {name: -int(value) for name, value in found}
        expect(said == FENCES[fence], f"the calls gave {said}, wanted {FENCES[fence]}")
        expect(state(folder) == before, "the host's folder is another")
    return f"{len(CALLS)} system calls"


def by_scenario(fence: str) -> str:
    """A run may not even write what wlab's own results are in."""
    with bait() as folder, patch.dict(os.environ, needs(fence)):
        before = state(folder)
        places = [folder / "file", ROOT / "build" / "lab-check" / "x", WLAB]
        tests = " && ".join(f"! (: >> {place})" for place in places)
        line = f'"LIBMOUNT_FORCE_MOUNT2=always mount -o remount,rw / && test -r {WLAB} && {tests}"'
        text = f'duration = "1s"\n[radio]\nwlink = "rate 1mbit"\n[[at]]\ntime = "0s"\nrun = {line}\n'
        text += f'[[program]]\nname = "p"\nin = "ue"\nrun = "{tests} && echo fine"\n'
        _, out = run("sandbox", text)
        expect((out / "programs" / "p.out").read_text() == "fine\n", "the program's output is not in --out")
        expect(state(folder) == before, "the host's folder is another")
    return "commands and programs write nothing, their output arrives"


# As in a container that gives no namespaces; root of one has to do with what it has.
LOCKED = ["unshare", "-Ur", "sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh"]
POWERLESS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]


def check_no_user_namespaces() -> str:
    """Without user namespaces: root does without, all others have Landlock."""
    needs("landlock")
    if call([*LOCKED, "true"]).returncode:
        raise Skipped("no user namespace to forbid them in")
    argv = [str(WLAB), "exec", "--", "sh", "-c", "mount -o remount,rw /; touch /usr/x 2>/dev/null || echo ro"]
    for become in (LOCKED, [*LOCKED, *POWERLESS]):
        done = call([*become, *argv])
        expect(done.stdout == "ro\n", f"{become}: {done.stdout}{done.stderr}")
    return "root does without, others have Landlock"


def check_a_container() -> str:
    """With the capabilities and the filter of Docker's defaults: the first link, and programs."""
    inside = [str(container_program()), "container"]
    name = call([*inside, str(ROOT / "build/bin/wlab-keep"), "-p"]).stdout
    expect("namespaces" not in name.split(), f"it has {name}")
    commands = "tc qdisc add dev lo root wlink rate 1mbit && tc qdisc show dev lo"
    users: list[list[str]] = [[]]
    if not os.getuid():
        users.append([*as_user(), "env", f"WLAB_BUILD={ROOT / 'build'}"])
    for become in users:
        done = call([*inside, *become, str(WLAB), "exec", "--", "sh", "-c", commands])
        expect("qdisc wlink" in done.stdout, f"{become}: {done.stdout}{done.stderr}")
    done = call([*inside, "tests/tdc/run", "tests/tdc/cases/config/basic.toml"])
    last = done.stdout.splitlines()[-1:]
    expect(done.returncode == 0 and " 0 failed, 0 skipped" in last[0], f"{done.stdout}{done.stderr}")
    return f"a link of {len(users)} users; tdc: {last[0]}"


def check_no_fence_to_be_had() -> str:
    """Neither namespaces nor Landlock: programs of the user's are refused before anything is built."""
    needs("landlock")
    inside = [str(container_program()), "fenceless"]
    done = call([*inside, str(WLAB), "exec", "--", "echo", "on"])
    expect(done.returncode == 1 and not done.stdout, f"without any: {done.stdout}{done.stderr}")
    for text in ("this host forbids namespaces and has no Landlock", "WLAB_SANDBOX=off"):
        expect(text in done.stderr, f"'{text}' is not in:\n{done.stderr}")
    expect("Traceback" not in done.stderr, done.stderr)
    done = call([*inside, str(WLAB), "exec", "--", "echo", "on"], env=os.environ | {"WLAB_SANDBOX": "off"})
    expect(done.stdout == "on\n", f"with WLAB_SANDBOX=off: {done.stdout}{done.stderr}")
    text = 'duration = "1s"\n[radio]\nwlink = "rate 1mbit"\n[[flow]]\nname = "f"\nkind = "tcp"\n'
    go = [*inside, str(WLAB), "run", "--force", "--out", str(OUT / "fenceless")]
    done = call([*go, str(write("fenceless", text))])
    expect(done.returncode == 0, f"a scenario without programs: {done.stderr}")
    program = '[[program]]\nname = "p"\nin = "ue"\nrun = "true"\n'
    done = call([*go, str(write("fenceless-p", text + program))])
    expect("has no Landlock" in done.stderr, f"a scenario with one: {done.stderr}")
    done = call([str(WLAB), "exec", "--", "true"], env=os.environ | {"WLAB_SANDBOX": "no"})
    expect("WLAB_SANDBOX: 'no' is none of on, off" in done.stderr, done.stderr)
    return "a scenario without programs runs, others are told how to go on"


def by_tracer(fence: str) -> str:
    """The same where programs run under ptrace; older kernels know no other way."""
    if linux()[1] < (6, 16):
        raise Skipped("this kernel knows ptrace only")
    return by_kernel(fence, "--boot", "seccomp=off")


BEHIND: dict[str, Callable[[str], str]] = {
    "the guest": by_guest,
    "the guest of a normal user": by_guest_of_user,
    "the guest's kernel": by_kernel,
    "a scenario": by_scenario,
    "the guest's kernel as a tracer": by_tracer,
}
CASES: dict[str, Callable[[], str]] = {
    **{
        f"sandbox: {who}, {NAMES[fence]}": partial(case, fence)
        for who, case in BEHIND.items()
        for fence in FENCES
    },
}
