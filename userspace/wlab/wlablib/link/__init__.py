# SPDX-License-Identifier: GPL-2.0
"""`wlab link`: one command behind a link, its figures, and what is asserted of them."""
