# SPDX-License-Identifier: GPL-2.0
"""wlinkctl from-netem: the words of wlink that come nearest to a line of netem, and what differs."""
