/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_NETLINK_ATTR_H
#define _WL_NETLINK_ATTR_H

/*
 * Tables of attributes: a nest is a table with one row for each attribute, and
 * parsing and dumping it is one loop over the table.
 *
 * A message is read in two passes. wl_nest_parse() judges each attribute by itself,
 * as the kernel's nla_parse() does with a policy, but its message names attribute,
 * value and bound. wl_nest_take() then stores the values in their structure.
 */

#include <linux/netlink.h>
#include <net/netlink.h>

#include "../core/config/cfg.h"

/**
 * struct wl_attr - a row: one attribute
 * @name: in messages, the word of tc where there is one; NULL: no such attribute
 * @type: NLA_U32, NLA_U64, NLA_NESTED, NLA_STRING, NLA_BINARY or NLA_REJECT
 * @needed: a kind among @kinds that is new cannot do without
 * @many: it may come more than once
 * @size: bytes of the member that has the value: 1, 4 or 8
 * @offset: of that member, in the structure that the nest describes
 * @kinds: bit mask of the kinds that have the attribute. wl_nest_take() and
 *	wl_nest_put() leave a nest to the caller, and what has 0 here
 * @min: least value
 * @max: greatest value, 0 for what the type holds; of NLA_STRING the length
 * @also: with @bounds: one more value that is allowed
 * @unit: of @min and @max in messages, NULL for none
 * @bounds: text of @min, @max and @also. Where it is set they are judged when the
 *	value is stored: after it is known that its kind has the attribute. Of
 *	NLA_REJECT: what is wrong with it
 * @inner: the nest, of NLA_NESTED
 */
struct wl_attr {
	const char *name;
	u8 type;
	bool needed;
	bool many;
	u8 size;
	u16 offset;
	u32 kinds;
	u64 min;
	u64 max;
	u64 also;
	const char *unit;
	const char *bounds;
	const struct wl_nest *inner;
};

/* Parts of a row. */
#define WL_U32(min_, max_)	.type = NLA_U32, .min = (min_), .max = (max_)
#define WL_U64(min_, max_)	.type = NLA_U64, .min = (min_), .max = (max_)
#define WL_NESTED(nest_)	.type = NLA_NESTED, .inner = &(nest_)

/**
 * struct wl_nest - a table
 * @prefix: of names in messages, with a space at its end, or empty
 * @attrs: rows by attribute
 * @max: last attribute
 * @kind: what @kinds are called in messages
 * @kinds: names of the kinds that @attrs are about
 */
struct wl_nest {
	const char *prefix;
	const struct wl_attr *attrs;
	int max;
	const char *kind;
	const char * const *kinds;
};

/* Of @kinds, where they are classes: the first one, which is the link. */
#define WL_OF_LINK	BIT(0)

/* No attribute is above it. */
#define WL_ATTRS_MAX	127

/**
 * wl_attr_again() - note an attribute
 * @seen: those before it, a bit each
 * @type: the attribute, at most WL_ATTRS_MAX
 *
 * Return: whether it is among them.
 */
static inline bool wl_attr_again(u64 seen[(WL_ATTRS_MAX + 1) / 64], int type)
{
	u64 bit = 1ULL << type % 64, before = seen[type / 64];

	seen[type / 64] |= bit;
	return before & bit;
}

/* Of all enumerations of attributes. */
#define WL_NLA_PAD	1

static inline int wl_put_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, WL_NLA_PAD);
}

/* What wl_put_u64() needs at most. */
#define WL_PUT_U64_BYTES	(2 * NLA_HDRLEN + sizeof(u64))

/**
 * wl_refuse() - say why a message is refused
 * @extack: says so
 * @attr: attribute to point at, or NULL
 * @err: a negative errno
 * @fmt: message, "wlink: ..."
 *
 * Return: @err.
 */
__printf(4, 5)
int wl_refuse(struct netlink_ext_ack *extack, const struct nlattr *attr, int err,
	      const char *fmt, ...);

/**
 * wl_refuse_value() - say which value is outside which bounds
 * @why: value and bounds
 * @extack: says so
 * @where: what the value belongs to, with a colon and a space at its end, or
 *	empty; a row of a profile says where it is by itself
 *
 * Return: -ERANGE.
 */
__printf(3, 4)
int wl_refuse_value(const struct wl_refusal *why, struct netlink_ext_ack *extack,
		    const char *where, ...);

