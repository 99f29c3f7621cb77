# SPDX-License-Identifier: GPL-2.0
"""Channel quality of the users of LTE and NR cells, as schedules that links play."""
