# SPDX-License-Identifier: GPL-2.0
"""A scenario is run, or entered by a shell; where a result goes, and how it is read."""
