# SPDX-License-Identifier: GPL-2.0
"""Pages of what a sweep has found, beside what the papers print."""
