// SPDX-License-Identifier: GPL-2.0
/*
 * Schedules: how they are loaded, started and stopped, and what is kept of them.
 * The engine knows those that have been started; one ends with its last notice,
 * and whoever sends that frees it.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "core/mac/grid.h"
#include "netlink/attr.h"
#include "netlink/options.h"
#include "change.h"
#include "memory.h"
#include "schedule.h"

/* --- What is kept. --- */

struct wl_kept_schedule *wl_schedule_of(const struct wl_notice *notice)
{
	return container_of(notice - notice->state, struct wl_kept_schedule,
			    notices[0]);
}

static struct wl_kept_schedule *schedule_kept(struct wl_schedule *play)
{
	return container_of(play, struct wl_kept_schedule, play);
}

static struct wl_kept_schedule *schedule_new(u32 columns, u32 number)
{
	struct wl_kept_schedule *schedule;
	enum wlink_play_state state;

	schedule = kzalloc(sizeof(*schedule), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!schedule)
		return NULL;
	wl_schedule_init(&schedule->play, columns);
	schedule->number = number;
	for (state = 0; state < __WLINK_PLAY_STATE_MAX; state++) {
		schedule->notices[state].cmd = WLINK_CMD_PLAY;
		schedule->notices[state].state = state;
	}
	return schedule;
}

void wl_schedule_free(struct wl_sched *q, struct wl_kept_schedule *schedule)
{
	struct wl_steps *steps, *next;

	if (!schedule)
		return;
	for (steps = schedule->play.first; steps; steps = next) {
		next = steps->next;
		kvfree(steps);
		cond_resched();
	}
	atomic64_sub(schedule->bytes, &q->steps_bytes);
	kfree(schedule);
}

void wl_schedule_unload(struct wl_class *cl)
{
	struct wl_kept_schedule *schedule = cl->loading;

	WRITE_ONCE(cl->loading, NULL);
	wl_schedule_free(cl->q, schedule);
}

/* Of each state there is one notice: none comes twice. */
void wl_schedule_changed(struct wl_sched *q, struct wl_schedule *play, u64 at_ns)
{
	struct wl_notice *notice = &schedule_kept(play)->notices[play->state];

	notice->at_ns = at_ns;
	notice->generation = q->link.generation;
	wl_notify_add(&q->notify, notice);
}

static void schedule_end(struct wl_sched *q, struct wl_schedule *play, u64 at_ns)
{
	if (!play)
		return;
	play->state = WLINK_PLAY_STATE_NONE;
	wl_schedule_changed(q, play, at_ns);
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

static struct netlink_range_validation schedule_columns_range = {
	.min = 1, .max = (1U << __WLINK_COLUMN_MAX) - 1,
};

static struct netlink_range_validation schedule_length_range = {
	.min = WLINK_TIMER_MIN, .max = WLINK_PLAY_LENGTH_MAX,
};

static const struct nla_policy schedule_policy[WLINK_SCHEDULE_MAX + 1] = {
	[WLINK_SCHEDULE_COLUMNS] = NLA_POLICY_FULL_RANGE(NLA_U32,
							 &schedule_columns_range),
	[WLINK_SCHEDULE_STEPS] = { .type = NLA_BINARY },
	[WLINK_SCHEDULE_END] = NLA_POLICY_MAX(NLA_U32, WLINK_PLAY_END_MAX),
	[WLINK_SCHEDULE_LENGTH] = NLA_POLICY_FULL_RANGE(NLA_U64,
							&schedule_length_range),
	[WLINK_SCHEDULE_START] = { .type = NLA_U64 },
};

static const struct wl_nl_row schedule_rows[WLINK_SCHEDULE_MAX + 1] = {
	[WLINK_SCHEDULE_COLUMNS] = { .name = "columns" },
	[WLINK_SCHEDULE_STEPS] = { .name = "steps" },
	[WLINK_SCHEDULE_END] = { .name = "end" },
	[WLINK_SCHEDULE_LENGTH] = { .name = "length", .unit = "ns" },
	[WLINK_SCHEDULE_START] = { .name = "start" },
};

static const struct wl_nl_nest schedule_nest = {
	.prefix = "schedule ", .policy = schedule_policy, .rows = schedule_rows,
	.max = WLINK_SCHEDULE_MAX, .pad = WLINK_SCHEDULE_PAD,
};

#define HAS(type)	(1U << WLINK_SCHEDULE_##type)

/* One message. @rings and @slots are what a schedule will need. */
struct schedule_message {
	struct Qdisc *sch;
	struct wl_sched *q;
	struct wl_class *cl;
	u32 number;
	struct nlattr *tb[WLINK_SCHEDULE_MAX + 1];
	struct netlink_ext_ack *extack;
	struct wl_steps *steps;		/* block to add, until it has been */
	u64 steps_bytes;
	const struct wl_schedule *judged;
	struct wl_rings rings;
	u32 slots;
};

static int schedule_no_memory(struct schedule_message *m, u64 bytes)
{
	NL_SET_ERR_MSG_FMT(m->extack, "wlink: no memory for %llu bytes of steps",
			   bytes);
	return -ENOMEM;
}

/* Whether there may be so many more steps. */
static int schedule_refuse_size(struct schedule_message *m,
				const struct wl_schedule *play, u32 count)
{
	u64 bytes = atomic64_read(&m->q->steps_bytes) + m->steps_bytes;

	if (play->steps + count > WLINK_STEPS_MAX) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: schedule steps %llu are above %u",
				   play->steps + count, WLINK_STEPS_MAX);
		return -EFBIG;
	}
	if (bytes > WLINK_STEPS_BYTES_MAX) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: steps of all schedules take %llu bytes, more than %llu",
				   bytes, WLINK_STEPS_BYTES_MAX);
		return -EFBIG;
	}
	return 0;
}

