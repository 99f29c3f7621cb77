# SPDX-License-Identifier: GPL-2.0
"""`wlinkctl top`: what each bearer does now, the difference of two looks at its statistics."""
