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
	{ 1, 103, 57, 0xca464ae656b40419ULL },
	{ 2, 82, 30, 0x8cbe148ace18d8cfULL },
	{ 3, 104, 49, 0xfd538963a8cef9ffULL },
	{ 4, 83, 68, 0x379ac6657ef25703ULL },
	{ 5, 103, 21, 0x3e9a9dd28de17a70ULL },
	{ 6, 79, 49, 0xb3e41b2fc2b8a566ULL },
	{ 7, 73, 54, 0x11cf8f2cdf783bd1ULL },
	{ 8, 85, 30, 0x33cf3934a5b1a3acULL },
	{ 9, 72, 31, 0x74a7a0165d9cc0c6ULL },
	{ 10, 76, 57, 0x9d1d1b03ec064ed1ULL },
	{ 11, 77, 54, 0xe1cee45f97a80869ULL },
	{ 12, 103, 47, 0x4cecbc38ab62fcafULL },
	{ 13, 66, 32, 0xe66a1dc0b38573c5ULL },
	{ 14, 77, 62, 0x257a86e27f36e763ULL },
	{ 15, 72, 29, 0x43328f74f11a8378ULL },
	{ 16, 68, 39, 0x6ee591cc620aef38ULL },
	{ 17, 80, 30, 0x3bc93a3540d8d16bULL },
	{ 18, 75, 28, 0x0f555814f3b94e70ULL },
	{ 19, 74, 27, 0xbaf888c719702cfaULL },
	{ 20, 78, 25, 0xbc5b5fb352392ebfULL },
	{ 21, 84, 39, 0x31a852ed1905598fULL },
	{ 22, 102, 71, 0xa8c1cf0025aa8e75ULL },
	{ 23, 84, 51, 0x836877a68b57cc6bULL },
	{ 24, 87, 30, 0x612813aa693fd1efULL },
	{ 25, 96, 86, 0x144c90952dd4457bULL },
	{ 26, 69, 25, 0xe2964aa0e64c3a36ULL },
	{ 27, 69, 44, 0x5401ad18b67590c7ULL },
	{ 28, 69, 20, 0xbcd92018d19dffc3ULL },
	{ 29, 98, 13, 0x348399363bfacdc8ULL },
	{ 30, 97, 22, 0xd745dffa098c8a79ULL },
	{ 31, 101, 25, 0xf98cad55248332a5ULL },
	{ 32, 99, 58, 0xe9560214bffb719fULL },
	{ 33, 100, 25, 0xa9adc18a8903e742ULL },
	{ 34, 105, 56, 0x96b84c0a6d5520e3ULL },
	{ 35, 92, 22, 0xb8efb4fc270da53aULL },
	{ 36, 100, 25, 0xaed83f0ac364b8eaULL },
	{ 37, 95, 74, 0x5a4269c288eb4b87ULL },
	{ 38, 99, 49, 0x7dc861880d5a36e4ULL },
	{ 39, 111, 68, 0xe7b34e84daac9c25ULL },
	{ 40, 103, 58, 0x72b9467ea3224dcdULL },
	{ 41, 81, 74, 0x2d537729015dde9cULL },
	{ 42, 84, 43, 0x44905b871e1d9ed5ULL },
	{ 43, 81, 42, 0x8a2aeed628a82bdfULL },
	{ 44, 96, 48, 0xdafa0e8dad819b96ULL },
	{ 45, 98, 28, 0x6a4fba943c31e602ULL },
	{ 46, 100, 40, 0x1f729bafbd17a163ULL },
	{ 47, 80, 39, 0xc09e62ca48e67681ULL },
	{ 48, 78, 47, 0xfdc24df8b749443fULL },
	{ 49, 72, 43, 0x5d2403e474943c15ULL },
	{ 50, 87, 49, 0x7248af9e4ec4031dULL },
	{ 51, 82, 40, 0x59b11595defa892aULL },
	{ 52, 91, 66, 0xab5bd11f81b3ab93ULL },
	{ 53, 74, 47, 0xb7fe5ab93e865b28ULL },
	{ 54, 77, 52, 0x8e0363b5f15aefc6ULL },
	{ 55, 69, 56, 0xa0633f87bbf3b878ULL },
	{ 56, 69, 60, 0x1f6774dd14b8522dULL },
	{ 57, 102, 62, 0xb3c0587c5f719ba4ULL },
	{ 58, 90, 56, 0x4c741170e96dc246ULL },
	{ 59, 82, 54, 0x8817873ee5eef972ULL },
	{ 60, 81, 38, 0x3a156f0f5b228f58ULL },
};

#endif
