// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>

#include <linux/pkt_sch_wlink.h>

#include "json.h"
#include "record_json.h"
#include "top.h"

/* Longer than any device's name or other text in an event of ours. */
#define TEXT_BYTES	256

static const char *const states[] = {
	[WLINK_PLAY_STATE_NONE] = "none",
	[WLINK_PLAY_STATE_LOADED] = "loaded",
	[WLINK_PLAY_STATE_WAITS] = "waits",
	[WLINK_PLAY_STATE_PLAYS] = "plays",
	[WLINK_PLAY_STATE_HOLDS] = "holds",
};

_Static_assert(ARRAY_SIZE(states) == __WLINK_PLAY_STATE_MAX,
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
	{ "wlink_sdu", "drop", top_drops, __WLINK_DROP_MAX },
	{ "wlink_play", "state", states, ARRAY_SIZE(states) },
};

static const char *name_of(const struct ring_format *format,
			   const struct ring_field *field, uint64_t value)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(namings); i++)
		if (!strcmp(namings[i].field, field->name) &&
		    !strcmp(namings[i].event, format->name))
			return value < namings[i].n ? namings[i].names[value] :
						      NULL;
	return NULL;
}

static void write_number(const struct ring_format *format,
			 const struct ring_field *field, uint64_t value)
{
	const char *name = name_of(format, field, value);
	char text[32];

	if (name) {
		json_writer.string(field->name, name);
	} else if (!strcmp(field->name, "handle") && !(value & 0xffff)) {
		/* As everybody else writes it. */
		snprintf(text, sizeof(text), "%" PRIx64 ":", value >> 16);
		json_writer.string(field->name, text);
	} else if (field->type == RING_SIGNED) {
		snprintf(text, sizeof(text), "%" PRId64, (int64_t)value);
		json_writer.number(field->name, text);
	} else {
		json_writer.u64(field->name, value);
	}
}

static void write_field(const struct ring_record *record,
			const struct ring_format *format,
			const struct ring_field *field)
{
	char text[TEXT_BYTES];
	uint64_t value;

	switch (field->type) {
	case RING_TEXT:
	case RING_FAR_TEXT:
		ring_field_text(field, record->data, record->len, text,
				sizeof(text));
		json_writer.string(field->name, text);
		return;
	case RING_BYTES:
		json_writer.number(field->name, "null");
		return;
	default:
		break;
	}
	value = ring_field_u64(field, record->data, record->len);
	if (field->type == RING_BOOL)
		json_writer.number(field->name, value ? "true" : "false");
	else
		write_number(format, field, value);
}

void record_json(FILE *f, const struct ring_record *record,
		 const struct ring_format *format)
{
	size_t i;

	json_start_in(f);
	json_writer.object(NULL);
	json_writer.string("event", format->name);
	json_writer.u64("ts_ns", record->ts_ns);
	json_writer.u64("cpu", record->cpu);
	for (i = 0; i < format->n; i++)
		write_field(record, format, &format->fields[i]);
	json_writer.end();
	json_finish();
}
