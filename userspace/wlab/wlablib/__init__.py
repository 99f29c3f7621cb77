# SPDX-License-Identifier: GPL-2.0
"""wlink's virtual-time lab."""
