// SPDX-License-Identifier: GPL-2.0
/* Captures as pcapng: a packet when it has left the link or was dropped, so in the order of
 * the log, with what became of it as a comment.
 */
#include <inttypes.h>
#include <string.h>

#include "capture.h"
#include "log.h"

#define SECTION 0x0a0d0d0aU
#define INTERFACE 1U
#define ENHANCED_PACKET 6U
#define BYTE_ORDER_MAGIC 0x1a2b3c4dU
#define OPT_END 0U
#define OPT_COMMENT 1U
#define IF_NAME 2U
#define IF_DESCRIPTION 3U
#define IF_TSRESOL 9U
#define ETHERNET 1U
/* Packets between two looks at the disk. */
#define LOOK_EVERY 1024U

/* A block, whose length stands before and after what it has. */
struct block {
	unsigned char bytes[1024];
	size_t used;
};

static void add(struct block *b, const void *data, size_t len)
{
	static const unsigned char zeros[4];
	const size_t gap = -len & 3;

	if (b->used + len + gap > sizeof(b->bytes))
		fail("a packet of the trace is too long");
	memcpy(b->bytes + b->used, data, len);
	memcpy(b->bytes + b->used + len, zeros, gap);
	b->used += len + gap;
}

static void add_u32(struct block *b, uint32_t value)
{
	add(b, &value, sizeof(value));
}

static void add_option(struct block *b, unsigned int code, const void *data, size_t len)
{
	const uint16_t head[2] = { (uint16_t)code, (uint16_t)len };

	add(b, head, sizeof(head));
	add(b, data, len);
}

/* Its second word is the length, filled in by put(). */
static struct block begun(uint32_t type)
{
	struct block b = { .used = 0 };

	add_u32(&b, type);
	add_u32(&b, 0);
	return b;
}

static void put(FILE *to, struct block *b)
{
	uint32_t len = (uint32_t)b->used + 4;

	memcpy(b->bytes + 4, &len, sizeof(len));
	add_u32(b, len);
	fwrite(b->bytes, 1, b->used, to);
}

void capture_open(const struct log *log, struct name_link *l)
{
	static const uint64_t until_end = UINT64_MAX;
	static const uint8_t nanoseconds = 9;
	struct block section = begun(SECTION), interface = begun(INTERFACE);

	l->capture = out_open(log, "capture", l->name, ".pcapng");
	add_u32(&section, BYTE_ORDER_MAGIC);
	/* Version 1.0. */
	add_u32(&section, 1);
	add(&section, &until_end, sizeof(until_end));
	put(l->capture, &section);
	add_u32(&interface, ETHERNET);
	/* No limit that is the same for all packets. */
	add_u32(&interface, 0);
	add_option(&interface, IF_NAME, l->device, strlen(l->device));
	add_option(&interface, IF_DESCRIPTION, l->name, strlen(l->name));
	add_option(&interface, IF_TSRESOL, &nanoseconds, sizeof(nanoseconds));
	add_u32(&interface, OPT_END);
	put(l->capture, &interface);
	l->capture_stopped_ns = -1;
}

static void stop(struct name_link *l, int64_t t_ns)
{
	if (l->capture_stopped_ns < 0)
		l->capture_stopped_ns = t_ns;
}

/* Of a delivered packet the parts of its delay, whose sum is the whole; `wlab why` has them by the
 * same names, and the same differences.
 */
static int parts(const struct record *r, char *to, size_t size)
{
#define MS(ns)	(ns) / 1000000U, (unsigned int)((ns) % 1000000U)
#define PART(name)	" " name "_ms=%" PRIu64 ".%06u"
	const uint64_t access_ns = field(r, F_ACCESS), tx_ns = field(r, F_ACCESS_TX);
	const uint64_t arrival = field(r, F_ARRIVAL), start = field(r, F_START);
	const uint64_t end = field(r, F_END), due = field(r, F_DUE), whole = field(r, F_WHOLE);
	const uint64_t deliver = field(r, F_DELIVER), jitter = field(r, F_JITTER);

	return snprintf(to, size,
			PART("delay") PART("queue") PART("serial") PART("prop") PART("retx")
			PART("hol") PART("access") PART("jitter"),
			MS(deliver - arrival), MS(start - arrival - access_ns),
			MS(end - start - tx_ns), MS(due - end), MS(whole - due),
			MS(deliver - whole - jitter), MS(access_ns + tx_ns), MS(jitter));
#undef PART
#undef MS
}

/* What is left out are packets for which there was no room, in the guest or here. */
void capture_sdu(struct name_link *l, const struct record *r, int64_t t_ns, const char *verdict,
		 const char *flow)
{
	const struct record *packet = &l->packet;
	struct block b = begun(ENHANCED_PACKET);
	const unsigned char *data;
	char text[640];
	size_t len;
	int used;

	if (!packet->data || field(packet, F_SEQ) != field(r, F_SEQ) ||
	    (l->captured % LOOK_EVERY == 0 && !capture_has_room(fileno(l->capture))))
		stop(l, t_ns);
	if (l->capture_stopped_ns >= 0)
		return;
	data = field_bytes(packet, F_DATA, &len);
	t_ns = t_ns < 0 ? 0 : t_ns;
	/* The interface, the time's upper half first, the length here and on the link. */
	add_u32(&b, 0);
	add_u32(&b, (uint32_t)((uint64_t)t_ns >> 32));
	add_u32(&b, (uint32_t)t_ns);
	add_u32(&b, (uint32_t)len);
	add_u32(&b, (uint32_t)field(packet, F_LEN));
	add(&b, data, len);
	used = snprintf(text, sizeof(text),
			"%s flow=%s seq=%" PRIu64 " pdus=%" PRIu64 " pdus_lost=%" PRIu64, verdict,
			flow, field(r, F_SEQ), field(r, F_PDUS), field(r, F_PDUS_LOST));
	if (!strcmp(verdict, "delivered"))
		parts(r, text + used, sizeof(text) - (size_t)used);
	add_option(&b, OPT_COMMENT, text, strlen(text));
	add_u32(&b, OPT_END);
	put(l->capture, &b);
	l->packet.data = NULL;
	l->captured++;
}
