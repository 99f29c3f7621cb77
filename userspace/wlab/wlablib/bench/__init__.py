# SPDX-License-Identifier: GPL-2.0
"""The bench of congestion controls."""
