# SPDX-License-Identifier: GPL-2.0
"""What the guest does of a scenario: its plan, moves of users, proxies, TCP's settings, programs."""