/* A block of its own for what a message brings: it need not be moved later. */
static int schedule_read(struct schedule_message *m, const struct wl_schedule *play)
{
	struct nlattr *attr = m->tb[WLINK_SCHEDULE_STEPS];
	u32 step_bytes = play->width * sizeof(u64);
	u32 good, bytes = nla_len(attr);
	struct wl_refusal why;
	int err;

	if (!bytes || bytes % step_bytes) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: schedule steps has %u bytes, a step has %u",
				   bytes, step_bytes);
		NL_SET_BAD_ATTR(m->extack, attr);
		return -EINVAL;
	}
	m->steps_bytes = sizeof(*m->steps) + bytes;
	err = schedule_refuse_size(m, play, bytes / step_bytes);
	if (err)
		return err;
	m->steps = kvmalloc(m->steps_bytes, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!m->steps)
		return schedule_no_memory(m, m->steps_bytes);
	m->steps->next = NULL;
	m->steps->count = bytes / step_bytes;
	memcpy(m->steps->word, nla_data(attr), bytes);
	good = wl_schedule_check(play, m->steps, &why);
	if (good == m->steps->count)
		return 0;
	NL_SET_BAD_ATTR(m->extack, attr);
	return wl_nl_refuse(&why, m->extack, "step %llu: ", play->steps + good);
}

/* The block belongs to a schedule. */
static void schedule_append(struct schedule_message *m,
			    struct wl_kept_schedule *schedule)
{
	wl_schedule_add(&schedule->play, m->steps);
	schedule->bytes += m->steps_bytes;
	atomic64_add(m->steps_bytes, &m->q->steps_bytes);
	m->steps = NULL;
}

/* A buffer has one limit, and of two columns neither could be left out. */
static int schedule_refuse_limits(struct schedule_message *m, u32 columns)
{
	u32 limits = 1U << WLINK_COLUMN_LIMIT_PACKETS |
		     1U << WLINK_COLUMN_LIMIT_BYTES;

	if ((columns & limits) != limits)
		return 0;
	NL_SET_ERR_MSG_FMT(m->extack,
			   "wlink: schedule columns 0x%x has a limit in packets and one in bytes",
			   columns);
	NL_SET_BAD_ATTR(m->extack, m->tb[WLINK_SCHEDULE_COLUMNS]);
	return -EINVAL;
}

