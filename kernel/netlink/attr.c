// SPDX-License-Identifier: GPL-2.0
/*
 * What tables of attributes have in common: values in and out, and messages.
 * What the policy says no to is said again with the attribute's name, because
 * the kernel's own text has neither name nor number.
 */
#include "attr.h"

/* --- Messages about values. --- */

/* A class, a step or a row fit in. */
#define WHERE_BYTES	32

#define FULL		"wlink: %s%s %llu is outside %llu..%llu%s%s"

int wl_nl_refuse(const struct wl_refusal *why, struct netlink_ext_ack *extack,
		 const char *where, ...)
{
	char text[WHERE_BYTES];
	va_list args;

	if (why->row) {
		snprintf(text, sizeof(text), "profile row %u: ", why->row);
	} else {
		va_start(args, where);
		vsnprintf(text, sizeof(text), where, args);
		va_end(args);
	}
	/* Where the kernel has no room for all of it, the bound that is broken. */
	if (snprintf(NULL, 0, FULL, text, why->what, why->value, why->min,
		     why->max, *why->unit ? " " : "", why->unit) <
	    NETLINK_MAX_FMTMSG_LEN)
		NL_SET_ERR_MSG_FMT(extack, FULL, text, why->what, why->value,
				   why->min, why->max, *why->unit ? " " : "",
				   why->unit);
	else
		NL_SET_ERR_MSG_FMT(extack, "wlink: %.21s %llu is %s %llu",
				   why->what, why->value,
				   why->value < why->min ? "below" : "above",
				   why->value < why->min ? why->min : why->max);
	return -ERANGE;
}

int wl_nl_refuse_time(const char *name, const struct nlattr *attr, u64 at_ns,
		      u64 now_ns, struct netlink_ext_ack *extack)
{
	u64 max_ns = now_ns + WLINK_AHEAD_MAX;

	if (at_ns >= now_ns && at_ns <= max_ns)
		return 0;
	if (at_ns < now_ns)
		NL_SET_ERR_MSG_FMT(extack, "wlink: %s %llu is before now, %llu ns",
				   name, at_ns, now_ns);
	else
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: %s %llu is above %llu ns, 10 years",
				   name, at_ns, max_ns);
	NL_SET_BAD_ATTR(extack, attr);
	return -ERANGE;
}

/* Bounds that a policy states. Return: whether it states any. */
static bool attr_policy_range(const struct nla_policy *pt,
			      struct netlink_range_validation *range)
{
	switch (pt->validation_type) {
	case NLA_VALIDATE_RANGE_PTR:
		*range = *pt->range;
		return true;
	case NLA_VALIDATE_RANGE:
		range->min = pt->min;
		range->max = pt->max;
		return true;
	case NLA_VALIDATE_MAX:
		range->min = 0;
		range->max = pt->max;
		return true;
	default:
		return false;
	}
}

static int attr_size_of(const struct nla_policy *pt)
{
	return pt->type == NLA_U64 ? sizeof(u64) : sizeof(u32);
}

static bool attr_is_number(const struct nla_policy *pt)
{
	return pt->type == NLA_U64 || pt->type == NLA_U32;
}

static u64 attr_value_of(const struct wl_nl_nest *nest, const struct nlattr *attr)
{
	if (nest->policy[nla_type(attr)].type == NLA_U64)
		return nla_get_u64(attr);
	return nla_get_u32(attr);
}

static const char *attr_name_of(const struct wl_nl_nest *nest, int type)
{
	return type <= nest->max ? nest->rows[type].name : NULL;
}

/* Of what is neither a number nor a nest. */
static void attr_explain_other(const struct wl_nl_nest *nest,
			       const struct nlattr *attr,
			  struct netlink_ext_ack *extack)
{
	const struct nla_policy *pt = &nest->policy[nla_type(attr)];
	const char *name = attr_name_of(nest, nla_type(attr));

	if (pt->type == NLA_REJECT)
		NL_SET_ERR_MSG_FMT(extack, "wlink: %s%s %s", nest->prefix, name,
				   pt->reject_message);
	else
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: %s%s has %d bytes, needs 1..%d",
				   nest->prefix, name, nla_len(attr), pt->len);
}

/* Say what is wrong with an attribute that the policy refused. */
static void attr_explain_attr(const struct wl_nl_nest *nest,
			      const struct nlattr *attr,
			 struct netlink_ext_ack *extack)
{
	struct netlink_range_validation range;
	const struct nla_policy *pt;
	const char *name;
	int type;

	type = nla_type(attr);
	name = attr_name_of(nest, type);
	if (!name) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: unknown %sattribute %d",
				   nest->prefix, type);
		return;
	}
	pt = &nest->policy[type];
	if (pt->type == NLA_NESTED) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: %s%s is not a nested attribute",
				   nest->prefix, name);
		return;
	}
	if (pt->type != NLA_REJECT && attr->nla_type & NLA_F_NESTED) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: %s%s is nested, needs a value",
				   nest->prefix, name);
		return;
	}
	if (!attr_is_number(pt)) {
		attr_explain_other(nest, attr, extack);
		return;
	}
	if (nla_len(attr) != attr_size_of(pt)) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: %s%s has %d bytes, needs %d",
				   nest->prefix, name, nla_len(attr),
				   attr_size_of(pt));
		return;
	}
	if (!attr_policy_range(pt, &range))
		return;
	wl_nl_refuse(&(struct wl_refusal){
		.what = name, .unit = nest->rows[type].unit ?: "",
		.value = attr_value_of(nest, attr), .min = range.min,
		.max = range.max,
	}, extack, "%s", nest->prefix);
}

