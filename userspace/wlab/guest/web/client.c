// SPDX-License-Identifier: GPL-2.0
/* The client of a web flow. Each connection has requests to send and responses to
 * receive, and no buffers: bodies are discarded on arrival.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "flow/empirical.h"
#include "flow/flow.h"
#include "net/netns.h"
#include "run/plan.h"
#include "web.h"

/* A port is used once in a run: ports identify a packet's connection, and no
 * connection waits for an old one in TIME_WAIT. The first port is the flow's own.
 */
#define FIRST_PORT 21024U
#define LAST_PORT 65535U

#define REQUEST_BYTES 2048U
#define READ_BYTES 65536U
#define DROP_BYTES (1U << 30)

uint32_t web_tag(struct web *web, uint32_t slot)
{
	return ((web->generation++ << 12) & ~WEB_TAG_SERVER) | slot;
}

static void drop(struct web *web, struct web_client *c)
{
	unsigned int i;

	if (c->fd < 0)
		return;
	close(c->fd);
	c->fd = -1;
	/* Unanswered requests are sent again. */
	for (i = 0; i < c->asked_count; i++)
		web->objects[c->asked[i]].state = WEB_WAITS;
	c->asked_count = 0;
	c->out_len = 0;
	c->out_sent = 0;
}

static void open_one(struct flow *flow, struct web_client *c)
{
	struct web *web = flow->own;
	union address local = flow->dst;

	if (web->opened > LAST_PORT - FIRST_PORT + 1)
		fail("flow %s: persistent: more than %u connections",
		     flow->name, LAST_PORT - FIRST_PORT + 2);
	if (web->opened)
		local.v4.sin_port = htons((uint16_t)(FIRST_PORT + web->opened - 1));
	web->opened++;
	netns_enter(web->plan, flow->to);
	c->fd = tcp_socket(flow, &local);
	tcp_nodelay(flow, c->fd);
	if (connect(c->fd, &flow->src.any, sizeof(flow->src)) &&
	    errno != EINPROGRESS)
		fail("flow %s: connect: %s", flow->name, strerror(errno));
	c->tag = web_tag(web, (uint32_t)(c - web->clients));
	c->both = false;
	c->connected = false;
	c->answered = false;
	c->lowat = 1;
	c->in_body = false;
	http_head_start(&c->head, HTTP_RESPONSE);
	watch_add(c->fd, flow, WATCH_SEND, c->tag);
}

static void watch_again(struct flow *flow, struct web_client *c, bool both)
{
	c->both = both;
	watch_change(c->fd, flow, both ? WATCH_BOTH : WATCH_RECV, c->tag);
}

static void send_out(struct flow *flow, struct web_client *c)
{
	ssize_t did;
	bool left;

	if (!c->connected || c->out_sent == c->out_len)
		return;
	did = send(c->fd, c->out + c->out_sent, c->out_len - c->out_sent,
		   MSG_NOSIGNAL);
	/* Reading will return the connection's error. */
	if (did < 0 && errno != EAGAIN && errno != EPIPE && errno != ECONNRESET)
		fail("flow %s: send: %s", flow->name, strerror(errno));
	if (did > 0)
		c->out_sent += (size_t)did;
	left = c->out_sent < c->out_len;
	if (c->both != left)
		watch_again(flow, c, left);
}

static void request(struct web *web, struct web_client *c, unsigned int object)
{
	struct web_object *o = &web->objects[object];
	size_t len;

	if (c->out_sent == c->out_len) {
		c->out_sent = 0;
		c->out_len = 0;
	}
	c->out = realloc(c->out, c->out_len + REQUEST_BYTES);
	if (!c->out)
		fail("out of memory");
	len = http_request_write(c->out + c->out_len, REQUEST_BYTES, web->host,
				 o->body, o->request, !web->persistent);
	c->out_len += len;
	web->asked += len;
	c->asked[c->asked_count++] = object;
	o->state = WEB_ASKED;
}

/* The connection for the next object; NULL while none is free. */
static struct web_client *choose(struct web *web, unsigned int object)
{
	struct web_client *c = web->clients, *closed = NULL;

