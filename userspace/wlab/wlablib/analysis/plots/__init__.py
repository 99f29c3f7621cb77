# SPDX-License-Identifier: GPL-2.0
"""Pictures of results."""
