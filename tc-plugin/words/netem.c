// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "numbers/num.h"
#include "words/netem.h"
#include "words/words.h"

#define OVERTAKE \
	"wlink lets no packet overtake by chance; in mode am with in_order off those overtake that need no retransmission"
#define JITTER \
	"wlink draws no random delay; it varies by what makes it vary on a radio link: the queue, tti, retransmission (mode am and a channel that loses)"

static const struct {
	const char *word;
	const char *hint;
} hints[] = {
	{ "jitter", JITTER },
	{ "distribution", JITTER },
	{ "duplicate", "wlink sends no packet twice; use netem on another device of the way" },
	{ "corrupt", "in wlink what errors hit is lost: channel uniform loss 1%" },
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
