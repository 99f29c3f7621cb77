# SPDX-License-Identifier: GPL-2.0
"""Several results beside each other: what is given, its curves and figures, a picture and a page."""
