// SPDX-License-Identifier: GPL-2.0
/*
 * The family of generic netlink: commands, what they answer, and notifications of
 * what has taken effect.
 */
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/timekeeping.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "netlink/attr.h"
#include "change.h"
#include "genl.h"
#include "profile.h"
#include "schedule.h"
#include "stats.h"

/* Each command is about a link or a bearer. */
#define GENL_TARGET							\
	[WLINK_A_IFINDEX] = NLA_POLICY_MIN(NLA_S32, 1),			\
	[WLINK_A_HANDLE] = { .type = NLA_U32 },				\
	[WLINK_A_BEARER] = NLA_POLICY_RANGE(NLA_U32, 1, WLINK_BEARERS_MAX)

static const struct nla_policy genl_target_policy[] = {
	GENL_TARGET,
};

static const struct nla_policy genl_set_policy[] = {
	GENL_TARGET,
	[WLINK_A_AT] = { .type = NLA_U64 },
	[WLINK_A_PART] = { .type = NLA_NESTED },
};

static const struct nla_policy genl_schedule_policy[] = {
	GENL_TARGET,
	[WLINK_A_SCHEDULE] = { .type = NLA_NESTED },
};

static const struct genl_multicast_group genl_groups[] = {
	{ .name = WLINK_GENL_GROUP },
};

static struct genl_family genl_wlink;

/**
 * struct genl_request - one request
 * @sch: qdisc that it is about; under RTNL
 * @cl: class that it is about, NULL for the link
 * @info: the rest
 */
struct genl_request {
	struct Qdisc *sch;
	struct wl_class *cl;
	struct genl_info *info;
};

/* --- Whom a request is about. --- */

/* Under RTNL. Return: the qdisc, or NULL. */
static struct Qdisc *genl_find_qdisc(struct net_device *dev, u32 handle)
{
	struct Qdisc *root = rtnl_dereference(dev->qdisc), *sch;

	if (root->handle == handle)
		return root;
	hash_for_each_possible(dev->qdisc_hash, sch, hash, handle)
		if (sch->handle == handle)
			return sch;
	return NULL;
}

static int genl_find(struct net *net, struct nlattr **attrs,
		     struct genl_request *request,
		     struct netlink_ext_ack *extack)
{
	struct nlattr *ifindex = attrs[WLINK_A_IFINDEX];
	struct nlattr *handle = attrs[WLINK_A_HANDLE];
	struct nlattr *bearer = attrs[WLINK_A_BEARER];
	struct net_device *dev;
	struct Qdisc *sch;
	u32 id;

	if (!ifindex || !handle) {
		return wl_refuse(extack, NULL, -EINVAL, "wlink: %s is required",
				 ifindex ? "handle" : "ifindex");
	}
	dev = __dev_get_by_index(net, nla_get_s32(ifindex));
	if (!dev)
		return wl_refuse(extack, ifindex, -ENODEV,
				 "wlink: ifindex %d: there is no such device",
				 nla_get_s32(ifindex));
	id = nla_get_u32(handle);
	sch = genl_find_qdisc(dev, id);
	if (!sch || strcmp(sch->ops->id, WLINK_GENL_NAME))
		return wl_refuse(extack, handle, -ENOENT,
				 "wlink: handle %x:%x: there is no wlink on %s",
				 TC_H_MAJ(id) >> 16, TC_H_MIN(id), dev->name);
	request->sch = sch;
	if (!bearer)
		return 0;
	id = nla_get_u32(bearer);
	request->cl = wl_class_find(qdisc_priv(sch), TC_H_MAKE(sch->handle, id));
	if (!request->cl)
		return wl_refuse(extack, bearer, -ENOENT,
				 "wlink: bearer %u: there is no such bearer", id);
	return 0;
}

/* --- Requests with one answer. --- */

static int genl_put_link(struct sk_buff *skb, const struct Qdisc *sch)
{
	return nla_put_u32(skb, WLINK_A_IFINDEX, qdisc_dev(sch)->ifindex) ?:
	       nla_put_u32(skb, WLINK_A_HANDLE, sch->handle);
}

static int genl_answer(struct sk_buff *skb, struct genl_info *info,
		       int (*fn)(struct sk_buff *skb,
				 const struct genl_request *request))
{
	struct genl_request request = { .info = info };
	void *head;
	int err;

	head = genlmsg_put_reply(skb, info, &genl_wlink, 0,
				 info->genlhdr->cmd);
	if (!head)
		return -EMSGSIZE;
	rtnl_lock();
	err = genl_find(genl_info_net(info), info->attrs, &request,
			info->extack);
	if (!err)
		err = genl_put_link(skb, request.sch);
	if (!err && request.cl)
		err = nla_put_u32(skb, WLINK_A_BEARER,
				  TC_H_MIN(request.cl->common.classid));
	if (!err)
		err = fn(skb, &request);
	rtnl_unlock();
	genlmsg_end(skb, head);
	return err;
}

