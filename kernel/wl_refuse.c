// SPDX-License-Identifier: GPL-2.0
/* The words for values that are outside their bounds. */
#include <linux/kernel.h>

#include "wl_refuse.h"

/* The kernel has 80 bytes for a message; a class, a step or a row fit in. */
#define WHERE_BYTES	32

int wl_refuse(const struct wl_refusal *why, struct netlink_ext_ack *extack,
	      const char *where, ...)
{
	char text[WHERE_BYTES];
	va_list args;

	if (why->row) {
		snprintf(text, sizeof(text), "profile row %u: ", why->row);
	} else {
		va_start(args, where);
		vsnprintf(text, sizeof(text), where, args);
		va_end(args);
	}
	NL_SET_ERR_MSG_FMT(extack, "wlink: %s%s %llu is outside %llu..%llu%s%s",
			   text, why->what, why->value, why->min, why->max,
			   *why->unit ? " " : "", why->unit);
	return -ERANGE;
}

int wl_refuse_time(const char *name, const struct nlattr *attr, u64 at_ns,
		   u64 now_ns, struct netlink_ext_ack *extack)
{
	u64 max_ns = now_ns + WLINK_AHEAD_MAX;

	if (at_ns >= now_ns && at_ns <= max_ns)
		return 0;
	if (at_ns < now_ns)
		NL_SET_ERR_MSG_FMT(extack, "wlink: %s %llu is before now, %llu ns",
				   name, at_ns, now_ns);
	else
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: %s %llu is above %llu ns, 10 years",
				   name, at_ns, max_ns);
	NL_SET_BAD_ATTR(extack, attr);
	return -ERANGE;
}
