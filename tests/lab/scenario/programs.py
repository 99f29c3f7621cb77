# SPDX-License-Identifier: GPL-2.0
"""Programs of others: one seed is one log, for what the kernel and they draw by chance as well."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from determinism import at, elsewhere, flow, program, radio, told
from lab import OUT, Skipped, call, expect, run

# Its cases do not use each other's results.
APART = True

LOSSY = "rate 10mbit delay 10ms limit 100 channel gilbert p 0.01 r 0.9"
FAR = "wlink = 'rate 100mbit delay 60ms'"

# The proxy gets the packets of the flows in between, and goes on under their addresses.
HAPROXY = (
    "printf 'global\\n maxconn 100\\ndefaults\\n mode tcp\\n timeout connect 5s\\n timeout client 1m\\n"
    " timeout server 1m\\nlisten between\\n bind 0.0.0.0:20001-20002 transparent\\n"
    " source 0.0.0.0 usesrc client\\n option transparent\\n' >haproxy.cfg && exec haproxy -db -f haproxy.cfg"
)
INTERCEPT = (
    "for dev in wired-up radio-down; do ip rule add iif $dev ipproto tcp lookup 100; done; "
    "ip route add local default dev lo table 100"
)
KEY = "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -subj /CN=wlab 2>/dev/null && "
FILE = "mkdir www && head -c 200000 /dev/urandom >www/file && "
NGINX = (
    'printf "daemon off; master_process off; pid nginx.pid; error_log stderr; '
    "events {} http { access_log off; "
    "client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s; "
    "server { listen 443 ssl; ssl_certificate $PWD/cert.pem; ssl_certificate_key $PWD/key.pem; "
    'root $PWD/www; } }" '
    ">nginx.conf && exec nginx -e stderr -p $PWD -c $PWD/nginx.conf"
)
CURL = "for i in 1 2 3; do curl -skS -o file https://10.0.1.1/file && cmp file www/file && echo same; done"
QUIC = "exec gtlsserver -q -d www 10.0.1.1 4433 key.pem cert.pem"
GET = (
    "gtlsclient -q --exit-on-all-streams-close --download got 10.0.1.1 4433 https://10.0.1.1:4433/file "
    "&& cmp got/file www/file && echo same"
)
LATER = "start = '2s'"
BOTH = flow("a", "tcp", "start = '1s'") + flow("b", "tcp", "start = '2s'\nbytes = 100000")

# What each needs, its scenario, what the client prints.
CASES_OF: dict[str, tuple[tuple[str, ...], str, str]] = {
    "BBR": (
        (),
        radio("rate 4mbit delay 50ms limit 100 seed 5") + flow("a", "tcp", "congestion = 'bbr'\ncount = 3"),
        "",
    ),
    "CUBIC": (
        (),
        radio("rate 20mbit delay 50ms limit 400 channel uniform loss 0.0001") + flow("a", "tcp"),
        "",
    ),
    "netem": (
        (),
        radio("rate 10mbit delay 10ms seed 5", "netem = 'delay 20ms 4ms loss 0.2%'")
        + flow("a", "tcp"),
        "",
    ),
    "HAProxy": (
        ("haproxy",),
        radio(LOSSY, FAR) + BOTH + program("haproxy", "router", HAPROXY) + at("0s", INTERCEPT),
        "",
    ),
    "curl with TLS": (
        ("nginx", "curl", "openssl"),
        radio(LOSSY, FAR)
        + program("server", "server", f"{KEY}{FILE}{NGINX}")
        + program("client", "ue", CURL, LATER),
        "same\nsame\nsame\n",
    ),
    "QUIC": (
        ("gtlsserver", "gtlsclient", "openssl"),
        radio(LOSSY, FAR)
        + program("server", "server", f"{KEY}{FILE}{QUIC}")
        + program("client", "ue", f"mkdir got && {GET}", LATER),
        "same\n",
    ),
}


def three_boots(name: str) -> Callable[[], str]:
    """Twice here and once elsewhere it is one log, of another seed it is another."""

    def case() -> str:
        need, body, printed = CASES_OF[name]
        path = "/usr/bin:/bin:/usr/sbin:/sbin"
        missing = [one for one in need if not shutil.which(one, path=path)]
        if missing:
            raise Skipped(f"{', '.join(missing)} is not there: userspace/need programs")
        text = f"duration = '10s'\n{body}"
        called = "repeats-" + name.split()[0].lower()
        seen: list[tuple[str, ...]] = []
        for seed in (3, 3, 4):
            result: Any
            result, folder = run(called, text, "--seed", str(seed))
            seen.append(told(folder))
            expect(result["events"] > 400, f"only {result['events']} events")
            if printed:
                said = (folder / "programs" / "client.out").read_text()
                expect(said == printed, f"the client says {said!r}")
        seen.append(elsewhere().run(called, "--seed", "3"))
        expect(seen[0] == seen[1], "another boot has other events or output")
        expect(seen[0] == seen[3], "another boot in another place has other events or output")
        expect(seen[0][0] != seen[2][0], "another seed has the same events")
        return f"{result['events']} events, {seen[0][0][:16]}"

    return case


def check_what_the_processor_draws() -> str:
    """std::random_device of C++ would have it draw: each process has its numbers, by the seed."""
    OUT.mkdir(parents=True, exist_ok=True)
    source = Path(__file__).with_name("device.c")
    done = call(["gcc", "-Wall", "-Wextra", "-o", str(OUT / "device"), str(source), "-l:libstdc++.so.6"])
    expect(done.returncode == 0, done.stderr)
    body = radio("rate 1mbit") + program("p", "ue", "./device; ./device", "files = ['device']")
    seen = [told(run("draws", f"duration = '1s'\n{body}", "--seed", seed)[1])[1] for seed in "334"]
    numbers = [one.split() for one in seen]
    expect(len({*numbers[0], *numbers[2]}) == 8, f"not eight numbers: {numbers}")
    expect(numbers[0] == numbers[1], f"another boot has others: {numbers}")
    return " ".join(numbers[0])


CASES = {f"one seed, one log: {name}": three_boots(name) for name in CASES_OF}
