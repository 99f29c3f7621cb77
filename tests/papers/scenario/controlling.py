# SPDX-License-Identifier: GPL-2.0
"""Congestion controls of a user's own, and rates that a trace has: read and refused before anything boots."""

from functools import partial
from pathlib import Path

from brief import brief
from kit import SCENARIO, equals, expect, folder, refused
from wlablib.bench import cases
from wlablib.experiment import cells
from wlablib.lib import toml
from wlablib.plan import commands, plan, stack
from wlablib.run import needs
from wlablib.scenario import controls, scenario
from wlablib.scenario.files import Origin
from wlablib.scenario.scenario import Scenario

VERMAGIC = "7.3.4 mod_unload um"


def module(name: str, vermagic: str = VERMAGIC) -> bytes:
    """What is looked at of a module: its kernel and the name in its struct tcp_congestion_ops."""
    own = b"\0" + name.encode().ljust(16, b"\0")
    return b"\x7fELF" + f"\0vermagic={vermagic} \0name=tcp_mine\0".encode() + own


def read(where: Path, text: str) -> Scenario:
    return scenario.read(toml.loads(text), Origin(where))


def own_control() -> None:
    """[tcp] and a flow name two; the plan has their names, the boot their files, the result their digests."""
    with folder() as where:
        for name in ("mine", "other"):
            (where / f"tcp_{name}.ko").write_bytes(module(name))
        text = f'{SCENARIO}congestion = "tcp_other.ko"\n[tcp]\ncongestion = "{where}/tcp_mine.ko"\n'
        sc = read(where, text)
        names = [stack.congestion(node.tcp) for node in stack.stacked(sc)]
        equals("controls", ({*names}, sc.flows[0].congestion), ({"mine"}, "other"))
        equals("files", sorted(file.name for file in sc.inputs), ["tcp_mine.ko", "tcp_other.ko"])
        wanted = {plan.GUEST_DIR / "0" / "files" / name for name in ("tcp_mine.ko", "tcp_other.ko")}
        equals("loaded", {*plan.own_controls([sc])}, wanted)
        expect(commands.has_own(sc), "the kernel runs a user's code without a fence")
        has = {"veth"}
        refused("this has no tcp_", partial(needs.check, [sc], has.__contains__, "this"))
        mine = where / "tcp_mine.ko"
        controls.check_kernel(mine, where / "tcp_other.ko")
        (where / "sch.ko").write_bytes(module("x", "6.1.0 SMP"))
        refused(
            f"tcp_mine.ko is for Linux {VERMAGIC}, the lab's is 6.1.0 SMP; type: wlab module tcp_mine.c",
            partial(controls.check_kernel, mine, where / "sch.ko"),
        )


def wrong_control() -> None:
    with folder() as where:
        (where / "tcp_mine.ko").write_bytes(module("theirs"))
        (where / "tcp_text.ko").write_text("int main(void);\n")
        tcp = f"{SCENARIO}[tcp]\ncongestion = "
        for value, words in (
            ('"tcp_mine.ko"', "tcp_mine.ko has no congestion control 'mine': .name must be as in its file's"),
            ('"tcp_text.ko"', "is not a kernel module; `wlab module tcp_NAME.c` makes one"),
            ('"tcp_none.ko"', "tcp.congestion: there is no file"),
            ('"mine.ko"', "tcp.congestion: 'mine.ko' is not named tcp_NAME.ko"),
            ('"tcp_cubic.ko"', "the lab has a cubic of its own; give yours another name"),
            ('"cubc"', "did you mean 'cubic'?; or the path of your own, tcp_NAME.ko"),
        ):
            refused(words, partial(read, where, f"{tcp}{value}\n"))


def on_the_bench() -> None:
    """A cell is called by the control's name, its scenario has the file."""
    with folder() as where:
        path = where / "tcp_mine.ko"
        path.write_bytes(module("mine"))
        parts = cases.chosen("lte-good", ["reno", str(path)], 1)
        found = [cell for part in parts for cell in cells.expand(part.experiment, quick=True)]
        equals("cells", [cell.id for cell in found], ["case=lte-good,cc=reno", "case=lte-good,cc=mine"])
        equals("files", [[*cell.files] for cell in found], [[], ["tcp_mine.ko"]])
        equals("scenario", found[1].raw["tcp"]["congestion"], str(path))


TRACED = brief("""name = "traced"
duration = "3s"
[radio.down] wlink = "delay 20ms"; trace = { file = "t" }
[radio.up] wlink = "rate 1mbit"
[[flow]] name = "file"; kind = "tcp"
""")


def traced() -> None:
    """The rates of a trace are those of its link; one without needs a rate as any link."""
    with folder() as where:
        (where / "t").write_text("0,384kbit\n1,128kbit\n")
        equals("the link", read(where, TRACED).links["radio.down"].args, "rate 0 delay 20ms")
        (where / "t").write_text("wlink schedule\ncolumns delay\nlength 3s\n0s 20ms\n")
        refused("it has no rates, and radio.down has no rate", partial(read, where, TRACED))
        read(where, TRACED.replace("delay 20ms", "rate 1mbit"))
        refused("rate is required", partial(read, where, TRACED.replace('trace = { file = "t" }', "")))


CASES = {
    "a congestion control of one's own": own_control,
    "what is none": wrong_control,
    "one's own on the bench": on_the_bench,
    "a link with the rates of its trace": traced,
}
