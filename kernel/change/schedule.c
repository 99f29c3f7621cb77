// SPDX-License-Identifier: GPL-2.0
/*
 * Schedules: how they are loaded, started and stopped, and what is kept of them.
 * The engine knows those that have been started; one ends with its last notice,
 * and is freed after that has been sent.
 */
#include <linux/mm.h>

#include "../class.h"
#include "../core/mac/grid.h"
#include "../memory/memory.h"
#include "../netlink/attr.h"
#include "../qdisc.h"
#include "../trace.h"
#include "judge.h"
#include "schedule.h"

/* --- What is kept. --- */

struct wl_kept_schedule *wl_schedule_of(const struct wl_notice *notice)
{
	return container_of(notice - notice->state, struct wl_kept_schedule,
			    notices[0]);
}

static struct wl_kept_schedule *schedule_kept(struct wl_schedule *s)
{
	return container_of(s, struct wl_kept_schedule, schedule);
}

static struct wl_kept_schedule *schedule_new(u32 columns, u32 number)
{
	struct wl_kept_schedule *kept;
	enum wlink_schedule_state state;

	kept = kzalloc(sizeof(*kept), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!kept)
		return NULL;
	wl_schedule_init(&kept->schedule, columns);
	kept->number = number;
	for (state = 0; state < __WLINK_SCHEDULE_STATE_MAX; state++) {
		kept->notices[state].cmd = WLINK_CMD_SCHEDULE;
		kept->notices[state].state = state;
	}
	return kept;
}

void wl_schedule_free(struct wl_sched *q, struct wl_kept_schedule *kept)
{
	struct wl_steps *steps, *next;

	if (!kept)
		return;
	for (steps = kept->schedule.first; steps; steps = next) {
		next = steps->next;
		kvfree(steps);
		cond_resched();
	}
	atomic64_sub(kept->bytes, &q->steps_bytes);
	kfree(kept);
}

void wl_schedule_unload(struct wl_class *cl)
{
	struct wl_kept_schedule *kept = cl->loading;

	WRITE_ONCE(cl->loading, NULL);
	wl_schedule_free(cl->q, kept);
}

/* A schedule enters each state once at most, so one notice for each is enough. */
static void schedule_notify(struct wl_sched *q, struct wl_schedule *s, u64 at_ns)
{
	struct wl_notice *notice = &schedule_kept(s)->notices[s->state];

	notice->at_ns = at_ns;
	notice->generation = q->link.generation;
	wl_notify_add(&q->notify, notice);
}

void wl_schedule_changed(struct wl_link *link, struct wl_bearer *b,
			 struct wl_schedule *s, u64 at_ns)
{
	trace_wlink_schedule(link, b, at_ns, s->state, s->pass);
	schedule_notify(wl_sched_of(link), s, at_ns);
}

static void schedule_end(struct wl_sched *q, struct wl_schedule *s, u64 at_ns)
{
	if (!s)
		return;
	s->state = WLINK_SCHEDULE_STATE_NONE;
	schedule_notify(q, s, at_ns);
}

void wl_schedule_leave(struct wl_class *cl, u64 now_ns)
{
	struct wl_bearer *b = cl->bearer;

	schedule_end(cl->q, b->schedule, now_ns);
	schedule_end(cl->q, b->next_schedule, now_ns);
	b->schedule = NULL;
	b->next_schedule = NULL;
}

/* --- Commands. --- */

static const struct wl_attr schedule_attrs[WLINK_SCHEDULE_MAX + 1] = {
	[WLINK_SCHEDULE_COLUMNS] = { "columns", WL_U32(1, (1U << __WLINK_COLUMN_MAX) - 1) },
	[WLINK_SCHEDULE_STEPS] = { "steps", NLA_BINARY },
	[WLINK_SCHEDULE_END] = { "end", WL_U32(0, WLINK_SCHEDULE_END_MAX) },
	[WLINK_SCHEDULE_LENGTH] = { "length", WL_U64(WLINK_TIMER_MIN, WLINK_SCHEDULE_LENGTH_MAX),
				    .unit = "ns" },
	[WLINK_SCHEDULE_START] = { "start", WL_U64(0, U64_MAX) },
};