/**
 * wl_refuse_time() - refuse a time that has passed, or is too far ahead
 * @name: of the attribute
 * @attr: the attribute
 * @at_ns: its value, CLOCK_MONOTONIC
 * @now_ns: now
 * @extack: says what is wrong
 *
 * Return: 0 or -ERANGE.
 */
int wl_refuse_time(const char *name, const struct nlattr *attr, u64 at_ns,
		   u64 now_ns, struct netlink_ext_ack *extack);

/**
 * wl_nest_parse() - judge the attributes of a nest, and those in nests in it
 * @nest: its table
 * @outer: the nest, may be NULL
 * @tb: set, @nest->max + 1 of them; the last one of those that may come more than once
 * @extack: says what is wrong: attribute, value and bound
 *
 * Return: 0 or a negative errno.
 */
int wl_nest_parse(const struct wl_nest *nest, const struct nlattr *outer,
		  struct nlattr **tb, struct netlink_ext_ack *extack);

/**
 * wl_nest_read() - find the attributes of a nest that has been judged as a part of
 *	another one
 * @nest: its table
 * @outer: the nest
 * @tb: as for wl_nest_parse()
 */
void wl_nest_read(const struct wl_nest *nest, const struct nlattr *outer,
		  struct nlattr **tb);

/**
 * wl_nest_take() - store the values that a kind has
 * @nest: table
 * @tb: judged attributes
 * @outer: the nest, to point at
 * @kind: the kind that it is now, below 32
 * @fresh: the kind is new and needs its values; one that is not new keeps them
 * @base: structure that @nest describes
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno.
 */
int wl_nest_take(const struct wl_nest *nest, struct nlattr **tb,
		 const struct nlattr *outer, u32 kind, bool fresh, void *base,
		 struct netlink_ext_ack *extack);

/**
 * wl_attr_get() - read the member of a configuration that an attribute stands for
 * @row: of the attribute
 * @base: configuration that the table describes
 *
 * Return: its value.
 */
u64 wl_attr_get(const struct wl_attr *row, const void *base);

/**
 * wl_nest_put() - write the values that a kind has
 * @skb: message
 * @nest: table
 * @kind: kind, below 32
 * @base: structure that @nest describes
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_nest_put(struct sk_buff *skb, const struct wl_nest *nest, u32 kind,
		const void *base);

/**
 * wl_nest_put_in() - the same in a nest of its own
 * @skb: message
 * @nest: table
 * @type: attribute that the nest is
 * @kind: kind, below 32
 * @base: structure that @nest describes
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_nest_put_in(struct sk_buff *skb, const struct wl_nest *nest, int type,
		   u32 kind, const void *base);

/**
 * wl_nest_copy() - copy the values that a kind has
 * @nest: table
 * @kind: kind, below 32
 * @to: structure that @nest describes
 * @from: another
 */
void wl_nest_copy(const struct wl_nest *nest, u32 kind, void *to,
		  const void *from);

/* Of words.c. */
extern const struct wl_nest
	wl_nest_options, wl_nest_limit, wl_nest_channel, wl_nest_rlc, wl_nest_reverse,
	wl_nest_reverse_channel, wl_nest_aqm, wl_nest_profile, wl_nest_row, wl_nest_row_aqm,
	wl_nest_harq, wl_nest_sr, wl_nest_drx, wl_nest_rrc, wl_nest_cell, wl_nest_background,
	wl_nest_tdd, wl_nest_jitter, wl_nest_impair;

/**
 * wl_aqm_parse() - read an AQM
 * @aqm: changed as the nest says
 * @attr: nest of wl_nest_aqm, judged; NULL for no change
 * @extack: says what is wrong
 *
 * Thresholds that are not given stay what they are when the unit changes.
 *
 * Return: 0 or a negative errno.
 */
int wl_aqm_parse(struct wl_aqm_cfg *aqm, struct nlattr *attr,
		 struct netlink_ext_ack *extack);

/**
 * wl_aqm_put() - write an AQM
 * @skb: message
 * @type: attribute to nest it in
 * @aqm: AQM
 *
 * Return: 0 or -EMSGSIZE.
 */
static inline int wl_aqm_put(struct sk_buff *skb, int type,
			     const struct wl_aqm_cfg *aqm)
{
	return wl_nest_put_in(skb, &wl_nest_aqm, type, aqm->kind, aqm);
}

#endif
