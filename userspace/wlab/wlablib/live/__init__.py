# SPDX-License-Identifier: GPL-2.0
"""A program of the user behind the emulated link, in real time."""
