// SPDX-License-Identifier: GPL-2.0
/* Notifications: a generic netlink family with a group and no commands. */
#include <linux/module.h>
#include <net/genetlink.h>

#include "wl_genl.h"
#include "wl_schedule.h"
#include "wl_txn.h"

static const struct genl_multicast_group groups[] = {
	{ .name = WLINK_GENL_GROUP },
};

static struct genl_family family __ro_after_init = {
	.name		= WLINK_GENL_NAME,
	.version	= WLINK_GENL_VERSION,
	.maxattr	= 0,
	.netnsok	= true,
	.module		= THIS_MODULE,
	.mcgrps		= groups,
	.n_mcgrps	= ARRAY_SIZE(groups),
};

static int put_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, WLINK_A_PAD);
}

static int put_change(struct sk_buff *skb, const struct wl_change *change)
{
	u32 i;

	if (put_u64(skb, WLINK_A_ASKED, change->asked_ns) ||
	    (change->has_cookie &&
	     put_u64(skb, WLINK_A_COOKIE, change->cookie)))
		return -EMSGSIZE;
	for (i = 0; i < change->txn.count; i++)
		if (change->part[i].cl &&
		    nla_put_u32(skb, WLINK_A_BEARER, change->part[i].number))
			return -EMSGSIZE;
	return 0;
}

static int put_play(struct sk_buff *skb, const struct wl_note *note)
{
	const struct wl_schedule *schedule = wl_schedule_of(note);

	if (nla_put_u32(skb, WLINK_A_BEARER, schedule->number) ||
	    nla_put_u32(skb, WLINK_A_STATE, note->state))
		return -EMSGSIZE;
	return 0;
}

static int put(struct sk_buff *skb, struct Qdisc *sch,
	       const struct wl_note *note, u64 lost)
{
	void *head = genlmsg_put(skb, 0, 0, &family, 0, note->cmd);
	int err;

	if (!head ||
	    nla_put_u32(skb, WLINK_A_IFINDEX, qdisc_dev(sch)->ifindex) ||
	    nla_put_u32(skb, WLINK_A_HANDLE, sch->handle) ||
	    put_u64(skb, WLINK_A_AT, note->at_ns) ||
	    nla_put_u32(skb, WLINK_A_GENERATION, note->generation) ||
	    put_u64(skb, WLINK_A_LOST, lost))
		return -EMSGSIZE;
	if (note->cmd == WLINK_CMD_APPLIED)
		err = put_change(skb, wl_txn_of(note));
	else
		err = put_play(skb, note);
	if (!err)
		genlmsg_end(skb, head);
	return err;
}

static size_t size_of(const struct wl_note *note)
{
	size_t bearers = 1;

	if (note->cmd == WLINK_CMD_APPLIED)
		bearers = wl_txn_of(note)->txn.count;
	return 3 * nla_total_size(sizeof(u32)) +
	       4 * nla_total_size_64bit(sizeof(u64)) +
	       nla_total_size(sizeof(u32)) * (bearers + 1);
}

bool wl_genl_send(struct Qdisc *sch, const struct wl_note *note, u64 lost)
{
	struct net *net = dev_net(qdisc_dev(sch));
	struct sk_buff *skb;
	int err;

	if (!genl_has_listeners(&family, net, 0))
		return true;
	skb = genlmsg_new(size_of(note), GFP_KERNEL);
	if (!skb)
		return false;
	if (put(skb, sch, note, lost)) {
		nlmsg_free(skb);
		return false;
	}
	err = genlmsg_multicast_netns(&family, net, skb, 0, 0, GFP_KERNEL);
	return !err || err == -ESRCH;
}

int wl_genl_register(void)
{
	return genl_register_family(&family);
}

void wl_genl_unregister(void)
{
	genl_unregister_family(&family);
}
