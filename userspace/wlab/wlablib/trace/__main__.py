# SPDX-License-Identifier: GPL-2.0
"""wlinkctl-trace."""

import sys

from wlablib.trace.command import main

sys.exit(main(sys.argv[1:]))
