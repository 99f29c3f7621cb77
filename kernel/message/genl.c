// SPDX-License-Identifier: GPL-2.0
/*
 * The family of generic netlink: commands, what they answer, and notifications of
 * what has taken effect.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "../change/change.h"
#include "../change/schedule.h"
#include "../class.h"
#include "../netlink/attr.h"
#include "../netlink/profile.h"
#include "../pair.h"
#include "../qdisc.h"
#include "../stats.h"
#include "dump.h"
#include "genl.h"

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

static const struct nla_policy genl_pair_policy[] = {
	GENL_TARGET,
	[WLINK_A_PEER_IFINDEX] = NLA_POLICY_MIN(NLA_S32, 1),
	[WLINK_A_PEER_HANDLE] = { .type = NLA_U32 },
	[WLINK_A_PEER_NETNS_FD] = { .type = NLA_U32 },
};

static const struct genl_multicast_group genl_groups[] = {
	{ .name = WLINK_GENL_GROUP },
};

static_assert(WLINK_A_MAX <= WL_ATTRS_MAX);

/**
 * struct genl_request - one request
 * @sch: qdisc that it is about; under RTNL
 * @cl: class that it is about, NULL for the link
 * @skb: the request
 * @info: the rest
 */
struct genl_request {
	struct Qdisc *sch;
	struct wl_class *cl;
	struct sk_buff *skb;
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

static int genl_find_link(struct net *net, struct nlattr *ifindex, struct nlattr *handle,
			  struct Qdisc **sch, struct netlink_ext_ack *extack)
{
	struct net_device *dev;
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
	*sch = genl_find_qdisc(dev, id);
	if (!*sch || strcmp((*sch)->ops->id, WLINK_GENL_NAME))
		return wl_refuse(extack, handle, -ENOENT,
				 "wlink: handle %x:%x: there is no wlink on %s",
				 TC_H_MAJ(id) >> 16, TC_H_MIN(id), dev->name);
	return 0;
}

static int genl_find(struct net *net, struct nlattr **attrs,
		     struct genl_request *request,
		     struct netlink_ext_ack *extack)
{
	struct nlattr *bearer = attrs[WLINK_A_BEARER];
	int err;
	u32 id;

	err = genl_find_link(net, attrs[WLINK_A_IFINDEX], attrs[WLINK_A_HANDLE],
			     &request->sch, extack);
	if (err || !bearer)
		return err;
	id = nla_get_u32(bearer);
	request->cl = wl_class_find(qdisc_priv(request->sch),
				    TC_H_MAKE(request->sch->handle, id));
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

static int genl_get(struct sk_buff *skb, const struct genl_request *request)
{
	struct Qdisc *sch = request->sch;
	int err;

	wl_qdisc_lock_to_show(sch);
	err = wl_stats_get(skb, qdisc_priv(sch), request->cl);
	sch_tree_unlock(sch);
	return err;
}

/* As RTNL is held, of a few bearers only; the message is known to be good. */
static void genl_notify_parts(struct Qdisc *sch, const struct nlmsghdr *nlh)
{
	struct nlattr *attr, *bearer;
	u32 parts = 0;
	int left;

	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, left) {
		if (nla_type(attr) != WLINK_A_PART)
			continue;
		if (++parts > WLINK_PENDING_BEARERS)
			return;
		cond_resched();
		bearer = nla_find_nested(attr, WLINK_PART_BEARER);
		wl_dump_notify(wl_class_find(qdisc_priv(sch),
					     TC_H_MAKE(sch->handle, nla_get_u32(bearer))));
	}
}

static int genl_set(struct sk_buff *skb, const struct genl_request *request)
{
	struct genl_info *info = request->info;
	struct wl_change_result result;
	int err;

	err = wl_change_set(request->sch, info->nlhdr,
			    info->attrs[WLINK_A_AT], &result, info->extack);
	if (err)
		return err;
	genl_notify_parts(request->sch, info->nlhdr);
	err = wl_put_u64(skb, WLINK_A_COOKIE, result.cookie) ?:
	      wl_put_u64(skb, WLINK_A_ASKED, result.received_ns) ?:
	      wl_put_u64(skb, WLINK_A_AT, result.at_ns);
	if (err || result.waits)
		return err;
	return nla_put_u32(skb, WLINK_A_GENERATION, result.generation);
}

/* A change may be of several bearers, and those behind it are on top of it. */
static int genl_cancel(struct sk_buff *skb, const struct genl_request *request)
{
	struct genl_info *info = request->info;

	if (request->cl)
		return wl_refuse(info->extack, info->attrs[WLINK_A_BEARER], -EINVAL,
				 "wlink: bearer %u: only all changes of a link can be cancelled",
				 wl_class_number(request->cl));
	return nla_put_u32(skb, WLINK_A_COUNT, wl_change_cancel(request->sch));
}

static int genl_forward(struct sk_buff *skb, const struct genl_request *request)
{
	struct wl_class *cl = request->cl;
	u64 now_ns;

	if (!cl)
		return wl_refuse(request->info->extack, NULL, -EINVAL,
				 "wlink: bearer is required");
	now_ns = wl_qdisc_lock(request->sch);
	wl_link_forward(&cl->q->link, cl->bearer, now_ns);
	wl_qdisc_unlock(request->sch, now_ns);
	return 0;
}

/* The namespace of the other direction; who pairs has to have a say there, too. */
static struct net *genl_peer_net(const struct genl_request *request)
{
	struct genl_info *info = request->info;
	struct nlattr *fd = info->attrs[WLINK_A_PEER_NETNS_FD];
	struct net *net;

