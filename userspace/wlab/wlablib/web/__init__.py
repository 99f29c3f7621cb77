# SPDX-License-Identifier: GPL-2.0
"""The control page: links shown and changed from a browser, and recordings played again."""
