// SPDX-License-Identifier: GPL-2.0
/* A file of a schedule, as wlinkctl schedule load reads it. */
#include "fuzz.h"
#include "schedule/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t words[1 + __WLINK_COLUMN_MAX];
	static struct schedule_file file;

	if (schedule_file_open(&file, fuzz_file(data, size)))
		return -1;
	while (schedule_file_next(&file, words) > 0)
		;
	schedule_file_close(&file);
	return 0;
}
