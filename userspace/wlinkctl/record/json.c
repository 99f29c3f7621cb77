// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/pkt_sch_wlink.h>

#include "record/json.h"

/* Longer than any device's name or other text in an event of ours. */
#define TEXT_BYTES	256

static const char *const drops[] = {
	[WLINK_DROP_NONE] = "none",
	[WLINK_DROP_OVERFLOW] = "overflow",
	[WLINK_DROP_CHANNEL] = "channel",
	[WLINK_DROP_SLOTS] = "slots",
	[WLINK_DROP_FLUSH] = "flush",
	[WLINK_DROP_MAXDAT] = "maxdat",
	[WLINK_DROP_TIMER] = "timer",
	[WLINK_DROP_RESET] = "reset",
	[WLINK_DROP_REESTABLISH] = "reestablish",
	[WLINK_DROP_AQM] = "aqm",
	[WLINK_DROP_SEGMENT] = "segment",
	[WLINK_DROP_FORWARD] = "forward",
};

_Static_assert(sizeof(drops) / sizeof(drops[0]) == __WLINK_DROP_MAX,
	       "a reason has no name");

static const char *const states[] = {
	[WLINK_SCHEDULE_STATE_NONE] = "none",
	[WLINK_SCHEDULE_STATE_LOADED] = "loaded",
	[WLINK_SCHEDULE_STATE_WAITS] = "waits",
	[WLINK_SCHEDULE_STATE_PLAYS] = "plays",
	[WLINK_SCHEDULE_STATE_HOLDS] = "holds",
};

_Static_assert(sizeof(states) / sizeof(states[0]) == __WLINK_SCHEDULE_STATE_MAX,
	       "a state has no name");

static const char *const rrc_states[] = {
	[WLINK_RRC_NONE] = "none",
	[WLINK_RRC_ACTIVE] = "active",
	[WLINK_RRC_SHORT] = "short",
	[WLINK_RRC_LONG] = "long",
	[WLINK_RRC_IDLE] = "idle",
};

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

/* Of a field: its name, what stands around it, and its value. */
#define KEY_BYTES	(RING_NAME + 4)
#define FIELD_BYTES	(KEY_BYTES + 44)

/* Copies of a fixed size are faster than those of the right size. */
#define CHUNK		32

#define E8		LINE_E8

/**
 * struct shape - a field as it was written last
 * @field: it
 * @naming: its names, NULL if it has none
 * @is_handle: it is a handle of tc
 * @is_plain: it is digits and nothing else
 * @is_text: it is no number
 * @at: where it is in a record, in a word that does not reach beyond
 * @mask: bits of the word that are its
 * @word: the word that @text was made of
 * @value: number that @text has
 * @high: @value without its last eight digits, where only these may be renewed;
 *	else 0
 * @bytes: what @text was made of, if it is a text
 * @key_len: bytes of @text before the value
 * @len: bytes of @text; 0 if it has nothing
 * @text: key and value
 */
struct shape {
	const struct ring_field *field;
	const struct naming *naming;
	bool is_handle;
	bool is_plain;
	bool is_text;
	size_t at;
	uint64_t mask;
	uint64_t word;
	uint64_t value;
	uint64_t high;
	char bytes[16];
	size_t key_len;
	size_t len;
	char text[FIELD_BYTES];
};

_Static_assert(sizeof("{\"event\":\"\",\"ts_ns\":") + RING_NAME + LINE_NUMBER <=
	       FIELD_BYTES, "a head is too long");
_Static_assert(RING_NAME + sizeof(",\"\":") <= KEY_BYTES + 1, "a key is too long");

/**
 * struct record_kind - a kind of events, with the last of them
 * @ts: its time, with what every line begins with
 * @tai: its time in CLOCK_TAI
 * @cpu: where it was written
 * @len: bytes of a record that has all fields, but for what texts elsewhere have
 * @n: how many fields
 * @shapes: they
 */
