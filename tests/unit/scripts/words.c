// SPDX-License-Identifier: GPL-2.0
/*
 * The words of tc, as far as scripts need them.
 */
#include <stdlib.h>
#include <string.h>

#include "script.h"
#include "wl_case.h"

enum kind {
	NUMBER,		/* or off: 0 */
	TIME,		/* or off: never */
	SWITCH,
	CHOICE,
	RATE,
};

struct word {
	const char *name;
	enum kind kind;
	size_t offset;
	const char *choices[4];
};

#define AT(member)	offsetof(struct wl_cfg, member)

static const struct word table[] = {
	{ "rate", RATE, AT(rate_bps) },
	{ "delay", TIME, AT(delay_ns) },
	{ "pdu", NUMBER, AT(pdu_bytes) },
	{ "header", NUMBER, AT(header_bytes) },
	{ "limit", NUMBER, AT(limit.value) },
	{ "rev_rate", RATE, AT(reverse.rate_bps) },
	{ "rev_delay", TIME, AT(reverse.delay_ns) },
	{ "window", NUMBER, AT(rlc.window) },
	{ "in_order", SWITCH, AT(rlc.in_order) },
	{ "poll_last", SWITCH, AT(rlc.poll_last) },
	{ "poll_last_retx", SWITCH, AT(rlc.poll_last_retx) },
	{ "poll_pdu", NUMBER, AT(rlc.poll_pdu) },
	{ "poll_sdu", NUMBER, AT(rlc.poll_sdu) },
	{ "poll_window", NUMBER, AT(rlc.poll_window) },
	{ "poll_timer", TIME, AT(rlc.poll_ns) },
	{ "poll_periodic", TIME, AT(rlc.poll_periodic_ns) },
	{ "poll_prohibit", TIME, AT(rlc.poll_prohibit_ns) },
	{ "missing", SWITCH, AT(rlc.missing) },
	{ "status_periodic", TIME, AT(rlc.status_periodic_ns) },
	{ "status_prohibit", TIME, AT(rlc.status_prohibit_ns) },
	{ "status", CHOICE, AT(rlc.status), { "list", "bitmap" } },
	{ "discard", CHOICE, AT(rlc.discard), { "mrw", "reset", "timer" } },
	{ "maxdat", NUMBER, AT(rlc.maxdat) },
	{ "discard_timer", TIME, AT(rlc.discard_ns) },
	{ "mrw_timer", TIME, AT(rlc.mrw_ns) },
	{ "maxmrw", NUMBER, AT(rlc.maxmrw) },
	{ "reset_timer", TIME, AT(rlc.rst_ns) },
	{ "maxrst", NUMBER, AT(rlc.maxrst) },
	{ "reorder", NUMBER, AT(rlc.reorder) },
	{ "reorder_timer", TIME, AT(rlc.reorder_ns) },
	{ "duplicates", SWITCH, AT(rlc.duplicates) },
	{ "rto", TIME, AT(rlc.rto_ns) },
	{ "rttvar", CHOICE, AT(rlc.rttvar), { "abs", "signed" } },
	{ "ack_delay", TIME, AT(rlc.ack_delay_ns) },
	{ "ack_bytes", NUMBER, AT(rlc.ack_bytes) },
	{ "nack_guard", TIME, AT(rlc.nack_guard_ns) },
};

bool script_time(const char *text, u64 *ns)
{
	double value;
	char *unit;

	value = strtod(text, &unit);
	if (unit == text || value < 0)
		return false;
	if (!*unit || !strcmp(unit, "ms"))
		value *= WL_MS;
	else if (!strcmp(unit, "s"))
		value *= WL_SEC;
	else if (!strcmp(unit, "us"))
		value *= WL_US;
	else
		return false;
	*ns = value + 0.5;
	return true;
}

static bool number(const char *text, u64 *value)
{
	char *end;

	*value = strtoull(text, &end, 10);
	if (end == text)
		return false;
	if (!strcmp(end, "kbit"))
		*value *= 1000;
	else if (*end)
		return false;
	return true;
}

static bool set(struct wl_cfg *cfg, const struct word *word, const char *text)
{
	void *at = (char *)cfg + word->offset;
	bool off = !strcmp(text, "off");
	u64 value;
	u32 i;

	switch (word->kind) {
	case NUMBER:
		if (!off && !number(text, &value))
			return false;
		/* A limit has 64 bits. */
		if (word->offset == AT(limit.value))
			*(u64 *)at = off ? 0 : value;
		else
			*(u32 *)at = off ? 0 : value;
		return true;
	case RATE:
		return number(text, at);
	case TIME:
		if (off)
			*(u64 *)at = WL_NEVER_NS;
		return off || script_time(text, at);
	case SWITCH:
		*(bool *)at = !off;
		return off || !strcmp(text, "on");
	case CHOICE:
		for (i = 0; i < 4 && word->choices[i]; i++) {
			if (strcmp(text, word->choices[i]))
				continue;
			*(u8 *)at = i;
			return true;
		}
	}
	return false;
}

/* What is quiet by itself: a script turns on what it is about. */
static bool set_mode(struct wl_cfg *cfg, const char *text)
{
	static const char * const modes[] = { "tm", "um", "am", "fsr", "asr" };
	struct wl_rlc_cfg *rlc = &cfg->rlc;
	u32 i;

	for (i = 0; i < 5 && strcmp(text, modes[i]); i++)
		;
	if (i == 5)
		return false;
	wl_cfg_set_mode(cfg, i);
	rlc->poll_last = false;
	rlc->poll_last_retx = false;
	rlc->poll_window = 0;
	rlc->poll_ns = WL_NEVER_NS;
	rlc->missing = false;
	rlc->status_prohibit_ns = WL_NEVER_NS;
	rlc->status = WLINK_STATUS_LIST;
	return true;
}

const char *script_words(struct wl_cfg *cfg, char **words, int count)
{
	size_t i;

	for (; count > 1; count -= 2, words += 2) {
		if (!strcmp(words[0], "mode")) {
			if (!set_mode(cfg, words[1]))
				return words[1];
			continue;
		}
		for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
			if (!strcmp(words[0], table[i].name))
				break;
		}
		if (i == sizeof(table) / sizeof(table[0]) ||
		    !set(cfg, &table[i], words[1]))
			return words[0];
	}
	return count ? words[0] : NULL;
}
