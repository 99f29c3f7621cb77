# SPDX-License-Identifier: GPL-2.0
"""The lab kernel: its source, how it is made and kept up to date, one boot of it."""
