// SPDX-License-Identifier: GPL-2.0
#include "wl_cfg.h"
#include "wl_room.h"

/* Smallest power of 2 that is not below n, 0 for 0. */
static u32 ring_size(u64 n)
{
	u32 size = 1;

	if (!n)
		return 0;
	while (size < n && size < WL_ROOM_RECORDS_MAX)
		size *= 2;
	return size;
}

static u64 room_bytes(const struct wl_room *room)
{
	return room->pdus * sizeof(struct wl_pdu) +
	       room->flights * sizeof(struct wl_flight) +
	       room->feedbacks * sizeof(struct wl_feedback);
}

/* PDUs that the rate allows to be on their way at one time. Two TTIs: one is
 * sent while the one before it arrives.
 */
u64 wl_room_flights(const struct wl_cfg *cfg)
{
	u64 bytes = wl_cfg_bytes_in(cfg->rate_bps,
				    cfg->delay_ns + 2 * cfg->tti_ns);

	switch (cfg->mode) {
	case WLINK_MODE_TM:
		return 0;
	case WLINK_MODE_UM:
	case WLINK_MODE_AM:
		return div64_u64(bytes, cfg->pdu_bytes) + 8;
	default:
		/* A frame is sent again no sooner than a round trip later. */
		return 2ULL * cfg->rlc.window + 8;
	}
}

/* STATUS PDUs that one report may need: every other PDU of the window missing, a
 * pair of a LIST SUFI for each, 17 bits with its part of the SUFI's head.
 */
static u64 status_parts(const struct wl_cfg *cfg)
{
	u32 bits = 8 * (cfg->pdu_bytes + cfg->header_bytes);

	return DIV_ROUND_UP(cfg->rlc.window, 2) / max((bits - 28) / 17, 1U) + 2;
}

static u64 feedbacks(const struct wl_cfg *cfg)
{
	u64 bytes = wl_cfg_bytes_in(wl_cfg_reverse_rate_bps(cfg),
				    wl_cfg_reverse_delay_ns(cfg));

	switch (cfg->mode) {
	case WLINK_MODE_TM:
	case WLINK_MODE_UM:
		return 0;
	case WLINK_MODE_AM:
		/* The next report waits until the last part of this one is
		 * sent.
		 */
		return div64_u64(bytes, cfg->pdu_bytes + cfg->header_bytes) +
		       status_parts(cfg) + 8;
	default:
		return min_t(u64, div64_u64(bytes, cfg->rlc.ack_bytes),
			     4ULL * cfg->rlc.window) +
		       2ULL * cfg->rlc.window + 8;
	}
}

void wl_room_need(const struct wl_cfg *cfg, struct wl_room *need)
{
	memset(need, 0, sizeof(*need));
	need->flights = ring_size(wl_room_flights(cfg));
	need->feedbacks = ring_size(feedbacks(cfg));
	if (cfg->mode == WLINK_MODE_UM)
		need->pdus = WLINK_UM_SN;
	else if (cfg->mode != WLINK_MODE_TM)
		need->pdus = ring_size(cfg->rlc.window + 1ULL);
	need->bytes = room_bytes(need);
}

void wl_room_join(struct wl_room *need, const struct wl_room *other)
{
	need->pdus = max(need->pdus, other->pdus);
	need->flights = max(need->flights, other->flights);
	need->feedbacks = max(need->feedbacks, other->feedbacks);
	need->bytes = room_bytes(need);
}

void wl_room_place(struct wl_room *room, void *mem)
{
	room->mem = mem;
	room->pdu = mem;
	room->flight = (struct wl_flight *)(room->pdu + room->pdus);
	room->feedback = (struct wl_feedback *)(room->flight + room->flights);
}
