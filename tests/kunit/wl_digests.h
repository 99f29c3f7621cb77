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
	{ 1, 108, 57, 0xee0c8b3935ea43aaULL },
	{ 2, 87, 30, 0xd4c8c3fce2d2beeaULL },
	{ 3, 109, 50, 0x1537d1cc63081523ULL },
	{ 4, 88, 69, 0x919f675227e39a28ULL },
	{ 5, 108, 22, 0xd8ebe1c84a2a1697ULL },
	{ 6, 84, 50, 0x0be279967428c06eULL },
	{ 7, 78, 54, 0x932e118fcbf6d8baULL },
	{ 8, 90, 31, 0x84faced967578be5ULL },
	{ 9, 77, 31, 0x34fc4b19d0539dffULL },
	{ 10, 81, 57, 0x90604bb8dd956f67ULL },
	{ 11, 82, 53, 0x74671457b4b8118dULL },
	{ 12, 108, 47, 0x5493aba1cd15c41eULL },
	{ 13, 71, 32, 0x1797f28103d5e0bbULL },
	{ 14, 82, 62, 0x2583e286b874c7c1ULL },
	{ 15, 77, 30, 0x04c905dabd2ea136ULL },
	{ 16, 73, 39, 0x18b596b7f5397180ULL },
	{ 17, 84, 30, 0x3cfd43bec1d60bfcULL },
	{ 18, 80, 28, 0xd48cc2aff98477a4ULL },
	{ 19, 79, 29, 0x94e6e573ab77739aULL },
	{ 20, 82, 25, 0xfcf989951eb4c98fULL },
	{ 21, 88, 40, 0xc1990aa3ccb72e98ULL },
	{ 22, 107, 74, 0xd2f3d930303a1a8cULL },
	{ 23, 89, 51, 0x353f7a9c3e82ebb0ULL },
	{ 24, 92, 33, 0x24d7763f3ce646baULL },
	{ 25, 101, 87, 0xb9d98471521149abULL },
	{ 26, 74, 25, 0x7b4cc7b9440d7800ULL },
	{ 27, 73, 45, 0x8a8ceedd3f4fc2b5ULL },
	{ 28, 74, 21, 0xa3a6b1df3b010c63ULL },
	{ 29, 103, 13, 0x6e365a91703a84d0ULL },
	{ 30, 102, 22, 0x8fcc2bd245293e4dULL },
	{ 31, 106, 26, 0x8bcfead1252c9274ULL },
	{ 32, 104, 58, 0x9c51d371553e7a97ULL },
	{ 33, 105, 26, 0x3d207af282aad03bULL },
	{ 34, 110, 57, 0x257f798db8510c6eULL },
	{ 35, 97, 22, 0xb03e3f8ce1a7fddbULL },
	{ 36, 105, 27, 0x391c4aa121eac059ULL },
	{ 37, 100, 75, 0xf28384edb75bb261ULL },
	{ 38, 104, 50, 0xe01577348338c4f7ULL },
	{ 39, 116, 68, 0x7e7f376418b8fc12ULL },
	{ 40, 108, 59, 0xbb371a1f0c881383ULL },
	{ 41, 85, 74, 0x6df05c9c4b1c46acULL },
	{ 42, 88, 44, 0xefa947ccde222424ULL },
	{ 43, 85, 42, 0xf4596bbeef0d8754ULL },
	{ 44, 101, 48, 0xaa7bdae9ef986a8eULL },
	{ 45, 103, 28, 0x8a9654bd81d1585aULL },
	{ 46, 105, 41, 0xd12ea119a576b9dfULL },
	{ 47, 85, 40, 0x14f96dcf80c61432ULL },
	{ 48, 83, 48, 0xd8c248e1e6544b07ULL },
	{ 49, 77, 43, 0x9d1d410547567acfULL },
	{ 50, 92, 50, 0xf460db8ae323f2d2ULL },
	{ 51, 87, 40, 0x6c1ce811c90a2a64ULL },
	{ 52, 96, 66, 0x8c7b716d24b97296ULL },
	{ 53, 79, 48, 0x4afe65aa004732bbULL },
	{ 54, 82, 53, 0xd8d1a9fb7346bddeULL },
	{ 55, 74, 56, 0x9b938fd5f5dc66beULL },
	{ 56, 74, 60, 0x16c6c698729bc171ULL },
	{ 57, 106, 62, 0x55f110fa41c88458ULL },
	{ 58, 94, 57, 0x7e9f008f53bdb24eULL },
	{ 59, 87, 54, 0x14b08b1855abf112ULL },
	{ 60, 86, 40, 0x1879da276e603ce4ULL },
};

#endif
