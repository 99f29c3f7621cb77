/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SCRIPT_H
#define _SCRIPT_H

/*
 * A bearer played from a script that says what happens when, and a log of what
 * the protocol does. tests/unit/scripts/README.md explains both.
 */
#include "core/link.h"

#define SCRIPT_SDUS	512
#define SCRIPT_LOG	65536
#define SCRIPT_SNS	4096
#define SCRIPT_ORDER	512
#define SCRIPT_WORDS	64

/**
 * struct script - a bearer and its surroundings
 * @link: must be first
 * @b: its bearer, NULL before script_cfg()
 * @cfg: in force
 * @sdus: descriptors
 * @arrived: of @sdus, used
 * @now_ns: time
 * @sending: whether @tx is on the air
 * @tx: PDU
 * @lost: its fate
 * @end_ns: when its last bit goes
 * @sent: PDUs that have begun
 * @heard: STATUS PDUs, ACKs and so on that were made
 * @lose_pdu: by order on the air, from 1
 * @lose_feedback: the same of what comes back
 * @lose_sn: by number: how many of the next that carry it
 * @lose_mrw: how many of the next MRWs
 * @lose_reset: how many of the next RESETs
 * @vt_a: as it was logged last
 * @timeouts: as in the counters when they were looked at last
 * @duplicates: the same
 * @unrecoverable: the same
 * @linked: it has a whole link, not @link
 * @noted: then, SDUs that are in @log
 * @noted_us: time of its last line
 * @log: what has happened
 * @log_used: of @log
 */
struct script {
	struct wl_link link;
	struct wl_bearer *b;
	struct wl_cfg cfg;
	struct wl_sdu sdus[SCRIPT_SDUS];
	u32 arrived;
	u64 now_ns;
	bool sending;
	struct wl_tx tx;
	bool lost;
	u64 end_ns;
	u32 sent;
	u32 heard;
	bool lose_pdu[SCRIPT_ORDER];
	bool lose_feedback[SCRIPT_ORDER];
	u32 lose_sn[SCRIPT_SNS];
	u32 lose_mrw;
	u32 lose_reset;
	u32 vt_a;
	u64 timeouts;
	u64 duplicates;
	u64 unrecoverable;
	bool linked;
	u32 noted;
	u64 noted_us;
	char log[SCRIPT_LOG];
	u32 log_used;
};

/**
 * script_words() - read words of tc into a configuration
 * @cfg: configuration
 * @words: words and values
 * @count: how many
 * @error: what is wrong, WORDS_ERROR bytes
 *
 * Return: whether all are good.
 */
bool script_words(struct wl_cfg *cfg, char **words, int count, char *error);

/**
 * script_at() - when words come into force
 * @words: words and values
 * @count: how many
 *
 * Return: as for wl_link_commit().
 */
u64 script_at(char **words, int count);

/**
 * script_time() - read a time
 * @text: number and us, ms or s; ms where there is no unit
 * @ns: result
 *
 * Return: whether it is one.
 */
bool script_time(const char *text, u64 *ns);

/** script_note() - add a line to the log */
void script_note(struct script *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** script_reason() - the name of a drop */
const char *script_reason(enum wlink_drop drop);

/** script_link_open() - begin with a whole link */
void script_link_open(struct script *s);

/** script_link_run() - let everything up to a time happen to it */
void script_link_run(struct script *s, u64 until_ns);

/** script_link_send() - SDUs arrive, now */
void script_link_send(struct script *s, u32 bytes, u32 count);

/** script_link_change() - put s->cfg in force, see wl_link_commit() */
void script_link_change(struct script *s, u64 at_ns);

/** script_link_close() - give the memory back; say whether all adds up */
bool script_link_close(struct script *s);

/** script_open() - begin with a configuration */
void script_open(struct script *s);

/** script_close() - give the memory back; say whether the SDUs add up */
bool script_close(struct script *s);

/** script_run() - let everything up to a time happen */
void script_run(struct script *s, u64 until_ns);

/** script_send() - SDUs arrive, now */
void script_send(struct script *s, u32 bytes, u32 count);

/** script_change() - put s->cfg in force, now */
void script_change(struct script *s);

/** script_show() - log the value of a state variable
 *
 * Return: whether there is such a one.
 */
bool script_show(struct script *s, const char *name);

/* What the linker puts before wl_sdu_deliver() and wl_reverse_send(), and what
 * it calls them there.
 */
void __real_wl_sdu_deliver(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns);
void __wrap_wl_sdu_deliver(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns);
void __real_wl_reverse_send(struct wl_bearer *b, u64 now_ns, u32 bytes,
			    struct wl_feedback *feedback);
void __wrap_wl_reverse_send(struct wl_bearer *b, u64 now_ns, u32 bytes,
			    struct wl_feedback *feedback);

#endif
