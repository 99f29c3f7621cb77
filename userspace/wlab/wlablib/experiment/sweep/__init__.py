# SPDX-License-Identifier: GPL-2.0
"""All cells of experiments, run where they are missing or out of date."""
