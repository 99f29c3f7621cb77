# SPDX-License-Identifier: GPL-2.0
"""The control page in headless Chromium, against the link of a `wlab live` in real time.

What a page says is compared with what wlinkctl says of the link. Nothing here depends on how fast
the machine is: conditions are waited for, and a limit only catches a hang.
"""

import atexit
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lab import OUT, WLAB, Skipped, call, echo, expect

HANGS_S = 600.0
DOWN, UP = "downlink 1: 1", "uplink 1: 1"
# Datagrams of 1000 bytes, so many a second however late it wakes up, to the host, which sends them back.
LOAD = """
import socket, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
due = time.monotonic()
while True:
    s.sendto(b'x' * 1000, ('198.18.0.1', int(sys.argv[1])))
    due += 0.011
    time.sleep(max(0, due - time.monotonic()))
"""
TRACE = "0,300kbit\n20,500kbit\n40,300kbit\n"
HISTORY = 3000


def until(what: str, true: Callable[[], Any]) -> Any:
    """Wait for a condition; a page may be in the middle of a change of itself."""
    end, last = time.monotonic() + HANGS_S, ""
    while time.monotonic() < end:
        try:
            if found := true():
                return found
        except Exception as error:  # The browser's own kinds.
            last = str(error)
        time.sleep(0.1)
    raise AssertionError(f"it never was: {what}; {last}")


def needs() -> Any:
    """selenium's webdriver, where all is there."""
    if call(["unshare", "-Urn", "true"]).returncode or not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        raise Skipped("no user namespaces or /dev/net/tun on this host")
    if missing := [name for name in ("pasta", "nft") if not shutil.which(name)]:
        raise Skipped(f"no {' and no '.join(missing)}: userspace/need live")
    if missing := [name for name in ("chromium", "chromedriver") if not shutil.which(name)]:
        raise Skipped(f"no {' and no '.join(missing)}: userspace/need browser")
    try:
        from selenium import webdriver
    except ImportError:
        raise Skipped("no selenium: userspace/need browser") from None
    return webdriver


class Browser:
    """A window on the page. Its errors are collected: a page has none of its own."""

    def __init__(self, webdriver: Any, url: str, folder: Path, phone: bool = False) -> None:
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        words = "headless=new no-sandbox disable-gpu disable-dev-shm-usage window-size=1280,1000"
        for word in words.split():
            options.add_argument(f"--{word}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.add_experimental_option("prefs", {"download.default_directory": str(folder)})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver") or ""), options=options)
        self.driver.set_page_load_timeout(HANGS_S)
        self.driver.set_script_timeout(HANGS_S)
        if phone:
            metrics = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.get(url)

    def js(self, text: str, *args: Any) -> Any:
        return self.driver.execute_script(text, *args)

    def text(self, name: str) -> str:
        return str(self.driver.find_element("id", name).text)

    def value(self, name: str) -> str:
        return str(self.driver.find_element("id", name).get_attribute("value"))

    def put(self, name: str, text: str) -> None:
        field = self.driver.find_element("id", name)
        field.clear()
        field.send_keys(text)

    def press(self, name: str) -> None:
        """The control under the bar is brought into view. One that is off, which may come between a look
        and a click, is pressed again."""
        element = self.driver.find_element("id", name)
        self.js(
            "arguments[0].scrollIntoView({block: 'center'}); pressed = false;"
            "arguments[0].addEventListener('click', () => { pressed = true; }, {once: true})",
            element,
        )

        def pressed() -> Any:
            element.click()
            return self.js("return pressed")

        until(f"{name} is on", pressed)

    def choose(self, name: str, value: str) -> None:
        from selenium.webdriver.support import select

        def chosen() -> bool:
            field: Any = select.Select(self.driver.find_element("id", name))
            field.select_by_value(value)
            return True

        until(f"{name} has {value}", chosen)

    def said(self, *words: str) -> str:
        return str(
            until(f"says {words}", lambda: all(w in self.text("says") for w in words) and self.text("says"))
        )

    def ready(self) -> None:
        until("fields are filled", lambda: self.value("down-rate") and self.value("up-rate"))
        until(
            "samples come", lambda: self.js("return charts.down.samples.length && charts.up.samples.length")
        )

    def errors(self) -> list[str]:
        """Of its script; the log has what the server refuses, and another origin's errors, too."""
        log = self.driver.get_log("browser")
        return [
            line["message"]
            for line in log
            if line["source"] in ("javascript", "security", "console-api")
            and not line["message"].startswith("http://localhost:")
        ]


