# SPDX-License-Identifier: GPL-2.0
"""wlinkctl metrics: the statistics of links and bearers for Prometheus."""
