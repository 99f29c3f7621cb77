# SPDX-License-Identifier: GPL-2.0
"""`wlinkctl --host`: links of other machines, by ssh."""