	if (!fd)
		return get_net(genl_info_net(info));
	net = get_net_ns_by_fd(nla_get_u32(fd));
	if (!IS_ERR(net)) {
		/* Of who opened the socket, not only of who writes to it. */
		if (netlink_ns_capable(request->skb, net->user_ns, CAP_NET_ADMIN))
			return net;
		put_net(net);
		net = ERR_PTR(-EPERM);
	}
	wl_refuse(info->extack, fd, PTR_ERR(net),
		  "wlink: peer_netns_fd %u is no namespace in which this is allowed",
		  nla_get_u32(fd));
	return net;
}

static int genl_pair(struct sk_buff *skb, const struct genl_request *request)
{
	struct genl_info *info = request->info;
	struct Qdisc *peer;
	struct net *net;
	int err;

	if (!info->attrs[WLINK_A_PEER_IFINDEX])
		return wl_pair_part(request->sch) ? 0 :
		       wl_refuse(info->extack, NULL, -ENOENT,
				 "wlink: there is no pair to part");
	net = genl_peer_net(request);
	if (IS_ERR(net))
		return PTR_ERR(net);
	err = genl_find_link(net, info->attrs[WLINK_A_PEER_IFINDEX],
			     info->attrs[WLINK_A_PEER_HANDLE], &peer, info->extack) ?:
	      wl_pair_join(request->sch, peer, info->extack);
	put_net(net);
	return err;
}

static struct wl_class *genl_class(const struct genl_request *request)
{
	struct wl_sched *q = qdisc_priv(request->sch);

	return request->cl ?: &q->first;
}

static int genl_schedule(struct sk_buff *skb, const struct genl_request *request)
{
	struct wl_class *cl = genl_class(request);
	struct genl_info *info = request->info;

	return wl_schedule_command(cl, info->genlhdr->cmd,
				   info->attrs[WLINK_A_SCHEDULE], info->extack) ?:
	       wl_schedule_put(skb, cl);
}

/* The profile that a bearer follows once all that waits has taken effect. */
static int genl_get_profile(struct sk_buff *skb,
			    const struct genl_request *request)
{
	return wl_profile_put(skb, WLINK_A_PROFILE,
			      genl_class(request)->target.profile, true);
}

/* What a command does. All but a profile and statistics fits a page. */
static int (*const genl_answers[])(struct sk_buff *skb,
				   const struct genl_request *request) = {
	[WLINK_CMD_GET] = genl_get,
	[WLINK_CMD_CANCEL] = genl_cancel,
	[WLINK_CMD_SET] = genl_set,
	[WLINK_CMD_LOAD] = genl_schedule,
	[WLINK_CMD_ADD] = genl_schedule,
	[WLINK_CMD_START] = genl_schedule,
	[WLINK_CMD_STOP] = genl_schedule,
	[WLINK_CMD_GET_PROFILE] = genl_get_profile,
	[WLINK_CMD_FORWARD] = genl_forward,
	[WLINK_CMD_PAIR] = genl_pair,
};

/* Those that a policy above knows. */
static const char * const genl_names[WLINK_A_MAX + 1] = {
	[WLINK_A_IFINDEX] = "ifindex", [WLINK_A_HANDLE] = "handle",
	[WLINK_A_BEARER] = "bearer", [WLINK_A_AT] = "at",
	[WLINK_A_SCHEDULE] = "schedule", [WLINK_A_PEER_IFINDEX] = "peer_ifindex",
	[WLINK_A_PEER_HANDLE] = "peer_handle",
	[WLINK_A_PEER_NETNS_FD] = "peer_netns_fd",
};

/* The kernel's parser takes the last of an attribute that comes twice, and has refused
 * what no policy knows.
 */
static int genl_once(const struct nlmsghdr *nlh, struct netlink_ext_ack *extack)
{
	u64 seen[(WL_ATTRS_MAX + 1) / 64] = { };
	struct nlattr *attr;
	int left;

	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, left)
		if (nla_type(attr) <= WLINK_A_MAX && genl_names[nla_type(attr)] &&
		    wl_attr_again(seen, nla_type(attr)))
			return wl_refuse(extack, attr, -EINVAL,
					 "wlink: %s comes twice", genl_names[nla_type(attr)]);
	return 0;
}

