# SPDX-License-Identifier: GPL-2.0
"""`wlab sweep`: runs all cells whose results are missing or out of date."""
