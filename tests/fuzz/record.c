// SPDX-License-Identifier: GPL-2.0
/* A raw recording, as wlinkctl record --from reads it. */
#include "fuzz.h"
#include "record/from.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct signals signals = { .fd = -1 };
	struct record_out out = { 0 };

	if (record_out_open(&out, "/dev/null", &signals))
		return -1;
	record_from(fuzz_file(data, size), &out);
	record_out_close(&out);
	return 0;
}
