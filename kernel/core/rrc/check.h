/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_CORE_CHECK_H
#define _WL_CORE_CHECK_H

#include "../types.h"

/**
 * wl_cfg_set_mode() - change the mode, and what follows from it by default
 * @cfg: configuration
 * @mode: new mode
 *
 * Sets header_bytes to that of the mode (TM 0, UM 1, AM 2, FSR and ASR 8), and
 * pdu_bytes, where it is 0, to one the mode can work with. Call it before what
 * is said explicitly is put in.
 */
void wl_cfg_set_mode(struct wl_cfg *cfg, enum wlink_mode mode);

/**
 * wl_cfg_check() - judge a whole configuration before it is used
 * @cfg: configuration
 * @why: filled in when it is refused
 *
 * Return: 0, or -ERANGE with @why set.
 */
int wl_cfg_check(const struct wl_cfg *cfg, struct wl_refusal *why);

/**
 * wl_schedule_fits() - judge a configuration that a schedule is to lie over
 * @s: schedule
 * @cfg: checked configuration; of the link its bearer has tti and sched
 * @why: filled in when it is refused
 *
 * Return: 0, or -ERANGE with @why set.
 */
int wl_schedule_fits(const struct wl_schedule *s, const struct wl_cfg *cfg,
		     struct wl_refusal *why);

#endif
