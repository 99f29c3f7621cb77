# SPDX-License-Identifier: GPL-2.0
"""Tables of measured links: what pandas reads, with columns that have names and units."""