/* Under RTNL. */
static int genl_answer(struct sk_buff *skb, struct sk_buff *asked, struct genl_info *info)
{
	struct genl_request request = { .skb = asked, .info = info };

	return genl_once(info->nlhdr, info->extack) ?:
	       genl_find(genl_info_net(info), info->attrs, &request,
			 info->extack) ?:
	       genl_put_link(skb, request.sch) ?:
	       (request.cl ? nla_put_u32(skb, WLINK_A_BEARER,
					 wl_class_number(request.cl)) : 0) ?:
	       genl_answers[info->genlhdr->cmd](skb, &request);
}

/* Whom an answer is about. */
#define GENL_PUT_LINK_BYTES	(3 * (NLA_HDRLEN + sizeof(u32)))

static size_t genl_answer_bytes(u8 cmd)
{
	switch (cmd) {
	case WLINK_CMD_GET:
		return GENL_PUT_LINK_BYTES + WL_STATS_GET_BYTES;
	case WLINK_CMD_GET_PROFILE:
		return GENL_PUT_LINK_BYTES + WL_PROFILE_PUT_BYTES;
	default:
		return GENLMSG_DEFAULT_SIZE;
	}
}

static int genl_do(struct sk_buff *asked, struct genl_info *info)
{
	struct sk_buff *skb;
	void *head;
	int err;

	skb = genlmsg_new(genl_answer_bytes(info->genlhdr->cmd), GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	head = genlmsg_put_reply(skb, info, &wl_genl_family, 0, info->genlhdr->cmd);
	rtnl_lock();
	err = head ? genl_answer(skb, asked, info) : -EMSGSIZE;
	rtnl_unlock();
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, head);
	return genlmsg_reply(skb, info);
}

/* --- Dumps. --- */

static int genl_dump_one(struct sk_buff *skb, struct netlink_callback *cb,
			 struct Qdisc *sch)
{
	u8 cmd = ((struct genlmsghdr *)nlmsg_data(cb->nlh))->cmd;
	u64 after = cb->args[0];
	void *head;
	int err;

	head = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &wl_genl_family, NLM_F_MULTI, cmd);
	if (!head)
		return -EMSGSIZE;
	err = genl_put_link(skb, sch) ?:
	      (cmd == WLINK_CMD_GET_PENDING ?
	       wl_change_put_next(skb, sch, &after) :
	       wl_schedule_put_next(skb, sch, &after));
	if (err) {
		genlmsg_cancel(skb, head);
		return err;
	}
	genlmsg_end(skb, head);
	cb->args[0] = after;
	return 0;
}

/* Each call writes what comes after cb->args[0] as long as there is room. */
static int genl_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct genl_request request = { };
	int err;

	rtnl_lock();
	err = genl_once(cb->nlh, cb->extack) ?:
	      genl_find(sock_net(skb->sk), wl_dump_attrs(cb), &request,
			cb->extack);
	while (!err)
		err = genl_dump_one(skb, cb, request.sch);
	rtnl_unlock();
	/* There is more where one has found room. */
	if (err == -ENODATA || (err == -EMSGSIZE && skb->len))
		return skb->len;
	return err;
}

#define GENL_DO(cmd_, flags_, policy_)					\
	{								\
		.cmd = WLINK_CMD_##cmd_, .flags = flags_, .doit = genl_do, \
		.policy = policy_, .maxattr = ARRAY_SIZE(policy_) - 1,	\
	}

#define GENL_DUMP(cmd_)							\
	{								\
		.cmd = WLINK_CMD_##cmd_, .dumpit = genl_dump,		\
		.policy = genl_target_policy,				\
		.maxattr = ARRAY_SIZE(genl_target_policy) - 1,		\
	}

