# SPDX-License-Identifier: GPL-2.0
"""How each format of a trace is read and written."""
