# SPDX-License-Identifier: GPL-2.0
"""What results say: metrics, delays and their parts, variants compared, intervals over seeds."""
