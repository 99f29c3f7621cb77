// SPDX-License-Identifier: GPL-2.0
/* What tables of attributes have in common: values in and out, and messages. */
#include <linux/nospec.h>

#include "attr.h"

/* --- Messages. --- */

/* A class, a step or a row fit in. */
#define ATTR_WHERE_BYTES	32

#define ATTR_OUTSIDE	"wlink: %s%s %llu is outside %llu..%llu%s%s"
#define ATTR_ZERO	"wlink: %s%s must be 0, not %llu%s%s"

int wl_refuse(struct netlink_ext_ack *extack, const struct nlattr *attr, int err,
	      const char *fmt, ...)
{
	struct va_format text = { .fmt = fmt };
	va_list args;

	va_start(args, fmt);
	text.va = &args;
	NL_SET_ERR_MSG_FMT(extack, "%pV", &text);
	va_end(args);
	if (attr)
		NL_SET_BAD_ATTR(extack, attr);
	return err;
}

int wl_refuse_value(const struct wl_refusal *why, struct netlink_ext_ack *extack,
		    const char *where, ...)
{
	const char *space = *why->unit ? " " : "";
	char text[ATTR_WHERE_BYTES];
	va_list args;

	if (why->row) {
		snprintf(text, sizeof(text), "profile row %u: ", why->row);
	} else {
		va_start(args, where);
		vsnprintf(text, sizeof(text), where, args);
		va_end(args);
	}
	if (!why->max && snprintf(NULL, 0, ATTR_ZERO, text, why->what, why->value, space,
				  why->unit) < NETLINK_MAX_FMTMSG_LEN)
		return wl_refuse(extack, NULL, -ERANGE, ATTR_ZERO, text, why->what,
				 why->value, space, why->unit);
	/* If the text is too long for an extack: only the violated bound. */
	if (snprintf(NULL, 0, ATTR_OUTSIDE, text, why->what, why->value, why->min,
		     why->max, space, why->unit) < NETLINK_MAX_FMTMSG_LEN)
		return wl_refuse(extack, NULL, -ERANGE, ATTR_OUTSIDE, text,
				 why->what, why->value, why->min, why->max,
				 space, why->unit);
	return wl_refuse(extack, NULL, -ERANGE, "wlink: %.21s %llu is %s %llu",
			 why->what, why->value,
			 why->value < why->min ? "below" : "above",
			 why->value < why->min ? why->min : why->max);
}

int wl_refuse_time(const char *name, const struct nlattr *attr, u64 at_ns,
		   u64 now_ns, struct netlink_ext_ack *extack)
{
	u64 max_ns = now_ns + WLINK_AHEAD_MAX;

	if (at_ns < now_ns)
		return wl_refuse(extack, attr, -ERANGE,
				 "wlink: %s %llu is before now, %llu ns",
				 name, at_ns, now_ns);
	if (at_ns > max_ns)
		return wl_refuse(extack, attr, -ERANGE,
				 "wlink: %s %llu is above %llu ns, 10 years",
				 name, at_ns, max_ns);
	return 0;
}

/* --- Judging attributes. --- */

static u64 attr_value(const struct wl_attr *row, const struct nlattr *attr)
{
	return row->type == NLA_U64 ? nla_get_u64(attr) : nla_get_u32(attr);
}

static int attr_check_number(const struct wl_nest *nest, const struct nlattr *attr,
			     struct netlink_ext_ack *extack)
{
	const struct wl_attr *row = &nest->attrs[nla_type(attr)];
	int bytes = row->type == NLA_U64 ? sizeof(u64) : sizeof(u32);
	struct wl_refusal why = {
		.what = row->name, .unit = row->unit ?: "", .min = row->min,
		.max = row->max,
	};

	if (nla_len(attr) != bytes)
		return wl_refuse(extack, attr, -EINVAL,
				 "wlink: %s%s has %d bytes, needs %d",
				 nest->prefix, row->name, nla_len(attr), bytes);
	why.value = attr_value(row, attr);
	if (row->bounds || !row->max ||
	    (why.value >= why.min && why.value <= why.max))
		return 0;
	NL_SET_BAD_ATTR(extack, attr);
	return wl_refuse_value(&why, extack, "%s", nest->prefix);
}

