// SPDX-License-Identifier: GPL-2.0
/*
 * The bearer of a script: a transmitter with a fate chosen for each PDU, without
 * a TTI, in the place of mac/serve.c. What crosses the border between the core's
 * files is listened to with the linker's --wrap (see the Makefile).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wlink/names.h>

#include "core/rrc/bearer.h"
#include "core/buffer/buffer.h"
#include "script.h"
#include "wl_ask.h"
#include "wl_case.h"
#include "core/rlc/am.h"
#include "core/rlc/mode.h"
#include "core/sr/sr.h"

/* A script that never ends is wrong. */
#define ROUNDS_MAX	200000

/* Of scripts that are played so; others have a link that is whole. */
static const struct wl_link *scripted;

const char *script_reason(enum wlink_drop drop)
{
	static const char * const reasons[] = WL_NAMES(DROP, WL_DROPS);

	_Static_assert(ARRAY_SIZE(reasons) == __WLINK_DROP_MAX, "a reason without a name");

	return reasons[drop];
}

static void append(struct script *s, const char *format, va_list args)
{
	size_t left = sizeof(s->log) - s->log_used;
	int used = vsnprintf(s->log + s->log_used, left, format, args);

	s->log_used += used;
	if (s->log_used + 2 >= sizeof(s->log))
		abort();
}

static void add(struct script *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct script *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	append(s, format, args);
	va_end(args);
}

/* Milliseconds, with no more digits than it takes; rounded down to 1 us. What happens at one time
 * stands in one line.
 */
static void begin_line(struct script *s)
{
	u64 us = s->now_ns / WL_US;

	if (s->log_used && us == s->noted_us) {
		s->log_used--;
		add(s, "; ");
		return;
	}
	s->noted_us = us;
	add(s, "%llu", us / 1000);
	if (us % 1000) {
		add(s, ".%03llu", us % 1000);
		while (s->log[s->log_used - 1] == '0')
			s->log_used--;
	}
	add(s, " ");
}

void script_note(struct script *s, const char *format, ...)
{
	va_list args;

	begin_line(s);
	va_start(args, format);
	append(s, format, args);
	va_end(args);
	add(s, "\n");
}

static void dropped(struct wl_link *link, const struct wl_sdu *sdu)
{
	script_note((struct script *)link, "drop %llu %s", sdu->seq, script_reason(sdu->drop));
}

static const struct wl_link_ops link_ops = {
	.dropped = dropped,
	.rate_changed = wl_ask_rate_changed,
	.applied = wl_ask_applied,
	.granted = wl_ask_granted,
	.schedule_changed = wl_ask_schedule_changed,
	.channel_changed = wl_ask_channel_changed,
};

void __wrap_wl_sdu_deliver(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	if (b->link == scripted)
		script_note((struct script *)b->link, "deliver %llu", sdu->seq);
	__real_wl_sdu_deliver(b, sdu, now_ns);
}

/* The numbers that a STATUS PDU says are missing. */
static void add_nacks(struct script *s, const struct wl_feedback *feedback)
{
	const char *before = " nack ";
	u32 sn, end;

	for (sn = feedback->from; sn != feedback->to; sn = end) {
		end = sn + 1;
		if (wl_pdu_at(s->b, sn)->flags & WL_PDU_RECEIVED)
			continue;
		while (end != feedback->to && !(wl_pdu_at(s->b, end)->flags & WL_PDU_RECEIVED))
			end++;
		add(s, "%s%u", before, sn & 0xfff);
		if (end - sn > 1)
			add(s, "-%u", (end - 1) & 0xfff);
		before = ",";
	}
}

static void add_am(struct script *s, const struct wl_feedback *feedback)
{
	switch (feedback->kind) {
	case WL_AM_STATUS:
		add(s, "status");
		if (feedback->flags & WL_AM_HAS_ACK)
			add(s, " ack %u", feedback->lsn & 0xfff);
		add_nacks(s, feedback);
		break;
	case WL_AM_MRW_ACK:
		add(s, "mrw_ack %u n %u", feedback->lsn & 0xfff, feedback->aux);
		break;
	default:
		add(s, "reset_ack rsn %u", feedback->lsn);
		break;
	}
}

void __wrap_wl_reverse_send(struct wl_bearer *b, u64 now_ns, u32 bytes,
			    struct wl_feedback *feedback)
{
	struct script *s = (struct script *)b->link;
	bool lost;

