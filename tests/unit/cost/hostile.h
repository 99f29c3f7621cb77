/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _HOSTILE_H
#define _HOSTILE_H

/* Configurations in which one call of the engine could take long. */
#include "core/link.h"

#define SDUS_MAX	100000U
#define MS		WL_NSEC_PER_MSEC
#define SEC		WL_NSEC_PER_SEC
#define HOUR		(3600 * SEC)

/**
 * struct hostile - a configuration and what is done to it
 * @name: what it is about
 * @words: it, from hostile_default() on, as for say()
 * @bearers: how many
 * @sdus: SDUs that come at once, to all bearers in turn
 * @bytes: of each
 * @until_ns: the engine goes on until then
 * @change: words of what a transaction of all bearers makes of it then, or NULL
 * @after_ns: how long it goes on after that
 * @often: or many of bearer 1 alone, each a scheduler of its own
 * @late: SDUs that come then, before what follows, and that the engine has not reached
 * @due: it has, and nobody has taken what is due
 * @del: bearer 2 is deleted then
 * @forward: all that bearer 1 holds goes to another link then
 * @flush: all that is held is dropped then, in one call, whose bound goes by how much that is
 * @pair: feedback is another link's traffic from then on, after @change and @after_ns
 * @schedule: of a bearer, or NULL, then the ones behind it have none either
 */
struct hostile {
	const char *name;
	const char *words;
	u32 bearers;
	u32 sdus;
	u32 bytes;
	u64 until_ns;
	const char *change;
	u64 after_ns;
	bool often;
	u32 late;
	bool due;
	bool forward;
	bool del;
	bool flush;
	bool pair;
	struct wl_schedule *(*schedule)(u32 bearer);
};

extern const struct hostile hostile[];
extern const u32 hostile_cases;

/**
 * hostile_default() - where all of them begin: as fast and large as can be
 * @cfg: set
 */
void hostile_default(struct wl_cfg *cfg);

/**
 * hostile_lose() - a channel that loses PDUs
 * @cfg: configuration
 * @part: of all, up to 1
 */
void hostile_lose(struct wl_cfg *cfg, double part);

#endif
