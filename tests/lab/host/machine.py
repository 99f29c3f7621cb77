# SPDX-License-Identifier: GPL-2.0
"""Machines that cannot run the lab: said in words, before anything is built."""

import fcntl
import json
import os
import shlex
import shutil
import subprocess
from functools import partial
from pathlib import Path

from lab import OUT, WLAB, Failed, Skipped, as_user, call, container_program, expect, linux, wlab
from wlablib.lib.paths import LabError
from wlablib.lib.progress import Progress, follow, quiet

EXEC = [str(WLAB), "exec", "--", "true"]


def check_this_one() -> str:
    """Here all is well, or the other cases could not run."""
    found = {one["check"]: one for one in json.loads(wlab("doctor", "--json").out)}
    wanted = {"processor", "fence", "ptrace", "memory", "space", "packages"}
    expect(wanted <= set(found), f"it looks at {sorted(found)}")
    expect(not any(one["verdict"] == "fail" for one in found.values()), str(found))
    return ", ".join(sorted(found))


def refused(argv: list[str], text: str, **options: object) -> None:
    """The command fails with this text and no trace of Python, and wlab doctor says the same."""
    done = call(argv, **options)
    expect(done.returncode == 1 and text in done.stderr, f"'{text}' is not in:\n{done.stderr}{done.stdout}")
    expect("Traceback" not in done.stderr, done.stderr)
    asked = call([*argv[: -len(EXEC)], str(WLAB), "doctor"], **options)
    expect(asked.returncode == 1 and text in asked.stdout, f"doctor: {asked.stdout}{asked.stderr}")


def check_another_processor() -> str:
    refused(["setarch", "i686", *EXEC], "User Mode Linux is for x86-64 only, this machine is i686")
    return "i686 is refused"


def check_no_ptrace() -> str:
    """The newest kernel does without; an older one is not even built."""
    traceless = [str(container_program()), "traceless"]
    version, numbers, _ = linux()
    if numbers < (6, 16):
        refused([*traceless, *EXEC], "ptrace: refused: Operation not permitted")
        return "refused"
    done = call([*traceless, str(WLAB), "exec", "--", "echo", "on"])
    expect(done.stdout == "on\n", done.stdout + done.stderr)
    neither = [str(container_program()), "neither"]
    refused([*neither, *EXEC], "ptrace: refused: Operation not permitted, as are filters of system calls")
    for old in Path("/usr/src").glob("linux-source-6.1*.tar.xz"):
        env = os.environ | {"WLAB_LINUX": str(old)}
        refused([*traceless, *EXEC], "ptrace: refused: Operation not permitted", env=env)
    return f"Linux {version} does without"


def check_little_memory() -> str:
    refused(["prlimit", "--as=1073741824", *EXEC], "memory: a process may have 1.07 GB of addresses")
    return "1 GB of addresses"


# A machine's files instead of its own: free memory, and the groups of a container, new and old.
LITTLE = """
mount -t tmpfs none /sys/fs/cgroup && mkdir /sys/fs/cgroup/memory
for f in memory.max memory/memory.limit_in_bytes; do echo 64000000 > /sys/fs/cgroup/$f; done
for f in memory.current memory/memory.usage_in_bytes; do echo "$1" > /sys/fs/cgroup/$f; done
stat="active_file $2
inactive_file 0"
for f in memory.stat memory/memory.stat; do echo "$stat" > /sys/fs/cgroup/$f; done
shift 2
exec "$@"
"""


def check_little_memory_in_a_container() -> str:
    """Of a container with 64 MB and of one whose files in memory are more; what is cached counts as free."""
    if call(["unshare", "-rm", "true"]).returncode:
        raise Skipped("no namespaces to mount other files of the machine in")
    small = ["unshare", "-rm", "sh", "-c", LITTLE, "sh"]
    refused([*small, "9000000", "0", *EXEC], "memory: this container has 55.0 MB free, a guest needs 268 MB")
    refused([*small, "60000000", "59000000", *EXEC], "memory: this container has 63.0 MB free")
    return "64 MB"


