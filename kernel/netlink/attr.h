/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_NETLINK_ATTR_H
#define _WL_NETLINK_ATTR_H

/*
 * Tables of attributes. A nest has a policy, which the kernel's parser goes by,
 * and rows, which say where a value belongs, what it is called, and what a
 * policy cannot say.
 */

#include <linux/netlink.h>
#include <net/netlink.h>

#include "../core/config/cfg.h"

/**
 * struct wl_nl_row - an attribute
 * @name: in messages, the word of tc where there is one; NULL for none of ours
 * @unit: of the bounds in its policy, NULL for none
 * @bounds: what @min, @max and @also allow, for messages; NULL where the policy
 *	says all
 * @min: least value
 * @max: greatest value
 * @also: one more that is allowed
 * @part: bit mask of the modes, or kinds of channel or AQM, that have it
 * @offset: of the member that takes the value, in what the nest describes
 * @size: its bytes: 1, 4 or 8
 * @needed: @part, kinds, cannot do without
 */
struct wl_nl_row {
	const char *name;
	const char *unit;
	const char *bounds;
	u64 min;
	u64 max;
	u64 also;
	u32 part;
	u16 offset;
	u8 size;
	bool needed;
};

/* Where a value belongs, for struct wl_nl_row. */
#define WL_NL_AT(type, member)						\
	.offset = offsetof(type, member),				\
	.size = sizeof_field(type, member)

/**
 * struct wl_nl_nest - attributes that stand together
 * @prefix: of their names in messages, with a space at its end, or empty
 * @policy: of all up to @max
 * @rows: of all up to @max
 * @inner: nests among them, by attribute, or NULL
 * @max: last attribute
 * @pad: the one that aligns others
 */
struct wl_nl_nest {
	const char *prefix;
	const struct nla_policy *policy;
	const struct wl_nl_row *rows;
	const struct wl_nl_nest * const *inner;
	u16 max;
	u16 pad;
};

extern const struct nla_policy wl_nl_options_policy[TCA_WLINK_MAX + 1];
extern const struct nla_policy wl_nl_limit_policy[TCA_WLINK_LIMIT_MAX + 1];
extern const struct nla_policy wl_nl_channel_policy[TCA_WLINK_CHANNEL_MAX + 1];
extern const struct nla_policy wl_nl_reverse_policy[TCA_WLINK_REVERSE_MAX + 1];
extern const struct nla_policy wl_nl_rlc_policy[TCA_WLINK_RLC_MAX + 1];
extern const struct nla_policy wl_nl_aqm_policy[TCA_WLINK_AQM_MAX + 1];
extern const struct nla_policy wl_nl_profile_policy[TCA_WLINK_PROFILE_MAX + 1];

extern const struct wl_nl_nest wl_nl_options;
extern const struct wl_nl_nest wl_nl_channel;
extern const struct wl_nl_nest wl_nl_reverse;
extern const struct wl_nl_nest wl_nl_rlc;
extern const struct wl_nl_nest wl_nl_aqm;
extern const struct wl_nl_nest wl_nl_row_aqm;
extern const struct wl_nl_nest wl_nl_profile;

/**
 * wl_nl_refuse() - say which value is outside which bounds
 * @why: value and bounds
 * @extack: says so
 * @where: what the value belongs to, with a colon and a space at its end, or
 *	empty; a row of a profile says where it is by itself
 *
 * Return: -ERANGE.
 */
__printf(3, 4)
int wl_nl_refuse(const struct wl_refusal *why, struct netlink_ext_ack *extack,
		 const char *where, ...);

/**
 * wl_nl_refuse_time() - refuse a time that has passed, or is too far ahead
 * @name: of the attribute
 * @attr: the attribute
 * @at_ns: its value, CLOCK_MONOTONIC
 * @now_ns: now
 * @extack: says what is wrong
 *
 * Return: 0 or -ERANGE.
 */
int wl_nl_refuse_time(const char *name, const struct nlattr *attr, u64 at_ns,
		      u64 now_ns, struct netlink_ext_ack *extack);

/**
 * wl_nl_explain() - say once more, with name and number, what the kernel's
 *	parser did not like
 * @nest: what it read
 * @opt: the attribute that holds it
 * @extack: as the parser left it; may be NULL
 */
void wl_nl_explain(const struct wl_nl_nest *nest, struct nlattr *opt,
		   struct netlink_ext_ack *extack);

/**
 * wl_nl_split() - find the attributes of a nest that its policy passes
 * @nest: what it is
 * @attr: it, may be NULL
 * @tb: set, @nest->max + 1 of them
 * @extack: says what is wrong: attribute, value and bound
 *
 * Return: 0 or a negative errno.
 */
int wl_nl_split(const struct wl_nl_nest *nest, struct nlattr *attr,
		struct nlattr **tb, struct netlink_ext_ack *extack);

/**
 * wl_nl_take() - put a value where it belongs
 * @nest: its nest
 * @attr: attribute that the policy has passed, NULL for no change
 * @base: what @nest describes
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno.
 */
int wl_nl_take(const struct wl_nl_nest *nest, struct nlattr *attr, void *base,
	       struct netlink_ext_ack *extack);

/**
 * wl_nl_take_members() - put the members of a kind where they belong
 * @nest: their nest, whose first attribute is the kind
 * @tb: attributes that the policy has passed
 * @outer: the attribute that holds them
 * @kind: kind that it is now; its number is below 32
 * @name: of the kind
 * @fresh: the kind is new and needs its members; one that is not keeps them
 * @base: what @nest describes
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno.
 */
