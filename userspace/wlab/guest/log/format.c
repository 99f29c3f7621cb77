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

/* With two further names: of tcp_probe, and of older recordings. */
#define NAME(field, name)	{ F_##field, #name },
static const struct {
	enum log_field field;
	const char *name;
} names[] = { LOG_FIELDS(NAME) { F_PAYLOAD, "data_len" }, { F_BUFFER, "buffer" } };

static const enum log_field needed[LOG_KINDS][28] = {
	[LOG_SDU] = { F_DEV, F_BEARER, F_GEN, F_SEQ, F_BYTES, F_PDUS,
		      F_PDUS_LOST, F_DROP, F_ARRIVAL, F_START, F_END, F_DELIVER,
		      F_DUE, F_WHOLE, F_RETX, F_HANDOVER, F_PROTO, F_SPORT,
		      F_DPORT, F_TCP_SEQ, F_PAYLOAD, F_BUFFER, F_ECN,
		      F_ACCESS, F_ACCESS_TX, F_JITTER, F_IMPAIRED, F_FIELDS },
	[LOG_RATE] = { F_DEV, F_BEARER, F_GEN, F_AT, F_OLD, F_NEW, F_FIELDS },
	[LOG_CHANNEL] = { F_DEV, F_BEARER, F_GEN, F_AT, F_BAD, F_FIELDS },
	[LOG_GRANT] = { F_DEV, F_BEARER, F_GEN, F_AT, F_BYTES, F_USED,
			F_FIELDS },
	[LOG_SCHEDULE] = { F_DEV, F_BEARER, F_GEN, F_AT, F_STATE, F_PASS,
		       F_FIELDS },
	[LOG_RRC] = { F_DEV, F_BEARER, F_GEN, F_AT, F_STATE, F_FIELDS },
	[LOG_BACKGROUND] = { F_DEV, F_AT, F_USERS, F_AIRTIME, F_FIELDS },
	[LOG_TCP] = { F_SPORT, F_DPORT, F_SND_NXT, F_SND_UNA, F_CWND,
		      F_SSTHRESH, F_SND_WND, F_SRTT, F_RCV_WND, F_PAYLOAD,
		      F_FIELDS },
	[LOG_PACKET] = { F_DEV, F_SEQ, F_LEN, F_DATA, F_FIELDS },
};

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
	for (i = 0; needed[kind][i] != F_FIELDS; i++)
		if (!l->field[needed[kind][i]].size)
			fail("%s lacks a field (number %d)", path,
			     needed[kind][i]);
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

uint64_t field(const struct record *r, enum log_field f)
{
	return ring_field_u64(&r->layout->field[f], r->data, r->bytes);
}

void field_text(const struct record *r, enum log_field f, char *to, size_t size)
{
	ring_field_text(&r->layout->field[f], r->data, r->bytes, to, size);
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
