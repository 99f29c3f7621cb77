# SPDX-License-Identifier: GPL-2.0
"""From CQI to the bits of a transport block: TS 36.213 of LTE, TS 38.214 of NR."""

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

from ..lib.paths import LabError

# Resource blocks by MHz: TS 36.101 table 5.6-1; TS 38.101-1 table 5.3.2-1, by spacing in kHz.
LTE_BLOCKS: dict[float, int] = {1.4: 6, 3: 15, 5: 25, 10: 50, 15: 75, 20: 100}
NR_BLOCKS: dict[int, dict[float, int]] = {
    15: {5: 25, 10: 52, 15: 79, 20: 106, 25: 133, 30: 160, 40: 216, 50: 270},
    30: {5: 11, 10: 24, 15: 38, 20: 51, 25: 65, 30: 78, 40: 106, 50: 133, 60: 162, 70: 189, 80: 217,
         90: 245, 100: 273},
}  # fmt: skip
# (Bits of a symbol, code rate x 1024) of CQI 1 to 15: TS 36.213 table 7.2.3-1, TS 38.214 table
# 5.2.2.1-3, which goes up to 256QAM; then of each MCS: TS 38.214 table 5.1.3.1-2.
Codes = list[tuple[int, float]]
LTE_CQI: Codes = [
    *((2, r) for r in (78, 120, 193, 308, 449, 602)),
    *((4, r) for r in (378, 490, 616)),
    *((6, r) for r in (466, 567, 666, 772, 873, 948)),
]
NR_CQI: Codes = [
    *((2, r) for r in (78, 193, 449)),
    *((4, r) for r in (378, 490, 616)),
    *((6, r) for r in (466, 567, 666, 772, 873)),
    *((8, r) for r in (711, 797, 885, 948)),
]
NR_MCS: Codes = [
    *((2, r) for r in (120, 193, 308, 449, 602)),
    *((4, r) for r in (378, 434, 490, 553, 616, 658)),
    *((6, r) for r in (466, 517, 567, 616, 666, 719, 772, 822, 873)),
    *((8, r) for r in (682.5, 711, 754, 797, 841, 885, 916.5, 948)),
]

# TS 36.213 table 7.1.7.2.1-1, I_TBS 0 to 26, of the six bandwidths.
LTE_TBS = {
    6: """
        152 208 256 328 408 504 600 712 808 936 1032 1192 1352 1544 1736 1800 1928 2152 2344 2600 2792 2984
        3240 3496 3624 3752 4392
    """,
    15: """
        392 520 648 872 1064 1320 1544 1800 2088 2344 2664 2984 3368 3880 4264 4584 4968 5352 5992 6456 6968
        7480 7992 8504 9144 9528 11064
    """,
    25: """
        680 904 1096 1416 1800 2216 2600 3112 3496 4008 4392 4968 5736 6456 7224 7736 7992 9144 9912 10680
        11448 12576 13536 14112 15264 15840 18336
    """,
    50: """
        1384 1800 2216 2856 3624 4392 5160 6200 6968 7992 8760 9912 11448 12960 14112 15264 16416 18336
        19848 21384 22920 25456 27376 28336 30576 31704 36696
    """,
    75: """
        2088 2728 3368 4392 5352 6712 7736 9144 10680 11832 12960 15264 16992 19080 21384 22920 24496 27376
        29296 32856 35160 37888 40576 43816 45352 46888 55056
    """,
    100: """
        2792 3624 4584 5736 7224 8760 10296 12216 14112 15840 17568 19848 22920 25456 28336 30576 32856
        36696 39232 43816 46888 51024 55056 57336 61664 63776 75376
    """,
}
# TS 38.214 table 5.1.3.2-1.
NR_TBS = """
    24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192 208 224 240 256 272
    288 304 320 336 352 368 384 408 432 456 480 504 528 552 576 608 640 672 704 736 768 808 848 888 928
    984 1032 1064 1128 1160 1192 1224 1256 1288 1320 1352 1416 1480 1544 1608 1672 1736 1800 1864 1928
    2024 2088 2152 2216 2280 2408 2472 2536 2600 2664 2728 2792 2856 2976 3104 3240 3368 3496 3624 3752
    3824
"""
NR_SIZES = [int(word) for word in NR_TBS.split()]