class World:
    """A wlab live with traffic both ways, a server of the page for it, a folder for downloads."""

    def __init__(self) -> None:
        self.webdriver = needs()
        self.folder = OUT / "browser"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.stack = contextlib.ExitStack()
        # Another wlab live of this user is not found.
        temporary = self.stack.enter_context(tempfile.TemporaryDirectory(prefix="wlab-browser."))
        self.environ = {**os.environ, "TMPDIR": temporary}
        self.echo = self.stack.enter_context(echo())
        self.live = self.start_live()
        self.server = self.start([str(WLAB), "web", "--listen", "127.0.0.1:0", "--json"])
        assert self.server.stdout
        self.url = json.loads(self.server.stdout.readline())["url"]
        self.browsers: list[Browser] = []

    def start(self, argv: list[str]) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            argv, stdout=subprocess.PIPE, text=True, env=self.environ, start_new_session=True
        )
        self.stack.callback(stop, process)
        return process

    def start_live(self) -> "subprocess.Popen[str]":
        words = ["--down", "rate 2mbit delay 20ms limit 50", "--up", "rate 1mbit delay 20ms limit 50"]
        argv = [str(WLAB), "live", *words, "--", sys.executable, "-c", LOAD, str(self.echo)]
        process = self.start(argv)
        until("the link exists", lambda: self.wlinkctl("show"))
        return process

    def wlinkctl(self, *words: str) -> str:
        done = call([str(WLAB), "live", "wlinkctl", *words], env=self.environ, timeout=HANGS_S)
        expect(done.returncode == 0, f"{' '.join(words)}: {done.stderr}")
        return done.stdout

    def line(self, key: str) -> str:
        dev, handle, bearer = key.split()
        return self.wlinkctl("show", dev, handle, "bearer", bearer).partition("\n")[0]

    def browser(self, phone: bool = False) -> Browser:
        one = Browser(self.webdriver, self.url, self.folder, phone)
        self.stack.callback(one.driver.quit)
        one.ready()
        self.browsers.append(one)
        return one


def stop(process: "subprocess.Popen[str]") -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
    process.wait()


worlds: list[World] = []


def world() -> World:
    """One for all cases, ended by the last one."""
    if not worlds:
        worlds.append(World())
        # Where a case has failed the last one may not run.
        atexit.register(worlds[0].stack.close)
        worlds[0].browser()
    return worlds[0]


def the() -> tuple[World, Browser]:
    return world(), world().browsers[0]


