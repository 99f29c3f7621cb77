# SPDX-License-Identifier: GPL-2.0
"""Metrics, delays and their parts, confidence intervals and variants, from results."""
