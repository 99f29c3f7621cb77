// SPDX-License-Identifier: GPL-2.0
/* Schedules, as far as a policy can judge them. */
#include "wl_nl.h"
#include "wl_netlink.h"

static struct netlink_range_validation columns_range = {
	.min = 1, .max = (1U << __WLINK_COLUMN_MAX) - 1,
};

static struct netlink_range_validation length_range = {
	.min = WLINK_TIMER_MIN, .max = WLINK_PLAY_LENGTH_MAX,
};

const struct nla_policy wl_nl_play_policy[TCA_WLINK_PLAY_MAX + 1] = {
	[TCA_WLINK_PLAY_OP] = NLA_POLICY_MAX(NLA_U32, WLINK_PLAY_OP_MAX),
	[TCA_WLINK_PLAY_COLUMNS] = NLA_POLICY_FULL_RANGE(NLA_U32,
							 &columns_range),
	[TCA_WLINK_PLAY_STEPS] = { .type = NLA_BINARY },
	[TCA_WLINK_PLAY_END] = NLA_POLICY_MAX(NLA_U32, WLINK_PLAY_END_MAX),
	[TCA_WLINK_PLAY_LENGTH] = NLA_POLICY_FULL_RANGE(NLA_U64,
							&length_range),
	[TCA_WLINK_PLAY_START] = { .type = NLA_U64 },
};

static const struct wl_nl_row play_rows[TCA_WLINK_PLAY_MAX + 1] = {
	[TCA_WLINK_PLAY_OP] = { .name = "op" },
	[TCA_WLINK_PLAY_COLUMNS] = { .name = "columns" },
	[TCA_WLINK_PLAY_STEPS] = { .name = "steps" },
	[TCA_WLINK_PLAY_END] = { .name = "end" },
	[TCA_WLINK_PLAY_LENGTH] = { .name = "length", .unit = "ns" },
	[TCA_WLINK_PLAY_START] = { .name = "start" },
};

const struct wl_nl_nest wl_nl_play = {
	.prefix = "play ", .policy = wl_nl_play_policy, .rows = play_rows,
	.max = TCA_WLINK_PLAY_MAX, .pad = TCA_WLINK_PLAY_PAD,
};