def check_page_one_transaction_in_both_directions_and_undo() -> str:
    """Each field of both directions, at one time, and back by undo."""
    w, page = the()
    before = {key: w.line(key) for key in (DOWN, UP)}
    typed = {
        "down-rate": "500kbit", "down-delay": "30ms", "down-loss": "1%", "down-limit": "40",
        "down-aqm": "codel",
        "up-rate": "400kbit", "up-delay": "10ms", "up-loss": "2%", "up-limit": "30",
        "up-more": "discard_timer 5s",
    }  # fmt: skip
    for name, text in typed.items():
        page.put(name, text)
    page.press("apply")
    said = page.said("Applied at", "on both")
    down, up = w.line(DOWN), w.line(UP)
    for words in ("rate 500kbit", "delay 30ms", "limit 40", "channel uniform loss 0.01", "aqm codel"):
        expect(words in down, f"{words} not in {down}")
    for words in ("rate 400kbit", "delay 10ms", "limit 30", "channel uniform loss 0.02", "discard_timer 5s"):
        expect(words in up, f"{words} not in {up}")
    expect(page.value("down-rate") == "500kbit", "the fields do not show it")
    # The stream of events has its own pace.
    lines = "return [charts.down.changes.length, charts.up.changes.length]"
    until("a change on either chart", lambda: max(page.js(lines)))
    expect(page.js(lines) == [1, 1], f"changes on the charts: {page.js(lines)}")
    times = page.js("return [charts.down.changes[0].t, charts.up.changes[0].t]")
    expect(times[0] == times[1], f"not at one time: {times}")
    until("drops on the chart", lambda: page.js("return charts.up.samples.some((one) => countOf(one.drops))"))
    until("the reason", lambda: "Uplink" in page.text("why") and "wait in the buffer" in page.text("why"))
    page.press("undo")
    page.said("undo")
    expect({key: w.line(key) for key in (DOWN, UP)} == before, f"undone it is {w.line(DOWN)}, {w.line(UP)}")
    return said


def check_page_a_refusal_of_one_direction_leaves_both() -> str:
    """One direction is refused: the other stays as it was, too; what was typed stays in its field."""
    w, page = the()
    before = {key: w.line(key) for key in (DOWN, UP)}
    page.put("down-rate", "900kbit")
    page.put("up-rate", "nonsense")
    page.press("apply")
    said = page.said("uplink", "nonsense", "nothing has been changed")
    expect({key: w.line(key) for key in (DOWN, UP)} == before, "half of it was applied")
    expect(page.value("up-rate") == "nonsense", "what was typed is gone")
    page.press("revert")
    until("discarded", lambda: page.value("up-rate") == "1mbit" and page.value("down-rate") == "2mbit")
    return said


def check_page_presets_and_their_sources() -> str:
    """A preset with its sources, both directions, and back."""
    w, page = the()
    before = {key: w.line(key) for key in (DOWN, UP)}
    page.choose("preset", "lte-good")
    page.press("sources")
    both = ("TS 36.211", "lte-good-up: uplink of lte-good", "sr_grant")
    sources = until(
        "sources of both",
        lambda: all(w in page.text("source-rows") for w in both) and page.text("source-rows"),
    )
    page.press("apply-preset")
    page.said("Applied at", "preset lte-good-up")
    expect("mode lte-am" in w.line(DOWN) and "sr_grant" in w.line(UP), f"{w.line(DOWN)}; {w.line(UP)}")
    page.press("undo")
    page.said("undo")
    expect({key: w.line(key) for key in (DOWN, UP)} == before, f"undone it is {w.line(DOWN)}, {w.line(UP)}")
    return f"{len(sources.splitlines())} values"


def check_page_a_trace_on_both_from_one_time() -> str:
    """A trace plays on both from one time on; stopped, the configured values are back."""
    w, page = the()
    path = w.folder / "drive.csv"
    path.write_text(TRACE)
    page.driver.find_element("id", "trace").send_keys(str(path))
    page.choose("trace-ways", "both")
    page.choose("trace-end", "loop")
    page.press("play")
    said = page.said("drive.csv: 3 steps")

    def rates() -> list[int]:
        return [
            json.loads(w.wlinkctl("--json", "show", dev))[0]["xstats"]["rate_bps"]
            for dev in ("downlink", "uplink")
        ]

    until("both play", lambda: rates() in ([300_000] * 2, [500_000] * 2))
    page.press("stop")
    page.said("No schedule plays")
    until("both are as configured", lambda: rates() == [2_000_000, 1_000_000])
    return said


