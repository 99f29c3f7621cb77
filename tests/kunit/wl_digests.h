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
	{ 1, 68, 32, 0x4b5a5f9beab56df6ULL }, { 2, 57, 23, 0x693e2a6970ef8a1bULL },
	{ 3, 68, 19, 0xec05fd8dee85af8bULL }, { 4, 53, 24, 0x713e3c030538aa21ULL },
	{ 5, 68, 19, 0xf7d6794a7ad557d2ULL }, { 6, 53, 23, 0xc817c07eb1c81e2aULL },
	{ 7, 46, 21, 0x7488a29c508af576ULL }, { 8, 65, 18, 0xed61ad27e978106eULL },
	{ 9, 46, 28, 0x53168e87bc5aba42ULL }, { 10, 46, 28, 0x4ed160c3db6719a7ULL },
	{ 11, 46, 25, 0xdbff436a0ba8b560ULL }, { 12, 71, 17, 0x2b48db09b9c9dc7eULL },
	{ 13, 52, 34, 0x50646c6c2a9f72c0ULL }, { 14, 52, 22, 0x4ee871fe9765f02eULL },
	{ 15, 52, 23, 0xd8c50b37df083ff7ULL }, { 16, 52, 23, 0x05c4d5c483f57289ULL },
	{ 17, 53, 18, 0xfc4cbc78cddf8545ULL }, { 18, 52, 17, 0x3d6d1ab048dfecc2ULL },
	{ 19, 52, 17, 0x6eec224335947619ULL }, { 20, 53, 21, 0x653662a930f1452aULL },
	{ 21, 53, 21, 0x0960fcb3d3e939c7ULL }, { 22, 68, 36, 0x4234add64f59d257ULL },
	{ 23, 59, 8, 0x502a47e7cf850ddfULL }, { 24, 59, 7, 0x64485c9376c19307ULL },
	{ 25, 68, 62, 0x5c71f0245a228c2bULL }, { 26, 50, 19, 0x755812086bb93410ULL },
	{ 27, 49, 25, 0xfd8b54eaa1f4e6e7ULL }, { 28, 50, 22, 0x158a4b3c51eb092eULL },
	{ 29, 66, 21, 0xc79666965eb08989ULL }, { 30, 66, 15, 0x67126bafc8b3e0f6ULL },
	{ 31, 66, 14, 0x80a4652587f4d5a9ULL }, { 32, 66, 14, 0xac71e6beee73b525ULL },
	{ 33, 69, 24, 0xd42bfe1f9cf4c5b5ULL }, { 34, 67, 36, 0x28b14c1c1c6e91c8ULL },
	{ 35, 67, 23, 0xfd05ed3f358f6184ULL }, { 36, 66, 26, 0x6d245789a86b908cULL },
	{ 37, 66, 26, 0x049c1c5d9944a6cbULL }, { 38, 66, 27, 0x96f86625f3a38254ULL },
	{ 39, 72, 35, 0xca00982d6ef5d461ULL }, { 40, 66, 28, 0x87a0a990ae9619efULL },
	{ 41, 60, 43, 0x3ba015031a5b976cULL }, { 42, 60, 41, 0xb806913bd83f348cULL },
	{ 43, 60, 40, 0xa14abbfd87b7c330ULL }, { 44, 65, 24, 0x3fab95c9f21a608aULL },
	{ 45, 65, 27, 0xf796cf750d4e2c0aULL }, { 46, 65, 32, 0x6897f0804d00b563ULL },
	{ 47, 53, 42, 0x7ace94d34c5acbaeULL }, { 48, 53, 27, 0xf76679612f26b9a7ULL },
	{ 49, 53, 31, 0x13fbc25938e3ab4fULL }, { 50, 60, 41, 0x8961e68657b7e2f6ULL },
	{ 51, 60, 39, 0x5b0f72a0b37d2961ULL }, { 52, 62, 7, 0x02873e95823d23b1ULL },
	{ 53, 49, 37, 0x63afc902abb70ba9ULL }, { 54, 49, 30, 0x080e0f4b20999da5ULL },
	{ 55, 49, 33, 0x04d4579869ba7a29ULL }, { 56, 49, 32, 0x000d8d1bac26f31eULL },
	{ 57, 63, 23, 0xbac67d55da3a8ab2ULL }, { 58, 63, 33, 0xfea2b41e51fb62d6ULL },
	{ 59, 56, 34, 0x599593868078973aULL }, { 60, 56, 28, 0x5bd89bfee03f2538ULL },
};

/* The same of stories with more in them, with all that was told. */
static const struct wl_digest wl_digests_more[] = {
	{ 1, 98, 46, 0x48a69688ad2e41adULL }, { 2, 85, 43, 0x88206a2aaf396d01ULL },
	{ 3, 110, 36, 0xa872d6dd0933e705ULL }, { 4, 80, 46, 0xf23af1753a979e04ULL },
	{ 5, 97, 35, 0x8bbf521d3380cdacULL }, { 6, 78, 47, 0xa5278c4ee4fd5459ULL },
	{ 7, 72, 34, 0x9e329dc6bbc331e7ULL }, { 8, 87, 44, 0x58bd1e00995f3e94ULL },
	{ 9, 72, 50, 0xfd65a6ef91c0e7a3ULL }, { 10, 74, 43, 0x86eb895884b38dc6ULL },
	{ 11, 72, 44, 0x877f83941a9aed47ULL }, { 12, 94, 41, 0x8f77beca45afc3d2ULL },
	{ 13, 72, 47, 0x74842c78a864d6baULL }, { 14, 71, 30, 0xae2e947ef97723eeULL },
	{ 15, 75, 35, 0x6492c45f6324200eULL }, { 16, 74, 39, 0x369920ed884805efULL },
	{ 17, 86, 45, 0x049ff95021276446ULL }, { 18, 72, 21, 0x5df6c91585db1af0ULL },
	{ 19, 72, 23, 0x982b3b3280af3559ULL }, { 20, 82, 53, 0x70144cbb497c5df7ULL },
	{ 21, 86, 49, 0xe7b06b863f87e450ULL }, { 22, 96, 50, 0x826b5c35653f7c58ULL },
	{ 23, 83, 23, 0x6b1c102e6b8599caULL }, { 24, 84, 38, 0xea10fc012d92a789ULL },
};