static int attr_check_string(const struct wl_nest *nest, const struct nlattr *attr,
			     struct netlink_ext_ack *extack)
{
	const struct wl_attr *row = &nest->attrs[nla_type(attr)];
	const char *text = nla_data(attr);
	int length = nla_len(attr);

	if (length && !text[length - 1])
		length--;
	if (nla_len(attr) && length <= row->max)
		return 0;
	return wl_refuse(extack, attr, -ERANGE,
			 "wlink: %s%s has %d bytes, needs 1..%d", nest->prefix,
			 row->name, nla_len(attr), (int)row->max);
}

static int attr_check_nest(const struct wl_nest *nest, const struct nlattr *outer,
			   struct netlink_ext_ack *extack);

static int attr_check(const struct wl_nest *nest, const struct nlattr *attr,
		      struct netlink_ext_ack *extack)
{
	bool nested = attr->nla_type & NLA_F_NESTED;
	const struct wl_attr *row;
	int type = nla_type(attr);

	row = type <= nest->max ?
	      &nest->attrs[array_index_nospec(type, nest->max + 1)] : NULL;
	if (!row || !row->name)
		return wl_refuse(extack, attr, -EINVAL,
				 "wlink: unknown %sattribute %d", nest->prefix,
				 type);
	if (row->type == NLA_REJECT)
		return wl_refuse(extack, attr, -EINVAL, "wlink: %s%s %s",
				 nest->prefix, row->name, row->bounds);
	if (row->type == NLA_NESTED) {
		if (nested && (!nla_len(attr) || nla_len(attr) >= NLA_HDRLEN))
			return attr_check_nest(row->inner, attr, extack);
		return wl_refuse(extack, attr, -EINVAL,
				 "wlink: %s%s is not a nested attribute",
				 nest->prefix, row->name);
	}
	if (nested)
		return wl_refuse(extack, attr, -EINVAL,
				 "wlink: %s%s is nested, needs a value",
				 nest->prefix, row->name);
	if (row->type == NLA_STRING)
		return attr_check_string(nest, attr, extack);
	return row->type == NLA_BINARY ? 0 :
					 attr_check_number(nest, attr, extack);
}

static int attr_check_nest(const struct wl_nest *nest, const struct nlattr *outer,
			   struct netlink_ext_ack *extack)
{
	u64 seen[(WL_ATTRS_MAX + 1) / 64] = { };
	const struct nlattr *attr;
	const char *name = NULL;
	int err, left;

	nla_for_each_nested(attr, outer, left) {
		err = attr_check(nest, attr, extack);
		if (err)
			return err;
		if (wl_attr_again(seen, nla_type(attr)) &&
		    !nest->attrs[nla_type(attr)].many)
			return wl_refuse(extack, attr, -EINVAL,
					 "wlink: %s%s comes twice", nest->prefix,
					 nest->attrs[nla_type(attr)].name);
	}
	if (!left)
		return 0;
	if (left < (int)sizeof(*attr))
		return wl_refuse(extack, NULL, -EINVAL,
				 "wlink: options are malformed: %s",
				 "bytes leftover after parsing attributes");
	if (nla_type(attr) <= nest->max)
		name = nest->attrs[nla_type(attr)].name;
	return wl_refuse(extack, NULL, -EINVAL,
			 "wlink: %s%s has a length of %d, %d bytes are left",
			 nest->prefix, name ?: "attribute", attr->nla_len, left);
}

void wl_nest_read(const struct wl_nest *nest, const struct nlattr *outer,
		  struct nlattr **tb)
{
	struct nlattr *attr;
	int left;

	memset(tb, 0, (nest->max + 1) * sizeof(*tb));
	if (outer)
		nla_for_each_nested(attr, outer, left)
			tb[array_index_nospec(nla_type(attr), nest->max + 1)] = attr;
}