struct record_kind {
	struct shape ts;
	struct shape tai;
	struct shape cpu;
	size_t len;
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

static char *put_text(char *at, const char *text)
{
	size_t len = strlen(text);

	memcpy(at, text, len);
	return at + len;
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

static char *put_value(char *at, const struct shape *shape, uint64_t value)
{
	enum ring_type type = shape->field ? shape->field->type : RING_UNSIGNED;

	if (type == RING_BYTES)
		return put_text(at, "null");
	if (type == RING_BOOL)
		return put_text(at, value ? "true" : "false");
	if (shape->naming)
		return put_named(at, shape->naming, value);
	if (shape->is_handle && !(value & 0xffff) && value <= UINT32_MAX)
		return put_handle(at, value);
	if (type == RING_SIGNED && (int64_t)value < 0) {
		*at++ = '-';
		value = -value;
	}
	return line_digits(at, value);
}

static void renew(struct shape *shape, uint64_t value)
{
	uint64_t high = value / E8;
	char *end;

	shape->value = value;
	/* Of a time only the end is new. */
	if (high && high == shape->high) {
		line_eight(shape->text + shape->len - 8,
			   (uint32_t)(value - high * E8));
		return;
	}
	end = put_value(shape->text + shape->key_len, shape, value);
	shape->len = (size_t)(end - shape->text);
	shape->high = shape->is_plain ? high : 0;
}

static void set_key(struct shape *shape, const char *begin, const char *name,
		    const char *end)
{
	shape->key_len = (size_t)snprintf(shape->text, sizeof(shape->text),
					  "%s%s%s", begin, name, end);
}

/* Of a number that all events have. */
static void prepare_own(struct shape *shape, const char *begin,
			const char *name, const char *end)
{
	shape->is_plain = true;
	set_key(shape, begin, name, end);
	renew(shape, 0);
}

static void prepare_field(struct shape *shape, const struct ring_format *format,
			  const struct ring_field *field)
{
	shape->field = field;
	shape->naming = naming_of(format, field);
	shape->is_handle = !strcmp(field->name, "handle");
	shape->is_plain = field->type == RING_UNSIGNED && !shape->naming &&
			  !shape->is_handle;
	shape->is_text = field->type == RING_TEXT ||
			 field->type == RING_FAR_TEXT;
	set_key(shape, ",\"", field->name, "\":");
	if (!shape->is_text)
		renew(shape, 0);
}

/* A word is read where there is one, whatever the size of the field. */
static void find_word(struct shape *shape, size_t len)
{
	size_t offset = shape->field->offset;
	size_t size = shape->field->size;

	if (len < sizeof(uint64_t) || size > sizeof(uint64_t))
		return;
	shape->at = len - sizeof(uint64_t);
	if (shape->at > offset)
		shape->at = offset;
	memset((char *)&shape->mask + (offset - shape->at), 0xff, size);
}

static void prepare(struct record_kind *kind, const struct ring_format *format)
{
	size_t i;

	prepare_own(&kind->ts, "{\"event\":\"", format->name, "\",\"ts_ns\":");
	prepare_own(&kind->tai, ",\"", "tai_ns", "\":");
	prepare_own(&kind->cpu, ",\"", "cpu", "\":");
	kind->n = format->n;
	for (i = 0; i < format->n; i++) {
		const struct ring_field *field = &format->fields[i];

		prepare_field(&kind->shapes[i], format, field);
		if (kind->len < (size_t)field->offset + field->size)
			kind->len = (size_t)field->offset + field->size;
	}
	for (i = 0; i < format->n; i++)
		find_word(&kind->shapes[i], kind->len);
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

struct record_kind *record_kind_at(struct record_kind *kinds, size_t i)
{
	return &kinds[i];
}

static char *put_shape(char *at, const struct shape *shape)
{
	memcpy(at, shape->text, CHUNK);
	if (shape->len > CHUNK)
		memcpy(at + CHUNK, shape->text + CHUNK, FIELD_BYTES - CHUNK);
	return at + shape->len;
}

static char *put_number(char *at, struct shape *shape, uint64_t value)
{
	if (value != shape->value)
		renew(shape, value);
	return put_shape(at, shape);
}

/* What is the same as in the event before it is not even read as a number. */
static char *put_field(char *at, const struct ring_record *record,
		       struct shape *shape)
{
	uint64_t word;

	memcpy(&word, (const char *)record->data + shape->at, sizeof(word));
	if ((word ^ shape->word) & shape->mask) {
		shape->word = word;
		renew(shape, ring_field_u64(shape->field, record->data,
					    record->len));
	}
	return put_shape(at, shape);
}

/* Return: bytes of a text that can be compared with the last; NULL if not. */
static const char *bytes_of(const struct ring_record *record,
			    const struct shape *shape)
{
	const struct ring_field *field = shape->field;

	if (field->type != RING_TEXT || field->size != sizeof(shape->bytes) ||
	    field->offset > record->len ||
	    field->size > record->len - field->offset)
		return NULL;
	return (const char *)record->data + field->offset;
}

static void write_text(struct line *line, const struct ring_record *record,
		       struct shape *shape)
{
	const char *bytes = bytes_of(record, shape);
	char text[TEXT_BYTES];
	size_t at = line->len;

	line_add(line, shape->text, shape->key_len);
	ring_field_text(shape->field, record->data, record->len, text,
			sizeof(text));
	line_string(line, text);
	shape->len = 0;
	if (line->failed || !bytes || line->len - at > FIELD_BYTES)
		return;
	memcpy(shape->bytes, bytes, sizeof(shape->bytes));
	shape->len = line->len - at;
	memcpy(shape->text, line->text + at, shape->len);
}

static bool is_known(const struct ring_record *record,
		     const struct shape *shape)
{
	const char *bytes = shape->len ? bytes_of(record, shape) : NULL;

	return bytes && !memcmp(bytes, shape->bytes, sizeof(shape->bytes));
}

/* Of a kernel that is not as it describes itself. */
static char *put_short(char *at, const struct ring_record *record,
		       struct shape *shape)
{
	shape->word = 0;
	renew(shape, ring_field_u64(shape->field, record->data, record->len));
	at = put_shape(at, shape);
	renew(shape, 0);
	return at;
}

/* Most of an event is what the one before it had: some 1000 instructions for a
 * wlink_sdu.
 */
void record_json(struct line *line, const struct ring_record *record,
		 struct record_kind *kind, uint64_t tai_ns)
{
	char *at = line_room(line, (kind->n + 4) * FIELD_BYTES);
	bool whole = record->len >= kind->len;
	size_t i;

	if (!at)
		return;
	at = put_number(at, &kind->ts, record->ts_ns);
	at = put_number(at, &kind->tai, tai_ns);
	at = put_number(at, &kind->cpu, record->cpu);
	for (i = 0; i < kind->n; i++) {
		struct shape *shape = &kind->shapes[i];

		if (!shape->is_text) {
			at = whole && shape->mask ?
			     put_field(at, record, shape) :
			     put_short(at, record, shape);
			continue;
		}
		if (is_known(record, shape)) {
			at = put_shape(at, shape);
			continue;
		}
		line_end(line, at);
		write_text(line, record, shape);
		/* A text makes room for itself, and leaves none. */
		at = line_room(line, (kind->n - i) * FIELD_BYTES);
		if (!at)
			return;
	}
	*at++ = '}';
	*at++ = '\n';
	line_end(line, at);
}
