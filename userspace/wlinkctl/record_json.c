// SPDX-License-Identifier: GPL-2.0
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

/* What is copied at once; all keys are shorter than the sum of both. */
#define CHUNK		16
#define KEY_BYTES	(RING_NAME + CHUNK)

/**
 * struct shape - how a field is written
 * @field: it
 * @naming: its names, NULL if it has none
 * @is_handle: it is a handle of tc
 * @is_text: it is a text
 * @key: its name, with all that stands between it and its neighbours
 * @key_len: bytes of @key
 */
struct shape {
	const struct ring_field *field;
	const struct naming *naming;
	bool is_handle;
	bool is_text;
	char key[KEY_BYTES];
	size_t key_len;
};

struct record_kind {
	char head[RING_NAME + sizeof("{\"event\":\"\",\"ts_ns\":")];
	size_t head_len;
	size_t n;
	struct shape shapes[RING_FIELDS];
};

_Static_assert(RING_NAME + sizeof(",\"\":") <= KEY_BYTES, "a key is too long");

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
		shape->is_text = field->type == RING_TEXT ||
				 field->type == RING_FAR_TEXT;
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

/* Longest number, word or handle; a text makes room for itself. */
#define VALUE_BYTES	32
#define FIELD_BYTES	(KEY_BYTES + VALUE_BYTES)

static char *put_text(char *at, const char *text)
{
	size_t len = strlen(text);

	memcpy(at, text, len);
	return at + len;
}

static char *put_key(char *at, const struct shape *shape)
{
	/* Copies of a fixed size are faster than one of the right size. */
	memcpy(at, shape->key, CHUNK);
	if (shape->key_len > CHUNK)
		memcpy(at + CHUNK, shape->key + CHUNK, KEY_BYTES - CHUNK);
	return at + shape->key_len;
}

static char *put_handle(char *at, uint64_t value)
{
	static const char hex[] = "0123456789abcdef";
	int shift = 28;

	/* As everybody else writes it. */
	while (shift > 16 && !(value >> shift))
		shift -= 4;
	*at++ = '"';
	for (; shift >= 16; shift -= 4)
		*at++ = hex[value >> shift & 0xf];
	*at++ = ':';
	*at++ = '"';
	return at;
}

static char *put_named(char *at, const struct naming *naming, uint64_t value)
{
	if (value >= naming->n || !naming->names[value])
		return line_digits(at, value);
	*at++ = '"';
	at = put_text(at, naming->names[value]);
	*at++ = '"';
	return at;
}

static char *put_value(char *at, const struct ring_record *record,
		       const struct shape *shape)
{
	const struct ring_field *field = shape->field;
	uint64_t value;

	if (field->type == RING_BYTES)
		return put_text(at, "null");
	value = ring_field_u64(field, record->data, record->len);
	if (field->type == RING_BOOL)
		return put_text(at, value ? "true" : "false");
	if (shape->naming)
		return put_named(at, shape->naming, value);
	if (shape->is_handle && !(value & 0xffff) && value <= UINT32_MAX)
		return put_handle(at, value);
	if (field->type == RING_SIGNED && (int64_t)value < 0) {
		*at++ = '-';
		value = -value;
	}
	return line_digits(at, value);
}

static void write_text(struct line *line, const struct ring_record *record,
		       const struct ring_field *field)
{
	char text[TEXT_BYTES];

	ring_field_text(field, record->data, record->len, text, sizeof(text));
	line_string(line, text);
}

/* Room for all fields is made once, and again after a text. */
static void write_fields(struct line *line, const struct ring_record *record,
			 const struct record_kind *kind)
{
	char *at = NULL;
	size_t i;

	for (i = 0; i < kind->n; i++) {
		const struct shape *shape = &kind->shapes[i];

		if (!at)
			at = line_room(line, (kind->n - i) * FIELD_BYTES);
		if (!at)
			return;
		at = put_key(at, shape);
		if (!shape->is_text) {
			at = put_value(at, record, shape);
			continue;
		}
		line_end(line, at);
		write_text(line, record, shape->field);
		at = NULL;
	}
	if (at)
		line_end(line, at);
}

/* All in all some 1800 instructions for a wlink_sdu. */
void record_json(struct line *line, const struct ring_record *record,
		 const struct record_kind *kind, uint64_t tai_ns)
{
	line_add(line, kind->head, kind->head_len);
	line_u64(line, record->ts_ns);
	line_put(line, ",\"tai_ns\":");
	line_u64(line, tai_ns);
	line_put(line, ",\"cpu\":");
	line_u64(line, record->cpu);
	write_fields(line, record, kind);
	line_add(line, "}\n", 2);
}