static const struct wl_nest schedule_nest = {
	.prefix = "schedule ", .attrs = schedule_attrs, .max = WLINK_SCHEDULE_MAX,
};

/**
 * struct schedule_message - one message
 * @q: link that it is about
 * @cl: bearer that it is about
 * @tb: its attributes
 * @extack: says what is wrong
 * @steps: block of steps that it brings, until a schedule has it
 * @steps_bytes: memory of that block
 * @descs: descriptors that the bearer will account for
 */
struct schedule_message {
	struct wl_sched *q;
	struct wl_class *cl;
	struct nlattr *tb[WLINK_SCHEDULE_MAX + 1];
	struct netlink_ext_ack *extack;
	struct wl_steps *steps;
	u64 steps_bytes;
	u32 descs;
};

static int schedule_no_memory(struct schedule_message *m, u64 bytes)
{
	return wl_refuse(m->extack, NULL, -ENOMEM,
			 "wlink: no memory for %llu bytes of steps", bytes);
}

/* A block of its own for what a message brings: it need not be moved later. */
static int schedule_read(struct schedule_message *m, const struct wl_schedule *s)
{
	u64 all_bytes = atomic64_read(&m->q->steps_bytes);
	struct nlattr *attr = m->tb[WLINK_SCHEDULE_STEPS];
	u32 step_bytes = s->width * sizeof(u64);
	u32 good, bytes = nla_len(attr);
	u32 count = bytes / step_bytes;
	struct wl_refusal why;

	if (!bytes || bytes % step_bytes)
		return wl_refuse(m->extack, attr, -EINVAL,
				 "wlink: schedule steps has %u bytes, a step has %u",
				 bytes, step_bytes);
	if (s->steps + count > WLINK_STEPS_MAX)
		return wl_refuse(m->extack, NULL, -EFBIG,
				 "wlink: schedule steps %llu are above %u",
				 s->steps + count, WLINK_STEPS_MAX);
	m->steps_bytes = sizeof(*m->steps) + bytes;
	all_bytes += m->steps_bytes;
	if (all_bytes > WLINK_STEPS_BYTES_MAX)
		return wl_refuse(m->extack, NULL, -EFBIG,
				 "wlink: steps of all schedules take %llu bytes, more than %llu",
				 all_bytes, WLINK_STEPS_BYTES_MAX);
	m->steps = kvmalloc(m->steps_bytes, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!m->steps)
		return schedule_no_memory(m, m->steps_bytes);
	m->steps->next = NULL;
	m->steps->count = count;
	memcpy(m->steps->word, nla_data(attr), bytes);
	good = wl_schedule_check(s, m->steps, &why);
	if (good == count)
		return 0;
	NL_SET_BAD_ATTR(m->extack, attr);
	return wl_refuse_value(&why, m->extack, "step %llu: ", s->steps + good);
}

/* The block belongs to a schedule now. */
static void schedule_append(struct schedule_message *m,
			    struct wl_kept_schedule *kept)
{
	wl_schedule_add(&kept->schedule, m->steps);
	kept->bytes += m->steps_bytes;
	atomic64_add(m->steps_bytes, &m->q->steps_bytes);
	m->steps = NULL;
}

