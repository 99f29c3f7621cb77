# SPDX-License-Identifier: GPL-2.0
"""`wlinkctl doctor`: what a machine, a device and the links on it do to exact departures."""
