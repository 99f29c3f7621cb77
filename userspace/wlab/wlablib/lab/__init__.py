# SPDX-License-Identifier: GPL-2.0
"""The lab kernel: its source, its build, and one boot of it or of another guest."""