static const struct wl_nl_nest *attr_inner_of(const struct wl_nl_nest *nest,
					      const struct nlattr *attr)
{
	int type = nla_type(attr);

	return nest->inner && type <= nest->max ? nest->inner[type] : NULL;
}

/* Name the attribute whose length does not fit into its nest. The kernel's
 * parser stops there and has no more to say than that bytes are left over.
 */
static bool attr_explain_length(const struct wl_nl_nest *nest,
				const struct nlattr *outer,
			   struct netlink_ext_ack *extack)
{
	const struct wl_nl_nest *inner;
	const struct nlattr *attr;
	int left;

	nla_for_each_nested(attr, outer, left) {
		inner = attr_inner_of(nest, attr);
		if (inner && attr_explain_length(inner, attr, extack))
			return true;
	}
	if (left < (int)sizeof(*attr))
		return false;
	NL_SET_ERR_MSG_FMT(extack,
			   "wlink: %s%s has a length of %d, %d bytes are left",
			   nest->prefix,
			   attr_name_of(nest, nla_type(attr)) ?: "attribute",
			   attr->nla_len, left);
	return true;
}

/* The nest of which @bad is a member. */
static const struct wl_nl_nest *attr_nest_of(const struct wl_nl_nest *nest,
					     const struct nlattr *outer,
					const struct nlattr *bad)
{
	const struct wl_nl_nest *inner;
	const struct nlattr *attr;
	int left;

	nla_for_each_nested(attr, outer, left) {
		if (bad <= attr || (void *)bad >= (void *)attr + attr->nla_len)
			continue;
		inner = attr_inner_of(nest, attr);
		return inner ? attr_nest_of(inner, attr, bad) : nest;
	}
	return nest;
}

void wl_nl_explain(const struct wl_nl_nest *nest, struct nlattr *opt,
		   struct netlink_ext_ack *extack)
{
	const struct nlattr *bad;

	if (!extack)
		return;
	bad = extack->bad_attr;
	if (bad && bad != opt)
		attr_explain_attr(attr_nest_of(nest, opt, bad), bad, extack);
	else if (bad || !attr_explain_length(nest, opt, extack))
		NL_SET_ERR_MSG_FMT(extack, "wlink: options are malformed: %.48s",
				   extack->_msg ?: "bytes are left");
}

int wl_nl_take(const struct wl_nl_nest *nest, struct nlattr *attr, void *base,
	       struct netlink_ext_ack *extack)
{
	const struct wl_nl_row *row;
	void *at;
	u64 value;

	if (!attr)
		return 0;
	row = &nest->rows[nla_type(attr)];
	value = attr_value_of(nest, attr);
	if (row->bounds && value != row->also &&
	    (value < row->min || value > row->max)) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: %s%s %llu%s is outside %s",
				   nest->prefix, row->name, value,
				   row->unit ?: "", row->bounds);
		NL_SET_BAD_ATTR(extack, attr);
		return -ERANGE;
	}
	at = base + row->offset;
	if (row->size == sizeof(u64))
		*(u64 *)at = value;
	else if (row->size == sizeof(u32))
		*(u32 *)at = value;
	else
		*(u8 *)at = value;
	return 0;
}

int wl_nl_take_members(const struct wl_nl_nest *nest, struct nlattr **tb,
		       struct nlattr *outer, u32 kind, const char *name,
		       bool fresh, void *base, struct netlink_ext_ack *extack)
{
	int err, i;

	for (i = 0; i <= nest->max; i++) {
		const struct wl_nl_row *row = &nest->rows[i];
		bool has = row->part & BIT(kind);

		if (tb[i] && row->part && !has) {
			NL_SET_ERR_MSG_FMT(extack,
					   "wlink: %s%s is not part of kind %s",
					   nest->prefix, row->name, name);
			NL_SET_BAD_ATTR(extack, tb[i]);
			return -EINVAL;
		}
		if (fresh && !tb[i] && row->needed && has) {
			NL_SET_ERR_MSG_FMT(extack,
					   "wlink: %s%s needs %s",
					   nest->prefix, name, row->name);
			NL_SET_BAD_ATTR(extack, outer);
			return -EINVAL;
		}
		err = has ? wl_nl_take(nest, tb[i], base, extack) : 0;
		if (err)
			return err;
	}
	return 0;
}

/* What @base has of an attribute. */
static u64 attr_value_at(const struct wl_nl_row *row, const void *base)
{
	const void *at = base + row->offset;

	if (row->size == sizeof(u64))
		return *(const u64 *)at;
	if (row->size == sizeof(u32))
		return *(const u32 *)at;
	return *(const u8 *)at;
}

bool wl_nl_same(const struct wl_nl_nest *nest, int type, const void *a,
		const void *b)
{
	const struct wl_nl_row *row = &nest->rows[type];

	return attr_value_at(row, a) == attr_value_at(row, b);
}

int wl_nl_put_members(struct sk_buff *skb, const struct wl_nl_nest *nest,
		      int type, u32 kind, const void *base)
{
	struct nlattr *outer = nla_nest_start(skb, type);
	int err = 0, i;

	if (!outer)
		return -EMSGSIZE;
	for (i = 0; !err && i <= nest->max; i++)
		if (nest->rows[i].part & BIT(kind))
			err = wl_nl_put(skb, nest, i, base);
	if (!err)
		nla_nest_end(skb, outer);
	return err;
}

int wl_nl_put(struct sk_buff *skb, const struct wl_nl_nest *nest, int type,
	      const void *base)
{
	u64 value = attr_value_at(&nest->rows[type], base);

	if (nest->policy[type].type == NLA_U64)
		return nla_put_u64_64bit(skb, type, value, nest->pad);
	return nla_put_u32(skb, type, value);
}
