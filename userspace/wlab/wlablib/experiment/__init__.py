# SPDX-License-Identifier: GPL-2.0
"""An experiment's file, its cells, how one is run and proved again."""