static int schedule_load(struct schedule_message *m)
{
	u32 columns = nla_get_u32(m->tb[WLINK_SCHEDULE_COLUMNS]);
	struct wl_kept_schedule *schedule;
	int err;

	err = schedule_refuse_limits(m, columns);
	if (err)
		return err;
	schedule = schedule_new(columns, m->number);
	if (!schedule)
		return schedule_no_memory(m, sizeof(*schedule));
	if (m->tb[WLINK_SCHEDULE_STEPS])
		err = schedule_read(m, &schedule->play);
	if (err) {
		wl_schedule_free(m->q, schedule);
		return err;
	}
	if (m->steps)
		schedule_append(m, schedule);
	wl_schedule_unload(m->cl);
	/* A dump only asks whether there is one. */
	WRITE_ONCE(m->cl->loading, schedule);
	return 0;
}

/* A schedule has to suit all that its bearer is and will be configured to. */
static int schedule_judge(struct wl_class *cl, const struct wl_cfg *cfg,
			  void *data)
{
	struct schedule_message *m = data;
	struct wl_cfg most = *cfg;
	int err;

	err = wl_memory_need(cl, cfg, m->judged, &m->rings, m->extack);
	wl_schedule_most(m->judged, &most);
	m->slots = max(m->slots, wl_memory_slots(cl, &most));
	return err;
}

/* Get ready for a schedule, or for steps of one. */
static int schedule_prepare(struct schedule_message *m,
			    const struct wl_schedule *schedule)
{
	struct wl_cfg cfg;
	int err;

	m->judged = schedule;
	sch_tree_lock(m->sch);
	wl_class_base(m->cl, &cfg);
	err = wl_change_each(m->cl, &cfg, schedule_judge, m);
	sch_tree_unlock(m->sch);
	return err ?: wl_memory_get(m->cl, &m->rings, m->extack);
}

/* The root qdisc lock is held, the engine knows the schedule. */
static void schedule_account(struct schedule_message *m)
{
	struct wl_class *cl = m->cl;

	wl_memory_give(cl);
	cl->asked_slots = wl_memory_slots(cl, &cl->asked);
	wl_class_account(m->q, cl, m->slots);
}

/* The root qdisc lock is held. Return: the newest one that the engine knows. */
static struct wl_schedule *schedule_known(const struct wl_class *cl)
{
	return cl->bearer->next_schedule ?: cl->bearer->schedule;
}

/* The root qdisc lock is held. */
static int schedule_refuse_add(struct schedule_message *m,
			       const struct wl_schedule *play)
{
	if (!play) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: bearer %u has no schedule for more steps",
				   m->number);
		return -ENOENT;
	}
	if (play->state == WLINK_PLAY_STATE_HOLDS) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: the schedule of bearer %u is over",
				   m->number);
		return -ENOENT;
	}
	if (play->end == WLINK_PLAY_END_LOOP) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: the schedule of bearer %u loops, it takes no steps",
				   m->number);
		return -EBUSY;
	}
	return 0;
}

/* A schedule that has the columns of the known one and nothing else, to tell what
 * more steps ask for. Return: it, or an error.
 */
static struct wl_kept_schedule *schedule_like_known(struct schedule_message *m)
{
	struct wl_kept_schedule *like = schedule_new(1, m->number);
	const struct wl_schedule *play;
	int err;

	if (!like)
		return ERR_PTR(schedule_no_memory(m, sizeof(*like)));
	sch_tree_lock(m->sch);
	play = schedule_known(m->cl);
	err = schedule_refuse_add(m, play);
	if (!err) {
		wl_schedule_init(&like->play, play->columns);
		like->play.steps = play->steps;
		like->play.last_ns = play->last_ns;
	}
	sch_tree_unlock(m->sch);
	if (!err)
		return like;
	wl_schedule_free(m->q, like);
	return ERR_PTR(err);
}

static int schedule_add_known(struct schedule_message *m)
{
	struct wl_schedule *play;
	u64 now_ns;
	int err;

	wl_qdisc_catch_up_slowly(m->sch);
	sch_tree_lock(m->sch);
	now_ns = ktime_get_ns();
	wl_qdisc_catch_up(m->sch, now_ns);
	/* It may have ended meanwhile. */
	play = schedule_known(m->cl);
	err = schedule_refuse_add(m, play);
	if (!err) {
		schedule_append(m, schedule_kept(play));
		schedule_account(m);
		wl_qdisc_catch_up(m->sch, now_ns);
	}
	sch_tree_unlock(m->sch);
	return err;
}

