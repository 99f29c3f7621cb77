// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sch_wlink.h>

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

_Static_assert(sizeof(states) / sizeof(states[0]) == __WLINK_PLAY_STATE_MAX,
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
	{ "wlink_play", "state", states, __WLINK_PLAY_STATE_MAX },
};

/**
 * struct shape - how a field is written
 * @field: it
 * @naming: its names, NULL if it has none
 * @is_handle: it is a handle of tc
 * @key: its name, with all that stands between it and its neighbours
 * @key_len: bytes of @key
 */
struct shape {
	const struct ring_field *field;
	const struct naming *naming;
	bool is_handle;
	char key[RING_NAME + sizeof(",\"\":")];
	size_t key_len;
};

struct record_kind {
	char head[RING_NAME + sizeof("{\"event\":\"\",\"ts_ns\":")];
	size_t head_len;
	size_t n;
	struct shape shapes[RING_FIELDS];
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

static void prepare(struct record_kind *kind, const struct ring_format *format)
{
	size_t i;

	kind->head_len = (size_t)snprintf(kind->head, sizeof(kind->head),
					  "{\"event\":\"%s\",\"ts_ns\":",
					  format->name);
	kind->n = format->n;
	for (i = 0; i < format->n; i++) {
		const struct ring_field *field = &format->fields[i];
		struct shape *shape = &kind->shapes[i];

		shape->field = field;
		shape->naming = naming_of(format, field);
		shape->is_handle = !strcmp(field->name, "handle");
		shape->key_len = (size_t)snprintf(shape->key,
						  sizeof(shape->key),
						  ",\"%s\":", field->name);
	}
}

struct record_kind *record_kinds_make(const struct ring_format *formats,
				      size_t n)
{
	struct record_kind *kinds = calloc(n ? n : 1, sizeof(*kinds));
	size_t i;

	for (i = 0; kinds && i < n; i++)
		prepare(&kinds[i], &formats[i]);
	return kinds;
}

const struct record_kind *record_kind_at(const struct record_kind *kinds,
					 size_t i)
{
	return &kinds[i];
}

static void write_number(struct line *line, const struct shape *shape,
			 uint64_t value)
{
	const struct naming *naming = shape->naming;
	char text[32];

	if (naming && value < naming->n && naming->names[value]) {
		line_string(line, naming->names[value]);
	} else if (shape->is_handle && !(value & 0xffff)) {
		/* As everybody else writes it. */
		snprintf(text, sizeof(text), "\"%" PRIx64 ":\"", value >> 16);
		line_put(line, text);
	} else if (shape->field->type == RING_SIGNED) {
		line_s64(line, (int64_t)value);
	} else {
		line_u64(line, value);
	}
}

static void write_field(struct line *line, const struct ring_record *record,
			const struct shape *shape)
{
	const struct ring_field *field = shape->field;
	char text[TEXT_BYTES];
	uint64_t value;

	line_add(line, shape->key, shape->key_len);
	switch (field->type) {
	case RING_TEXT:
	case RING_FAR_TEXT:
		ring_field_text(field, record->data, record->len, text,
				sizeof(text));
		line_string(line, text);
		return;
	case RING_BYTES:
		line_put(line, "null");
		return;
	default:
		break;
	}
	value = ring_field_u64(field, record->data, record->len);
	if (field->type == RING_BOOL)
		line_put(line, value ? "true" : "false");
	else
		write_number(line, shape, value);
}

void record_json(struct line *line, const struct ring_record *record,
		 const struct record_kind *kind, uint64_t tai_ns)
{
	size_t i;

	line_add(line, kind->head, kind->head_len);
	line_u64(line, record->ts_ns);
	line_put(line, ",\"tai_ns\":");
	line_u64(line, tai_ns);
	line_put(line, ",\"cpu\":");
	line_u64(line, record->cpu);
	for (i = 0; i < kind->n; i++)
		write_field(line, record, &kind->shapes[i]);
	line_add(line, "}\n", 2);
}
