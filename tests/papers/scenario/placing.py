# SPDX-License-Identifier: GPL-2.0
"""Where a scenario can run: what a place cannot do is refused before anything is made or boots."""

import shutil
import struct
import subprocess
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from unittest import mock

from brief import brief
from kit import Skipped, equals, expect, folder, refused
from wlablib.lab import build, host, vm
from wlablib.lab.boot import Job, write_job
from wlablib.lib import paths, toml
from wlablib.plan import commands, plan
from wlablib.run import needs, place, run
from wlablib.scenario import scenario
from wlablib.scenario.flows import own_seed
from wlablib.scenario.scenario import Scenario

TEXT = brief("""name = "n"
duration = "10s"
[wired.down] netem = "delay 10ms"
[radio.down] wlink = "rate 1mbit"; classes = ["classid 1:2 wlink rate 1mbit"]
filters = ["u32 match ip dport {f} 0xffff classid 1:2"]
[radio.up] wlink = "rate 1mbit"
[tcp] congestion = "bbr"; stack = "reno-2006"
[[flow]] name = "f"; kind = "tcp"; congestion = "cubic"
[[program]] name = "p"; in = "ue"; run = "curl http://server/"
""")
MODULES = {
    "dep": """kernel/net/sched/sch_netem.ko: kernel/net/x.ko
kernel/net/sched/cls_route.ko:
kernel/drivers/net/veth.ko.xz:
kernel/net/ipv4/tcp-bbr.ko:
""",
    "builtin": "kernel/net/sched/cls_u32.ko\n",
}


def read(text: str = TEXT) -> Scenario:
    return scenario.read(toml.loads(text))


def check_modules_that_a_scenario_needs() -> None:
    """Each module with what asks for it; the lab is named where one is missing."""
    sc = read()
    asked = {module: what for what, module in needs.modules(sc)}
    equals("what needs bbr", asked["tcp_bbr"], "tcp.congestion")
    wanted = {"veth", "sch_netem", "cls_u32", "tcp_cubic", "tcp_bbr"}
    equals("modules", {*asked}, wanted)
    needs.check([sc], lambda _: True, "this")
    other = read(TEXT.replace("u32 match ip dport {f} 0xffff", "flower dst_port {f} action drop basic"))
    old = read(TEXT.replace('congestion = "bbr"\nstack = "reno-2006"', 'stack = "reno-1990"'))
    old_needs = {module: what for what, module in needs.modules(old)}
    equals("what needs the lab's own Reno", old_needs["tcp_reno_1990"], "tcp.congestion")
    equals("scenarios that need it", [needs.reno_1990([one]) for one in (sc, old)], [False, True])
    equals("a filter", [m for _, m in needs.modules(other) if m.startswith("cls")], ["cls_flower"])
    for module, what in (
        ("veth", "its links"),
        ("sch_netem", "wired.down.netem"),
        ("cls_u32", "radio.down.filters.0"),
        ("tcp_cubic", "flow.f.congestion"),
    ):
        said = f"{what}: this has no {module}; the lab's has it: --on lab"
        refused(said, partial(needs.check, [sc], module.__ne__, "this"))


def check_links_begin_with_the_run() -> None:
    """What moves by time is made again, to begin with the run; in the order of the nodes, a time apart."""
    text = TEXT.replace('"rate 1mbit"\n[tcp]', '"preset umts-384 sched pf seed 7"\n[tcp]').replace(
        'wlink = "rate 1mbit"\nclasses',
        'wlink = "rate 1mbit rev_channel twostate rev_mean_good 1s rev_mean_bad 20ms rev_ber_good 0 '
        'rev_ber_bad 0.00001 mode am pdu 80 tti 1ms"\nclasses',
    )
    sc = read(text)
    made = plan.again(sc, 3)
    # A millisecond has room for two links.
    equals(
        "when",
        {place: script for place, (script, _) in made.items()},
        {"router": "s/@1@/$((START_NS + 250000))/;", "ue": "s/@2@/$((START_NS + 500000))/;"},
    )
    down = sc.links["radio.down"]
    words = f"wlink at @1@ns seed {own_seed(3, 'radio.down')} {down.args}"
    equals("down", made["router"][1][:2], [
        "qdisc del dev radio-down root", f"qdisc add dev radio-down root handle 1: {words}",
    ])  # fmt: skip
    equals("its classes and filters", len(made["router"][1]), 2 + len(down.classes) + len(down.filters))
    equals("up", made["ue"][1], [
        "qdisc del dev radio-up root",
        "qdisc add dev radio-up root handle 1: wlink at @2@ns preset umts-384 sched pf seed 7",
    ])  # fmt: skip
    equals("nothing moves by time", plan.again(read(), 3), {})
    with folder() as have:
        for real in (False, True):
            plan.write_texts([(sc, 3)], have, real)
            said = (have / "plan").read_text().count("\nalign ")
            equals("in virtual time it is no act", said, 2 if real else 0)


