# SPDX-License-Identifier: GPL-2.0
"""Experiments: their files, their cells, running one cell and verifying a result."""