static int schedule_add(struct schedule_message *m)
{
	struct wl_kept_schedule *schedule = m->cl->loading;
	int err;

	if (schedule) {
		err = schedule_read(m, &schedule->play);
		if (!err)
			schedule_append(m, schedule);
		return err;
	}
	schedule = schedule_like_known(m);
	if (IS_ERR(schedule))
		return PTR_ERR(schedule);
	err = schedule_read(m, &schedule->play);
	if (!err) {
		wl_schedule_add(&schedule->play, m->steps);
		err = schedule_prepare(m, &schedule->play);
	}
	/* The steps are still the message's. */
	schedule->play.first = NULL;
	wl_schedule_free(m->q, schedule);
	return err ?: schedule_add_known(m);
}

static int schedule_refuse_time(struct schedule_message *m, u64 now_ns)
{
	struct nlattr *attr = m->tb[WLINK_SCHEDULE_START];
	u64 start_ns = nla_get_u64(attr);

	if (start_ns == WLINK_START_NOW || start_ns == WLINK_START_PACKET)
		return 0;
	return wl_nl_refuse_time("start", attr, start_ns, now_ns,
				 m->extack);
}

static int schedule_refuse_start(struct schedule_message *m,
				 const struct wl_kept_schedule *schedule)
{
	u64 length_ns = nla_get_u64(m->tb[WLINK_SCHEDULE_LENGTH]);

	if (!schedule || !schedule->play.steps) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: bearer %u has no steps loaded",
				   m->number);
		return -ENOENT;
	}
	if (length_ns < schedule->play.last_ns) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: length %llu is below the last offset, %llu ns",
				   length_ns, schedule->play.last_ns);
		NL_SET_BAD_ATTR(m->extack, m->tb[WLINK_SCHEDULE_LENGTH]);
		return -ERANGE;
	}
	return schedule_refuse_time(m, ktime_get_ns());
}

/* The root qdisc lock is held. Return: a schedule that nobody needs any more. */
static struct wl_kept_schedule *schedule_begin(struct schedule_message *m,
					       u64 now_ns)
{
	struct wl_schedule *play = &m->cl->loading->play, *old;

	play->end = nla_get_u32(m->tb[WLINK_SCHEDULE_END]);
	play->length_ns = nla_get_u64(m->tb[WLINK_SCHEDULE_LENGTH]);
	play->start_ns = nla_get_u64(m->tb[WLINK_SCHEDULE_START]);
	WRITE_ONCE(m->cl->loading, NULL);
	wl_memory_give(m->cl);
	old = wl_link_schedule(&m->q->link, m->cl->bearer, play, now_ns);
	schedule_account(m);
	wl_qdisc_catch_up(m->sch, now_ns);
	return old ? schedule_kept(old) : NULL;
}

static int schedule_start(struct schedule_message *m)
{
	struct wl_kept_schedule *old = NULL;
	u64 now_ns;
	int err;

	err = schedule_refuse_start(m, m->cl->loading);
	if (!err)
		err = schedule_prepare(m, &m->cl->loading->play);
	if (err)
		return err;
	wl_qdisc_catch_up_slowly(m->sch);
	sch_tree_lock(m->sch);
	now_ns = ktime_get_ns();
	wl_qdisc_catch_up(m->sch, now_ns);
	err = schedule_refuse_time(m, now_ns);
	if (!err)
		old = schedule_begin(m, now_ns);
	sch_tree_unlock(m->sch);
	wl_schedule_free(m->q, old);
	return err;
}

