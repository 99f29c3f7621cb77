# SPDX-License-Identifier: GPL-2.0
"""What all packages share: folders, progress lines, units, tables of TOML files."""
