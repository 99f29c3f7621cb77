# SPDX-License-Identifier: GPL-2.0
"""The command line of wlab."""
