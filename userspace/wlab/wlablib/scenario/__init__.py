# SPDX-License-Identifier: GPL-2.0
"""A scenario's file: parsed, checked and turned into the guest's plan."""
