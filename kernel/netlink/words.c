// SPDX-License-Identifier: GPL-2.0
/* The words of a link as attributes: what each may be, and where it is kept. */
#include "attr.h"

/* What nests describe. */
#define CFG_options	struct wl_cfg
#define CFG_limit	struct wl_limit
#define CFG_channel	struct wl_chan_cfg
#define CFG_rlc		struct wl_rlc_cfg
#define CFG_reverse	struct wl_reverse_cfg
#define CFG_aqm		struct wl_aqm_cfg
#define CFG_harq	struct wl_harq_cfg
#define CFG_sr		struct wl_access_cfg
#define CFG_drx		struct wl_drx_cfg
#define CFG_rrc		struct wl_drx_cfg
#define CFG_cell	struct wl_cell_cfg
#define CFG_background	struct wl_cell_cfg
#define CFG_tdd		struct wl_tdd_cfg
#define CFG_jitter	struct wl_impair_cfg
#define CFG_impair	struct wl_impair_cfg

/* Units in messages. */
#define UNIT_TIME	"ns"
#define UNIT_RATE	"bit/s"
#define UNIT_BYTES	"bytes"
#define UNIT_PERCENT	"percent"
#define UNIT_PROB	"/ 2^32"
#define UNIT_TTIS	"TTIs"
#define UNIT_PDUS	"PDUs"
#define UNIT_SYMBOLS	"symbols"
#define UNIT_COUNT	NULL
#define UNIT_SIZE	NULL
#define UNIT_AMOUNT	NULL
#define UNIT_MILLI	NULL
#define UNIT_BER	NULL
#define UNIT_SLOTS	NULL

/* Parts of a row. */
#define RANGE(unit_, min_, max_)	.min = (min_), .max = (max_), .unit = UNIT_##unit_,
#define OR_ZERO(unit_, min_, max_, other_)	RANGE(unit_, 0, max_)
#define ALSO(unit_, min_, max_, other_, value_, text_)			\
	RANGE(unit_, min_, max_) .also = (value_), .bounds = (text_),
#define LATE(unit_, min_, max_, text_)		ALSO(unit_, min_, max_, NULL, min_, text_)
#define APART(unit_, min_, max_, least_, most_, other_, value_)	RANGE(unit_, min_, max_)
#define NAMES(max_, ...)	.max = (max_),
#define SWITCH			.max = 1,
#define LENGTH(max_)		.max = (max_),
#define OF(owner_, kinds_)	.kinds = (kinds_),
#define WITH(owner_, kinds_)	ANY
#define UNIT_OF_LIMIT(kind_)	.kinds = BIT(kind_),
#define ANY			.kinds = ~0U,
#define OF_LINK			.kinds = WL_OF_LINK,
#define NEEDED			.needed = true,
#define MANY			.many = true,
#define UNTYPED
#define OLD			.bounds = "is of interface 1, an old wlinkctl; the module has 2",

static const struct {
	struct wl_attr options[TCA_WLINK_MAX + 1],
#define WL_NEST(nest_, attr_, inner_, ...)	inner_[attr_##_MAX + 1],
#define WL_INNER(...)
#include <wlink/words.h>
		row[TCA_WLINK_ROW_MAX + 1];
} words = {
#define WL_WORD(word_, nest_, attr_, bits_, member_, name_, keyword_, json_, meaning_, parts_) \
	.nest_[attr_] = {						\
		.name = name_, .type = NLA_U##bits_,			\
		.offset = offsetof(CFG_##nest_, member_),		\
		.size = sizeof_field(CFG_##nest_, member_), parts_	\
	},
#define WL_ALONE(word_, nest_, attr_, bits_, name_, keyword_, json_, meaning_, parts_) \
	.nest_[attr_] = { .name = name_, .type = NLA_U##bits_, parts_ },
#define WL_ATTR(nest_, attr_, type_, name_, meaning_, parts_)		\
	.nest_[attr_] = { .name = name_, .type = NLA_##type_, parts_ },
#define WL_NEST(nest_, attr_, inner_, name_, meaning_, parts_)		\
	.nest_[attr_] = { .name = name_, .type = NLA_NESTED, .inner = &wl_nest_##inner_, parts_ },
#include <wlink/words.h>
};

_Static_assert(TCA_WLINK_MAX <= WL_ATTRS_MAX && TCA_WLINK_RLC_MAX <= WL_ATTRS_MAX,
	       "wl_attr_again() has a bit for each attribute");

static const char * const channels[] = { WL_CHANNELS };
static const char * const modes[] = { WL_MODES };
static const char * const aqms[] = { WL_AQMS };

#define NEST(name_, table_, prefix_, ...)				\
	const struct wl_nest wl_nest_##name_ = {			\
		.prefix = prefix_, .attrs = words.table_,		\
		.max = ARRAY_SIZE(words.table_) - 1, __VA_ARGS__	\
	}

NEST(options, options, "");
NEST(limit, limit, "limit ");
NEST(channel, channel, "channel ", .kind = "kind", .kinds = channels);
NEST(reverse_channel, channel, "reverse channel ", .kind = "kind", .kinds = channels);
NEST(rlc, rlc, "rlc ", .kind = "mode", .kinds = modes);
NEST(reverse, reverse, "reverse ");
NEST(aqm, aqm, "aqm ", .kind = "kind", .kinds = aqms);
NEST(row_aqm, aqm, "row aqm ");
NEST(profile, profile, "profile ");
NEST(row, row, "row ");
NEST(harq, harq, "harq ");
NEST(sr, sr, "sr ");
NEST(drx, drx, "drx ");
NEST(rrc, rrc, "rrc ");
NEST(cell, cell, "cell ");
NEST(background, background, "background ");
NEST(tdd, tdd, "tdd ");
NEST(jitter, jitter, "jitter ");
NEST(impair, impair, "impair ");
