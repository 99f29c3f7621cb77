# SPDX-License-Identifier: GPL-2.0
"""The packets of a run or of a recording, in formats that other programs read."""