	/* The page comes alone; embedded objects use all connections in turn. */
	if (web->pipeline)
		return &c[object ? (object - 1) % web->connections : 0];
	for (; c < web->clients + web->connections; c++) {
		if (c->fd >= 0 && !c->asked_count)
			return c;
		if (c->fd < 0 && !c->asked_count && !closed)
			closed = c;
	}
	return closed;
}

static void ask(struct flow *flow)
{
	struct web *web = flow->own;
	/* The embedded objects are known from the page. */
	unsigned int i, known = web->done ? web->object_count : 1;
	struct web_client *c;

	for (i = 0; i < known; i++) {
		if (web->objects[i].state != WEB_WAITS)
			continue;
		c = choose(web, i);
		if (!c)
			break;
		request(web, c, i);
	}
	for (i = 0; i < web->connections; i++) {
		c = &web->clients[i];
		if (c->fd < 0 && c->asked_count)
			open_one(flow, c);
		else if (c->fd >= 0)
			send_out(flow, c);
	}
}

static void draw(struct web *web, struct web_object *o,
		 const struct empirical *bytes)
{
	o->state = WEB_WAITS;
	o->request = (uint32_t)empirical_draw(&web_request_bytes, &web->rng);
	o->body = http_body_bytes(empirical_draw(bytes, &web->rng),
				  !web->persistent);
}

void web_client_begin(struct flow *flow)
{
	struct web *web = flow->own;
	unsigned int i;

	web->due_ns = FLOW_NEVER;
	web->began_ns = run_now();
	web->before = web->received;
	web->asked = 0;
	web->done = 0;
	web->object_count =
		1 + (unsigned int)empirical_draw(web->pages->objects, &web->rng);
	for (i = 0; i < web->object_count; i++)
		draw(web, &web->objects[i],
		     i ? web->pages->object : web->pages->page);
	ask(flow);
}

void web_client_end(struct flow *flow)
{
	web_client_close(flow);
	flow->ended = true;
}

static void completed(struct flow *flow)
{
	struct web *web = flow->own;

	flow->end_ns = run_now();
	flow->received = web->received;
	web->transactions++;
	web->objects_done += web->object_count;
	fprintf(web->log, "%" PRIu64 "\t%" PRIu64 "\t%u\t%" PRIu64 "\t%" PRIu64
		"\n", web->began_ns, flow->end_ns, web->object_count,
		web->asked, web->received - web->before);
	web->due_ns = flow->end_ns + web->think_ns;
	if (web->pages->own_site)
		web_client_close(flow);
	if (flow->stopped)
		web_client_end(flow);
	else if (!web->think_ns)
		web_client_begin(flow);
}

static void came(struct flow *flow, unsigned int object)
{
	struct web *web = flow->own;

	web->objects[object].state = WEB_DONE;
	web->done++;
	if (web->done == web->object_count)
		completed(flow);
	else
		ask(flow);
}

/* An object is complete; false if the connection is closed. */
static bool object_came(struct flow *flow, struct web_client *c)
{
	struct web *web = flow->own;
	const unsigned int object = c->asked[0];
	const uint32_t tag = c->tag;

	c->in_body = false;
	c->answered = true;
	c->asked_count--;
	memmove(c->asked, c->asked + 1, c->asked_count * sizeof(*c->asked));
	if (c->head.close || !web->persistent)
		drop(web, c);
	http_head_start(&c->head, HTTP_RESPONSE);
	came(flow, object);
	return c->fd >= 0 && c->tag == tag;
}

static void head_came(struct flow *flow, struct web_client *c)
{
	struct http_head *h = &c->head;

	if (h->status < 200) {
		http_head_start(h, HTTP_RESPONSE);
		return;
	}
	if (h->status != 200)
		fail("flow %s: the server answers with status %u", flow->name,
		     h->status);
	c->in_body = true;
	c->body_left = h->length;
}

/* Bytes that remain after all expected responses. */
static void uncalled(const struct flow *flow, const struct web_client *c,
		     size_t left)
{
	const bool last = c->in_body && !c->body_left && c->asked_count == 1;

	if (left && (!c->asked_count || last))
		fail("flow %s: the server answers what nobody has asked",
		     flow->name);
}