int wl_nl_take_members(const struct wl_nl_nest *nest, struct nlattr **tb,
		       struct nlattr *outer, u32 kind, const char *name,
		       bool fresh, void *base, struct netlink_ext_ack *extack);

/**
 * wl_nl_same() - compare what two have of an attribute
 * @nest: its nest
 * @type: attribute
 * @a: what @nest describes
 * @b: another
 *
 * Return: whether it is the same.
 */
bool wl_nl_same(const struct wl_nl_nest *nest, int type, const void *a,
		const void *b);

/**
 * wl_nl_put() - write a value
 * @skb: message
 * @nest: its nest
 * @type: attribute
 * @base: what @nest describes
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_nl_put(struct sk_buff *skb, const struct wl_nl_nest *nest, int type,
	      const void *base);

/**
 * wl_nl_put_members() - write a nest with the members of a kind
 * @skb: message
 * @nest: it
 * @type: attribute to nest it in
 * @kind: kind, or mode; its number is below 32
 * @base: what @nest describes
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_nl_put_members(struct sk_buff *skb, const struct wl_nl_nest *nest,
		      int type, u32 kind, const void *base);

/**
 * wl_nl_parse_channel() - read a channel
 * @chan: changed as the nest says
 * @attr: nest of wl_nl_channel, NULL for no change
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno.
 */
int wl_nl_parse_channel(struct wl_chan_cfg *chan, struct nlattr *attr,
			struct netlink_ext_ack *extack);

/**
 * wl_nl_dump_channel() - write a channel
 * @skb: message
 * @type: attribute to nest it in
 * @chan: channel
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_nl_dump_channel(struct sk_buff *skb, int type,
		       const struct wl_chan_cfg *chan);

/**
 * wl_nl_has_reverse() - whether a mode has feedback
 * @mode: mode
 *
 * Return: whether it has.
 */
static inline bool wl_nl_has_reverse(enum wlink_mode mode)
{
	return mode != WLINK_MODE_TM && mode != WLINK_MODE_UM;
}

/**
 * wl_nl_parse_reverse() - read the way back
 * @cfg: whole configuration with its mode set
 * @attr: nest of wl_nl_reverse, NULL for no change
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno.
 */
int wl_nl_parse_reverse(struct wl_cfg *cfg, struct nlattr *attr,
			struct netlink_ext_ack *extack);

/**
 * wl_nl_dump_reverse() - write the way back, if the mode has one
 * @skb: message
 * @cfg: whole configuration
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_nl_dump_reverse(struct sk_buff *skb, const struct wl_cfg *cfg);

/**
 * wl_nl_mode_name() - the word of tc
 * @mode: mode
 *
 * Return: text.
 */
const char *wl_nl_mode_name(enum wlink_mode mode);

/**
 * wl_nl_set_mode() - change the mode before what depends on it is read
 * @cfg: whole configuration
 * @mode: mode; nothing is changed where it is the same
 *
 * What the old mode does not have gets its default, so that nothing is in force
 * which could not be seen before.
 */
void wl_nl_set_mode(struct wl_cfg *cfg, enum wlink_mode mode);

/**
 * wl_nl_parse_rlc() - read what the mode needs
 * @cfg: whole configuration with its mode set
 * @attr: nest of wl_nl_rlc, NULL for no change
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno.
 */
int wl_nl_parse_rlc(struct wl_cfg *cfg, struct nlattr *attr,
		    struct netlink_ext_ack *extack);

/**
 * wl_nl_dump_rlc() - write what the mode needs
 * @skb: message
 * @cfg: whole configuration
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_nl_dump_rlc(struct sk_buff *skb, const struct wl_cfg *cfg);

/**
 * wl_nl_parse_aqm() - read an AQM
 * @aqm: changed as the nest says
 * @attr: nest of wl_nl_aqm, NULL for no change
 * @extack: says what is wrong
 *
 * Thresholds that are not given stay what they are when the unit changes.
 *
 * Return: 0 or a negative errno.
 */
int wl_nl_parse_aqm(struct wl_aqm_cfg *aqm, struct nlattr *attr,
		    struct netlink_ext_ack *extack);

/**
 * wl_nl_dump_aqm() - write an AQM
 * @skb: message
 * @type: attribute to nest it in
 * @aqm: AQM
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_nl_dump_aqm(struct sk_buff *skb, int type, const struct wl_aqm_cfg *aqm);

/**
 * wl_nl_same_aqm() - compare
 * @a: AQM
 * @b: another
 *
 * Return: whether they are the same.
 */
bool wl_nl_same_aqm(const struct wl_aqm_cfg *a, const struct wl_aqm_cfg *b);

struct wl_kept_profile;

/**
 * wl_nl_parse_profile() - attach a profile, or let go of it
 * @cfg: whole configuration; the AQM does not follow yet
 * @profiles: of the qdisc, see wl_netlink_parse()
 * @attr: nest of wl_nl_profile, NULL for no change
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno.
 */
int wl_nl_parse_profile(struct wl_cfg *cfg, struct wl_kept_profile **profiles,
			struct nlattr *attr, struct netlink_ext_ack *extack);

/**
 * wl_nl_dump_profile() - write the profile, if there is one
 * @skb: message
 * @cfg: whole configuration
 *
 * Its name only: two dumps have to fit into one notification.
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_nl_dump_profile(struct sk_buff *skb, const struct wl_cfg *cfg);

#endif
