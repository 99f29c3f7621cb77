// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <string.h>

#include "words/near.h"
#include "words/words.h"

/* Longer than any keyword. */
#define WORD_MAX	24U

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Letters to add, to leave out, to change, or to swap with the next. */
static size_t edits(const char *a, const char *b)
{
	size_t cost[WORD_MAX + 1][WORD_MAX + 1];
	size_t n = strlen(a), m = strlen(b);
	size_t i, j;

	for (i = 0; i <= n; i++)
		cost[i][0] = i;
	for (j = 0; j <= m; j++)
		cost[0][j] = j;
	for (i = 1; i <= n; i++) {
		for (j = 1; j <= m; j++) {
			bool differ = tolower((unsigned char)a[i - 1]) !=
				      b[j - 1];

			cost[i][j] = least(cost[i - 1][j - 1] + differ,
					   least(cost[i - 1][j],
						 cost[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				cost[i][j] = least(cost[i][j],
						   cost[i - 2][j - 2] + 1);
		}
	}
	return cost[n][m];
}

const char *wl_near(const char *keyword)
{
	size_t len = strlen(keyword);
	size_t best = len / 3 + 1;
	const char *near = NULL;
	enum wl_word word;

	if (len > WORD_MAX)
		return NULL;
	for (word = 0; word < WL_WORDS; word++) {
		size_t cost = edits(keyword, wl_rows[word].keyword);

		if (wl_rows[word].untyped || cost >= best)
			continue;
		best = cost;
		near = wl_rows[word].keyword;
	}
	return edits(keyword, WL_PRESET) < best ? WL_PRESET : near;
}
