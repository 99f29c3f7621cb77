# SPDX-License-Identifier: GPL-2.0
"""`wlab merge`: logs of several machines in one order of time."""
