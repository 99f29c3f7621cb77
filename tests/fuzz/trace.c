// SPDX-License-Identifier: GPL-2.0
/* A trace: the first byte says of which format, or that it is to be guessed. */
#include <string.h>

#include "fuzz.h"
#include "trace/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct trace trace;
	struct trace_step step;
	int got;

	if (!size)
		return -1;
	memset(&trace, 0, sizeof(trace));
	trace.name = fuzz_file(data + 1, size - 1);
	trace.format = data[0] % TRACE_FORMATS;
	trace.step_ns = TRACE_JENS_NS;
	trace.keep_going = data[0] & 0x80;
	if (trace_open(&trace))
		return 0;
	do
		got = trace_next(&trace, &step);
	while (got > 0 || (got < 0 && trace.keep_going));
	trace_close(&trace);
	return 0;
}