def check_page_two_browsers_at_once_one_of_them_a_phone() -> str:
    """Both have seen the same; the second to apply is refused, then sees what the first has set."""
    w, page = the()
    other = w.browser(phone=True)
    width = other.js("return [document.documentElement.scrollWidth, innerWidth]")
    expect(width[0] <= width[1], f"on a phone the page is {width[0]} wide, and the screen {width[1]}")
    # As if both had pressed in one instant: the second has not yet heard of the first.
    other.js("window.refresh = async () => undefined")
    seen = other.js("return revision")
    other.put("down-rate", "700kbit")
    page.put("down-rate", "800kbit")
    page.press("apply")
    page.said("Applied at")
    other.js("revision = arguments[0]", seen)
    other.press("apply")
    said = other.said("somebody else", "nothing has been changed")
    expect("rate 800kbit" in w.line(DOWN), f"it is {w.line(DOWN)}")
    other.driver.refresh()
    other.ready()
    until("the other page shows it", lambda: other.value("down-rate") == "800kbit")
    page.press("undo")
    page.said("undo")
    until("and the undo, without being asked", lambda: other.value("down-rate") == "2mbit")
    # A change from a terminal is seen by both, as a line.
    w.wlinkctl("set", "uplink", "rate", "900kbit")
    last = "return charts.up.changes.at(-1).text"
    for one in (page, other):
        until("it is shown", lambda one=one: one.value("up-rate") == "900kbit")  # type: ignore[misc]
        # Its fields may also be those that another event has asked for.
        until("the line says it", lambda one=one: "generation" in one.js(last))  # type: ignore[misc]
    w.wlinkctl("set", "uplink", "rate", "1mbit")
    return said


def check_page_a_bearer_that_comes_goes_and_comes() -> str:
    """A bearer that is added can be chosen; one that vanishes is told, and comes again."""
    w, page = the()
    w.wlinkctl("bearer", "add", "dev", "downlink", "bearer", "2", "rate", "64kbit")
    page.choose("link-down", "downlink 1: 2")
    until("its fields", lambda: page.value("down-rate") == "64kbit")
    w.wlinkctl("bearer", "del", "dev", "downlink", "bearer", "2")
    said = page.said("downlink 1: 2 is gone")
    expect(not page.driver.find_element("id", "down-rate").is_enabled(), "its fields are on")
    before = w.line(UP)
    page.put("up-rate", "950kbit")
    page.press("apply")
    page.said("no bearer 2")
    expect(w.line(UP) == before, f"half of it was applied: {w.line(UP)}, before it {before}")
    page.put("up-rate", page.js("return known('up', 'rate')"))
    w.wlinkctl("bearer", "add", "dev", "downlink", "bearer", "2", "rate", "32kbit")
    until("it is there again", lambda: page.value("down-rate") == "32kbit")
    page.choose("link-down", DOWN)
    until("the other one", lambda: page.value("down-rate") == "2mbit")
    w.wlinkctl("bearer", "del", "dev", "downlink", "bearer", "2")
    return said


def check_page_by_keyboard() -> str:
    """Every control has a name and is reached by Tab, in the order of the page; Enter applies."""
    w, page = the()
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    page.driver.refresh()
    page.ready()
    unnamed = page.js(
        "return [...document.querySelectorAll('input, select, button')]"
        ".filter((one) => one.checkVisibility() && !(one.labels?.length"
        " || one.textContent.trim() || one.getAttribute('aria-label'))).map((one) => one.id)"
    )
    expect(unnamed == [], f"without a name: {unnamed}")
    want = page.js(
        "return [...document.querySelectorAll('input, select, button, a, summary')]"
        ".filter((one) => !one.disabled && one.checkVisibility()).map((one) => one.id || one.textContent)"
    )
    reached = []
    page.js("document.activeElement.blur()")
    chains: Any = ActionChains
    for _ in want:
        chains(page.driver).send_keys(Keys.TAB).perform()
        reached.append(page.js("return document.activeElement.id || document.activeElement.textContent"))
    expect(reached == want, f"by Tab: {reached}, on the page: {want}")
    for name, role in (("why", "status"), ("says", "alert")):
        expect(
            page.js("return document.getElementById(arguments[0]).getAttribute('role')", name) == role, name
        )
    page.put("down-delay", "25ms")
    page.driver.switch_to.active_element.send_keys(Keys.ENTER)
    page.said("Applied at")
    expect("delay 25ms" in w.line(DOWN), w.line(DOWN))
    page.press("undo")
    page.said("undo")
    return f"{len(want)} controls"


