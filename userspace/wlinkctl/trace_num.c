// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>
#include <string.h>

#include "trace_num.h"
#include "wl_num.h"

#define DIGITS_MAX	18	/* that always fit in 64 bits */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

int trace_count(const char **at, uint64_t *value)
{
	const char *p = *at;
	uint64_t sum = 0;

	while (is_digit(*p)) {
		unsigned int digit = (unsigned int)(*p++ - '0');

		if (p - *at > DIGITS_MAX &&
		    (__builtin_mul_overflow(sum, 10, &sum) ||
		     __builtin_add_overflow(sum, digit, &sum)))
			return -1;
		if (p - *at <= DIGITS_MAX)
			sum = sum * 10 + digit;
	}
	if (p == *at)
		return -1;
	*at = p;
	*value = sum;
	return 0;
}

/* value * 10^places; what comes below 1 is rounded. */
static int scale(uint64_t value, int places, uint64_t *result)
{
	uint64_t ten = 1;

	for (; places > 0 && value; places--)
		if (__builtin_mul_overflow(value, 10, &value))
			return -1;
	if (places < -DIGITS_MAX)
		value = 0;
	else
		for (; places < 0; places++)
			ten *= 10;
	*result = value / ten + (value % ten >= ten - ten / 2);
	return 0;
}

/* The digits before and after a point; those past DIGITS_MAX only count. */
static const char *mantissa(const char *p, uint64_t *value, int *places)
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
			*value = *value * 10 + (unsigned int)(*p - '0');
			digits += *value > 0;
			*places -= after;
		} else if (!after) {
			++*places;
		}
	}
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

int trace_decimal(const char *text, int places, uint64_t *value)
{
	const char *p;
	uint64_t sum;

	if (!is_digit(*text) && !(*text == '.' && is_digit(text[1])))
		return -1;
	p = mantissa(text, &sum, &places);
	p = exponent(p, &places);
	return *p ? -1 : scale(sum, places, value);
}

/* Return: the unit's ns, 0 if it is not one of the usual. */
static uint64_t time_unit(const char *unit)
{
	if (!strcmp(unit, "s"))
		return 1000000000;
	if (!strcmp(unit, "ms"))
		return 1000000;
	if (!strcmp(unit, "us"))
		return 1000;
	return !strcmp(unit, "ns");
}

int trace_time(const char *text, int bare_places, uint64_t *value)
{
	const char *rest = text;
	uint64_t number;
	uint64_t unit;

	if (!trace_count(&rest, &number) && *rest) {
		unit = time_unit(rest);
		if (unit)
			return __builtin_mul_overflow(number, unit, value) ?
			       -1 : 0;
	}
	if (bare_places >= 0 && !trace_decimal(text, bare_places, value))
		return 0;
	return wl_num_parse(WL_UNIT_TIME, text, value) ? -1 : 0;
}

static uint64_t rate_unit(const char *unit)
{
	if (!*unit || !strcmp(unit, "bit"))
		return 1;
	if (!strcmp(unit, "kbit"))
		return 1000;
	return strcmp(unit, "mbit") ? 0 : 1000000;
}

int trace_rate(const char *text, uint64_t *value)
{
	const char *rest = text;
	uint64_t number;
	uint64_t unit;

	if (!trace_count(&rest, &number)) {
		unit = rate_unit(rest);
		if (unit)
			return __builtin_mul_overflow(number, unit, value) ?
			       -1 : 0;
	}
	if (!trace_decimal(text, 0, value))
		return 0;
	return wl_num_parse(WL_UNIT_RATE, text, value) ? -1 : 0;
}

char *trace_field(char **at, char part)
{
	char *word = *at;
	char *end;

	if (!word)
		return NULL;
	while (*word == ' ' || *word == '\t')
		word++;
	end = part == ' ' ? word + strcspn(word, " \t") :
			    word + strcspn(word, (char[]){ part, '\0' });
	*at = *end ? end + 1 : NULL;
	*end = '\0';
	while (end > word && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	if (part == ' ' && *at && !(*at)[strspn(*at, " \t")])
		*at = NULL;
	return word;
}

bool trace_is_number(const char *text)
{
	if (*text == '-' || *text == '+')
		text++;
	return is_digit(*text) || (*text == '.' && is_digit(text[1]));
}
