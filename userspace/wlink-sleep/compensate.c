// SPDX-License-Identifier: GPL-2.0
/* select() with its error paid back: in the next request, or in advance. */
#include "sleep.h"

/* Sleeps ns less what is expected to be too much; nothing if nothing is left. */
static bool shortened(struct state *s, int64_t ns)
{
	return ns <= s->expected || nap_select(s, ns - s->expected);
}

/* The thesis's sleep_with_slack(), in ns where that had ms. */
static bool with_slack(struct state *s, int64_t ns, bool (*nap)(struct state *, int64_t))
{
	int64_t began;

	if (ns - s->slack <= 0) {
		s->slack -= ns;
		return true;
	}
	began = now_ns();
	if (!nap(s, ns - s->slack))
		return false;
	s->slack -= ns - (now_ns() - began);
	return true;
}

bool nap_slack(struct state *s, int64_t ns)
{
	return with_slack(s, ns, nap_select);
}

/* Learns the mean oversleep from the beginning of the series. */
bool begin_precomp(struct state *s)
{
	size_t i, n = s->n < CALIBRATE ? s->n : CALIBRATE;
	int64_t sum = 0, began;

	for (i = 0; i < n; i++) {
		began = now_ns();
		if (!nap_select(s, s->requests[i] * MS))
			return false;
		sum += now_ns() - began - s->requests[i] * MS;
	}
	s->expected = sum / (int64_t)n;
	return true;
}

bool nap_precomp(struct state *s, int64_t ns)
{
	return shortened(s, ns);
}

bool nap_slack_precomp(struct state *s, int64_t ns)
{
	return with_slack(s, ns, shortened);
}

bool nap_slack_rcvtimeo(struct state *s, int64_t ns)
{
	return with_slack(s, ns, nap_rcvtimeo);
}