def check_page_why_packets_are_late() -> str:
    """The line that says why, of samples by hand."""
    _, page = the()
    parts = {"queue": 60e6, "serial": 10e6, "prop": 30e6, "retx": 0, "hol": 0, "access": 0}
    none = dict.fromkeys(parts)
    of = {"sdus": 10, "parts": parts, "rate": 1e6, "offered": 2e6, "full": 0.8, "buffer": 40, "drops": {}}
    cases: list[tuple[dict[str, Any], tuple[str, ...]]] = [
        (
            of,
            (
                "take 100 ms",
                "60 %",
                "wait in the buffer",
                "2 Mbit/s arrive at a link of 1 Mbit/s",
                "80 % full",
            ),
        ),
        ({**of, "parts": {**parts, "retx": 900e6}}, ("take 1.00 s", "90 %", "PDUs that were lost")),
        ({**of, "parts": {**parts, "hol": 100e6}}, ("50 %", "delivery in order")),
        ({**of, "parts": {**parts, "prop": 100e6}}, ("the delay that is set",)),
        ({**of, "parts": {**parts, "access": 100e6}}, ("until the bearer may send",)),
        ({**of, "drops": {"aqm": 3}}, ("3 dropped: aqm 3.",)),
        ({**of, "sdus": 0, "parts": none, "rate": 0}, ("an outage", "40 packets wait")),
        ({**of, "sdus": 0, "parts": none, "buffer": 0}, ("no packets",)),
    ]
    for sample, words in cases:
        said = page.js("return whyOf('down', arguments[0])", sample)
        expect(all(word in said for word in words), f"{words} not in {said!r}")
    return f"{len(cases)} reasons"