/* @bytes is what @fn writes at most. */
static int genl_do(struct genl_info *info, size_t bytes,
		   int (*fn)(struct sk_buff *skb,
			     const struct genl_request *request))
{
	struct sk_buff *skb;
	int err;

	skb = genlmsg_new(3 * nla_total_size(sizeof(u32)) + bytes, GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	err = genl_answer(skb, info, fn);
	if (!err)
		return genlmsg_reply(skb, info);
	nlmsg_free(skb);
	return err;
}

static int genl_put_stats(struct sk_buff *skb,
			  const struct genl_request *request)
{
	struct Qdisc *sch = request->sch;
	int err;

	wl_qdisc_lock_to_show(sch);
	err = wl_stats_get(skb, qdisc_priv(sch), request->cl);
	sch_tree_unlock(sch);
	return err;
}

static int genl_get(struct sk_buff *skb, struct genl_info *info)
{
	return genl_do(info, wl_stats_get_size(), genl_put_stats);
}

static int genl_put_result(struct sk_buff *skb,
			   const struct wl_change_result *result)
{
	if (wl_put_u64(skb, WLINK_A_COOKIE, result->cookie) ||
	    wl_put_u64(skb, WLINK_A_ASKED, result->received_ns) ||
	    wl_put_u64(skb, WLINK_A_AT, result->at_ns))
		return -EMSGSIZE;
	return result->waits ? 0 : nla_put_u32(skb, WLINK_A_GENERATION,
					       result->generation);
}

static int genl_do_set(struct sk_buff *skb, const struct genl_request *request)
{
	struct genl_info *info = request->info;
	struct wl_change_result result;
	int err;

	err = wl_change_set(request->sch, info->nlhdr,
			    info->attrs[WLINK_A_AT], &result, info->extack);
	return err ?: genl_put_result(skb, &result);
}

static int genl_set(struct sk_buff *skb, struct genl_info *info)
{
	return genl_do(info, 3 * nla_total_size_64bit(sizeof(u64)) +
			     nla_total_size(sizeof(u32)), genl_do_set);
}

/* A change may be of several bearers, and those behind it are on top of it. */
static int genl_do_cancel(struct sk_buff *skb,
			  const struct genl_request *request)
{
	struct genl_info *info = request->info;

	if (request->cl)
		return wl_refuse(info->extack, info->attrs[WLINK_A_BEARER], -EINVAL,
				 "wlink: bearer %u: only all changes of a link can be cancelled",
				 wl_class_number(request->cl));
	return nla_put_u32(skb, WLINK_A_COUNT, wl_change_cancel(request->sch));
}

static int genl_cancel(struct sk_buff *skb, struct genl_info *info)
{
	return genl_do(info, nla_total_size(sizeof(u32)), genl_do_cancel);
}

static int genl_do_schedule(struct sk_buff *skb,
			    const struct genl_request *request)
{
	struct wl_sched *q = qdisc_priv(request->sch);
	struct wl_class *cl = request->cl ?: &q->first;
	struct genl_info *info = request->info;
	int err;

	err = wl_schedule_command(cl, info->genlhdr->cmd,
				  info->attrs[WLINK_A_SCHEDULE], info->extack);
	return err ?: wl_schedule_put(skb, cl);
}

static int genl_schedule(struct sk_buff *skb, struct genl_info *info)
{
	return genl_do(info, WL_SCHEDULE_PUT_BYTES, genl_do_schedule);
}

/* The rows of the profile that a bearer follows, or is asked to follow. */
static int genl_do_profile(struct sk_buff *skb,
			   const struct genl_request *request)
{
	struct wl_sched *q = qdisc_priv(request->sch);
	const struct wl_class *cl = request->cl ?: &q->first;

	return wl_profile_put(skb, WLINK_A_PROFILE, cl->target.profile, true);
}

static int genl_get_profile(struct sk_buff *skb, struct genl_info *info)
{
	return genl_do(info, WL_PROFILE_PUT_BYTES, genl_do_profile);
}

/* --- Dumps. --- */

/* Each call writes what comes after cb->args[0] as long as there is room. */
static int genl_dump(struct sk_buff *skb, struct netlink_callback *cb,
		     int (*next)(struct sk_buff *skb, struct Qdisc *sch,
				 u64 *after))
{
	struct genl_request request = { };
	u64 after = cb->args[0];
	void *head;
	int err;

	rtnl_lock();
	err = genl_find(sock_net(skb->sk), wl_dump_attrs(cb), &request,
			cb->extack);
	while (!err) {
		head = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				   cb->nlh->nlmsg_seq, &genl_wlink, NLM_F_MULTI,
				   ((struct genlmsghdr *)nlmsg_data(cb->nlh))->cmd);
		err = head ? genl_put_link(skb, request.sch) : -EMSGSIZE;
		if (!err)
			err = next(skb, request.sch, &after);
		if (err && head)
			genlmsg_cancel(skb, head);
		else if (head)
			genlmsg_end(skb, head);
		cb->args[0] = after;
	}
	rtnl_unlock();
	/* There is more where one has found room. */
	if (err == -EMSGSIZE && skb->len)
		return skb->len;
	return err == -ENODATA ? skb->len : err;
}

