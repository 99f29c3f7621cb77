// SPDX-License-Identifier: GPL-2.0
/* What the kernel has written for wlab-log: the description of an event, or the end of a page. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

/* As much memory as the file has bytes: what is read behind it is seen. */
static void *mapped;

static void *exact(size_t size, int fd)
{
	mapped = malloc(size);
	return pread(fd, mapped, size, 0) == (ssize_t)size ? mapped : MAP_FAILED;
}

#define mmap(at, size, prot, flags, fd, from) exact(size, fd)
#include "log/format.c"
#include "log/ring.c"
#undef mmap

#define PAGE_BYTES	4096U
#define HEAD		24U

static jmp_buf refused;

void fail(const char *format, ...)
{
	longjmp(refused, 1);
}

static char folder[32] = "/dev/shm/fuzz-log.XXXXXX";

static void put(const char *name, const void *data, size_t size)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
}

static void clear(void)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/wlink.wlink_channel.format", folder);
	unlink(path);
	snprintf(path, sizeof(path), "%s/trace.raw.0", folder);
	unlink(path);
	rmdir(folder);
}

static void each(struct log *log, const struct record *r)
{
	char text[8];
	size_t len;
	int i;

	field_text(r, F_DEV, text, sizeof(text));
	for (i = F_DEV + 1; i < F_FIELDS; i++)
		if (r->layout->field[i].size)
			field(r, (enum log_field)i);
	if (r->layout->field[F_DATA].size) {
		const unsigned char *data = field_bytes(r, F_DATA, &len);

		while (len--)
			if (data[len] == 1)
				text[0] = 1;
	}
}

/* The input ends where the page ends, behind an event of padding. */
static void put_page(const uint8_t *data, size_t size)
{
	uint8_t page[PAGE_BYTES] = { 0 };
	const uint64_t commit = PAGE_BYTES - 16;
	uint32_t padding[2];

	if (size > PAGE_BYTES - HEAD)
		size = PAGE_BYTES - HEAD;
	padding[0] = 29 | 1 << 5;
	padding[1] = (uint32_t)(PAGE_BYTES - 20 - size);
	memcpy(page + 8, &commit, sizeof(commit));
	memcpy(page + 16, padding, sizeof(padding));
	memcpy(page + PAGE_BYTES - size, data, size);
	put("trace.raw.0", page, PAGE_BYTES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char format[] = "name: wlink_channel\nID: 7\n"
		"\tfield:char dev[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		"\tfield:u32 generation;\toffset:24;\tsize:4;\tsigned:0;\n"
		"\tfield:u32 bearer;\toffset:28;\tsize:4;\tsigned:0;\n"
		"\tfield:u64 at_ns;\toffset:32;\tsize:8;\tsigned:0;\n"
		"\tfield:bool bad;\toffset:40;\tsize:1;\tsigned:0;\n";
	static const uint8_t event[] = { 11, 0, 0, 0, 7, 0 };
	static struct log log = { .in = folder };
	static bool made;

	if (!made && (!mkdtemp(folder) || atexit(clear)))
		abort();
	made = true;
	if (size && data[0] == 'f') {
		put("wlink.wlink_channel.format", data + 1, size - 1);
		put_page(event, sizeof(event));
	} else {
		put("wlink.wlink_channel.format", format, sizeof(format) - 1);
		put_page(data, size);
	}
	if (!setjmp(refused))
		ring_read(&log, each);
	free(mapped);
	mapped = NULL;
	return 0;
}