def check_page_8_hours_in_a_browser() -> str:
    """8 hours of samples and a change each minute leave a page as large as ten minutes do."""
    _, page = the()
    kept = page.js(
        """const one = charts.down.samples.at(-1), chart = new Chart("up");
        for (let at = 0; at < 8 * 3600 * 5; at++) {
          if (at % 300 === 0) chart.changes.push({ t: at * 2e8, keys: [], text: "x" });
          chart.add({ ...one, t: at * 2e8, i: 2e8 });
        }
        chart.draw();
        const kept = [chart.samples.length, chart.changes.length, chart.panel.querySelectorAll("*").length];
        chart.panel.remove();
        return [...kept, document.querySelectorAll("#way-up *").length];"""
    )
    expect(kept[:2] == [HISTORY, HISTORY // 300], f"samples and changes kept: {kept[:2]}")
    expect(kept[2] <= kept[3] + 40, f"elements: {kept[2]} after hours, {kept[3]} now")
    return f"{kept[0]} samples, {kept[1]} changes"


def check_page_a_recording_is_one_file_that_plays() -> str:
    """A recording is one file: it opens from the disk, without a server, and plays."""
    w, page = the()
    page.press("record")
    page.said("Recording")
    page.put("down-rate", "300kbit")
    page.press("apply")
    page.said("Applied at")
    begin = page.js("return charts.down.samples.at(-1).t")
    until("samples", lambda: page.js("return charts.down.samples.at(-1).t") > begin + 3e9)
    page.press("record")
    page.said("one page of HTML")
    path = w.folder / "wlink-recording.html"
    until("the download", lambda: path.exists() and path.stat().st_size > 1000)
    page.press("undo")
    page.said("undo")
    driver = page.driver
    driver.switch_to.new_window("tab")
    try:
        driver.get(f"file://{path}")
        until("it says why", lambda: "Downlink" in page.text("why"))
        expect("rate 300kbit" in page.text("changes"), page.text("changes"))
        canvases = driver.find_elements("tag name", "canvas")
        expect(len(canvases) >= 2, f"{len(canvases)} canvases")
        # It plays some seconds only: the page itself is quick enough to press the button again.
        page.js(
            """stood = null;
            const run = document.getElementById("run"), moment = document.getElementById("moment");
            const look = setInterval(() => {
              if (run.textContent !== "Pause" || Number(moment.value) === 0) return;
              clearInterval(look);
              run.click();
              stood = [run.textContent, Number(moment.value), Number(moment.max)];
            }, 10);"""
        )
        page.press("run")
        text, at, most = until("it has run, and stands", lambda: page.js("return stood"))
        expect(text == "Play" and 0 < at < most, f"it says {text} at {at} of {most} ms")
        loaded = page.js("return performance.getEntriesByType('resource').map((one) => one.name)")
        expect([name for name in loaded if not name.startswith("data:")] == [], f"it loads {loaded}")
    finally:
        driver.close()
        driver.switch_to.window(driver.window_handles[0])
    return f"{path.stat().st_size} bytes"


def check_page_other_origins_change_nothing() -> str:
    """A page of another origin in the same browser: neither its forms nor its scripts change a link."""
    w, page = the()
    before = w.line(DOWN)
    port = int(re.search(r":(\d+)/", w.url)[1])  # type: ignore[index]
    evil = f"""<form id=f method=post enctype=text/plain action="http://127.0.0.1:{port}/api/change">
    <input name='{{"down":"{DOWN}","fields":{{"down":{{"rate":"1kbit"}}}},"x":"' value='"}}'></form>
    <script>
    window.results = [];
    const body = JSON.stringify({{down: "{DOWN}", fields: {{down: {{rate: "1kbit"}}}}}});
    for (const headers of [{{}}, {{"Content-Type": "application/json"}}, {{"X-Wlink-Token": "x"}}])
      fetch("http://127.0.0.1:{port}/api/change", {{method: "POST", body, headers}})
        .then((answer) => results.push(answer.status), () => results.push("refused"));
    fetch("http://127.0.0.1:{port}/", {{mode: "no-cors"}}).then(() => results.push("opaque"),
      () => results.push("refused"));
    </script>"""
    with served(evil) as other:
        page.driver.switch_to.new_window("tab")
        try:
            page.driver.get(f"http://localhost:{other}/")
            results = until(
                "all are refused", lambda: len(page.js("return results")) == 4 and page.js("return results")
            )
            expect(set(results) <= {"refused"}, f"another origin got {results}")
            page.js("document.getElementById('f').submit()")
            body = until("the form's answer", lambda: page.driver.find_element("tag name", "body").text)
            expect("another page" in body or "error" in body, body)
            # The name of an attacker that has come to lead here.
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANGS_S)
            connection.request("GET", "/", headers={"Host": f"evil.example:{port}"})
            expect(connection.getresponse().status == 421, "a name of others is answered")
        finally:
            page.driver.close()
            page.driver.switch_to.window(page.driver.window_handles[0])
    expect(w.line(DOWN) == before, f"it is {w.line(DOWN)}")
    return str(results)


@contextlib.contextmanager
def served(text: str) -> Iterator[int]:
    """A server of one page."""
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class Evil(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()


def check_page_the_machine_of_the_links_vanishes() -> str:
    """The machine of the links ends, and another one begins: the page says so, and goes on."""
    w, page = the()
    stop(w.live)
    said = page.said("no wlab live")
    page.put("down-rate", "700kbit")
    page.press("apply")
    page.said("no")
    w.live = w.start_live()
    until(
        "the page goes on",
        lambda: "no wlab live" not in page.text("says") or page.value("down-rate") == "2mbit",
    )
    page.press("revert")
    until("its values", lambda: page.value("down-rate") == "2mbit")
    samples = page.js("return charts.down.samples.at(-1).t")
    until("its samples", lambda: page.js("return charts.down.samples.at(-1).t") != samples)
    errors = [text for one in w.browsers for text in one.errors()]
    expect(errors == [], f"errors of the script: {errors}")
    w.stack.close()
    worlds.clear()
    return said
