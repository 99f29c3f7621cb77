# SPDX-License-Identifier: GPL-2.0
"""Recorded links: read, check, convert and play them; wlinkctl's command trace."""
