# SPDX-License-Identifier: GPL-2.0
"""`wlab report`, `wlab claims`, `wlab export`: pages, claims and tables of a sweep's results."""