static int schedule_stop(struct schedule_message *m)
{
	struct wl_bearer *b = m->cl->bearer;
	struct wl_schedule *old;
	u64 now_ns;

	wl_schedule_unload(m->cl);
	wl_qdisc_catch_up_slowly(m->sch);
	sch_tree_lock(m->sch);
	now_ns = ktime_get_ns();
	wl_qdisc_catch_up(m->sch, now_ns);
	old = wl_link_stop(&m->q->link, b, now_ns);
	/* Where another one plays, its end is what is told. */
	if (!b->schedule) {
		schedule_end(m->q, old, now_ns);
		old = NULL;
	}
	wl_qdisc_catch_up(m->sch, now_ns);
	sch_tree_unlock(m->sch);
	if (old)
		wl_schedule_free(m->q, schedule_kept(old));
	return 0;
}

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

		if (m->tb[type] ? takes : !needs)
			continue;
		NL_SET_ERR_MSG_FMT(m->extack, "wlink: schedule %s %s for %s",
				   schedule_rows[type].name,
				   needs ? "is required" : "is not",
				   command->name);
		NL_SET_BAD_ATTR(m->extack, m->tb[type]);
		return -EINVAL;
	}
	return 0;
}

int wl_schedule_command(struct wl_class *cl, enum wlink_cmd cmd,
			struct nlattr *attr, struct netlink_ext_ack *extack)
{
	const struct schedule_command *command = &schedule_commands[cmd];
	struct schedule_message m = {
		.sch = cl->q->sch, .q = cl->q, .cl = cl,
		.number = TC_H_MIN(cl->common.classid), .extack = extack,
	};
	int err;

	err = wl_nl_split(&schedule_nest, attr, m.tb, extack) ?:
	      schedule_refuse_attrs(&m, command) ?: command->run(&m);
	kvfree(m.steps);
	wl_memory_finish(cl);
	return err;
}

static int schedule_put_play(struct sk_buff *skb, const struct wl_link *link,
			     const struct wl_schedule *play)
{
	struct nlattr *nest = nla_nest_start(skb, WLINK_A_SCHEDULE);
	bool starts = play->start_ns != WLINK_START_PACKET;

	if (!nest ||
	    nla_put_u32(skb, WLINK_SCHEDULE_COLUMNS, play->columns) ||
	    nla_put_u32(skb, WLINK_SCHEDULE_END, play->end) ||
	    nla_put_u64_64bit(skb, WLINK_SCHEDULE_LENGTH, play->length_ns,
			      WLINK_SCHEDULE_PAD) ||
	    nla_put_u64_64bit(skb, WLINK_SCHEDULE_START, play->start_ns,
			      WLINK_SCHEDULE_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	if (nla_put_u64_64bit(skb, WLINK_A_STEPS_ALL, play->steps,
			      WLINK_A_PAD) ||
	    nla_put_u64_64bit(skb, WLINK_A_STEP, play->step, WLINK_A_PAD) ||
	    nla_put_u64_64bit(skb, WLINK_A_PASS, play->pass, WLINK_A_PAD))
		return -EMSGSIZE;
	return starts ? nla_put_u64_64bit(skb, WLINK_A_AT,
					  wl_grid_ns(link, play->start_ns),
					  WLINK_A_PAD) : 0;
}

int wl_schedule_put(struct sk_buff *skb, struct wl_class *cl)
{
	const struct wl_link *link = &cl->q->link;
	struct Qdisc *sch = cl->q->sch;
	const struct wl_schedule *play;
	u32 loaded = cl->loading ? cl->loading->play.steps : 0;
	int err;

	sch_tree_lock(sch);
	wl_qdisc_catch_up_to_show(sch);
	play = schedule_known(cl);
	err = nla_put_u32(skb, WLINK_A_STATE, play ? play->state :
			  cl->loading ? WLINK_PLAY_STATE_LOADED :
					WLINK_PLAY_STATE_NONE) ?:
	      nla_put_u32(skb, WLINK_A_COUNT, loaded) ?:
	      nla_put_u32(skb, WLINK_A_GENERATION, link->generation);
	if (!err && play)
		err = schedule_put_play(skb, link, play);
	sch_tree_unlock(sch);
	return err;
}

int wl_schedule_put_next(struct sk_buff *skb, struct Qdisc *sch, u64 *after)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_class *cl;
	u32 number;
	int err;

	list_for_each_entry(cl, &q->order, order) {
		number = TC_H_MIN(cl->common.classid);
		if (number <= *after)
			continue;
		err = nla_put_u32(skb, WLINK_A_BEARER, number) ?:
		      wl_schedule_put(skb, cl);
		if (!err)
			*after = number;
		return err;
	}
	return -ENODATA;
}
