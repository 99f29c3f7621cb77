// SPDX-License-Identifier: GPL-2.0
/* The table of kinds of flow, and functions that all kinds share. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flow.h"
#include "run/plan.h"

static const struct flow_ops *const kinds[] = {
	&tcp_ops,
	&udp_ops,
	&web_ops,
	&media_ops,
	&load_ops,
	&ping_ops,
};

const struct flow_ops *flow_ops_of(const char *kind)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i]->kind, kind))
			return kinds[i];
	fail("no kind of flow '%s'", kind);
}

uint64_t flow_word(const struct flow *flow, const char *key)
{
	const size_t len = strlen(key);
	const char *w = flow->words;
	uint64_t value;
	char *end;

	while (w && *w) {
		if (!strncmp(w, key, len) && w[len] == '=') {
			errno = 0;
			value = strtoull(w + len + 1, &end, 10);
			if (errno || end == w + len + 1 ||
			    (*end && *end != ' '))
				fail("flow %s: '%s' is no number", flow->name,
				     w);
			return value;
		}
		w = strchr(w, ' ');
		if (w)
			w++;
	}
	fail("flow %s: '%s' is missing in the plan", flow->name, key);
}

void flow_close(struct flow *flow)
{
	int *const fds[] = { &flow->tx, &flow->rx, &flow->listener };
	size_t i;

	for (i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
	free(flow->own);
	flow->own = NULL;
}