def check_another_build() -> str:
    """Who has to wait for another build is told so at once."""
    folder = OUT / "second"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "lab").mkdir(parents=True)
    argv, env = [str(WLAB), "doctor"], os.environ | {"WLAB_BUILD": str(folder)}
    with (folder / "lab" / ".lock.parts").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = subprocess.Popen(
            argv, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        assert waiting.stderr
        said = waiting.stderr.readline()
    expect(said == "wlab: another wlab builds the parts; waiting for it\n", said + waiting.stderr.read())
    expect(waiting.wait(600) == 0, waiting.stderr.read())
    return said.strip()


def check_a_full_disk() -> str:
    """A build that has filled the disk says so last, whether its compiler or its log met the end of it."""
    command = ["sh", "-c", "echo 'cc: a.o: No space left on device'; echo 'make: Error 1'; exit 2"]
    log = partial(follow, command, Progress("a build"), lambda _: "on", log=Path("/dev/full"))
    ends = {
        partial(quiet, command): "\nno space is left on the disk",
        log: "/dev/full: No space left on device",
    }
    for build, end in ends.items():
        try:
            build()
        except LabError as error:
            expect(str(error).endswith(end), str(error))
        else:
            raise Failed("a command that fails has not failed")
    return end


# A machine whose /dev has no folder for memory that is shared.
NO_SHM = """
mount -t tmpfs none /mnt && ln -s /proc/self/fd /mnt/fd || exit
for f in null zero urandom; do : > /mnt/$f && mount --bind /dev/$f /mnt/$f || exit; done
mount --rbind /mnt /dev && eval "$1" || exit
shift
exec "$@"
"""


def check_no_dev_shm() -> str:
    """The guest's memory is in /tmp then, unless that is noexec: one sentence, before anything starts."""
    if call(["unshare", "-rm", "true"]).returncode:
        raise Skipped("no namespaces to mount another /dev in")
    for fence in ("on", "off"):
        env = os.environ | {"WLAB_SANDBOX": fence}
        argv = ["unshare", "-rm", "sh", "-c", NO_SHM, "sh"]
        done = call([*argv, "true", str(WLAB), "exec", "--", "echo", "on"], env=env)
        expect(done.stdout == "on\n", f"{fence}: {done.stdout}{done.stderr}")
    noexec = "mount -t tmpfs -o noexec none /tmp"
    refused([*argv, noexec, *EXEC], "neither /dev/shm nor /tmp can hold the guest's memory", env=env)
    return "in /tmp, or refused"


def check_where_it_builds() -> str:
    """A build folder on a disk that is full, or without programs, or another's."""
    folder = OUT / "folder"
    folder.mkdir(parents=True, exist_ok=True)
    env = os.environ | {"WLAB_BUILD": str(folder)}
    if call(["unshare", "-rm", "true"]).returncode:
        raise Skipped("no namespaces to mount a small disk in")
    words = " ".join(map(shlex.quote, EXEC))
    for option, text in (("noexec", "(noexec)"), ("size=1m", "are needed")):
        mount = f"mount -t tmpfs -o {option} small {shlex.quote(str(folder))}"
        for command in (words, f"{shlex.quote(str(WLAB))} doctor"):
            done = call(["unshare", "-rm", "sh", "-c", f"{mount} && {command}"], env=env)
            said = done.stdout + done.stderr
            expect(done.returncode == 1 and text in said and "Traceback" not in said, said)
    expect(not any(folder.iterdir()), "something was built")
    folder.chmod(0o755)
    argv = [*as_user(), "env", f"WLAB_BUILD={folder}"]
    refused([*argv, *EXEC], f"{folder} cannot be written")
    return "noexec, full, another's"


def check_packages_that_are_missing() -> str:
    """userspace/need says what it would install, and installs nothing."""
    need = str(Path(WLAB).parents[1] / "need")
    env = os.environ | {"PATH": f"{fake_dpkg()}:{os.environ['PATH']}"}
    done = call(["setarch", "i686", need, "--missing", "lab"], env=env)
    text = "the lab is for x86-64 only, this machine is i686"
    expect(done.returncode == 1 and text in done.stderr, done.stderr)
    done = call([need, "--missing", "build"], env=env)
    expect("gcc" in done.stdout.split() and "apt-get install" in done.stderr, done.stdout + done.stderr)
    return done.stdout.strip()


def fake_dpkg() -> Path:
    """A folder with a dpkg-query that knows of no package."""
    folder = OUT / "no-packages"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dpkg-query").write_text("#!/bin/sh\n")
    (folder / "dpkg-query").chmod(0o755)
    return folder
