# SPDX-License-Identifier: GPL-2.0
"""`wlab compare`: several results side by side, in a table, a picture and a page."""