	if (b->link != scripted) {
		__real_wl_reverse_send(b, now_ns, bytes, feedback);
		return;
	}
	lost = ++s->heard < SCRIPT_ORDER && s->lose_feedback[s->heard];
	begin_line(s);
	if (b->cfg.mode == WLINK_MODE_AM)
		add_am(s, feedback);
	else
		add(s, "%s %u", feedback->kind == WL_SR_ACK ? "ack" : "nack", feedback->lsn);
	add(s, lost ? " LOST\n" : "\n");
	b->reverse.air.chan.cfg.loss_q32 = lost ? WLINK_PROB_ONE : 0;
	__real_wl_reverse_send(b, now_ns, bytes, feedback);
}

static void give_room(struct script *s)
{
	void *old = s->link.first.rings.mem;
	struct wl_rings need;

	wl_rings_need(&s->cfg, &need);
	wl_rings_join(&need, &s->link.first.rings);
	if (wl_rings_fits(&s->link.first.rings, &need))
		return;
	wl_rings_place(&need, calloc(1, need.bytes));
	wl_bearer_move(&s->link.first, &need, WL_RINGS_RECORDS_MAX);
	free(old);
}

void script_open(struct script *s)
{
	scripted = &s->link;
	s->cfg.reverse.channel.kind = WLINK_CHANNEL_UNIFORM;
	wl_link_init(&s->link, &s->cfg, s->now_ns, &link_ops);
	give_room(s);
	s->b = &s->link.first;
}

bool script_close(struct script *s)
{
	const struct wl_stats *stats = &s->b->stats;
	u64 over = stats->v[WLINK_STAT_SDUS_DELIVERED];

	for (u32 i = 0; i < __WLINK_DROP_MAX; i++)
		over += stats->drops[i];
	free(s->b->rings.mem);
	return over + stats->v[WLINK_STAT_SDUS_HELD] == s->arrived;
}

static void look(struct script *s)
{
	struct wl_bearer *b = s->b;
	struct wl_stats *stats = &b->stats;
	struct wl_sdu sdu;

	while (wl_link_pop(&s->link, &sdu))
		;
	if (stats->v[WLINK_STAT_DUPLICATES] != s->duplicates)
		script_note(s, "duplicate");
	if (stats->v[WLINK_STAT_TIMEOUTS] != s->timeouts)
		script_note(s, "%s", b->cfg.mode == WLINK_MODE_AM ? "timer_poll" : "timeout");
	if (stats->v[WLINK_STAT_UNRECOVERABLE] != s->unrecoverable)
		script_note(s, "unrecoverable");
	s->duplicates = stats->v[WLINK_STAT_DUPLICATES];
	s->timeouts = stats->v[WLINK_STAT_TIMEOUTS];
	s->unrecoverable = stats->v[WLINK_STAT_UNRECOVERABLE];
	if (b->cfg.mode == WLINK_MODE_AM && b->mode.am.vt_a != s->vt_a) {
		s->vt_a = b->mode.am.vt_a;
		script_note(s, "vt_a %u", s->vt_a & 0xfff);
	}
}

static bool take(u32 *count)
{
	return *count && (*count)--;
}

static bool fate(struct script *s)
{
	bool lost = s->sent < SCRIPT_ORDER && s->lose_pdu[s->sent];

	if (s->tx.kind == WL_TX_MRW)
		lost |= take(&s->lose_mrw);
	else if (s->tx.kind == WL_TX_RESET)
		lost |= take(&s->lose_reset);
	else
		lost |= take(&s->lose_sn[s->tx.sn % SCRIPT_SNS]);
	return lost;
}

static void note_pdu(struct script *s)
{
	bool am = s->b->cfg.mode == WLINK_MODE_AM;
	const struct wl_tx *tx = &s->tx;

	begin_line(s);
	switch (tx->kind) {
	case WL_TX_MRW:
		add(s, "mrw %u n %u", tx->sn & 0xfff, s->b->mode.am.mrw.n);
		break;
	case WL_TX_RESET:
		add(s, "reset rsn %u", tx->sn);
		break;
	default:
		add(s, "%s %u", tx->kind == WL_TX_NEW ? "new" : "again",
		    tx->sn & (s->b->cfg.mode == WLINK_MODE_UM ? 127 : 4095));
		if (am && tx->kind == WL_TX_RETX)
			add(s, " dat %u", wl_pdu_at(s->b, tx->sn)->dat);
		if (tx->li_bytes)
			add(s, " li %u", tx->li_bytes);
		if (tx->pad_bytes)
			add(s, " pad %u", tx->pad_bytes);
		if (tx->poll)
			add(s, " P");
		break;
	}
	add(s, s->lost ? " LOST\n" : "\n");
}

