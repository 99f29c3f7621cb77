// SPDX-License-Identifier: GPL-2.0
/* What may happen to a SDU behind the receiver, and the distributions for it. */
#include <linux/slab.h>
#include <linux/string.h>

#include "attr.h"
#include "impair.h"
#include "../core/impair/dist.h"
#include "kept.h"

/* --- Distributions. --- */

static int impair_judge(const struct wl_dist *dist, struct nlattr *points,
			struct netlink_ext_ack *extack)
{
	struct wl_refusal why;
	int err = wl_dist_check(dist, &why);

	if (!err)
		return 0;
	NL_SET_BAD_ATTR(extack, points);
	if (err == -ERANGE)
		return wl_refuse_value(&why, extack, "%s", "");
	return wl_refuse(extack, points, err, "wlink: jitter point %llu has %.21s",
			 why.value, why.what);
}

/* Names stand in one line of text each. */
static bool impair_is_text(const char *name)
{
	for (; *name; name++)
		if ((u8)*name <= ' ' || *name == 0x7f)
			return false;
	return true;
}

static int impair_read(struct wl_impair_cfg *cfg, struct wl_kept **list,
		       struct nlattr **tb, struct netlink_ext_ack *extack)
{
	struct nlattr *points = tb[TCA_WLINK_JITTER_POINTS];
	u32 count = nla_len(points) / sizeof(struct wlink_point);
	struct wl_kept *kept;
	int err;

	if (nla_len(points) % sizeof(struct wlink_point) || count < 2 ||
	    count > WLINK_POINTS_MAX)
		return wl_refuse(extack, points, -ERANGE,
				 "wlink: jitter points has %d bytes, needs 8 times 2..%u",
				 nla_len(points), WLINK_POINTS_MAX);
	kept = wl_kept_new(WL_KEPT_DIST, struct_size(kept, dist.point, count));
	if (!kept)
		return wl_refuse(extack, points, -ENOMEM,
				 "wlink: no memory for %u jitter points", count);
	kept->dist.unit_ns = nla_get_u64(tb[TCA_WLINK_JITTER_UNIT]);
	kept->dist.count = count;
	memcpy(kept->dist.point, nla_data(points), nla_len(points));
	if (tb[TCA_WLINK_JITTER_NAME])
		nla_strscpy(kept->name, tb[TCA_WLINK_JITTER_NAME], sizeof(kept->name));
	err = impair_is_text(kept->name) ? impair_judge(&kept->dist, points, extack) :
	      wl_refuse(extack, tb[TCA_WLINK_JITTER_NAME], -EINVAL,
			"wlink: jitter name has a byte that is no text");
	if (err)
		kvfree(kept);
	else
		cfg->jitter = &wl_kept_add(list, kept)->dist;
	return err;
}

/* --- All of it. --- */

/* The attributes from the mean to the points say one thing and come together. */
static int impair_parse_jitter(struct wl_impair_cfg *cfg, struct wl_kept **list,
			       struct nlattr **tb, struct nlattr *attr,
			       struct netlink_ext_ack *extack)
{
	bool off = tb[TCA_WLINK_JITTER_MEAN] && !nla_get_u64(tb[TCA_WLINK_JITTER_MEAN]);
	struct nlattr *shape = NULL, *other = NULL;
	int err, i;

	for (i = TCA_WLINK_JITTER_MEAN; i <= TCA_WLINK_JITTER_MAX; i++) {
		if (i <= TCA_WLINK_JITTER_POINTS)
			shape = shape ?: tb[i];
		if (i > TCA_WLINK_JITTER_MEAN)
			other = other ?: tb[i];
	}
	if (other && (off || (!shape && !cfg->jitter)))
		return wl_refuse(extack, other, -EINVAL,
				 "wlink: jitter %.11s needs jitter, which is off",
				 wl_nest_jitter.attrs[nla_type(other)].name);
	if (off || shape) {
		cfg->jitter = NULL;
		cfg->mean_ns = 0;
		cfg->dev_ns = 0;
		cfg->dist = WLINK_DIST_CONSTANT;
	}
	if (off) {
		cfg->jitter_correlation_q32 = 0;
		cfg->jitter_reorder = 0;
		return 0;
	}
	for (i = TCA_WLINK_JITTER_MEAN; shape && i <= TCA_WLINK_JITTER_POINTS; i++)
		if (!tb[i] && i != TCA_WLINK_JITTER_NAME)
			return wl_refuse(extack, attr, -EINVAL,
					 "wlink: jitter %.11s is required with %.11s",
					 wl_nest_jitter.attrs[i].name,
					 wl_nest_jitter.attrs[nla_type(shape)].name);
	err = wl_nest_take(&wl_nest_jitter, tb, attr, 0, false, cfg, extack);
	return err || !shape ? err : impair_read(cfg, list, tb, extack);
}

int wl_impair_parse(struct wl_impair_cfg *cfg, struct wl_kept **list,
		    struct nlattr *jitter, struct nlattr *impair,
		    struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_JITTER_MAX + 1], *of[TCA_WLINK_IMPAIR_MAX + 1];
	int err = 0;

	if (jitter) {
		wl_nest_read(&wl_nest_jitter, jitter, tb);
		err = impair_parse_jitter(cfg, list, tb, jitter, extack);
	}
	if (err || !impair)
		return err;
	wl_nest_read(&wl_nest_impair, impair, of);
	return wl_nest_take(&wl_nest_impair, of, impair, 0, false, cfg, extack);
}

int wl_impair_put(struct sk_buff *skb, const struct wl_impair_cfg *cfg)
{
	struct nlattr *nest;
	const char *name;

	if (cfg->jitter) {
		nest = nla_nest_start(skb, TCA_WLINK_JITTER);
		name = wl_kept_dist(cfg->jitter)->name;
		if (!nest || wl_nest_put(skb, &wl_nest_jitter, 0, cfg) ||
		    (*name && nla_put_string(skb, TCA_WLINK_JITTER_NAME, name)))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	if (!cfg->duplicate_q32 && !cfg->corrupt_q32 && !cfg->lost &&
	    cfg->unit == WLINK_ERROR_BIT)
		return 0;
	return wl_nest_put_in(skb, &wl_nest_impair, TCA_WLINK_IMPAIR, 0, cfg);
}
