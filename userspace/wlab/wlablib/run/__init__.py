# SPDX-License-Identifier: GPL-2.0
"""Running scenarios, or a shell in one; writing and reading results."""