static void begin(struct script *s)
{
	u32 wanted = s->b->ops->wanted(s->b);

	if (s->sending || !wanted)
		return;
	s->b->ops->send(s->b, s->now_ns, &s->tx);
	s->sending = true;
	s->sent++;
	s->lost = fate(s);
	s->end_ns = s->now_ns + wanted * 8 * WL_SEC / s->b->cfg.rate_bps;
	note_pdu(s);
}

void script_run(struct script *s, u64 until_ns)
{
	struct wl_bearer *b = s->b;
	u32 rounds = 0;
	u64 next_ns;

	for (;;) {
		if (++rounds > ROUNDS_MAX)
			abort();
		next_ns = b->ops->next_ns(b);
		if (s->sending)
			next_ns = min(next_ns, s->end_ns);
		if (next_ns > until_ns)
			break;
		s->now_ns = max(s->now_ns, next_ns);
		if (s->sending && s->end_ns == s->now_ns) {
			s->sending = false;
			b->ops->sent(b, s->now_ns, &s->tx, s->now_ns, s->lost);
		}
		s->link.budget = WL_LINK_BUDGET_MAX;
		while (b->ops->next_ns(b) <= s->now_ns && ++rounds < ROUNDS_MAX)
			b->ops->event(b, s->now_ns);
		look(s);
		begin(s);
	}
	s->now_ns = until_ns;
}

void script_send(struct script *s, u32 bytes, u32 count)
{
	while (count-- && s->arrived < SCRIPT_SDUS) {
		struct wl_sdu *sdu = &s->sdus[s->arrived];

		sdu->owner = s->b;
		sdu->seq = s->arrived++;
		sdu->arrival_ns = s->now_ns;
		sdu->start_ns = WL_NEVER_NS;
		sdu->bytes = bytes;
		sdu->left_bytes = bytes;
		sdu->flags = WL_SDU_RELEASED;
		s->b->stats.v[WLINK_STAT_SDUS_IN]++;
		s->b->stats.v[WLINK_STAT_SDUS_HELD]++;
		s->b->stats.v[WLINK_STAT_BYTES_HELD] += bytes;
		wl_buffer_arrive(s->b, sdu, s->now_ns);
	}
	begin(s);
}

void script_change(struct script *s)
{
	struct wl_cfg old = s->b->cfg;

	give_room(s);
	wl_bearer_configure(s->b, s->now_ns, &s->cfg, false);
	if (wl_cfg_reestablishes(&old, &s->cfg)) {
		script_note(s, "reestablished");
		s->sending = false;
	}
	look(s);
	begin(s);
}

static bool show(struct script *s, const char *name, const char *mine, u64 value)
{
	if (strcmp(name, mine))
		return false;
	add(s, " %s %llu", name, value);
	return true;
}

bool script_show(struct script *s, const char *name)
{
	const struct wl_am *am = &s->b->mode.am;
	const struct wl_sr *sr = &s->b->mode.sr;

	if (show(s, name, "buffer", s->b->stats.v[WLINK_STAT_BUFFER_SDUS]) ||
	    show(s, name, "held", s->b->stats.v[WLINK_STAT_SDUS_HELD]) ||
	    show(s, name, "resets", s->b->stats.v[WLINK_STAT_RESETS]) ||
	    show(s, name, "mrws", s->b->stats.v[WLINK_STAT_MRWS]))
		return true;
	if (s->b->cfg.mode == WLINK_MODE_AM)
		return show(s, name, "vt_s", am->vt_s) ||
		       show(s, name, "vt_a", am->vt_a) ||
		       show(s, name, "vt_pdu", am->vt_pdu) ||
		       show(s, name, "vt_sdu", am->vt_sdu) ||
		       show(s, name, "vt_mrw", am->vt_mrw) ||
		       show(s, name, "vt_rst", am->vt_rst) ||
		       show(s, name, "begun", am->begun) ||
		       show(s, name, "vr_r", am->vr_r) ||
		       show(s, name, "vr_h", am->vr_h);
	if (s->b->cfg.mode == WLINK_MODE_UM)
		return show(s, name, "vr_us", s->b->mode.um.vr_us);
	return show(s, name, "una", sr->una) ||
	       show(s, name, "next", sr->next) ||
	       show(s, name, "rnext", sr->rnext) ||
	       show(s, name, "rto_us", sr->rtxto_ns / WL_US);
}
