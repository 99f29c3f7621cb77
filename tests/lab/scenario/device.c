// SPDX-License-Identifier: GPL-2.0
/* What std::random_device gives a program of C++, without a compiler of it. */
#include <stdio.h>

struct string {
	const char *text;
	unsigned long length;
	char own[16];
};

void _ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(
	void *device, const struct string *token);
unsigned int _ZNSt13random_device9_M_getvalEv(void *device);

int main(void)
{
	static long long device[1000];
	const struct string token = { .text = "default", .length = 7 };

	_ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(
		device, &token);
	printf("%u\n", _ZNSt13random_device9_M_getvalEv(device));
	printf("%u\n", _ZNSt13random_device9_M_getvalEv(device));
	return 0;
}
