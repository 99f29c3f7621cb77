// SPDX-License-Identifier: GPL-2.0
/* TCA_WLINK_PLAY: how a schedule is loaded, started and stopped. */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "wl_memory.h"
#include "wl_netlink.h"
#include "wl_nl.h"
#include "wl_play_message.h"
#include "wl_refuse.h"
#include "wl_schedule.h"
#include "wl_walk.h"

#define HAS(type)	(1U << TCA_WLINK_PLAY_##type)

/* What an operation needs and what it may have besides. */
static const struct {
	const char *name;
	u32 needs;
	u32 takes;
} ops[__WLINK_PLAY_OP_MAX] = {
	[WLINK_PLAY_LOAD] = { "load", HAS(COLUMNS), HAS(STEPS) },
	[WLINK_PLAY_ADD] = { "add", HAS(STEPS) },
	[WLINK_PLAY_START] = { "start", HAS(END) | HAS(LENGTH) | HAS(START) },
	[WLINK_PLAY_STOP] = { "stop" },
};

/* One message. */
struct message {
	struct Qdisc *sch;
	struct wl_sched *q;
	struct wl_class *cl;
	u32 number;
	struct nlattr *tb[TCA_WLINK_PLAY_MAX + 1];
	struct netlink_ext_ack *extack;
	struct wl_steps *steps;		/* block to add, until it has been */
	u64 steps_bytes;
	u32 slots;			/* most of all configurations to be */
	u32 asked_slots;		/* of the last of them */
};

static int refuse_attrs(struct message *m, enum wlink_play_op op)
{
	int type;

	for (type = TCA_WLINK_PLAY_COLUMNS; type <= TCA_WLINK_PLAY_MAX;
	     type++) {
		bool needs = ops[op].needs & 1U << type;
		bool takes = needs || ops[op].takes & 1U << type;

		if (m->tb[type] ? takes : !needs)
			continue;
		NL_SET_ERR_MSG_FMT(m->extack, "wlink: play %s %s for op %s",
				   wl_nl_play.rows[type].name,
				   needs ? "is required" : "is not",
				   ops[op].name);
		NL_SET_BAD_ATTR(m->extack, m->tb[type]);
		return -EINVAL;
	}
	return 0;
}

static int no_memory(struct message *m, u64 bytes)
{
	NL_SET_ERR_MSG_FMT(m->extack, "wlink: no memory for %llu bytes of steps",
			   bytes);
	return -ENOMEM;
}

/* Whether there may be so many more steps. */
static int refuse_size(struct message *m, const struct wl_play *play, u32 count)
{
	if (play->steps + count > WLINK_STEPS_MAX) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: play steps %llu are above %u",
				   play->steps + count, WLINK_STEPS_MAX);
		return -EFBIG;
	}
	if (m->q->steps_bytes + m->steps_bytes > WLINK_STEPS_BYTES_MAX) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: steps of all schedules take %llu bytes, more than %llu",
				   m->q->steps_bytes + m->steps_bytes,
				   WLINK_STEPS_BYTES_MAX);
		return -EFBIG;
	}
	return 0;
}

static int check_steps(struct message *m, const struct wl_play *play)
{
	struct wl_refusal why;
	u32 good;

	good = wl_play_check(play, m->steps, &why);
	if (good == m->steps->count)
		return 0;
	NL_SET_BAD_ATTR(m->extack, m->tb[TCA_WLINK_PLAY_STEPS]);
	return wl_refuse(&why, m->extack, "step %llu: ", play->steps + good);
}

/* A block of its own for what a message brings: it need not be moved later. */
static int read_steps(struct message *m, const struct wl_play *play)
{
	struct nlattr *attr = m->tb[TCA_WLINK_PLAY_STEPS];
	u32 step_bytes = play->width * sizeof(u64);
	u32 bytes = nla_len(attr);
	int err;

	if (!bytes || bytes % step_bytes) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: play steps has %u bytes, a step has %u",
				   bytes, step_bytes);
		NL_SET_BAD_ATTR(m->extack, attr);
		return -EINVAL;
	}
	m->steps_bytes = sizeof(*m->steps) + bytes;
	err = refuse_size(m, play, bytes / step_bytes);
	if (err)
		return err;
	m->steps = kvmalloc(m->steps_bytes, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!m->steps)
		return no_memory(m, m->steps_bytes);
	m->steps->next = NULL;
	m->steps->count = bytes / step_bytes;
	memcpy(m->steps->word, nla_data(attr), bytes);
	return check_steps(m, play);
}

/* The block belongs to a schedule. */
static void add_steps(struct message *m, struct wl_schedule *schedule)
{
	wl_play_add(&schedule->play, m->steps);
	schedule->bytes += m->steps_bytes;
	wl_schedule_count(m->q, m->steps_bytes);
	m->steps = NULL;
}

