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
	{ 1, 68, 32, 0x4b5a5f9beab56df6ULL },
	{ 2, 57, 23, 0x693e2a6970ef8a1bULL },
	{ 3, 68, 19, 0xec05fd8dee85af8bULL },
	{ 4, 53, 24, 0x713e3c030538aa21ULL },
	{ 5, 68, 19, 0xf7d6794a7ad557d2ULL },
	{ 6, 53, 23, 0xc817c07eb1c81e2aULL },
	{ 7, 46, 21, 0x7488a29c508af576ULL },
	{ 8, 65, 18, 0xed61ad27e978106eULL },
	{ 9, 46, 28, 0x53168e87bc5aba42ULL },
	{ 10, 46, 28, 0x4ed160c3db6719a7ULL },
	{ 11, 46, 25, 0xdbff436a0ba8b560ULL },
	{ 12, 71, 17, 0x2b48db09b9c9dc7eULL },
	{ 13, 52, 34, 0x50646c6c2a9f72c0ULL },
	{ 14, 52, 22, 0x4ee871fe9765f02eULL },
	{ 15, 52, 23, 0xd8c50b37df083ff7ULL },
	{ 16, 52, 23, 0x05c4d5c483f57289ULL },
	{ 17, 53, 18, 0xfc4cbc78cddf8545ULL },
	{ 18, 52, 17, 0x3d6d1ab048dfecc2ULL },
	{ 19, 52, 17, 0x6eec224335947619ULL },
	{ 20, 53, 21, 0x653662a930f1452aULL },
	{ 21, 53, 21, 0x0960fcb3d3e939c7ULL },
	{ 22, 68, 36, 0x4234add64f59d257ULL },
	{ 23, 59, 8, 0x502a47e7cf850ddfULL },
	{ 24, 59, 7, 0x64485c9376c19307ULL },
	{ 25, 68, 62, 0x5c71f0245a228c2bULL },
	{ 26, 50, 19, 0x755812086bb93410ULL },
	{ 27, 49, 25, 0xfd8b54eaa1f4e6e7ULL },
	{ 28, 50, 22, 0x158a4b3c51eb092eULL },
	{ 29, 66, 21, 0xc79666965eb08989ULL },
	{ 30, 66, 15, 0x67126bafc8b3e0f6ULL },
	{ 31, 66, 14, 0x80a4652587f4d5a9ULL },
	{ 32, 66, 14, 0xac71e6beee73b525ULL },
	{ 33, 69, 24, 0xd42bfe1f9cf4c5b5ULL },
	{ 34, 67, 36, 0x28b14c1c1c6e91c8ULL },
	{ 35, 67, 23, 0xfd05ed3f358f6184ULL },
	{ 36, 66, 26, 0x6d245789a86b908cULL },
	{ 37, 66, 26, 0x049c1c5d9944a6cbULL },
	{ 38, 66, 27, 0x96f86625f3a38254ULL },
	{ 39, 72, 35, 0xca00982d6ef5d461ULL },
	{ 40, 66, 28, 0x87a0a990ae9619efULL },
	{ 41, 60, 43, 0x3ba015031a5b976cULL },
	{ 42, 60, 41, 0xb806913bd83f348cULL },
	{ 43, 60, 40, 0xa14abbfd87b7c330ULL },
	{ 44, 65, 24, 0x3fab95c9f21a608aULL },
	{ 45, 65, 27, 0xf796cf750d4e2c0aULL },
	{ 46, 65, 32, 0x6897f0804d00b563ULL },
	{ 47, 53, 42, 0x7ace94d34c5acbaeULL },
	{ 48, 53, 27, 0xf76679612f26b9a7ULL },
	{ 49, 53, 31, 0x13fbc25938e3ab4fULL },
	{ 50, 60, 41, 0x8961e68657b7e2f6ULL },
	{ 51, 60, 39, 0x5b0f72a0b37d2961ULL },
	{ 52, 62, 7, 0x02873e95823d23b1ULL },
	{ 53, 49, 37, 0x63afc902abb70ba9ULL },
	{ 54, 49, 30, 0x080e0f4b20999da5ULL },
	{ 55, 49, 33, 0x04d4579869ba7a29ULL },
	{ 56, 49, 32, 0x000d8d1bac26f31eULL },
	{ 57, 63, 23, 0xbac67d55da3a8ab2ULL },
	{ 58, 63, 33, 0xfea2b41e51fb62d6ULL },
	{ 59, 56, 34, 0x599593868078973aULL },
	{ 60, 56, 28, 0x5bd89bfee03f2538ULL },
};

/* The same of stories with more in them, with all that was told. */
static const struct wl_digest wl_digests_more[] = {
	{ 1, 98, 46, 0x48a69688ad2e41adULL },
	{ 2, 85, 43, 0x88206a2aaf396d01ULL },
	{ 3, 110, 36, 0xa872d6dd0933e705ULL },
	{ 4, 80, 46, 0xf23af1753a979e04ULL },
	{ 5, 97, 35, 0x8bbf521d3380cdacULL },
	{ 6, 78, 47, 0xa5278c4ee4fd5459ULL },
	{ 7, 72, 34, 0x9e329dc6bbc331e7ULL },
	{ 8, 87, 44, 0x58bd1e00995f3e94ULL },
	{ 9, 72, 50, 0xfd65a6ef91c0e7a3ULL },
	{ 10, 74, 43, 0x86eb895884b38dc6ULL },
	{ 11, 72, 44, 0x877f83941a9aed47ULL },
	{ 12, 94, 41, 0x8f77beca45afc3d2ULL },
	{ 13, 72, 47, 0x74842c78a864d6baULL },
	{ 14, 71, 30, 0xae2e947ef97723eeULL },
	{ 15, 75, 35, 0x6492c45f6324200eULL },
	{ 16, 74, 39, 0x369920ed884805efULL },
	{ 17, 86, 45, 0x049ff95021276446ULL },
	{ 18, 72, 21, 0x5df6c91585db1af0ULL },
	{ 19, 72, 23, 0x982b3b3280af3559ULL },
	{ 20, 82, 53, 0x70144cbb497c5df7ULL },
	{ 21, 86, 49, 0xe7b06b863f87e450ULL },
	{ 22, 96, 50, 0x826b5c35653f7c58ULL },
	{ 23, 83, 23, 0x6b1c102e6b8599caULL },
	{ 24, 84, 38, 0xea10fc012d92a789ULL },
};