static int schedule_load(struct schedule_message *m)
{
	u32 columns = nla_get_u32(m->tb[WLINK_SCHEDULE_COLUMNS]);
	u32 limits = 1U << WLINK_COLUMN_LIMIT_PACKETS |
		     1U << WLINK_COLUMN_LIMIT_BYTES;
	struct wl_kept_schedule *kept;
	int err = 0;

	/* A buffer has one limit, and of two columns neither could be left out. */
	if ((columns & limits) == limits)
		return wl_refuse(m->extack, m->tb[WLINK_SCHEDULE_COLUMNS], -EINVAL,
				 "wlink: schedule columns 0x%x has a limit in packets and one in bytes",
				 columns);
	kept = schedule_new(columns, wl_class_number(m->cl));
	if (!kept)
		return schedule_no_memory(m, sizeof(*kept));
	if (m->tb[WLINK_SCHEDULE_STEPS])
		err = schedule_read(m, &kept->schedule);
	if (err) {
		wl_schedule_free(m->q, kept);
		return err;
	}
	if (m->steps)
		schedule_append(m, kept);
	wl_schedule_unload(m->cl);
	/* A dump only asks whether there is one. */
	WRITE_ONCE(m->cl->loading, kept);
	return 0;
}

/* Get memory for a schedule, or for steps of one, and give it. */
static int schedule_prepare(struct schedule_message *m,
			    const struct wl_schedule *s)
{
	int err = wl_judge_all(m->cl, NULL, s, &m->descs, m->extack);

	if (err)
		return err;
	wl_tree_lock(m->q->sch);
	wl_memory_give(m->cl);
	sch_tree_unlock(m->q->sch);
	return 0;
}

/* The root qdisc lock is held, the engine knows the schedule. */
static void schedule_account(struct schedule_message *m)
{
	struct wl_class *cl = m->cl;

	wl_class_set_descs(cl, m->descs, wl_memory_descs(cl, &cl->target, NULL));
}

/* The root qdisc lock is held. Return: the newest one that the engine knows. */
static struct wl_schedule *schedule_known(const struct wl_class *cl)
{
	return cl->bearer->next_schedule ?: cl->bearer->schedule;
}

/* The root qdisc lock is held. */
static int schedule_refuse_add(struct schedule_message *m,
			       const struct wl_schedule *s)
{
	u32 number = wl_class_number(m->cl);

	if (!s)
		return wl_refuse(m->extack, NULL, -ENOENT,
				 "wlink: bearer %u has no schedule for more steps",
				 number);
	if (s->state == WLINK_SCHEDULE_STATE_HOLDS)
		return wl_refuse(m->extack, NULL, -ENOENT,
				 "wlink: the schedule of bearer %u is over",
				 number);
	if (s->end == WLINK_SCHEDULE_END_LOOP)
		return wl_refuse(m->extack, NULL, -EBUSY,
				 "wlink: the schedule of bearer %u loops, it takes no steps",
				 number);
	return 0;
}

/* Judge steps for the known schedule, and get memory for them: by a schedule that has
 * its columns and these steps, as the known one may go on meanwhile.
 */
static int schedule_prepare_more(struct schedule_message *m)
{
	struct wl_schedule *known, *more = kzalloc(sizeof(*more), GFP_KERNEL);
	struct Qdisc *sch = m->q->sch;
	int err;

	if (!more)
		return schedule_no_memory(m, sizeof(*more));
	wl_tree_lock(sch);
	known = schedule_known(m->cl);
	err = schedule_refuse_add(m, known);
	if (!err) {
		wl_schedule_init(more, known->columns);
		more->steps = known->steps;
		more->last_ns = known->last_ns;
	}
	sch_tree_unlock(sch);
	if (!err)
		err = schedule_read(m, more);
	if (!err) {
		wl_schedule_add(more, m->steps);
		err = schedule_prepare(m, more);
	}
	kfree(more);
	return err;
}

static int schedule_add(struct schedule_message *m)
{
	struct wl_kept_schedule *kept = m->cl->loading;
	struct wl_schedule *known;
	u64 now_ns;
	int err;

	err = kept ? schedule_read(m, &kept->schedule) : schedule_prepare_more(m);
	if (err)
		return err;
	if (kept) {
		schedule_append(m, kept);
		return 0;
	}
	now_ns = wl_qdisc_lock(m->q->sch);
	/* It may have ended meanwhile. */
	known = schedule_known(m->cl);
	err = schedule_refuse_add(m, known);
	if (!err) {
		schedule_append(m, schedule_kept(known));
		schedule_account(m);
	}
	wl_qdisc_unlock(m->q->sch, now_ns);
	return err;
}