/* A buffer has one limit, and of two columns neither could be left out. */
static int refuse_limits(struct message *m, u32 columns)
{
	u32 limits = 1U << WLINK_COLUMN_LIMIT_PACKETS |
		     1U << WLINK_COLUMN_LIMIT_BYTES;

	if ((columns & limits) != limits)
		return 0;
	NL_SET_ERR_MSG_FMT(m->extack,
			   "wlink: play columns 0x%x has a limit in packets and one in bytes",
			   columns);
	NL_SET_BAD_ATTR(m->extack, m->tb[TCA_WLINK_PLAY_COLUMNS]);
	return -EINVAL;
}

static int load(struct message *m)
{
	u32 columns = nla_get_u32(m->tb[TCA_WLINK_PLAY_COLUMNS]);
	struct wl_schedule *schedule;
	int err;

	err = refuse_limits(m, columns);
	if (err)
		return err;
	schedule = wl_schedule_new(columns, m->number);
	if (!schedule)
		return no_memory(m, sizeof(*schedule));
	if (m->tb[TCA_WLINK_PLAY_STEPS])
		err = read_steps(m, &schedule->play);
	if (err) {
		wl_schedule_free(schedule);
		return err;
	}
	if (m->steps)
		add_steps(m, schedule);
	wl_schedule_unload(m->q, m->cl);
	/* A dump only asks whether there is one. */
	WRITE_ONCE(m->cl->loading, &schedule->play);
	return 0;
}

/* One that is to be known to the engine and a configuration that there is or
 * will be.
 */
static int provide(struct wl_class *cl, const struct wl_cfg *cfg, u64 from_ns,
		   void *data)
{
	struct message *m = data;
	int err;

	cl->walk.delay_ns = max(cl->walk.delay_ns, cfg->delay_ns);
	err = wl_schedule_judge(cl, cfg, m->extack);
	if (err)
		return err;
	m->slots = max(m->slots, wl_memory_slots(cl, cfg));
	return wl_memory_prepare(cl, cfg, m->extack);
}

/* Get ready for a schedule, or for steps of one. */
static int prepare(struct message *m, const struct wl_play *candidate)
{
	int err;

	m->cl->candidate = candidate;
	m->cl->walk.delay_ns = 0;
	err = wl_walk_each(m->q, m->cl, provide, m);
	m->asked_slots = wl_memory_slots(m->cl, &m->cl->asked);
	m->cl->candidate = NULL;
	return err;
}

/* The root qdisc lock is held. */
static void take(struct message *m)
{
	wl_memory_give(m->cl);
	m->cl->asked_slots = m->asked_slots;
	wl_class_account(m->q, m->cl, m->slots);
}

/* The root qdisc lock is held. */
static int refuse_known(struct message *m, const struct wl_schedule *schedule)
{
	if (schedule->over ||
	    schedule->play.state == WLINK_PLAY_STATE_HOLDS) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: the schedule of bearer %u is over",
				   m->number);
		return -ENOENT;
	}
	if (schedule->play.end == WLINK_PLAY_END_LOOP) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: the schedule of bearer %u loops, it takes no steps",
				   m->number);
		return -EBUSY;
	}
	return 0;
}

static int add_known(struct message *m, struct wl_schedule *schedule)
{
	u64 now_ns;
	int err;

	wl_qdisc_catch_up_slowly(m->sch);
	sch_tree_lock(m->sch);
	now_ns = ktime_get_ns();
	wl_qdisc_catch_up(m->sch, now_ns);
	err = refuse_known(m, schedule);
	if (!err) {
		take(m);
		add_steps(m, schedule);
		wl_qdisc_catch_up(m->sch, now_ns);
		wl_qdisc_rearm(m->q);
	}
	sch_tree_unlock(m->sch);
	return err;
}

/* Steps for a schedule that the engine knows. What they ask for is told by a
 * schedule that has no others.
 */
static int add_to_known(struct message *m)
{
	struct wl_schedule *schedule = m->cl->schedules;
	struct wl_schedule *alone;
	int err;

	err = read_steps(m, &schedule->play);
	if (err)
		return err;
	alone = wl_schedule_new(schedule->play.columns, m->number);
	if (!alone)
		return no_memory(m, sizeof(*alone));
	wl_play_add(&alone->play, m->steps);
	err = prepare(m, &alone->play);
	kfree(alone);
	return err ?: add_known(m, schedule);
}

static int add(struct message *m)
{
	struct wl_class *cl = m->cl;
	int err;

	if (cl->loading) {
		err = read_steps(m, cl->loading);
		if (!err)
			add_steps(m, container_of(cl->loading,
						  struct wl_schedule, play));
		return err;
	}
	if (cl->schedules)
		return add_to_known(m);
	NL_SET_ERR_MSG_FMT(m->extack,
			   "wlink: bearer %u has no schedule for more steps",
			   m->number);
	return -ENOENT;
}

static int refuse_time(struct message *m, u64 now_ns)
{
	struct nlattr *attr = m->tb[TCA_WLINK_PLAY_START];
	u64 start_ns = nla_get_u64(attr);

	if (start_ns == WLINK_START_NOW || start_ns == WLINK_START_PACKET)
		return 0;
	return wl_refuse_time("play start", attr, start_ns, now_ns, m->extack);
}