# Resource elements of a block and TTI that carry data, with one antenna port: of 14 symbols three
# are PDCCH and 6 elements reference symbols in LTE (36.213 clause 7.2.3), in NR two are PDCCH and
# one is DM-RS, both by custom.
LTE_ELEMENTS = 12 * 11 - 6
NR_ELEMENTS = 12 * 12 - 12


def lte_tbs(mcs: int, blocks: int) -> int:
    """Bits of a transport block; table 7.1.7.1-1 has the I_TBS of an MCS."""
    index = mcs - (mcs > 9) - (mcs > 16)
    return int(LTE_TBS[blocks].split()[index])


def nr_tbs(elements: int, blocks: int, bits: int, rate_1024: float, layers: int) -> int:
    """TS 38.214 clause 5.1.3.2: elements are N'_RE of a resource block."""
    info = min(156, elements) * blocks * bits * layers * rate_1024 / 1024
    if info <= 3824:
        step = 2 ** max(3, math.floor(math.log2(info)) - 6)
        return NR_SIZES[bisect_left(NR_SIZES, max(24, step * math.floor(info / step)))]
    step = 2 ** (math.floor(math.log2(info - 24)) - 5)
    # Half is rounded up.
    whole = max(3840, step * math.floor((info - 24) / step + 0.5))
    most = 3816 if rate_1024 <= 256 else 8424
    parts = math.ceil((whole + 24) / most) if whole > 8424 or most == 3816 else 1
    bits_of_all: int = 8 * parts * math.ceil((whole + 24) / (8 * parts)) - 24
    return bits_of_all


@dataclass(frozen=True)
class Carrier:
    """What a cell sends on; all of it goes to one user at a time."""

    system: str
    bandwidth_mhz: float
    scs_khz: int
    layers: int
    gap_db: float

    @cached_property
    def blocks(self) -> int:
        table = LTE_BLOCKS if self.system == "lte" else NR_BLOCKS.get(self.scs_khz, {})
        if self.bandwidth_mhz not in table:
            known = ", ".join(str(mhz) for mhz in table)
            raise LabError(
                f"radio.bandwidth_mhz: {self.system} has no {self.bandwidth_mhz:g} MHz; there is: {known}"
            )
        return table[self.bandwidth_mhz]

    @property
    def band_hz(self) -> float:
        """Of the resource blocks."""
        return self.blocks * 12e3 * self.scs_khz

    @property
    def tti_ns(self) -> int:
        return 15_000_000 // self.scs_khz

    @cached_property
    def sizes(self) -> list[int]:
        """Bits that a TTI carries, by MCS; in LTE each layer is a codeword."""
        if self.system == "lte":
            return [lte_tbs(mcs, self.blocks) * self.layers for mcs in range(29)]
        return [nr_tbs(NR_ELEMENTS, self.blocks, *one, self.layers) for one in NR_MCS]

    def efficiency(self, mcs: int) -> float:
        """Bits of a resource element of a layer."""
        elements = (LTE_ELEMENTS if self.system == "lte" else NR_ELEMENTS) * self.blocks * self.layers
        return self.sizes[mcs] / elements

    def rate_bps(self, mcs: int) -> int:
        return self.sizes[mcs] * 1_000_000_000 // self.tti_ns

    @property
    def most_bps(self) -> int:
        return self.rate_bps(len(self.sizes) - 1)

    def needed_db(self, efficiency: float) -> float:
        """SINR at which one block in ten is lost: Shannon's, and the gap above it."""
        return 10 * math.log10(2**efficiency - 1) + self.gap_db

    @cached_property
    def cqi_db(self) -> list[float]:
        """What CQI 1 to 15 need."""
        table = LTE_CQI if self.system == "lte" else NR_CQI
        return [self.needed_db(bits * rate / 1024) for bits, rate in table]

    @cached_property
    def mcs_of_cqi(self) -> list[int]:
        """By CQI from 1: the highest MCS with no more bits than it asks for, or the lowest."""
        table = LTE_CQI if self.system == "lte" else NR_CQI
        some = range(len(self.sizes))
        return [
            max((m for m in some if self.efficiency(m) <= bits * rate / 1024 + 1e-3), default=0)
            for bits, rate in table
        ]
