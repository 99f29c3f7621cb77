// SPDX-License-Identifier: GPL-2.0
/* A profile's file. */
#include <stdlib.h>

#include "fuzz.h"
#include "words/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char error[WL_ERROR_TEXT];

	free(wl_profile_load(fuzz_file(data, size), error));
	return 0;
}
