// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>
#include <string.h>

#include "numbers/num.h"
#include "trace/num.h"

#define DIGITS_MAX	18	/* that always fit in 64 bits */

static const uint64_t tens[] = {
	1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
	1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000,
	100000000000000, 1000000000000000, 10000000000000000,
	100000000000000000, 1000000000000000000,
};

static unsigned int digit_at(const char *p)
{
	return (unsigned int)(unsigned char)*p - '0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Return: the first that is no digit; @sum is right up to DIGITS_MAX of them. */
static const char *take_digits(const char *p, uint64_t *sum)
{
	uint64_t value = *sum;
	unsigned int digit;

	for (; (digit = digit_at(p)) <= 9; p++)
		value = value * 10 + digit;
	*sum = value;
	return p;
}

static int count_many(const char *p, const char *end, uint64_t *value)
{
	uint64_t sum = 0;

	for (; p < end; p++)
		if (__builtin_mul_overflow(sum, 10, &sum) ||
		    __builtin_add_overflow(sum, digit_at(p), &sum))
			return -1;
	*value = sum;
	return 0;
}

int trace_count(const char **at, uint64_t *value)
{
	const char *begin = *at;
	uint64_t sum = 0;
	const char *end = take_digits(begin, &sum);

	if (end == begin)
		return -1;
	if (end - begin > DIGITS_MAX && count_many(begin, end, &sum))
		return -1;
	*at = end;
	*value = sum;
	return 0;
}

/* value * 10^places; what comes below 1 is rounded. */
static int scale(uint64_t value, int places, uint64_t *result)
{
	uint64_t ten;

	if (places >= 0) {
		if (places > DIGITS_MAX)
			places = value ? DIGITS_MAX + 1 : 0;
		return places > DIGITS_MAX ||
		       __builtin_mul_overflow(value, tens[places], result) ?
		       -1 : 0;
	}
	if (places < -DIGITS_MAX) {
		*result = 0;
		return 0;
	}
	ten = tens[-places];
	*result = value / ten + (value % ten >= ten / 2);
	return 0;
}

/* More digits than fit: those past DIGITS_MAX only count. */
static const char *long_mantissa(const char *p, uint64_t *value, int *places)
{
	bool after = false;
	int digits = 0;

	*value = 0;
	for (;; p++) {
		if (*p == '.' && !after) {
			after = true;
			continue;
		}
		if (!is_digit(*p))
			return p;
		if (digits < DIGITS_MAX) {
			*value = *value * 10 + digit_at(p);
			digits += *value > 0;
			*places -= after;
		} else if (!after) {
			++*places;
		}
	}
}

/* The digits before and after a point; NULL: more than fit. */
static const char *mantissa(const char *begin, uint64_t *value, int *places)
{
	const char *p, *point;

	*value = 0;
	p = take_digits(begin, value);
	if (*p == '.') {
		point = p + 1;
		p = take_digits(point, value);
		*places -= p - point;
	}
	return p - begin <= DIGITS_MAX ? p : NULL;
}

static const char *exponent(const char *p, int *places)
{
	const char *digits = p + 1;
	uint64_t value;
	bool minus;

	if (*p != 'e' && *p != 'E')
		return p;
	minus = *digits == '-';
	if (*digits == '-' || *digits == '+')
		digits++;
	if (trace_count(&digits, &value) || value > 99)
		return p;
	*places += minus ? -(int)value : (int)value;
	return digits;
}

bool trace_take_decimal(const char **at, int places, uint64_t *value)
{
	uint64_t sum;
	const char *p;

	if (!is_digit(**at))
		return false;
	p = mantissa(*at, &sum, &places);
	if (!p || scale(sum, places, value))
		return false;
	*at = p;
	return true;
}

int trace_decimal(const char *text, int places, uint64_t *value)
{
	int want = places;
	const char *p;
	uint64_t sum;

	if (!is_digit(*text) && !(*text == '.' && is_digit(text[1])))
		return -1;
	p = mantissa(text, &sum, &places);
	if (!p) {
		places = want;
		p = long_mantissa(text, &sum, &places);
	}
	if (*p)
		p = exponent(p, &places);
	return *p ? -1 : scale(sum, places, value);
}

/* Return: characters of the unit, 0 if it is not one of the usual. */
static unsigned int time_unit(const char *unit, uint64_t *ns)
{
	*ns = 1000000000;
	if (unit[0] == 's')
		return 1;
	*ns = 1;
	switch (unit[0]) {
	case 'm':
		*ns = 1000000;
		break;
	case 'u':
		*ns = 1000;
		break;
	case 'n':
		break;
	default:
		return 0;
	}
	return unit[1] == 's' ? 2 : 0;
}

bool trace_take_time(const char **at, uint64_t *value)
{
	const char *p = *at;
	unsigned int n;
	uint64_t ns;

	if (trace_count(&p, value))
		return false;
	n = time_unit(p, &ns);
	if (!n || __builtin_mul_overflow(*value, ns, value))
		return false;
	*at = p + n;
	return true;
}

int trace_time(const char *text, int bare_places, uint64_t *value)
{
	const char *rest = text;

	if (bare_places >= 0 && !trace_decimal(text, bare_places, value))
		return 0;
	if (trace_take_time(&rest, value) && !*rest)
		return 0;
	return wl_num_parse(WL_UNIT_TIME, text, value) ? -1 : 0;
}

bool trace_take_rate(const char **at, uint64_t *value)
{
	const char *p = *at;
	uint64_t bps = 1;

	if (trace_count(&p, value))
		return false;
	if (*p == 'k' || *p == 'm')
		bps = *p++ == 'k' ? 1000 : 1000000;
	if (p[0] == 'b' && p[1] == 'i' && p[2] == 't')
		p += 3;
	else if (bps > 1)
		return false;
	if (__builtin_mul_overflow(*value, bps, value))
		return false;
	*at = p;
	return true;
}

int trace_rate(const char *text, uint64_t *value)
{
	const char *rest = text;

	if (trace_take_rate(&rest, value) && !*rest)
		return 0;
	if (!trace_decimal(text, 0, value))
		return 0;
	return wl_num_parse(WL_UNIT_RATE, text, value) ? -1 : 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* What a word ends at, by what parts words. */
static const bool after_row[256] = { [0] = true, [','] = true };
static const bool after_blank[256] = { [0] = true, [' '] = true, ['\t'] = true };

char *trace_field(char **at, char part)
{
	const bool *stops = part == ',' ? after_row : after_blank;
	char *word = *at;
	char *end;

	if (!word)
		return NULL;
	while (is_blank(*word))
		word++;
	for (end = word; !stops[(unsigned char)*end]; end++)
		;
	*at = NULL;
	if (*end) {
		*end = '\0';
		*at = end + 1;
		while (is_blank(**at))
			++*at;
		if (part == ' ' && !**at)
			*at = NULL;
	}
	while (end > word && is_blank(end[-1]))
		*--end = '\0';
	return word;
}

bool trace_is_number(const char *text)
{
	if (*text == '-' || *text == '+')
		text++;
	return is_digit(*text) || (*text == '.' && is_digit(text[1]));
}
