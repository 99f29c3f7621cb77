// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* All that others call of this folder. */
#include "../rlc/mode.h"
#include "access.h"
#include "harq.h"
#include "ops.h"
#include "rb.h"
#include "rlc/lte.h"
#include "tdd.h"

const struct wl_3gpp_ops wl_3gpp_ops = {
	.mode = {
		[WLINK_MODE_LTE_UM] = &wl_lte_um_ops,
		[WLINK_MODE_LTE_AM] = &wl_lte_am_ops,
		[WLINK_MODE_NR_AM] = &wl_nr_am_ops,
	},
	.harq_may = wl_harq_may,
	.harq_free = wl_harq_free,
	.harq_set_round = wl_harq_set_round,
	.harq_put = wl_harq_put,
	.harq_put_sdu = wl_harq_put_sdu,
	.harq_close = wl_harq_close,
	.harq_pay = wl_harq_pay,
	.harq_event = wl_harq_event,
	.harq_configure = wl_harq_configure,
	.harq_reset = wl_harq_reset,
	.harq_flush = wl_harq_flush,
	.access_ask = wl_access_ask,
	.access_report = wl_access_report,
	.access_idle = wl_access_idle,
	.access_reset = wl_access_reset,
	.access_event = wl_access_event,
	.access_configure = wl_access_configure,
	.rb_start = wl_rb_start,
	.rb_share = wl_rb_share,
	.rb_foresee = wl_rb_foresee,
	.tdd_origin_ns = wl_tdd_origin_ns,
	.tdd_next_ns = wl_tdd_next_ns,
	.tdd_special = wl_tdd_special,
};
