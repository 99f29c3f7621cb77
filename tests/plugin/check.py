#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Run every check of the words and of wlinkctl's command line."""

import sys
from pathlib import Path

import test_aqm
import test_attrs
import test_build
import test_channels
import test_cli
import test_clock
import test_doctor
import test_doctor_kernel
import test_doctor_links
import test_numbers
import test_presets
import test_profiles
import test_raw
import test_record
import test_rlc
import test_set
import test_top
import test_trace
import test_trace_bad
import test_trace_errors
import test_trace_play
import test_words
from harness import Checks, WordTool


def main() -> int:
    build = Path(sys.argv[1])
    checks = Checks()
    tool = WordTool(build / "tests/plugin/wordtool")
    test_numbers.run(checks, tool)
    test_words.run(checks, tool)
    test_channels.run(checks, tool)
    test_rlc.run(checks, tool)
    test_presets.run(checks, tool, build)
    test_aqm.run(checks, tool)
    test_profiles.run(checks, tool, build)
    test_attrs.run(checks, tool)
    checks.equal("wordtool ends without a sanitizer's complaint", tool.close(), 0)
    test_build.run(checks)
    test_cli.run(checks, build)
    test_record.run(checks, build)
    test_clock.run(checks, build)
    test_raw.run(checks, build)
    test_top.run(checks, build)
    test_trace.run(checks, build)
    test_trace_errors.run(checks, build)
    test_trace_bad.run(checks, build)
    test_trace_play.run(checks, build)
    test_set.run(checks, build)
    test_doctor.run(checks, build)
    test_doctor_kernel.run(checks, build)
    test_doctor_links.run(checks, build)
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