static int genl_dump_pending(struct sk_buff *skb, struct netlink_callback *cb)
{
	return genl_dump(skb, cb, wl_change_put_next);
}

static int genl_dump_schedules(struct sk_buff *skb, struct netlink_callback *cb)
{
	return genl_dump(skb, cb, wl_schedule_put_next);
}

#define GENL_DO(cmd_, flags_, do_, policy_)				\
	{								\
		.cmd = WLINK_CMD_##cmd_, .flags = flags_, .doit = do_,	\
		.policy = policy_, .maxattr = ARRAY_SIZE(policy_) - 1,	\
	}

#define GENL_DUMP(cmd_, dump_)						\
	{								\
		.cmd = WLINK_CMD_##cmd_, .dumpit = dump_,		\
		.policy = genl_target_policy,				\
		.maxattr = ARRAY_SIZE(genl_target_policy) - 1,		\
	}

static const struct genl_ops genl_commands[] = {
	GENL_DO(GET, 0, genl_get, genl_target_policy),
	GENL_DO(CANCEL, GENL_UNS_ADMIN_PERM, genl_cancel, genl_target_policy),
	GENL_DO(SET, GENL_UNS_ADMIN_PERM, genl_set, genl_set_policy),
	GENL_DO(LOAD, GENL_UNS_ADMIN_PERM, genl_schedule, genl_schedule_policy),
	GENL_DO(ADD, GENL_UNS_ADMIN_PERM, genl_schedule, genl_schedule_policy),
	GENL_DO(START, GENL_UNS_ADMIN_PERM, genl_schedule,
		genl_schedule_policy),
	GENL_DO(STOP, GENL_UNS_ADMIN_PERM, genl_schedule, genl_schedule_policy),
	GENL_DO(GET_PROFILE, 0, genl_get_profile, genl_target_policy),
	GENL_DUMP(GET_PENDING, genl_dump_pending),
	GENL_DUMP(GET_SCHEDULE, genl_dump_schedules),
};

static struct genl_family genl_wlink __ro_after_init = {
	.name		= WLINK_GENL_NAME,
	.version	= WLINK_GENL_VERSION,
	.ops		= genl_commands,
	.n_ops		= ARRAY_SIZE(genl_commands),
	.resv_start_op	= WLINK_CMD_GET,
	.netnsok	= true,
	.module		= THIS_MODULE,
	.mcgrps		= genl_groups,
	.n_mcgrps	= ARRAY_SIZE(genl_groups),
};

/* --- Notifications. --- */

static int genl_put_change(struct sk_buff *skb, const struct wl_notice *notice)
{
	return wl_change_put(skb, container_of(notice, struct wl_change,
					       notice));
}

static int genl_put_schedule(struct sk_buff *skb,
			     const struct wl_notice *notice)
{
	const struct wl_kept_schedule *schedule = wl_schedule_of(notice);

	if (nla_put_u32(skb, WLINK_A_BEARER, schedule->number) ||
	    nla_put_u32(skb, WLINK_A_STATE, notice->state))
		return -EMSGSIZE;
	return 0;
}

static int genl_put(struct sk_buff *skb, struct Qdisc *sch,
		    const struct wl_notice *notice, u64 lost)
{
	void *head = genlmsg_put(skb, 0, 0, &genl_wlink, 0, notice->cmd);
	int err;

	if (!head || genl_put_link(skb, sch) ||
	    wl_put_u64(skb, WLINK_A_AT, notice->at_ns) ||
	    nla_put_u32(skb, WLINK_A_GENERATION, notice->generation) ||
	    wl_put_u64(skb, WLINK_A_LOST, lost))
		return -EMSGSIZE;
	err = notice->cmd == WLINK_CMD_PLAY ? genl_put_schedule(skb, notice) :
					      genl_put_change(skb, notice);
	if (!err)
		genlmsg_end(skb, head);
	return err;
}

static size_t genl_size(const struct wl_notice *notice)
{
	size_t bearers = 1;

	if (notice->cmd != WLINK_CMD_PLAY)
		bearers = container_of(notice, struct wl_change,
				       notice)->pending.count;
	return 4 * nla_total_size(sizeof(u32)) +
	       4 * nla_total_size_64bit(sizeof(u64)) +
	       bearers * nla_total_size(sizeof(u32));
}

bool wl_genl_send(struct Qdisc *sch, const struct wl_notice *notice, u64 lost)
{
	struct net *net = dev_net(qdisc_dev(sch));
	struct sk_buff *skb;
	int err;

	if (!genl_has_listeners(&genl_wlink, net, 0))
		return true;
	skb = genlmsg_new(genl_size(notice), GFP_KERNEL);
	if (!skb)
		return false;
	if (genl_put(skb, sch, notice, lost)) {
		nlmsg_free(skb);
		return false;
	}
	err = genlmsg_multicast_netns(&genl_wlink, net, skb, 0, 0, GFP_KERNEL);
	return !err || err == -ESRCH;
}

int wl_genl_register(void)
{
	return genl_register_family(&genl_wlink);
}

void wl_genl_unregister(void)
{
	genl_unregister_family(&genl_wlink);
}
