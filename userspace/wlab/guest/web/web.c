// SPDX-License-Identifier: GPL-2.0
/* Web flows: a client that fetches a page and its embedded objects from a server, one
 * transaction after the other. Sizes come from flow/empirical.c, all of a
 * transaction at its start: so a seed has the same transactions whatever
 * happens to them.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>

#include "flow/empirical.h"
#include "flow/flow.h"
#include "net/netns.h"
#include "run/plan.h"
#include "web.h"

/* By the number that the plan has; WEB_OBJECTS is the most of all. */
static const struct web_pages kinds[] = {
	{ &web_reply_bytes, &web_reply_bytes, &web_objects, false },
	{ &web_2011_page_bytes, &web_2011_object_bytes, &web_2011_objects, true },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The address in the form of URLs and the Host field. */
static void host_write(const union address *from, char *to, socklen_t len)
{
	if (from->any.sa_family == AF_INET) {
		inet_ntop(AF_INET, &from->v4.sin_addr, to, len);
		return;
	}
	to[0] = '[';
	inet_ntop(AF_INET6, &from->v6.sin6_addr, to + 1, len - 2);
	strcat(to, "]");
}

static void web_listen(const struct plan *plan, struct flow *flow)
{
	struct web *web = plan_memory(sizeof(*web));
	size_t i;

	flow->own = web;
	web->plan = plan;
	web->connections = (unsigned int)flow_word(flow, "connections");
	web->pipeline = flow_word(flow, "pipeline");
	web->persistent = flow_word(flow, "persistent");
	web->think_ns = flow_word(flow, "think");
	i = flow_word(flow, "pages");
	if (i >= KINDS)
		fail("flow %s: pages: %zu is outside 0..%zu", flow->name, i,
		     KINDS - 1);
	web->pages = &kinds[i];
	flow->lowat = (int)flow_word(flow, "read");
	if (!web->connections || web->connections > WEB_CLIENTS)
		fail("flow %s: connections: %u is outside 1..%d", flow->name,
		     web->connections, WEB_CLIENTS);
	web->rng.state = flow->seed;
	web->due_ns = FLOW_NEVER;
	for (i = 0; i < WEB_CLIENTS; i++)
		web->clients[i].fd = -1;
	host_write(&flow->src, web->host, sizeof(web->host));
	/* No transaction has been completed yet. */
	flow->end_ns = flow->start_ns;
	web->log = plan_file(plan, flow->name, ".web");
	netns_enter(plan, flow->from);
	web_server_listen(flow);
}

static void web_start(const struct plan *plan, struct flow *flow)
{
	(void)plan;
	web_client_begin(flow);
}

static void web_stop(struct flow *flow)
{
	const struct web *web = flow->own;

	/* The current transaction may end. */
	if (web->due_ns != FLOW_NEVER)
		web_client_end(flow);
}

static uint64_t web_due_ns(const struct flow *flow)
{
	const struct web *web = flow->own;

	return web->due_ns;
}

static void web_ready(struct flow *flow, enum watch what, uint32_t tag)
{
	if (what == WATCH_LISTEN)
		web_server_accept(flow);
	else if (tag & WEB_TAG_SERVER)
		web_server_ready(flow, tag);
	else
		web_client_ready(flow, tag);
}

static uint64_t web_so_far(struct flow *flow)
{
	const struct web *web = flow->own;

	return web->received + web_client_unread(flow);
}

static void web_finish(struct flow *flow)
{
	const struct web *web = flow->own;

	plan_file_close(web->log, "transactions");
}

static void web_report(const struct flow *flow, FILE *to)
{
	const struct web *web = flow->own;

	fprintf(to, " transactions=%" PRIu64 " objects=%" PRIu64
		" connections=%u", web->transactions, web->objects_done,
		web->opened);
}

static void web_close(struct flow *flow)
{
	web_client_close(flow);
	web_server_close(flow);
	flow_close(flow);
}

const struct flow_ops web_ops = {
	.kind = "web",
	.listen = web_listen,
	.start = web_start,
	.stop = web_stop,
	.due_ns = web_due_ns,
	.act = web_client_begin,
	.ready = web_ready,
	.so_far = web_so_far,
	.halt = web_server_note,
	.finish = web_finish,
	.report = web_report,
	.close = web_close,
};
