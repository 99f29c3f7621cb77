// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sch_wlink.h>

#include "numbers/ber.h"
#include "numbers/rayleigh.h"

/* Doubles on either side that are tried for one that comes to a hazard. */
#define NEIGHBOURS	4

/* Enough digits to tell any two doubles apart. */
#define DIGITS_MAX	17

static uint64_t to_hazard(double ber)
{
	uint64_t hazard = wl_hazard_from_ber(ber);

	return hazard < WLINK_HAZARD_MAX ? hazard : WLINK_HAZARD_MAX;
}

/* strtod() reads much that is no number here: signs, "inf", "0x1p3". */
static const char *after_number(const char *text)
{
	size_t whole = strspn(text, "0123456789");
	size_t frac = 0;

	text += whole;
	if (*text == '.') {
		frac = strspn(text + 1, "0123456789");
		text += 1 + frac;
	}
	if (!whole && !frac)
		return NULL;
	if (*text == 'e' || *text == 'E') {
		size_t sign = text[1] == '-' || text[1] == '+';
		size_t n = strspn(text + 1 + sign, "0123456789");

		if (n)
			text += 1 + sign + n;
	}
	return text;
}

enum wl_num_error wl_ber_parse(const char *text, uint64_t *hazard)
{
	const char *end = after_number(text);
	double ber;

	if (!end)
		return WL_NUM_SYNTAX;
	if (*end && strcmp(end, "%"))
		return WL_NUM_BAD_UNIT;
	ber = strtod(text, NULL);
	if (*end)
		ber /= 100;
	if (!(ber <= 1))
		return WL_NUM_RANGE;
	*hazard = to_hazard(ber);
	return WL_NUM_OK;
}

/* "1e-06" is "1e-6" to a reader. */
static void trim_exponent(char *text)
{
	char *digits = strchr(text, 'e');
	size_t zeros;

	if (!digits)
		return;
	digits += digits[1] == '-' || digits[1] == '+' ? 2 : 1;
	zeros = strspn(digits, "0");
	memmove(digits, digits + zeros, strlen(digits + zeros) + 1);
}

static int print_shortest(double ber, uint64_t hazard, char *text)
{
	int digits;

	for (digits = 1; digits <= DIGITS_MAX; digits++) {
		snprintf(text, WL_NUM_TEXT, "%.*g", digits, ber);
		if (to_hazard(strtod(text, NULL)) == hazard) {
			trim_exponent(text);
			return 0;
		}
	}
	return -1;
}

const char *wl_ber_print(uint64_t hazard, char *text)
{
	double above = wl_hazard_to_ber(hazard);
	double below = above;
	int i;

	for (i = 0; i < NEIGHBOURS; i++) {
		if (!print_shortest(below, hazard, text) ||
		    !print_shortest(above, hazard, text))
			return text;
		below = nextafter(below, 0);
		above = nextafter(above, 1);
	}
	snprintf(text, WL_NUM_TEXT, "%.*g", DIGITS_MAX,
		 wl_hazard_to_ber(hazard));
	trim_exponent(text);
	return text;
}