def check_options_of_the_labs_kernel() -> None:
    """What only the lab's kernel has."""
    for name in ("live", "host", "vm"):
        refused("--sanitize: only the lab's kernel has it", partial(place.check, name, [read()], True, ""))
        refused("--mem: only the lab's kernel has it", partial(place.check, name, [read()], False, "1G"))
    place.check("lab", [read()], True, "1G")


def check_refused_on_this_machine() -> None:
    """No root, no module, another one, no tracefs; nothing is made before that is known."""
    with folder() as have, ExitStack() as changed:
        module = have / "sch_wlink"
        for name, value in (
            ("os.geteuid", lambda: 1000),
            ("shutil.which", lambda name, path="": name),
        ):
            changed.enter_context(mock.patch(f"wlablib.lab.host.{name}", value))
        changed.enter_context(mock.patch.object(host, "MODULE", module))
        changed.enter_context(mock.patch.object(host, "INSTANCE", have / "instances" / "wlab"))
        changed.enter_context(mock.patch.object(build, "make", side_effect=AssertionError("made")))
        judge = partial(place.check, "host", [read()], False, "")
        refused("only root makes network namespaces here", judge)
        changed.enter_context(mock.patch("wlablib.lab.host.os.geteuid", lambda: 0))
        refused("the module sch_wlink is not loaded; type: modprobe sch_wlink", judge)
        module.mkdir()
        (module / "version").write_text("0.0.1\n")
        refused("the module that is loaded is 0.0.1, this wlab is", judge)
        (module / "version").write_text(f"{paths.version()}\n")
        refused("type: mount -t tracefs", judge)
        (have / "instances").mkdir()
        changed.enter_context(mock.patch.object(host, "has", lambda name: name != "tcp_cubic"))
        refused("flow.f.congestion: this machine's kernel has no tcp_cubic", judge)
        changed.enter_context(mock.patch("wlablib.lab.host.shutil.which", lambda name: None))
        refused("ip, tc, modprobe: missing", judge)


def check_refused_in_a_vm() -> None:
    """No QEMU, another machine; neither root nor KVM is asked for."""
    judge = partial(place.check, "vm", [read()], False, "")
    with mock.patch.object(vm, "PATH", "/nowhere"):
        refused("qemu-system-x86_64, mmdebstrap, mke2fs, debugfs: missing; type: userspace/need vm", judge)
    with mock.patch("platform.machine", lambda: "aarch64"):
        refused("its kernel is for x86_64, this machine is aarch64", judge)
    with mock.patch("wlablib.lab.vm.shutil.which", lambda name, path="": name):
        judge()
        with mock.patch.object(vm, "disk", side_effect=AssertionError("made")):
            judge()


def check_what_the_vms_disk_has() -> None:
    """The VM's modules and programs by its file system."""
    mke2fs = shutil.which("mke2fs", path=vm.PATH)
    if not mke2fs or not shutil.which("debugfs", path=vm.PATH):
        raise Skipped("no mke2fs and debugfs")
    with folder() as have:
        (have / "tree" / "usr" / "bin").mkdir(parents=True)
        (have / "tree" / "usr" / "lib" / "modules" / "6").mkdir(parents=True)
        for name, text in MODULES.items():
            (have / "tree" / "usr" / "lib" / "modules" / "6" / f"modules.{name}").write_text(text)
        (have / "tree" / "usr" / "bin" / "curl").write_text("")
        image = have / "disk.ext2"
        argv = [mke2fs, "-q", "-t", "ext2", "-d", str(have / "tree"), str(image), "1M"]
        subprocess.run(argv, check=True, stderr=subprocess.DEVNULL)
        disk = vm.Disk(have, "6")
        asked = ("veth", "sch_netem", "cls_u32", "cls_route", "tcp_bbr", "tcp_cubic", "x", "sch_tbf")
        equals("modules", [vm.has(disk, one) for one in asked], [True] * 5 + [False] * 3)
        words = ("curl", "/bin/curl", "/usr/bin/curl", "/sbin/curl", "nginx", "/usr/lib/curl")
        found = [vm.has_program(disk, one) for one in words]
        equals("programs", found, [True] * 3 + [False] * 3)
        theirs = commands.Machine(partial(vm.has_program, disk), "bring it")
        commands.check_programs(read(), theirs)
        equals("no files of another machine", commands.program_files(read(), theirs), {})
        other = read(TEXT.replace("curl http", "nginx http"))
        said = "program.p.run: 'nginx': there is no such program; bring it"
        refused(said, partial(commands.check_programs, other, theirs))


