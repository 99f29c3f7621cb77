// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "numbers/num.h"
#include "words/netem.h"
#include "words/words.h"

#define OVERTAKE \
	"in wlink packets overtake each other by jitter TIME jitter_reorder on, or in mode am with in_order off"
#define JITTER \
	"in wlink it is jitter TIME, with jitter_dist and jitter_dev; on a radio link delay varies also by the queue, tti and retransmission"

static const struct {
	const char *word;
	const char *hint;
} hints[] = {
	{ "distribution", JITTER },
	{ "reorder", OVERTAKE },
	{ "gap", OVERTAKE },
	{ "slot", "wlink sends in slots of tti" },
};

const char *wl_netem_hint(const char *keyword)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hints); i++)
		if (!strcmp(hints[i].word, keyword))
			return hints[i].hint;
	/* As in netem's delay 100ms 10ms. */
	return wl_num_is_time(keyword) ? JITTER : NULL;
}