static const struct genl_ops genl_commands[] = {
	GENL_DO(GET, 0, genl_target_policy),
	GENL_DO(CANCEL, GENL_UNS_ADMIN_PERM, genl_target_policy),
	GENL_DO(SET, GENL_UNS_ADMIN_PERM, genl_set_policy),
	GENL_DO(LOAD, GENL_UNS_ADMIN_PERM, genl_schedule_policy),
	GENL_DO(ADD, GENL_UNS_ADMIN_PERM, genl_schedule_policy),
	GENL_DO(START, GENL_UNS_ADMIN_PERM, genl_schedule_policy),
	GENL_DO(STOP, GENL_UNS_ADMIN_PERM, genl_schedule_policy),
	GENL_DO(GET_PROFILE, 0, genl_target_policy),
	GENL_DO(FORWARD, GENL_UNS_ADMIN_PERM, genl_target_policy),
	GENL_DO(PAIR, GENL_UNS_ADMIN_PERM, genl_pair_policy),
	GENL_DUMP(GET_PENDING),
	GENL_DUMP(GET_SCHEDULE),
};

struct genl_family wl_genl_family __ro_after_init = {
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

/* Return: the change that a notice is about, NULL for a schedule. */
static const struct wl_change *genl_change_of(const struct wl_notice *notice)
{
	return notice->cmd == WLINK_CMD_SCHEDULE ? NULL :
	       container_of(notice, struct wl_change, notice);
}

static int genl_put(struct sk_buff *skb, struct Qdisc *sch,
		    const struct wl_notice *notice, u64 lost)
{
	void *head = genlmsg_put(skb, 0, 0, &wl_genl_family, 0, notice->cmd);
	const struct wl_change *change = genl_change_of(notice);
	int err;

	if (!head)
		return -EMSGSIZE;
	err = genl_put_link(skb, sch) ?:
	      wl_put_u64(skb, WLINK_A_AT, notice->at_ns) ?:
	      nla_put_u32(skb, WLINK_A_GENERATION, notice->generation) ?:
	      wl_put_u64(skb, WLINK_A_LOST, lost);
	if (!err && change)
		err = wl_change_put(skb, change, change->pending.count);
	else if (!err)
		err = nla_put_u32(skb, WLINK_A_BEARER,
				  wl_schedule_of(notice)->number) ?:
		      nla_put_u32(skb, WLINK_A_STATE, notice->state);
	genlmsg_end(skb, head);
	return err;
}

static size_t genl_size(const struct wl_notice *notice)
{
	const struct wl_change *change = genl_change_of(notice);
	size_t bearers = change ? change->pending.count : 1;

	return (4 + bearers) * nla_total_size(sizeof(u32)) + 4 * WL_PUT_U64_BYTES;
}

/* Return: false where there was no memory for the message, or one who wants to be told
 * of such losses had no room for it.
 */
static bool genl_send(struct Qdisc *sch, const struct wl_notice *notice, u64 lost)
{
	struct net *net = dev_net(qdisc_dev(sch));
	struct sk_buff *skb;
	int err;

	if (!genl_has_listeners(&wl_genl_family, net, 0))
		return true;
	skb = genlmsg_new(genl_size(notice), GFP_KERNEL);
	if (!skb)
		return false;
	if (genl_put(skb, sch, notice, lost)) {
		nlmsg_free(skb);
		return false;
	}
	err = genlmsg_multicast_netns(&wl_genl_family, net, skb, 0, 0, GFP_KERNEL);
	return !err || err == -ESRCH;
}

static void genl_free(struct wl_sched *q, struct wl_notice *notice)
{
	if (notice->cmd != WLINK_CMD_SCHEDULE)
		kvfree(container_of(notice, struct wl_change, notice));
	else if (notice->state == WLINK_SCHEDULE_STATE_NONE)
		wl_schedule_free(q, wl_schedule_of(notice));
}

/* The engine says in softirq what has taken effect; telling the listeners and freeing
 * memory may sleep.
 */
void wl_genl_work(struct work_struct *work)
{
	struct wl_sched *q = container_of(work, struct wl_sched, notify.work);
	struct llist_node *queue = llist_del_all(&q->notify.queue);
	struct wl_notice *notice, *next;

	queue = llist_reverse_order(queue);
	llist_for_each_entry_safe(notice, next, queue, node) {
		if (!genl_send(q->sch, notice, q->notify.lost))
			q->notify.lost++;
		genl_free(q, notice);
		cond_resched();
	}
}
