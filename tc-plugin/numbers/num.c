// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <linux/pkt_sch_wlink.h>

#include "numbers/ber.h"
#include "numbers/num.h"

/**
 * struct wl_scale - one unit
 * @suffix: as typed
 * @scale: how many of the smallest unit it is
 * @typed_only: never used for printing
 */
struct wl_scale {
	const char *suffix;
	uint64_t scale;
	bool typed_only;
};

/* Largest first: the first one that divides a value is printed. */
static const struct wl_scale rates[] = {
	{ "gbit", 1000000000, false },
	{ "mbit", 1000000, false },
	{ "kbit", 1000, false },
	{ "bit", 1, false },
	{ "gbps", 8000000000, true },
	{ "mbps", 8000000, true },
	{ "kbps", 8000, true },
	{ "bps", 8, true },
	{ NULL, 0, false },
};

static const struct wl_scale times[] = {
	{ "s", 1000000000, false },
	{ "ms", 1000000, false },
	{ "us", 1000, false },
	{ "ns", 1, false },
	{ NULL, 0, false },
};

static const struct wl_scale sizes[] = {
	{ "mib", 1048576, false },
	{ "mb", 1000000, false },
	{ "kib", 1024, false },
	{ "kb", 1000, false },
	{ "b", 1, false },
	{ NULL, 0, false },
};

static const struct wl_scale percents[] = {
	{ "%", 1, false },
	{ NULL, 0, false },
};

/**
 * struct wl_unit_info - what there is to know of a kind of number
 * @scales: its units
 * @units: the same, for messages
 * @smallest: name of the smallest
 * @bare: a number without unit is this many of the smallest, 0 for none allowed
 * @suffixed: a unit is printed
 */
struct wl_unit_info {
	const struct wl_scale *scales;
	const char *units;
	const char *smallest;
	uint64_t bare;
	bool suffixed;
};

static const struct wl_unit_info infos[] = {
	[WL_UNIT_COUNT] = { NULL, "none", "1", 1, false },
	[WL_UNIT_RATE] = { rates,
			   "bit, kbit, mbit, gbit, bps, kbps, mbps or gbps",
			   "bit/s", 1, true },
	[WL_UNIT_TIME] = { times, "ns, us, ms or s", "ns", 0, true },
	[WL_UNIT_BYTES] = { sizes, "b, kb, mb, kib or mib", "bytes", 1, false },
	[WL_UNIT_SIZE] = { sizes, "b, kb, mb, kib or mib", "bytes", 0, true },
	[WL_UNIT_PROB] = { NULL, "%", "2^-32", 1, false },
	[WL_UNIT_PERCENT] = { percents, "%", "percent", 1, true },
	[WL_UNIT_MILLI] = { NULL, "none", "1/1000", 1000, false },
	[WL_UNIT_NANO] = { NULL, "none", "10^-9", 1000000000, false },
	[WL_UNIT_SLOTS] = { NULL, "D, S and U", "1", 1, false },
	[WL_UNIT_BER] = { NULL, "%", "2^-56", 1, false },
};

/**
 * struct wl_decimal - a decimal number taken apart
 * @whole: first digit before the point
 * @n_whole: how many there are
 * @frac: first digit after the point
 * @n_frac: how many there are
 * @suffix: the rest of the text
 */
struct wl_decimal {
	const char *whole;
	size_t n_whole;
	const char *frac;
	size_t n_frac;
	const char *suffix;
};

static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

static bool split(const char *text, struct wl_decimal *dec)
{
	dec->whole = text;
	dec->n_whole = digits(text);
	dec->suffix = text + dec->n_whole;
	dec->frac = dec->suffix;
	dec->n_frac = 0;
	if (*dec->suffix == '.') {
		dec->frac = dec->suffix + 1;
		dec->n_frac = digits(dec->frac);
		dec->suffix = dec->frac + dec->n_frac;
	}
	return dec->n_whole + dec->n_frac > 0;
}

static bool is_negative(const char *text)
{
	struct wl_decimal dec;

	return *text == '-' && split(text + 1, &dec);
}

static bool is_zero(const struct wl_decimal *dec)
{
	return strspn(dec->whole, "0") >= dec->n_whole &&
	       strspn(dec->frac, "0") >= dec->n_frac;
}

/* Horner's rule from the last digit: a step that leaves a remainder can never
 * become whole again, so any number of digits is judged without a wide type.
 */
