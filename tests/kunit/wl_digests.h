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
	{ 1, 97, 57, 0x3facc3b8fbc22d86ULL },
	{ 2, 81, 39, 0x02f283cfb87503e4ULL },
	{ 3, 96, 36, 0x5cf831e84b7908d2ULL },
	{ 4, 76, 36, 0x624842a7fba65accULL },
	{ 5, 99, 11, 0x54b353891f7013e2ULL },
	{ 6, 74, 32, 0x1ebc4786840eb879ULL },
	{ 7, 75, 34, 0xf3c9f6f964761d38ULL },
	{ 8, 90, 47, 0x7a8e241434ebc466ULL },
	{ 9, 72, 45, 0xf57bddb522d4dc20ULL },
	{ 10, 68, 45, 0x1cadcd7daca3f2bdULL },
	{ 11, 72, 60, 0x896401b1692b6097ULL },
	{ 12, 92, 41, 0x942a4cabec903fc8ULL },
	{ 13, 74, 31, 0x977f4b83c7369015ULL },
	{ 14, 77, 42, 0x56a8760d3da1c342ULL },
	{ 15, 74, 51, 0xf92efc4a7eb300c2ULL },
	{ 16, 69, 46, 0x49a07ef61132f6acULL },
	{ 17, 81, 25, 0x5d233732dfa70b6dULL },
	{ 18, 71, 21, 0x1069164a5ce66aa2ULL },
	{ 19, 71, 33, 0xe25d3ff280b132b0ULL },
	{ 20, 79, 28, 0xf77cc81045cb349aULL },
	{ 21, 82, 39, 0x4516a919cef16eb1ULL },
	{ 22, 94, 46, 0x5a92d628ed470207ULL },
	{ 23, 83, 47, 0xb536ba7c2d85cbc3ULL },
	{ 24, 81, 16, 0x757611b3c8d937ddULL },
	{ 25, 109, 89, 0xfb0abbe365e124bfULL },
	{ 26, 73, 27, 0x9d086af9daf94825ULL },
	{ 27, 68, 48, 0xf4d17c74570a32adULL },
	{ 28, 65, 21, 0x9d67e40d5bc6b422ULL },
	{ 29, 92, 16, 0x9e119ffe9ab72c0dULL },
	{ 30, 103, 67, 0xb26d3c72f59a3957ULL },
	{ 31, 96, 30, 0xe47c7b11991652f5ULL },
	{ 32, 92, 48, 0xa5f9dc8641ffbe40ULL },
	{ 33, 104, 59, 0xc0f9115217b3ed43ULL },
	{ 34, 101, 67, 0xcde41c65068c2e7fULL },
	{ 35, 92, 12, 0x60a614fd2454c4a4ULL },
	{ 36, 97, 41, 0x70225f2c88f71712ULL },
	{ 37, 102, 46, 0x0b3a087eaade1c60ULL },
	{ 38, 100, 26, 0xd07a6ce857f560adULL },
	{ 39, 100, 43, 0x9cdf67cea1b24319ULL },
	{ 40, 103, 15, 0xb104f7262587eeedULL },
};

#endif
