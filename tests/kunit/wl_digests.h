/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_DIGESTS_H
#define _WL_DIGESTS_H

/*
 * What becomes of the SDUs of the first stories of wl_story.h. A change of
 * the model changes it, and nothing else may: say in the commit which change
 * it was. Printed by: make -C tests/unit digests
 */
#include "wl_story.h"

/**
 * struct wl_digest - the end of one story
 * @seed: of the story
 * @sent: SDUs sent
 * @drops: of these, dropped
 * @digest: wl_story_digest()
 */
struct wl_digest {
	u64 seed;
	u32 sent;
	u32 drops;
	u64 digest;
};

static const struct wl_digest wl_digests[] = {
	{ 1, 68, 32, 0xd099f74b26462c2bULL },
	{ 2, 57, 23, 0x9a4005582ee67ac4ULL },
	{ 3, 68, 19, 0xc1694a9ba6d28f15ULL },
	{ 4, 53, 24, 0x84bd07655679ea2cULL },
	{ 5, 68, 19, 0xaa8cda3ad572a28bULL },
	{ 6, 53, 23, 0xc3dc324bc283a2a3ULL },
	{ 7, 46, 21, 0x7488a29c508af576ULL },
	{ 8, 65, 18, 0x016edd0a8b3e3256ULL },
	{ 9, 46, 28, 0x53168e87bc5aba42ULL },
	{ 10, 46, 28, 0x4ed160c3db6719a7ULL },
	{ 11, 46, 25, 0xdbff436a0ba8b560ULL },
	{ 12, 71, 17, 0xb0de9c04d8883744ULL },
	{ 13, 52, 34, 0x90b7b18551da646bULL },
	{ 14, 52, 22, 0x8f5837c2ab5509abULL },
	{ 15, 52, 23, 0xcff0bd9857cb5d48ULL },
	{ 16, 52, 23, 0xb6b176cd30ac4457ULL },
	{ 17, 53, 18, 0x8efd8c77a779950dULL },
	{ 18, 52, 17, 0xc8d37cae952e8d71ULL },
	{ 19, 52, 17, 0x2271195015ac19a9ULL },
	{ 20, 53, 21, 0xcc1d2dc70434585fULL },
	{ 21, 53, 21, 0xd58134c781eaaaccULL },
	{ 22, 68, 36, 0x5ed060896ee7c275ULL },
	{ 23, 59, 8, 0xec04af98f5b88be5ULL },
	{ 24, 59, 7, 0x3b0b87b007461a9eULL },
	{ 25, 68, 62, 0x607f120e8c129857ULL },
	{ 26, 50, 19, 0xa5df197dd1b851d4ULL },
	{ 27, 49, 25, 0x7a8fca95da2ccb0fULL },
	{ 28, 50, 22, 0x927929cb54bdeedcULL },
	{ 29, 66, 21, 0xd7ddd0ad0c6f356eULL },
	{ 30, 66, 15, 0xb57b1528637d1dfbULL },
	{ 31, 66, 14, 0xdbf7b6ff8ff7348dULL },
	{ 32, 66, 14, 0xa75ac2f0592b797eULL },
	{ 33, 69, 24, 0xd42bfe1f9cf4c5b5ULL },
	{ 34, 67, 36, 0x2bb9912d97aaf91cULL },
	{ 35, 67, 23, 0xfd05ed3f358f6184ULL },
	{ 36, 66, 26, 0xdd6d973e21647618ULL },
	{ 37, 66, 26, 0x469accf21b3a9cd7ULL },
	{ 38, 66, 27, 0x9f67d91c9642dad4ULL },
	{ 39, 72, 35, 0x97f2404f927c6c10ULL },
	{ 40, 66, 28, 0x05ce302007116658ULL },
	{ 41, 60, 43, 0x82bb1055831af54dULL },
	{ 42, 60, 41, 0x4b6a5c31f9577df2ULL },
	{ 43, 60, 40, 0x1ce7a335679b4cb1ULL },
	{ 44, 65, 24, 0xb34a8544ea6d3b92ULL },
	{ 45, 65, 27, 0x1e593d27802e608dULL },
	{ 46, 65, 32, 0x977a3d71b3c335c2ULL },
	{ 47, 53, 42, 0x7ed2d1714806e638ULL },
	{ 48, 53, 27, 0x0de49b7eb2c18617ULL },
	{ 49, 53, 31, 0x44211eaedbe07140ULL },
	{ 50, 60, 41, 0x9c8fac7b98ce5005ULL },
	{ 51, 60, 39, 0x101e70374c1c9fd2ULL },
	{ 52, 62, 7, 0xa1fa560b659a8d8aULL },
	{ 53, 49, 37, 0xc312c752e7d4b41dULL },
	{ 54, 49, 30, 0xc0a85d8e9dca6b1aULL },
	{ 55, 49, 33, 0x827b27ea0965c460ULL },
	{ 56, 49, 32, 0x27c0477d79b732a8ULL },
	{ 57, 63, 23, 0x0a6aac945978ad7aULL },
	{ 58, 63, 33, 0xc93d08a176b8e392ULL },
	{ 59, 56, 34, 0x0739d967c4877498ULL },
	{ 60, 56, 28, 0x4ead581bcff5b098ULL },
};

/* The same of stories with more in them, with all that was told. */
static const struct wl_digest wl_digests_more[] = {
	{ 1, 98, 46, 0x35f297ea5a2f12b8ULL },
	{ 2, 85, 43, 0x5dee4144ab7ebad5ULL },
	{ 3, 110, 36, 0x00aa36e59a78d1c5ULL },
	{ 4, 80, 46, 0x761ada1b5cf7b5f9ULL },
	{ 5, 97, 35, 0x23ede1dcab20c287ULL },
	{ 6, 78, 47, 0x3d439967c08456e2ULL },
	{ 7, 72, 34, 0x9e329dc6bbc331e7ULL },
	{ 8, 87, 44, 0x58bd1e00995f3e94ULL },
	{ 9, 72, 50, 0xfd65a6ef91c0e7a3ULL },
	{ 10, 74, 43, 0x86eb895884b38dc6ULL },
	{ 11, 72, 44, 0x877f83941a9aed47ULL },
	{ 12, 94, 41, 0x8f77beca45afc3d2ULL },
	{ 13, 72, 47, 0xce0a22370d1f0d97ULL },
	{ 14, 71, 30, 0x2a14128a64a2b069ULL },
	{ 15, 75, 35, 0x99aa19951ded47acULL },
	{ 16, 74, 39, 0x369920ed884805efULL },
	{ 17, 86, 45, 0x4b1f474a56dd6edeULL },
	{ 18, 72, 21, 0xd32601586877b51dULL },
	{ 19, 72, 23, 0xcc8226079ce46213ULL },
	{ 20, 82, 53, 0x92c93d2e91ae7c4bULL },
	{ 21, 86, 49, 0x91c789923a9e1109ULL },
	{ 22, 96, 50, 0xac34c6e69fcfac40ULL },
	{ 23, 83, 23, 0xd3de7bdcb0d95d60ULL },
	{ 24, 84, 38, 0xea10fc012d92a789ULL },
};

#endif
