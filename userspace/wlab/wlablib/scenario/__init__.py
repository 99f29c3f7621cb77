# SPDX-License-Identifier: GPL-2.0
"""A scenario's file: read and judged, and made into the guest's plan."""
