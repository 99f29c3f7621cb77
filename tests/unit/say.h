/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UT_SAY_H
#define _UT_SAY_H

struct wl_cfg;

/**
 * say() - change members of a configuration, as words of tc name them
 * @cfg: configuration
 * @format: keywords and values: "rate 384kbit tti 10ms mode am poll_timer off"
 *
 * Each member gets just the value, and nothing is judged: a test may want what tc refuses.
 * But a mode and an AQM come with their defaults, and a limit is of SDUs. A name of a table may
 * be its number, and a bit error rate is the hazard that the core has, in 2^-56.
 */
void say(struct wl_cfg *cfg, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** says() - check members of a configuration, as words of tc name them; see SAYS() */
void says(const struct wl_cfg *cfg, const char *text, const char *where);

#define SAYS(cfg, text)	says(cfg, text, UT_WHERE)

#endif