def check_the_files_of_programs() -> str:
    """Those whose names stand where a shell reads a command, of this machine only."""
    line = "a=1; curl http://x/ | tee log && exec python3 -c 'a; f(g)' $(no-such); if b; then D=c d; fi"
    here = commands.Machine(lambda name: True, file=lambda name: None if "no" in name else f"/bin/{name}")
    found = commands.program_files(read(TEXT.replace("curl http://server/", line)), here)
    equals("files", list(found), ["b", "curl", "d", "python3", "sh", "tee"])
    equals("without programs", commands.program_files(read(TEXT.partition("[[program]]")[0]), here), {})
    one, again = (run.program_digest(str(shutil.which(name))) for name in ("sh", "true"))
    expect(len(one) == len(again) == 16 and one != again, f"{one}, {again}")
    return ", ".join(found)


def check_plans_in_real_time() -> None:
    """In real time neither the clock nor the kernel's sysctls and random numbers are set."""
    sc = read()
    lab, real = (plan.run_lines(sc, 1, 0, 0, real) for real in (False, True))
    forbidden = ("seed ", "start ", "sysctl - ")
    for start in forbidden:
        expect(any(line.startswith(start) for line in lab), f"the lab's plan has no '{start}'")
        expect(not any(line.startswith(start) for line in real), f"'{start}' in real time")
    expect("instance wlab" in real and "instance wlab" not in lab, "the recording is everybody's")
    (events,) = {line.partition(" dev")[2] for line in real if line.startswith("event wlink/")}
    equals("devices", events.count("=="), 2)
    expect("event tcp/tcp_probe sport >= 10001 && sport < 10002" in real, "others' connections are recorded")
    others = (*forbidden, "event", "buffer", "period", "begin", "finish")
    gone = {line for line in lab if not line.startswith(others)}
    equals("all else", gone - {*real}, set[str]())
    # Users in the background have a record in each TTI: 75 bytes 50000 times a second are 16 MiB in 4.5 s.
    busy = TEXT.replace("rate 1mbit", "rate 1mbit tti 20us rb 4 sched rr background 1", 1)
    equals("period", [plan.period_ns(one) for one in (sc, read(busy))], [10 * 10**9, 2**24 // 75 * 20_000])


def check_jobs_of_other_places() -> None:
    """A guest without a kernel of its own has no console; that of a VM names nothing of the host's."""
    with folder() as have:
        write_job(have, Job(["true"]), ())
        words = (have / "job").read_bytes().split(b"\0")
        expect(not any(word.startswith((b"out=", b"err=", b"module=")) for word in words), f"{words}")
        write_job(have, Job(["true"], tools=Path("/mnt/tools")), ("/dev/ttyS1", "/dev/ttyS2"))
        words = (have / "job").read_bytes().split(b"\0")
        expect(b"out=/dev/ttyS1" in words and b"err=/dev/ttyS2" in words, f"{words}")
        expect(not any(word.startswith((b"ro=", b"rw=")) for word in words), f"{words}")


CHANNEL = 77
FIELDS = (("char dev[16]", 8, 16), ("u32 generation", 24, 4), ("u32 bearer", 28, 4), ("u64 at_ns", 32, 8))
START_NS, PAGE_BYTES = 1_000_000, 4096


def page(*times: int) -> bytes:
    """Of a processor's ring buffer: changes of a channel at these times, the first of which is the page's."""
    data, before = b"", times[0]
    for at_ns in times:
        event = struct.pack("=H6x16sIIQB3x", CHANNEL, b"dev", 1, 1, START_NS + at_ns, 1)
        data += struct.pack("=I", len(event) // 4 | (at_ns - before) << 5) + event
        before = at_ns
    return (struct.pack("=QQ", START_NS + times[0], len(data)) + data).ljust(PAGE_BYTES, b"\0")


def check_records_of_several_processors() -> None:
    """What several processors have recorded is one log in the order of time."""
    build.make(build.guest_parts())
    with folder() as have:
        lines = "".join(f"\tfield:{f};\toffset:{at};\tsize:{n};\tsigned:0;\n" for f, at, n in FIELDS)
        lines += "\tfield:bool bad;\toffset:40;\tsize:1;\tsigned:0;\n"
        (have / "wlink.wlink_channel.format").write_text(f"name: wlink_channel\nID: {CHANNEL}\n{lines}")
        (have / "names").write_text("link dev radio.down\n")
        recorded = [page(100, 300) + page(900), page(200, 400, 500), b"", page(250) + page(251)]
        for cpu, pages in enumerate(recorded):
            (have / f"trace.raw.{cpu}").write_bytes(pages)
        argv = [str(paths.BIN / "wlab-log"), str(have), str(have), str(START_NS), "1000", "0"]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        equals("errors", done.stderr, "")
        told = (have / "events.tsv").read_text().splitlines()
        times = [int(line.split("\t")[1]) for line in told if line.startswith("channel")]
        equals("times", times, [100, 200, 250, 251, 300, 400, 500, 900])
        (have / "trace.raw.0").unlink()
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        expect(done.returncode == 1 and "trace.raw.0" in done.stderr, f"{done}")
