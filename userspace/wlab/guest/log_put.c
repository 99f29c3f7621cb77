// SPDX-License-Identifier: GPL-2.0
/* Writes lines of a table. A run has some million columns, and printf takes four
 * fifths of the time of all that wlab-log does with them.
 */
#include <string.h>

#include "log.h"

/* Two digits at a time halve the divisions. */
static const char pairs[] =
	"0001020304050607080910111213141516171819"
	"2021222324252627282930313233343536373839"
	"4041424344454647484950515253545556575859"
	"6061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

void put_text(FILE *f, const char *text)
{
	fwrite_unlocked(text, 1, strlen(text), f);
}

/* Digits go to the end of the text; the first of them is told. */
static char *digits(char *end, uint64_t v)
{
	for (; v >= 100; v /= 100) {
		end -= 2;
		memcpy(end, &pairs[v % 100 * 2], 2);
	}
	if (v >= 10) {
		end -= 2;
		memcpy(end, &pairs[v * 2], 2);
	} else {
		*--end = (char)('0' + v);
	}
	return end;
}

void put_first(FILE *f, int64_t value)
{
	char text[24], *end = text + sizeof(text), *at;

	/* The negative of the least value is no int64_t. */
	at = digits(end, value < 0 ? -(uint64_t)value : (uint64_t)value);
	if (value < 0)
		*--at = '-';
	fwrite_unlocked(at, 1, (size_t)(end - at), f);
}

void put_next(FILE *f, int64_t value)
{
	putc_unlocked('\t', f);
	put_first(f, value);
}

void put_next_text(FILE *f, const char *text)
{
	putc_unlocked('\t', f);
	put_text(f, text);
}

void put_end(FILE *f)
{
	putc_unlocked('\n', f);
}
