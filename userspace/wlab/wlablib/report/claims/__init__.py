# SPDX-License-Identifier: GPL-2.0
"""The papers' claims, each a check that can fail."""
