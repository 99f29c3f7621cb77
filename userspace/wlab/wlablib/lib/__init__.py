# SPDX-License-Identifier: GPL-2.0
"""Shared by all: folders, progress lines, units, the keys and tables of TOML files."""
