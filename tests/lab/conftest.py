# SPDX-License-Identifier: GPL-2.0
"""The longest cases go first, so that all processors end at about the same time."""

import pytest

LONGEST = "handovers storm stress aqm losses replay arq determinism failures pictures".split()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order = {name: i for i, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.stem, len(order)))
