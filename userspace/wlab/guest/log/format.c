// SPDX-License-Identifier: GPL-2.0
/* Reads the kernel's description of its events, so that a field that moves
 * from one kernel to the next is still found.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <wlink/names.h>

#include "log.h"

const char *const drop_names[__WLINK_DROP_MAX] = WL_NAMES(DROP, WL_DROPS);
const char *const schedule_names[__WLINK_SCHEDULE_STATE_MAX] =
	WL_NAMES(SCHEDULE_STATE, WL_SCHEDULE_STATES);
const char *const rrc_names[__WLINK_RRC_MAX] = WL_NAMES(RRC, WL_RRC_STATES);

/* The longest event of a page. */
#define EVENT_MAX 4096U

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

/* "field:u64 seq;	offset:32;	size:8;	signed:0;" */
static void line_read(struct layout *l, char *line)
{
	char *name, *end, *offset, *size;
	size_t i;

	if (sscanf(line, "ID: %u", &l->id) == 1)
		return;
	name = strstr(line, "field:");
	offset = strstr(line, "offset:");
	size = strstr(line, "size:");
	if (!name || !offset || !size)
		return;
	/* The name is the last word of the declaration. */
	name[strcspn(name, ";")] = '\0';
	end = strrchr(name, ' ');
	if (!end)
		return;
	name = end + 1;
	name[strcspn(name, "[")] = '\0';
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i].name, name))
			continue;
		l->offset[names[i].field] = (unsigned int)atoi(offset + 7);
		l->size[names[i].field] = (unsigned int)atoi(size + 5);
	}
}

static void layout_read(const char *folder, enum log_kind kind, struct layout *l)
{
	char path[4096], line[512];
	enum log_field is;
	FILE *f;
	int i;

	memset(l, 0, sizeof(*l));
	snprintf(path, sizeof(path), "%s/%s.format", folder, files[kind]);
	f = fopen(path, "r");
	if (!f && errno == ENOENT)
		return;
	if (!f)
		fail("%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f))
		line_read(l, line);
	fclose(f);
	for (i = 0; needed[kind][i] != F_FIELDS; i++)
		if (!l->size[needed[kind][i]])
			fail("%s lacks a field (number %d)", path,
			     needed[kind][i]);
	for (is = 0; is < F_FIELDS; is++) {
		if (l->size[is] > (is == F_DEV ? EVENT_MAX : sizeof(uint64_t)) ||
		    l->offset[is] > EVENT_MAX)
			fail("%s: field number %d has %u bytes at %u", path, is, l->size[is],
			     l->offset[is]);
		if (l->bytes < l->offset[is] + l->size[is])
			l->bytes = l->offset[is] + l->size[is];
	}
}

void layouts_read(const char *folder, struct layout layouts[LOG_KINDS])
{
	int kind;

	for (kind = 0; kind < LOG_KINDS; kind++)
		layout_read(folder, (enum log_kind)kind, &layouts[kind]);
}

uint64_t field(const struct record *r, enum log_field f)
{
	const unsigned char *at = r->data + r->layout->offset[f];
	uint64_t v = 0;
	uint32_t half;

	/* A memcpy() of constant size needs no call. */
	switch (r->layout->size[f]) {
	case sizeof(v):
		memcpy(&v, at, sizeof(v));
		return v;
	case sizeof(half):
		memcpy(&half, at, sizeof(half));
		return half;
	default:
		memcpy(&v, at, r->layout->size[f]);
		return v;
	}
}

void field_text(const struct record *r, enum log_field f, char *to, size_t size)
{
	const char *at = (const char *)r->data + r->layout->offset[f];
	size_t len = strnlen(at, r->layout->size[f]);

	if (len >= size)
		len = size - 1;
	memcpy(to, at, len);
	to[len] = '\0';
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
