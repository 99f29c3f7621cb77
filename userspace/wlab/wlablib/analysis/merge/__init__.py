# SPDX-License-Identifier: GPL-2.0
"""Logs of several machines, put in one order of time."""
