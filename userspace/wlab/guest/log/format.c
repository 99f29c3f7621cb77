// SPDX-License-Identifier: GPL-2.0
/* Reads the kernel's description of its events, so that a field that moves
 * from one kernel to the next is still found.
 */
#include <errno.h>
#include <string.h>

#include <wlink/names.h>

#include "log.h"

const char *const drop_names[__WLINK_DROP_MAX] = WL_NAMES(DROP, WL_DROPS);
const char *const schedule_names[__WLINK_SCHEDULE_STATE_MAX] =
	WL_NAMES(SCHEDULE_STATE, WL_SCHEDULE_STATES);
const char *const rrc_names[__WLINK_RRC_MAX] = WL_NAMES(RRC, WL_RRC_STATES);

static const char *const files[LOG_KINDS] = {
	[LOG_SDU] = "wlink.wlink_sdu",
	[LOG_RATE] = "wlink.wlink_rate",
	[LOG_CHANNEL] = "wlink.wlink_channel",
	[LOG_GRANT] = "wlink.wlink_grant",
	[LOG_SCHEDULE] = "wlink.wlink_schedule",
	[LOG_RRC] = "wlink.wlink_rrc",
	[LOG_BACKGROUND] = "wlink.wlink_background",
	[LOG_TCP] = "tcp.tcp_probe",
	[LOG_PACKET] = "wlink_data.wlink_packet",
};

/* By enum log_field, with two further names: of tcp_probe, and of older recordings. */
#define NAME(field, name)	{ F_##field, #name },
static const struct {
	enum log_field field;
	const char *name;
} names[] = { LOG_FIELDS(NAME) { F_PAYLOAD, "data_len" }, { F_BUFFER, "buffer" } };

static void layout_read(const char *folder, enum log_kind kind, struct layout *l)
{
	char path[4096], text[65536];
	struct ring_format format;
	size_t i, j;
	FILE *f;

	memset(l, 0, sizeof(*l));
	snprintf(path, sizeof(path), "%s/%s.format", folder, files[kind]);
	f = fopen(path, "r");
	if (!f && errno == ENOENT)
		return;
	if (!f)
		fail("%s: %s", path, strerror(errno));
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	if (ring_format_read(&format, text))
		fail("%s: no description of an event", path);
	l->id = format.id;
	for (i = 0; i < format.n; i++)
		for (j = 0; j < sizeof(names) / sizeof(names[0]); j++)
			if (!strcmp(names[j].name, format.fields[i].name))
				l->field[names[j].field] = format.fields[i];
	for (i = 0; i < F_FIELDS; i++)
		if (l->bytes < l->field[i].offset + l->field[i].size)
			l->bytes = l->field[i].offset + l->field[i].size;
}

void layouts_read(const char *folder, struct layout layouts[LOG_KINDS])
{
	int kind;

	for (kind = 0; kind < LOG_KINDS; kind++)
		layout_read(folder, (enum log_kind)kind, &layouts[kind]);
}

static const struct ring_field *field_of(const struct record *r, enum log_field f)
{
	const struct ring_field *found = &r->layout->field[f];

	if (!found->size)
		fail("%s of this kernel lacks %s", files[r->kind], names[f].name);
	return found;
}

uint64_t field(const struct record *r, enum log_field f)
{
	return ring_field_u64(field_of(r, f), r->data, r->bytes);
}

void field_text(const struct record *r, enum log_field f, char *to, size_t size)
{
	ring_field_text(field_of(r, f), r->data, r->bytes, to, size);
}

const unsigned char *field_bytes(const struct record *r, enum log_field f, size_t *len)
{
	/* Where it begins in the record, and its length in the upper half. */
	const uint64_t where = field(r, f);
	const size_t from = where & 0xffff;

	*len = (where >> 16) & 0xffff;
	if (from > r->bytes || *len > r->bytes - from)
		fail("an event of the trace is damaged");
	return r->data + from;
}