static bool scale_frac(const struct wl_decimal *dec, uint64_t scale,
		       uint64_t *value)
{
	uint64_t acc = 0;
	size_t i;

	for (i = dec->n_frac; i-- > 0;) {
		acc += (uint64_t)(dec->frac[i] - '0') * scale;
		if (acc % 10)
			return false;
		acc /= 10;
	}
	*value = acc;
	return true;
}

static enum wl_num_error scale_decimal(const struct wl_decimal *dec,
				       uint64_t scale, uint64_t *value)
{
	uint64_t whole = 0;
	uint64_t frac;
	size_t i;

	if (!scale_frac(dec, scale, &frac))
		return WL_NUM_NOT_WHOLE;
	for (i = 0; i < dec->n_whole; i++)
		if (__builtin_mul_overflow(whole, 10, &whole) ||
		    __builtin_add_overflow(whole, dec->whole[i] - '0', &whole))
			return WL_NUM_RANGE;
	if (__builtin_mul_overflow(whole, scale, &whole) ||
	    __builtin_add_overflow(whole, frac, &whole))
		return WL_NUM_RANGE;
	*value = whole;
	return WL_NUM_OK;
}

static const struct wl_scale *find_scale(const struct wl_scale *scales,
					 const char *suffix)
{
	for (; scales && scales->suffix; scales++)
		if (!strcasecmp(scales->suffix, suffix))
			return scales;
	return NULL;
}

static enum wl_num_error parse_count(const char *text, uint64_t *value)
{
	struct wl_decimal dec;
	size_t hex;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		text += 2;
		hex = strspn(text, "0123456789abcdefABCDEF");
		if (!hex || text[hex])
			return WL_NUM_SYNTAX;
		if (hex - strspn(text, "0") > 16)
			return WL_NUM_RANGE;
		*value = strtoull(text, NULL, 16);
		return WL_NUM_OK;
	}
	if (!split(text, &dec))
		return WL_NUM_SYNTAX;
	if (*dec.suffix)
		return WL_NUM_BAD_UNIT;
	return scale_decimal(&dec, 1, value);
}

static enum wl_num_error parse_scaled(const struct wl_unit_info *info,
				      const char *text, uint64_t *value)
{
	const struct wl_scale *scale;
	struct wl_decimal dec;

	if (!split(text, &dec))
		return WL_NUM_SYNTAX;
	if (!*dec.suffix) {
		if (!info->bare && !is_zero(&dec))
			return WL_NUM_NO_UNIT;
		return scale_decimal(&dec, info->bare ? info->bare : 1, value);
	}
	scale = find_scale(info->scales, dec.suffix);
	if (!scale)
		return WL_NUM_BAD_UNIT;
	return scale_decimal(&dec, scale->scale, value);
}

/* Digit number i counted from the point to the right; in percent the point
 * stands two places further left, so places 0 and 1 are the last whole digits.
 */
static unsigned int prob_digit(const struct wl_decimal *dec, size_t shift,
			       size_t i)
{
	if (i >= shift)
		return (unsigned int)(dec->frac[i - shift] - '0');
	if (shift - i > dec->n_whole)
		return 0;
	return (unsigned int)(dec->whole[dec->n_whole - (shift - i)] - '0');
}

/* Flooring at each step of Horner's rule gives the floor of the exact value,
 * here of p * 2^33; its last bit then decides the rounding.
 */
static enum wl_num_error parse_prob(const char *text, uint64_t *value)
{
	struct wl_decimal dec;
	uint64_t whole = 0;
	uint64_t acc = 0;
	size_t shift;
	size_t i;

	if (!split(text, &dec))
		return WL_NUM_SYNTAX;
	if (*dec.suffix && strcmp(dec.suffix, "%"))
		return WL_NUM_BAD_UNIT;
	shift = *dec.suffix ? 2 : 0;
	for (i = 0; i + shift < dec.n_whole; i++) {
		whole = whole * 10 + (uint64_t)(dec.whole[i] - '0');
		if (whole > 1)
			return WL_NUM_RANGE;
	}
	for (i = dec.n_frac + shift; i-- > 0;) {
		unsigned int digit = prob_digit(&dec, shift, i);

		if (whole && digit)
			return WL_NUM_RANGE;
		acc = (acc + ((uint64_t)digit << 33)) / 10;
	}
	acc = (acc + 1) >> 1;
	if (whole || acc > UINT32_MAX)
		acc = UINT32_MAX;
	*value = acc;
	return WL_NUM_OK;
}