/* The same of stories with all that the module takes. */
static const struct wl_digest wl_digests_wide[] = {
	{ 1, 106, 58, 0x6b3e7ede1a43ffeaULL },
	{ 2, 88, 33, 0x36eeeab778670ea7ULL },
	{ 3, 102, 74, 0xf08f8a100f280045ULL },
	{ 4, 83, 35, 0xf3570b077b220071ULL },
	{ 5, 115, 23, 0xf67a4103d95cb1a3ULL },
	{ 6, 86, 46, 0x0adc556e815a9b18ULL },
	{ 7, 67, 37, 0x64a02737d154f66bULL },
	{ 8, 88, 45, 0xe4cad74207255671ULL },
	{ 9, 69, 39, 0x3087bb9524be5a17ULL },
	{ 10, 73, 48, 0x9a21e38494eca46bULL },
	{ 11, 74, 28, 0x46c00af42d3eb416ULL },
	{ 12, 105, 60, 0xa96477f7f363dd90ULL },
	{ 13, 77, 40, 0x1c9fabeb7be77ee9ULL },
	{ 14, 73, 35, 0x5ed2d486884e9c87ULL },
	{ 15, 74, 34, 0xe939df481955b7b9ULL },
	{ 16, 76, 34, 0x13a3a92fc5015ed9ULL },
	{ 17, 83, 36, 0xc7f3cdfec1682caeULL },
	{ 18, 84, 38, 0x721b3d3eba6c6854ULL },
	{ 19, 73, 24, 0x879fdf88f3d71bb6ULL },
	{ 20, 77, 36, 0x0ed0b307f53e1012ULL },
	{ 21, 82, 26, 0x7624f4b512f64ec2ULL },
	{ 22, 103, 70, 0x8b7c753025150156ULL },
	{ 23, 87, 21, 0xfead4fdead34e810ULL },
	{ 24, 87, 34, 0x6342c63a8b5dfe1aULL },
	{ 25, 105, 93, 0xfb6abaf9681ba0a7ULL },
	{ 26, 75, 53, 0xba3725c799d90667ULL },
	{ 27, 77, 43, 0x507b121b3ef4a3a6ULL },
	{ 28, 75, 31, 0x1b2c5d119ee314d0ULL },
	{ 29, 99, 72, 0x3c42f052be9a358eULL },
	{ 30, 112, 32, 0x4a0c0c9341e9e39aULL },
	{ 31, 104, 25, 0x9854367a242542d3ULL },
	{ 32, 106, 61, 0x9b64e0d11b5c973aULL },
	{ 33, 114, 34, 0x304ea1d6c2af8ecfULL },
	{ 34, 104, 68, 0xf3a50d92aee0f635ULL },
	{ 35, 103, 44, 0x458c15c97d640ae6ULL },
	{ 36, 104, 36, 0x2abbe77d1c1697e5ULL },
	{ 37, 104, 64, 0x60b6b946d203935aULL },
	{ 38, 104, 77, 0x38c24898e82d1e57ULL },
	{ 39, 105, 51, 0xda1cf3078ab427ddULL },
	{ 40, 109, 71, 0x08e22eeb803e789bULL },
	{ 41, 95, 71, 0xea4523d9a3d65819ULL },
	{ 42, 94, 71, 0x8c5afd0812fa80a1ULL },
	{ 43, 92, 54, 0xce37da45ec5899e7ULL },
	{ 44, 92, 33, 0x63a514e93e31fab3ULL },
	{ 45, 100, 35, 0x41dbfb79271a141aULL },
	{ 46, 99, 41, 0x8d8f0b3e20a3cf3cULL },
	{ 47, 83, 33, 0xc935ee912e088cf5ULL },
	{ 48, 81, 51, 0xb6a29a03a2f467c1ULL },
	{ 49, 80, 47, 0xfa9a6799815bfa70ULL },
	{ 50, 94, 53, 0xa31e6319d69a31eeULL },
	{ 51, 90, 36, 0x76d788a7106e94edULL },
	{ 52, 96, 61, 0xe1119564fdfc4464ULL },
	{ 53, 78, 64, 0xf2b30509067faed4ULL },
	{ 54, 75, 47, 0xe92bc7a73fdb2396ULL },
	{ 55, 81, 60, 0x58b5a3478eb6f1b9ULL },
	{ 56, 72, 60, 0x183d93b67d4be3e6ULL },
	{ 57, 99, 69, 0x9ef3097f64cff590ULL },
	{ 58, 93, 67, 0x879d38bab37f646fULL },
	{ 59, 85, 57, 0x045483c213e581dfULL },
	{ 60, 80, 24, 0x9dcfdead7f8bf3bdULL },
};

#endif