static int refuse_start(struct message *m, const struct wl_play *play)
{
	u64 length_ns = nla_get_u64(m->tb[TCA_WLINK_PLAY_LENGTH]);

	if (!play || !play->steps) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: bearer %u has no steps loaded",
				   m->number);
		return -ENOENT;
	}
	if (length_ns < play->last_ns) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: play length %llu is below the last offset, %llu ns",
				   length_ns, play->last_ns);
		NL_SET_BAD_ATTR(m->extack, m->tb[TCA_WLINK_PLAY_LENGTH]);
		return -ERANGE;
	}
	return refuse_time(m, ktime_get_ns());
}

/* The root qdisc lock is held. Return: a schedule that nobody needs any more. */
static struct wl_schedule *start_known(struct message *m,
				       struct wl_schedule *schedule, u64 now_ns)
{
	struct wl_play *play = &schedule->play, *old;

	play->end = nla_get_u32(m->tb[TCA_WLINK_PLAY_END]);
	play->length_ns = nla_get_u64(m->tb[TCA_WLINK_PLAY_LENGTH]);
	play->start_ns = nla_get_u64(m->tb[TCA_WLINK_PLAY_START]);
	WRITE_ONCE(m->cl->loading, NULL);
	wl_schedule_know(m->q, m->cl, schedule);
	take(m);
	old = wl_link_play(&m->q->link, m->cl->bearer, play, now_ns);
	wl_qdisc_catch_up(m->sch, now_ns);
	wl_qdisc_rearm(m->q);
	return old ? container_of(old, struct wl_schedule, play) : NULL;
}

static void discard(struct message *m, struct wl_schedule *schedule)
{
	if (!schedule)
		return;
	wl_schedule_unknow(m->q, schedule);
	wl_schedule_free(schedule);
}

static int start(struct message *m)
{
	struct wl_play *play = m->cl->loading;
	struct wl_schedule *old = NULL;
	u64 now_ns;
	int err;

	err = refuse_start(m, play);
	if (!err)
		err = prepare(m, play);
	if (err)
		return err;
	wl_qdisc_catch_up_slowly(m->sch);
	sch_tree_lock(m->sch);
	now_ns = ktime_get_ns();
	wl_qdisc_catch_up(m->sch, now_ns);
	err = refuse_time(m, now_ns);
	if (!err)
		old = start_known(m, container_of(play, struct wl_schedule,
						  play), now_ns);
	sch_tree_unlock(m->sch);
	discard(m, old);
	return err;
}

/* The root qdisc lock is held. Return: a schedule that nobody needs any more. */
static struct wl_schedule *stop_known(struct message *m, u64 now_ns)
{
	struct wl_bearer *b = m->cl->bearer;
	struct wl_schedule *schedule;
	struct wl_play *old;

	old = wl_link_stop(&m->q->link, b, now_ns);
	if (!old)
		return NULL;
	schedule = container_of(old, struct wl_schedule, play);
	/* Where another one plays, its end is what is told. */
	if (b->play)
		return schedule;
	wl_schedule_stop(m->q, schedule, now_ns);
	return NULL;
}

static int stop(struct message *m)
{
	struct wl_schedule *old;
	u64 now_ns;

	wl_schedule_unload(m->q, m->cl);
	wl_qdisc_catch_up_slowly(m->sch);
	sch_tree_lock(m->sch);
	now_ns = ktime_get_ns();
	wl_qdisc_catch_up(m->sch, now_ns);
	old = stop_known(m, now_ns);
	wl_qdisc_catch_up(m->sch, now_ns);
	wl_qdisc_rearm(m->q);
	sch_tree_unlock(m->sch);
	discard(m, old);
	return 0;
}

static int obey(struct message *m, enum wlink_play_op op)
{
	switch (op) {
	case WLINK_PLAY_LOAD:
		return load(m);
	case WLINK_PLAY_ADD:
		return add(m);
	case WLINK_PLAY_START:
		return start(m);
	default:
		return stop(m);
	}
}

int wl_play_message(struct Qdisc *sch, struct wl_class *cl,
		    struct nlattr *attr, struct netlink_ext_ack *extack)
{
	struct message m = {
		.sch = sch, .q = qdisc_priv(sch), .cl = cl,
		.number = TC_H_MIN(cl->common.classid), .extack = extack,
	};
	enum wlink_play_op op;
	int err;

	err = nla_parse_nested(m.tb, TCA_WLINK_PLAY_MAX, attr,
			       wl_nl_play_policy, extack);
	if (err)
		return err;
	op = nla_get_u32(m.tb[TCA_WLINK_PLAY_OP]);
	err = refuse_attrs(&m, op);
	if (err)
		return err;
	wl_notes_settle(&m.q->notes);
	err = obey(&m, op);
	kvfree(m.steps);
	return err;
}
