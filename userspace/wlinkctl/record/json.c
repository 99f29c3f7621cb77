// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/pkt_sch_wlink.h>
#include <wlink/names.h>

#include "lib/json.h"
#include "record/json.h"

/* Longer than any device's name or other text in an event of ours. */
#define TEXT_BYTES	256

static const char *const drops[] = WL_NAMES(DROP, WL_DROPS);

_Static_assert(sizeof(drops) / sizeof(drops[0]) == __WLINK_DROP_MAX,
	       "a reason has no name");

static const char *const states[] = WL_NAMES(SCHEDULE_STATE, WL_SCHEDULE_STATES);

_Static_assert(sizeof(states) / sizeof(states[0]) == __WLINK_SCHEDULE_STATE_MAX,
	       "a state has no name");

static const char *const rrc_states[] = WL_NAMES(RRC, WL_RRC_STATES);

_Static_assert(sizeof(rrc_states) / sizeof(rrc_states[0]) == __WLINK_RRC_MAX,
	       "a state has no name");

/**
 * struct naming - a field whose numbers have names
 * @event: it is of this event
 * @field: its name
 * @names: by number
 * @n: how many
 */
struct naming {
	const char *event;
	const char *field;
	const char *const *names;
	size_t n;
};

static const struct naming namings[] = {
	{ "wlink_sdu", "drop", drops, __WLINK_DROP_MAX },
	{ "wlink_schedule", "state", states, __WLINK_SCHEDULE_STATE_MAX },
	{ "wlink_rrc", "state", rrc_states, __WLINK_RRC_MAX },
	/* Its name in older recordings. */
	{ "wlink_play", "state", states, __WLINK_SCHEDULE_STATE_MAX },
};

static const struct naming *naming_of(const struct ring_format *format,
				      const struct ring_field *field)
{
	size_t i;

	for (i = 0; i < sizeof(namings) / sizeof(namings[0]); i++)
		if (!strcmp(namings[i].field, field->name) &&
		    !strcmp(namings[i].event, format->name))
			return &namings[i];
	return NULL;
}

/* As tc prints the handle of a qdisc. */
static void put_handle(const char *key, uint64_t value)
{
	char text[16];

	snprintf(text, sizeof(text), "%" PRIx64 ":", value >> 16);
	json_writer.string(key, text);
}

static void put_number(const struct ring_format *format,
		       const struct ring_field *field, uint64_t value)
{
	const struct naming *naming = naming_of(format, field);

	if (naming && value < naming->n && naming->names[value])
		json_writer.string(field->name, naming->names[value]);
	else if (field->type == RING_BOOL)
		json_bool(field->name, value);
	else if (!strcmp(field->name, "handle") && value <= UINT32_MAX &&
		 !(value & 0xffff))
		put_handle(field->name, value);
	else if (field->type == RING_SIGNED)
		json_s64(field->name, (int64_t)value);
	else
		json_writer.u64(field->name, value);
}

static void put_field(const struct ring_format *format,
		      const struct ring_field *field,
		      const struct ring_record *record)
{
	char text[TEXT_BYTES];

	switch (field->type) {
	case RING_TEXT:
	case RING_FAR_TEXT:
		ring_field_text(field, record->data, record->len, text,
				sizeof(text));
		json_writer.string(field->name, text);
		break;
	case RING_BYTES:
		json_writer.number(field->name, "null");
		break;
	default:
		put_number(format, field, ring_field_u64(field, record->data,
							 record->len));
	}
}

void record_json(struct line *line, const struct ring_record *record,
		 const struct ring_format *format, uint64_t tai_ns)
{
	size_t i;

	json_begin_in(line);
	json_writer.string("event", format->name);
	json_writer.u64("ts_ns", record->ts_ns);
	json_writer.u64("tai_ns", tai_ns);
	json_writer.u64("cpu", record->cpu);
	for (i = 0; i < format->n; i++)
		put_field(format, &format->fields[i], record);
	json_end_in();
}