static const char slots[] = "-DSU";

static enum wl_num_error parse_slots(const char *text, uint64_t *value)
{
	size_t i, length = strlen(text);
	uint64_t pattern = 0;

	if (!length || strspn(text, slots + 1) < length)
		return WL_NUM_SYNTAX;
	if (length > WLINK_TDD_SLOTS_MAX)
		return WL_NUM_RANGE;
	for (i = 0; i < length; i++)
		pattern |= (uint64_t)(strchr(slots, text[i]) - slots) << 2 * i;
	*value = pattern;
	return WL_NUM_OK;
}

static const char *print_slots(uint64_t value, char *text)
{
	size_t n = 0;

	for (; value; value >>= 2)
		text[n++] = slots[value & 3];
	text[n] = '\0';
	return text;
}

enum wl_num_error wl_num_parse(enum wl_unit unit, const char *text,
			       uint64_t *value)
{
	if (is_negative(text))
		return WL_NUM_RANGE;
	if (unit == WL_UNIT_COUNT)
		return parse_count(text, value);
	if (unit == WL_UNIT_PROB)
		return parse_prob(text, value);
	if (unit == WL_UNIT_BER)
		return wl_ber_parse(text, value);
	if (unit == WL_UNIT_SLOTS)
		return parse_slots(text, value);
	return parse_scaled(&infos[unit], text, value);
}

/* The shortest decimal that is read as the same multiple of 2^-32. Ten places
 * are always enough, for 10^-10 < 2^-32.
 */
static const char *print_prob(uint64_t value, char *text)
{
	uint64_t scaled = value;	/* value * 5^places */
	uint64_t ten = 1;		/* 10^places */
	uint64_t back;
	int places;

	for (places = 0; places <= 10; places++) {
		uint64_t half = 1ULL << (31 - places);
		uint64_t near = (scaled + half) >> (32 - places);
		int length = places ?
			snprintf(text, WL_NUM_TEXT, "%" PRIu64 ".%0*" PRIu64,
				 near / ten, places, near % ten) :
			snprintf(text, WL_NUM_TEXT, "%" PRIu64, near);

		if (length < WL_NUM_TEXT && parse_prob(text, &back) == WL_NUM_OK && back == value)
			break;
		scaled *= 5;
		ten *= 10;
	}
	return text;
}

/* As many decimals as it takes. */
static const char *print_fraction(uint64_t value, uint64_t scale, char *text)
{
	uint64_t rest = value % scale;
	int n = snprintf(text, WL_NUM_TEXT, "%" PRIu64, value / scale);

	if (rest)
		text[n++] = '.';
	for (; rest; rest %= scale) {
		scale /= 10;
		text[n++] = (char)('0' + rest / scale);
	}
	text[n] = '\0';
	return text;
}

const char *wl_num_print(enum wl_unit unit, uint64_t value, char *text)
{
	const struct wl_unit_info *info = &infos[unit];
	const struct wl_scale *scale = info->scales;

	if (unit == WL_UNIT_PROB)
		return print_prob(value, text);
	if (unit == WL_UNIT_BER)
		return wl_ber_print(value, text);
	if (unit == WL_UNIT_SLOTS)
		return print_slots(value, text);
	if (unit == WL_UNIT_MILLI || unit == WL_UNIT_NANO)
		return print_fraction(value, info->bare, text);
	if (!info->suffixed || !value) {
		snprintf(text, WL_NUM_TEXT, "%" PRIu64, value);
		return text;
	}
	while (scale->typed_only || value % scale->scale)
		scale++;
	snprintf(text, WL_NUM_TEXT, "%" PRIu64 "%s", value / scale->scale,
		 scale->suffix);
	return text;
}

int wl_num_is_time(const char *text)
{
	struct wl_decimal dec;

	return split(text, &dec) && find_scale(times, dec.suffix);
}

int wl_num_is_bare(const char *text)
{
	struct wl_decimal dec;

	if (*text == '-')
		text++;
	return split(text, &dec) && !*dec.suffix;
}

const char *wl_num_units(enum wl_unit unit)
{
	return infos[unit].units;
}

const char *wl_num_smallest(enum wl_unit unit)
{
	return infos[unit].smallest;
}