int wl_nest_parse(const struct wl_nest *nest, const struct nlattr *outer,
		  struct nlattr **tb, struct netlink_ext_ack *extack)
{
	int err;

	if (outer && !(outer->nla_type & NLA_F_NESTED))
		return wl_refuse(extack, outer, -EINVAL,
				 "wlink: options are malformed: %s",
				 "NLA_F_NESTED is missing");
	err = outer ? attr_check_nest(nest, outer, extack) : 0;
	if (!err)
		wl_nest_read(nest, outer, tb);
	return err;
}

/* --- Values in and out. --- */

static int attr_take(const struct wl_nest *nest, const struct wl_attr *row,
		     const struct nlattr *attr, void *base,
		     struct netlink_ext_ack *extack)
{
	u64 value = attr_value(row, attr);
	void *at = base + row->offset;

	if (row->bounds && value != row->also &&
	    (value < row->min || value > row->max))
		return wl_refuse(extack, attr, -ERANGE,
				 "wlink: %s%s %llu%s%s is outside %s",
				 nest->prefix, row->name, value, row->unit ? " " : "",
				 row->unit ?: "", row->bounds);
	if (row->size == sizeof(u64))
		*(u64 *)at = value;
	else if (row->size == sizeof(u32))
		*(u32 *)at = value;
	else
		*(u8 *)at = value;
	return 0;
}

int wl_nest_take(const struct wl_nest *nest, struct nlattr **tb,
		 const struct nlattr *outer, u32 kind, bool fresh, void *base,
		 struct netlink_ext_ack *extack)
{
	const struct wl_attr *row;
	int err = 0, i;

	for (i = 0; !err && i <= nest->max; i++) {
		row = &nest->attrs[i];
		if (row->inner)
			continue;
		if (tb[i] && row->kinds & BIT(kind))
			err = attr_take(nest, row, tb[i], base, extack);
		else if (tb[i] && row->kinds)
			err = wl_refuse(extack, tb[i], -EINVAL,
					"wlink: %s%s is not part of %s %s",
					nest->prefix, row->name, nest->kind,
					nest->kinds[kind]);
		else if (fresh && row->needed && row->kinds & BIT(kind))
			err = wl_refuse(extack, outer, -EINVAL,
					"wlink: %s%s needs %s", nest->prefix,
					nest->kinds[kind], row->name);
	}
	return err;
}

u64 wl_attr_get(const struct wl_attr *row, const void *base)
{
	const void *at = base + row->offset;

	if (row->size == sizeof(u64))
		return *(const u64 *)at;
	return row->size == sizeof(u32) ? *(const u32 *)at : *(const u8 *)at;
}

static int attr_put(struct sk_buff *skb, int type, const struct wl_attr *row,
		    const void *base)
{
	u64 value = wl_attr_get(row, base);

	if (row->type == NLA_U64)
		return wl_put_u64(skb, type, value);
	return nla_put_u32(skb, type, value);
}

int wl_nest_put(struct sk_buff *skb, const struct wl_nest *nest, u32 kind,
		const void *base)
{
	int err = 0, i;

	for (i = 0; !err && i <= nest->max; i++)
		if (!nest->attrs[i].inner && nest->attrs[i].kinds & BIT(kind))
			err = attr_put(skb, i, &nest->attrs[i], base);
	return err;
}

int wl_nest_put_in(struct sk_buff *skb, const struct wl_nest *nest, int type,
		   u32 kind, const void *base)
{
	struct nlattr *outer = nla_nest_start(skb, type);

	if (!outer || wl_nest_put(skb, nest, kind, base))
		return -EMSGSIZE;
	nla_nest_end(skb, outer);
	return 0;
}

void wl_nest_copy(const struct wl_nest *nest, u32 kind, void *to,
		  const void *from)
{
	const struct wl_attr *row;
	int i;

	for (i = 0; i <= nest->max; i++) {
		row = &nest->attrs[i];
		if (row->kinds & BIT(kind))
			memcpy(to + row->offset, from + row->offset, row->size);
	}
}