/* Returns false if the connection is closed. */
static bool take(struct flow *flow, struct web_client *c, const char *data,
		 size_t len)
{
	size_t used;

	while (len || (c->in_body && !c->body_left)) {
		if (c->in_body) {
			used = len < c->body_left ? len : c->body_left;
			c->body_left -= used;
			uncalled(flow, c, len - used);
			if (!c->body_left && !object_came(flow, c))
				return false;
		} else {
			uncalled(flow, c, len);
			used = http_head_read(&c->head, data, len);
			if (c->head.error)
				fail("flow %s: the server sends %s", flow->name,
				     c->head.error);
			if (c->head.done)
				head_came(flow, c);
		}
		/* @data is NULL for body bytes that were discarded on arrival. */
		data = data ? data + used : NULL;
		len -= used;
	}
	return true;
}

static void sleep_until(const struct flow *flow, struct web_client *c)
{
	int bytes = 1;

	if (c->in_body && flow->lowat > 1)
		bytes = c->body_left < (uint64_t)flow->lowat ?
			(int)c->body_left : flow->lowat;
	if (bytes == c->lowat)
		return;
	c->lowat = bytes;
	if (setsockopt(c->fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof(bytes)))
		fail("flow %s: low-water mark: %s", flow->name,
		     strerror(errno));
}

static void gone(struct flow *flow, struct web_client *c)
{
	struct web *web = flow->own;

	/* An idle connection may end together with a request just sent. */
	if (c->in_body || c->head.total || (c->asked_count && !c->answered))
		fail("flow %s: the server ends a connection before it has answered",
		     flow->name);
	drop(web, c);
	ask(flow);
}

static void recv_in(struct flow *flow, struct web_client *c)
{
	struct web *web = flow->own;
	static char data[READ_BYTES];
	size_t want;
	ssize_t did;

	do {
		/* Body data need not be copied. */
		const bool body = c->in_body && c->body_left > READ_BYTES;

		want = READ_BYTES;
		if (body)
			want = c->body_left < DROP_BYTES ? c->body_left :
							   DROP_BYTES;
		did = recv(c->fd, body ? NULL : data, want,
			   body ? MSG_TRUNC : 0);
		if (did < 0 && errno == EAGAIN)
			break;
		if (did < 0)
			fail("flow %s: receive: %s", flow->name,
			     strerror(errno));
		if (!did) {
			gone(flow, c);
			return;
		}
		web->received += (uint64_t)did;
		if (!take(flow, c, body ? NULL : data, (size_t)did))
			return;
	} while ((size_t)did == want);
	sleep_until(flow, c);
}

void web_client_ready(struct flow *flow, uint32_t tag)
{
	struct web *web = flow->own;
	struct web_client *c = &web->clients[tag & WEB_TAG_SLOT];
	int error;
	socklen_t len = sizeof(error);

	if (c->fd < 0 || c->tag != tag)
		return;
	if (c->connected) {
		send_out(flow, c);
		recv_in(flow, c);
		return;
	}
	if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &len) || error)
		fail("flow %s: connect: %s", flow->name, strerror(error));
	c->connected = true;
	watch_again(flow, c, false);
	send_out(flow, c);
}

uint64_t web_client_unread(const struct flow *flow)
{
	const struct web *web = flow->own;
	uint64_t sum = 0;
	int unread;
	size_t i;

	for (i = 0; i < WEB_CLIENTS; i++) {
		if (web->clients[i].fd < 0)
			continue;
		if (ioctl(web->clients[i].fd, FIONREAD, &unread))
			fail("flow %s: FIONREAD: %s", flow->name,
			     strerror(errno));
		sum += (uint64_t)unread;
	}
	return sum;
}

void web_client_close(struct flow *flow)
{
	struct web *web = flow->own;
	size_t i;

	for (i = 0; i < WEB_CLIENTS; i++) {
		drop(web, &web->clients[i]);
		free(web->clients[i].out);
		web->clients[i].out = NULL;
	}
}