static int schedule_refuse_time(struct schedule_message *m, u64 now_ns)
{
	struct nlattr *attr = m->tb[WLINK_SCHEDULE_START];
	u64 start_ns = nla_get_u64(attr);

	if (start_ns == WLINK_START_NOW || start_ns == WLINK_START_PACKET)
		return 0;
	return wl_refuse_time("start", attr, start_ns, now_ns, m->extack);
}

/* The root qdisc lock is held. Return: a schedule to be freed, or NULL. */
static struct wl_schedule *schedule_begin(struct schedule_message *m, u64 now_ns)
{
	struct wl_schedule *s = &m->cl->loading->schedule, *old;

	s->end = nla_get_u32(m->tb[WLINK_SCHEDULE_END]);
	s->length_ns = nla_get_u64(m->tb[WLINK_SCHEDULE_LENGTH]);
	s->start_ns = nla_get_u64(m->tb[WLINK_SCHEDULE_START]);
	WRITE_ONCE(m->cl->loading, NULL);
	old = wl_link_schedule(&m->q->link, m->cl->bearer, s, now_ns);
	schedule_account(m);
	return old;
}

static int schedule_start(struct schedule_message *m)
{
	struct nlattr *length = m->tb[WLINK_SCHEDULE_LENGTH];
	struct wl_kept_schedule *kept = m->cl->loading;
	struct wl_schedule *old = NULL;
	u64 now_ns;
	int err;

	if (!kept || !kept->schedule.steps)
		return wl_refuse(m->extack, NULL, -ENOENT,
				 "wlink: bearer %u has no steps loaded",
				 wl_class_number(m->cl));
	if (nla_get_u64(length) < kept->schedule.last_ns)
		return wl_refuse(m->extack, length, -ERANGE,
				 "wlink: length %llu is below the last offset, %llu ns",
				 nla_get_u64(length), kept->schedule.last_ns);
	err = schedule_refuse_time(m, ktime_get_ns()) ?:
	      schedule_prepare(m, &kept->schedule);
	if (err)
		return err;
	now_ns = wl_qdisc_lock(m->q->sch);
	err = schedule_refuse_time(m, ktime_get_ns());
	if (!err)
		old = schedule_begin(m, now_ns);
	wl_qdisc_unlock(m->q->sch, now_ns);
	if (old)
		wl_schedule_free(m->q, schedule_kept(old));
	return err;
}

static int schedule_stop(struct schedule_message *m)
{
	struct wl_bearer *b = m->cl->bearer;
	struct wl_schedule *old;
	u64 now_ns;

	wl_schedule_unload(m->cl);
	now_ns = wl_qdisc_lock(m->q->sch);
	old = wl_link_stop(&m->q->link, b, now_ns);
	/* If another one plays, the notice is about its end. */
	if (!b->schedule) {
		schedule_end(m->q, old, now_ns);
		old = NULL;
	}
	wl_qdisc_unlock(m->q->sch, now_ns);
	if (old)
		wl_schedule_free(m->q, schedule_kept(old));
	return 0;
}

#define HAS(type)	(1U << WLINK_SCHEDULE_##type)

/* What a command does, needs, and may have besides. */
static const struct schedule_command {
	const char *name;
	int (*run)(struct schedule_message *m);
	u32 needs;
	u32 takes;
} schedule_commands[] = {
	[WLINK_CMD_LOAD] = { "load", schedule_load, HAS(COLUMNS), HAS(STEPS) },
	[WLINK_CMD_ADD] = { "add", schedule_add, HAS(STEPS) },
	[WLINK_CMD_START] = { "start", schedule_start,
			      HAS(END) | HAS(LENGTH) | HAS(START) },
	[WLINK_CMD_STOP] = { "stop", schedule_stop },
};

