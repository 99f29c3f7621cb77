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
	{ 1, 106, 57, 0x6b253d8fad91ccbcULL },
	{ 2, 88, 32, 0xeb284a478d4fd3d3ULL },
	{ 3, 102, 74, 0x9b19238231530439ULL },
	{ 4, 83, 33, 0x3f23d544037d1323ULL },
	{ 5, 115, 22, 0x0b2649544e350ad7ULL },
	{ 6, 86, 47, 0x7ce9f28fb305c7c6ULL },
	{ 7, 67, 37, 0xcdbf28d1f0699149ULL },
	{ 8, 88, 45, 0xa177c3f6b2477a05ULL },
	{ 9, 69, 39, 0x3c0d22a2176ed151ULL },
	{ 10, 73, 48, 0x7f1fc18170eab481ULL },
	{ 11, 74, 28, 0x20527691bd055405ULL },
	{ 12, 105, 59, 0x59fac7c95c8ad182ULL },
	{ 13, 77, 38, 0x97e17f5c18ae923cULL },
	{ 14, 73, 33, 0x1960428c1cd3044bULL },
	{ 15, 74, 32, 0x1003faea029adca1ULL },
	{ 16, 76, 32, 0xfe7e96115f2f4065ULL },
	{ 17, 83, 36, 0x517258e91dc5db9eULL },
	{ 18, 84, 36, 0xa46e213baf21f533ULL },
	{ 19, 73, 22, 0x42af53e5cc132a3aULL },
	{ 20, 77, 36, 0x05706527e5de248aULL },
	{ 21, 82, 26, 0x1f23ea49c07707c7ULL },
	{ 22, 103, 70, 0x22aa14a8b2c7856aULL },
	{ 23, 87, 21, 0x94e45e27ca4fc4b6ULL },
	{ 24, 87, 33, 0xdb1f5cdfa2b01d22ULL },
	{ 25, 105, 94, 0x95c2bc144399ad15ULL },
	{ 26, 75, 52, 0x57c0d564eb64cfe8ULL },
	{ 27, 77, 42, 0x8267561da71a8f07ULL },
	{ 28, 75, 30, 0xe8aa5305d684a45eULL },
	{ 29, 99, 72, 0x85fa9ade4e559bb8ULL },
	{ 30, 112, 32, 0xdfd5f81c2aa89ee0ULL },
	{ 31, 104, 23, 0xbffdd98d2f0bd344ULL },
	{ 32, 106, 61, 0x290691bae7b690efULL },
	{ 33, 114, 33, 0x211e2fbc81ce318cULL },
	{ 34, 104, 68, 0xf7e4636e453de592ULL },
	{ 35, 103, 43, 0xedf04b0b92db2421ULL },
	{ 36, 104, 34, 0xef6b38974d95016aULL },
	{ 37, 104, 62, 0x7ad8e3ac651e4450ULL },
	{ 38, 104, 76, 0x4589a90786852033ULL },
	{ 39, 105, 50, 0xc77c9055e0156ce4ULL },
	{ 40, 109, 69, 0x027322736f6e9bdbULL },
	{ 41, 95, 71, 0x7553be162d272441ULL },
	{ 42, 94, 71, 0xf5564112cf4e7dd0ULL },
	{ 43, 92, 54, 0x2ea3975f75557c18ULL },
	{ 44, 92, 31, 0xc153ae090cb7a6f8ULL },
	{ 45, 100, 33, 0x1fe3651649448a5fULL },
	{ 46, 99, 40, 0x5b678a4614d5f9aeULL },
	{ 47, 83, 32, 0x9659ea3df3500438ULL },
	{ 48, 81, 50, 0x2471721606486785ULL },
	{ 49, 80, 46, 0x9efdc7b221dae920ULL },
	{ 50, 94, 51, 0x4d79d61cbe3dc082ULL },
	{ 51, 90, 35, 0x4cbb02dc9db101ddULL },
	{ 52, 96, 65, 0xe6db95e4f809a293ULL },
	{ 53, 78, 63, 0x02807c78db82564fULL },
	{ 54, 75, 46, 0x4e978635be0f90ceULL },
	{ 55, 81, 60, 0x68dcd451f30a9318ULL },
	{ 56, 72, 58, 0x9dcb31855dbc73ccULL },
	{ 57, 99, 70, 0x077cdecd8d80350fULL },
	{ 58, 93, 67, 0x70fc391218822542ULL },
	{ 59, 85, 55, 0x73d2244af7fc6325ULL },
	{ 60, 80, 23, 0xf1921c2f1b50c53fULL },
};

#endif
