// SPDX-License-Identifier: GPL-2.0
#include <linux/pkt_sched.h>

#include "check/judge.h"
#include "core/rrc/check.h"
#include "netlink/attr.h"
#include "netlink/options.h"
#include "netlink/kept.h"

#define LINK		TC_H_MAKE(0x10000, 1)
#define CLASS		TC_H_MAKE(0x10000, 2)
#define RATE_BPS	1000000

/* All that is told of a bearer, and all that can be asked for. */
#define SHOWN_BYTES	8192

/**
 * struct judge - configurations found good, and what they refer to
 * @link: that classes are of
 * @last: the last good one of either
 * @classid: of that
 * @kept: of all of them
 * @shown: what judge_show() tells, a message
 */
struct judge {
	struct wl_cfg link;
	struct wl_cfg last;
	u32 classid;
	struct wl_kept *kept;
	u64 shown[SHOWN_BYTES / sizeof(u64)];
};

static void set_usual(struct judge *judge)
{
	wl_cfg_default(&judge->link);
	judge->link.rate_bps = RATE_BPS;
}

struct judge *judge_new(void)
{
	struct judge *judge = calloc(1, sizeof(*judge));

	if (judge)
		set_usual(judge);
	return judge;
}

/* As tc_init() and tc_class_add() of the module begin. */
static void begin(const struct judge *judge, struct wl_cfg *cfg, bool is_class)
{
	if (!is_class) {
		wl_cfg_default(cfg);
		return;
	}
	*cfg = judge->link;
	cfg->channel = (struct wl_chan_cfg){ .kind = WLINK_CHANNEL_LINK };
}

int judge_words(struct judge *judge, bool is_class, struct nlattr *options,
		char *error)
{
	u32 classid = is_class ? CLASS : LINK;
	struct wl_options_said said = { .fresh = true };
	struct netlink_ext_ack extack = { 0 };
	struct wl_cfg cfg;

	if (!is_class)
		set_usual(judge);
	begin(judge, &cfg, is_class);
	if (wl_options_parse(&cfg, &judge->kept, classid, options, &said, &extack)) {
		snprintf(error, JUDGE_TEXT, "%s", extack._msg);
		return -1;
	}
	judge->last = cfg;
	judge->classid = classid;
	if (!is_class)
		judge->link = cfg;
	return 0;
}

const void *judge_show(struct judge *judge, size_t *len)
{
	struct sk_buff skb = {
		.data = (char *)judge->shown,
		.room = sizeof(judge->shown),
	};
	const struct nlattr *options = (struct nlattr *)judge->shown;

	/* A profile's AQM is shown where it is in force. */
	wl_cfg_follow(&judge->last);
	if (wl_options_put(&skb, &judge->last, judge->classid) < 0)
		abort();
	*len = nla_len(options);
	return nla_data(options);
}

void judge_free(struct judge *judge)
{
	struct wl_kept *kept;

	while ((kept = judge->kept)) {
		judge->kept = kept->next;
		free(kept);
	}
	free(judge);
}