static int schedule_refuse_attrs(struct schedule_message *m,
				 const struct schedule_command *command)
{
	int type;

	for (type = WLINK_SCHEDULE_COLUMNS; type <= WLINK_SCHEDULE_MAX;
	     type++) {
		bool needs = command->needs & 1U << type;
		bool takes = needs || command->takes & 1U << type;

		if (m->tb[type] ? !takes : needs)
			return wl_refuse(m->extack, m->tb[type], -EINVAL,
					 "wlink: schedule %s %s for %s",
					 schedule_attrs[type].name,
					 needs ? "is required" : "is not",
					 command->name);
	}
	return 0;
}

int wl_schedule_command(struct wl_class *cl, enum wlink_cmd cmd,
			struct nlattr *attr, struct netlink_ext_ack *extack)
{
	const struct schedule_command *command = &schedule_commands[cmd];
	struct schedule_message m = { .q = cl->q, .cl = cl, .extack = extack };
	int err;

	err = wl_nest_parse(&schedule_nest, attr, m.tb, extack) ?:
	      schedule_refuse_attrs(&m, command) ?: command->run(&m);
	kvfree(m.steps);
	wl_memory_finish(cl);
	return err;
}

/* --- Dumps. --- */

static int schedule_put(struct sk_buff *skb, const struct wl_link *link,
			const struct wl_schedule *s)
{
	struct nlattr *nest = nla_nest_start(skb, WLINK_A_SCHEDULE);

	if (!nest || nla_put_u32(skb, WLINK_SCHEDULE_COLUMNS, s->columns) ||
	    nla_put_u32(skb, WLINK_SCHEDULE_END, s->end) ||
	    wl_put_u64(skb, WLINK_SCHEDULE_LENGTH, s->length_ns) ||
	    wl_put_u64(skb, WLINK_SCHEDULE_START, s->start_ns))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	if (wl_put_u64(skb, WLINK_A_STEPS_ALL, s->steps) ||
	    wl_put_u64(skb, WLINK_A_STEP, s->step) ||
	    wl_put_u64(skb, WLINK_A_PASS, s->pass))
		return -EMSGSIZE;
	if (s->start_ns == WLINK_START_PACKET)
		return 0;
	return wl_put_u64(skb, WLINK_A_AT, wl_grid_ns(link, s->start_ns));
}

int wl_schedule_put(struct sk_buff *skb, struct wl_class *cl)
{
	enum wlink_schedule_state state = WLINK_SCHEDULE_STATE_NONE;
	const struct wl_link *link = &cl->q->link;
	struct Qdisc *sch = cl->q->sch;
	const struct wl_schedule *s;
	u32 loaded = 0;
	int err;

	if (cl->loading) {
		state = WLINK_SCHEDULE_STATE_LOADED;
		loaded = cl->loading->schedule.steps;
	}
	wl_qdisc_lock_to_show(sch);
	s = schedule_known(cl);
	err = nla_put_u32(skb, WLINK_A_STATE, s ? s->state : state) ?:
	      nla_put_u32(skb, WLINK_A_COUNT, loaded) ?:
	      nla_put_u32(skb, WLINK_A_GENERATION, link->generation);
	if (!err && s)
		err = schedule_put(skb, link, s);
	sch_tree_unlock(sch);
	return err;
}

int wl_schedule_put_next(struct sk_buff *skb, struct Qdisc *sch, u64 *after)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_class *cl;
	int err;

	list_for_each_entry(cl, &q->order, order) {
		if (wl_class_number(cl) <= *after)
			continue;
		err = nla_put_u32(skb, WLINK_A_BEARER, wl_class_number(cl)) ?:
		      wl_schedule_put(skb, cl);
		if (!err)
			*after = wl_class_number(cl);
		return err;
	}
	return -ENODATA;
}