/* The same of stories with all that the module takes. */
static const struct wl_digest wl_digests_wide[] = {
	{ 1, 101, 69, 0xcd989e9d73c1433bULL }, { 2, 88, 31, 0xd24d3fe636c5bfb5ULL },
	{ 3, 109, 58, 0x4b44a4db88c6c71dULL }, { 4, 80, 31, 0x9a7c9ef9dc819f78ULL },
	{ 5, 99, 32, 0xaf2e3d1eea3137a2ULL }, { 6, 87, 45, 0xb815cb511bdd0c08ULL },
	{ 7, 81, 44, 0xa50b0dee744477abULL }, { 8, 94, 45, 0xe85a63da34ee4132ULL },
	{ 9, 83, 49, 0x610e1f9854792435ULL }, { 10, 80, 40, 0x95af2f8990bee5b8ULL },
	{ 11, 74, 48, 0x56fe6239f2380765ULL }, { 12, 108, 42, 0xcb5400598412535bULL },
	{ 13, 78, 39, 0x6e6fe17c3b18b104ULL }, { 14, 77, 32, 0x22bc09b1bd5d1063ULL },
	{ 15, 71, 41, 0x22ff60da9f0d6ca6ULL }, { 16, 72, 46, 0x6c86c036bdb86455ULL },
	{ 17, 84, 22, 0x56b5f93178010d61ULL }, { 18, 71, 28, 0x524459fc70a9ae9dULL },
	{ 19, 78, 34, 0x58c9c905b1d26558ULL }, { 20, 78, 18, 0xc19553d94ce49b97ULL },
	{ 21, 80, 54, 0xf3e95db8c98fed9fULL }, { 22, 106, 66, 0x0d2848752233f798ULL },
	{ 23, 90, 49, 0x3cf0e7579f8e5fd1ULL }, { 24, 87, 24, 0x03109d94291b42a8ULL },
	{ 25, 111, 80, 0xe3a9da5e82fec948ULL }, { 26, 78, 40, 0x4e6fdc3c67fb8ea7ULL },
	{ 27, 77, 59, 0x567df7199bcdb444ULL }, { 28, 75, 34, 0x9357ab54a2d8d86fULL },
	{ 29, 106, 26, 0x218fa65211d2fa44ULL }, { 30, 100, 61, 0x2da4becd5531da07ULL },
	{ 31, 106, 12, 0x306ef7beb9c5361aULL }, { 32, 106, 61, 0x9b64e0d11b5c973aULL },
	{ 33, 110, 76, 0x4efb253c25429fccULL }, { 34, 104, 55, 0x00c423e0b01570b1ULL },
	{ 35, 106, 32, 0x695586dcc1758dbeULL }, { 36, 104, 36, 0x3b3e10c73a4140d1ULL },
	{ 37, 99, 76, 0x3f8d99630b413718ULL }, { 38, 96, 55, 0x38cb8176ef9a6552ULL },
	{ 39, 102, 86, 0x2608da7ec85210ecULL }, { 40, 103, 48, 0xcc49c04b3fa1d00bULL },
	{ 41, 88, 71, 0xa2e296089da626bfULL }, { 42, 91, 52, 0x2e5de45d0142badeULL },
	{ 43, 83, 53, 0xd50bd869fe4be10dULL }, { 44, 104, 43, 0x51df6bf75ef19c7aULL },
	{ 45, 113, 51, 0x58c2504f5b3a86caULL }, { 46, 100, 31, 0x3d60f419090d2538ULL },
	{ 47, 79, 34, 0x8b1c81a3235dd917ULL }, { 48, 81, 52, 0x379c002d2c73ee87ULL },
	{ 49, 87, 40, 0x1b9a7ee10924e1d3ULL }, { 50, 84, 40, 0xb8b82e918b878739ULL },
	{ 51, 88, 42, 0xb61402b033c4bd2fULL }, { 52, 98, 81, 0xf499b676d6a5405fULL },
	{ 53, 75, 52, 0x4de31a4ee76ab4dcULL }, { 54, 73, 42, 0x524ad07664183f4fULL },
	{ 55, 77, 45, 0x8a8771ee43a134ceULL }, { 56, 71, 32, 0xc951cc9ec29af712ULL },
	{ 57, 102, 37, 0x85e4609343c1144aULL }, { 58, 100, 57, 0xc434fb1df556475dULL },
	{ 59, 82, 59, 0x4a1404474831da42ULL }, { 60, 88, 53, 0xed892160edf75201ULL },
};

#endif
