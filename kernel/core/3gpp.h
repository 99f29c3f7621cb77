/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_3GPP_H
#define _WL_3GPP_H

/*
 * The interface of 3gpp/, which is a module of its own in the kernel: nothing outside that
 * folder calls or includes anything in it but the types. Callers check first that a word of
 * it is in use, so a plain link never comes here.
 */
#include "types.h"

/**
 * struct wl_3gpp_ops - all that is called of 3gpp/; its headers say what each does
 * @mode: modes of LTE and NR, by enum wlink_mode; NULL for the others
 * @harq_may: wl_harq_may(); this one and the next two are of bearers with HARQ
 * @harq_free: wl_harq_free()
 * @harq_set_round: wl_harq_set_round()
 * @harq_put: wl_harq_put(); with a block open, as the next two
 * @harq_put_sdu: wl_harq_put_sdu()
 * @harq_close: wl_harq_close()
 * @harq_pay: wl_harq_pay(); of a debt
 * @harq_event: wl_harq_event(); of a bearer with blocks
 * @harq_configure: wl_harq_configure(); of a bearer with room for blocks, as the next two
 * @harq_reset: wl_harq_reset()
 * @harq_flush: wl_harq_flush()
 * @access_ask: wl_access_ask(); of a bearer whose access is on, as all but the last
 * @access_report: wl_access_report()
 * @access_idle: wl_access_idle()
 * @access_reset: wl_access_reset()
 * @access_event: wl_access_event()
 * @access_configure: wl_access_configure(); of one whose access is on before or afterwards
 * @rb_start: wl_rb_start(); of a link with resource blocks, as the next two
 * @rb_share: wl_rb_share()
 * @rb_foresee: wl_rb_foresee()
 * @tdd_origin_ns: wl_tdd_origin_ns(); of a link with a pattern, as the next two
 * @tdd_next_ns: wl_tdd_next_ns()
 * @tdd_special: wl_tdd_special()
 */
struct wl_3gpp_ops {
	const struct wl_mode_ops *mode[WLINK_MODE_MAX + 1];
	bool (*harq_may)(struct wl_bearer *b, u64 now_ns);
	bool (*harq_free)(const struct wl_bearer *b, u64 now_ns);
	void (*harq_set_round)(struct wl_bearer *b);
	void (*harq_put)(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx);
	void (*harq_put_sdu)(struct wl_bearer *b, struct wl_sdu *sdu, u32 bytes, u32 pdus);
	bool (*harq_close)(struct wl_bearer *b, u64 now_ns);
	u64 (*harq_pay)(const struct wl_link *link, struct wl_debt *debt, u64 now_ns,
			const u64 gives[2]);
	bool (*harq_event)(struct wl_bearer *b, u64 now_ns);
	void (*harq_configure)(struct wl_bearer *b, u64 now_ns, const struct wl_cfg *old);
	void (*harq_reset)(struct wl_bearer *b, u64 now_ns);
	void (*harq_flush)(struct wl_bearer *b);
	bool (*access_ask)(struct wl_bearer *b, u64 now_ns);
	void (*access_report)(struct wl_bearer *b, u64 now_ns);
	void (*access_idle)(struct wl_bearer *b);
	void (*access_reset)(struct wl_bearer *b, u64 now_ns);
	void (*access_event)(struct wl_bearer *b, u64 now_ns);
	void (*access_configure)(struct wl_bearer *b, u64 now_ns, const struct wl_cfg *old);
	void (*rb_start)(struct wl_link *link, u64 now_ns);
	bool (*rb_share)(struct wl_link *link, u64 now_ns);
	void (*rb_foresee)(struct wl_link *link, u64 now_ns);
	u64 (*tdd_origin_ns)(const struct wl_link *link, u64 now_ns);
	u64 (*tdd_next_ns)(const struct wl_link *link, u64 start_ns);
	bool (*tdd_special)(const struct wl_link *link, u64 start_ns);
};

/* NULL while the module is not loaded. The module is loaded before a configuration with a word
 * of it is checked, and a link that has ever had such a word keeps it loaded.
 */
extern const struct wl_3gpp_ops *wl_3gpp;

/**
 * wl_rb_on() - whether TTIs are divided
 * @link: link
 *
 * Return: true where bearers share resource blocks, not airtime.
 */
static inline bool wl_rb_on(const struct wl_link *link)
{
	return link->first.cfg.cell.rb && wl_link_shared(link);
}

#endif
