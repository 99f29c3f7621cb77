# SPDX-License-Identifier: GPL-2.0
"""A scenario's file: parsed and checked."""
