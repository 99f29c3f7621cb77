# SPDX-License-Identifier: GPL-2.0
"""`wlab live`: a program of the user behind the emulated link, in real time."""
