// SPDX-License-Identifier: GPL-2.0
/* The server of a web flow: /N is N bytes long, and requests of a connection are
 * answered in order. It reads no request while it has data to send.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "flow/flow.h"
#include "run/plan.h"
#include "web.h"

#define BODY_BYTES (256U << 10)
#define BACKLOG 128

static const char zeros[BODY_BYTES];

void web_server_listen(struct flow *flow)
{
	flow->listener = tcp_socket(flow, &flow->src);
	if (listen(flow->listener, BACKLOG))
		fail("flow %s: listen: %s", flow->name, strerror(errno));
	watch_add(flow->listener, flow, WATCH_LISTEN, 0);
}

static struct web_server *slot(struct flow *flow)
{
	struct web *web = flow->own;
	struct web_server *s = NULL;
	uint32_t i;

	for (i = 0; i < web->server_count; i++)
		if (web->servers[i]->fd < 0)
			break;
	if (i == WEB_SERVERS)
		fail("flow %s: more than %d connections to the server",
		     flow->name, WEB_SERVERS);
	if (i == web->server_count) {
		web->servers = realloc(web->servers, (i + 1) * sizeof(s));
		s = malloc(sizeof(*s));
		if (!web->servers || !s)
			fail("out of memory");
		web->servers[web->server_count++] = s;
	}
	s = web->servers[i];
	memset(s, 0, sizeof(*s));
	s->tag = WEB_TAG_SERVER | web_tag(web, i);
	http_head_start(&s->head, HTTP_REQUEST);
	return s;
}

void web_server_accept(struct flow *flow)
{
	struct web_server *s;
	int fd;

	for (;;) {
		fd = accept4(flow->listener, NULL, NULL,
			     SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0 && (errno == EAGAIN || errno == ECONNABORTED))
			return;
		if (fd < 0)
			fail("flow %s: accept: %s", flow->name,
			     strerror(errno));
		tcp_nodelay(flow, fd);
		s = slot(flow);
		s->fd = fd;
		watch_add(fd, flow, WATCH_RECV, s->tag);
	}
}

static void drop(struct flow *flow, struct web_server *s)
{
	tcp_note(flow, s->fd);
	close(s->fd);
	s->fd = -1;
}

static void answer(struct web_server *s)
{
	const struct http_head *h = &s->head;
	const unsigned int status = h->error ? h->status : 200;
	const uint64_t body = h->error ? 0 : h->size;

	s->close = h->error || h->close;
	s->body_left = h->head_only ? 0 : body;
	s->out_len = http_response_write(s->out, sizeof(s->out), status, body,
					 s->close);
	s->out_sent = 0;
	http_head_start(&s->head, HTTP_REQUEST);
}

static bool pending(const struct web_server *s)
{
	return s->out_sent < s->out_len || s->body_left;
}

/* Returns false if nothing more can be sent now, or the connection is closed. */
static bool send_out(struct flow *flow, struct web_server *s)
{
	while (pending(s)) {
		const size_t body = s->body_left < BODY_BYTES ? s->body_left :
								BODY_BYTES;
		struct iovec iov[] = {
			{ s->out + s->out_sent, s->out_len - s->out_sent },
			{ (void *)zeros, body },
		};
		struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };
		ssize_t did = sendmsg(s->fd, &msg, MSG_NOSIGNAL);
		size_t head = iov[0].iov_len;

		if (did < 0 && errno != EAGAIN) {
			drop(flow, s);
			return false;
		}
		if (did < 0)
			break;
		flow->sent += (uint64_t)did;
		if ((size_t)did < head)
			head = (size_t)did;
		s->out_sent += head;
		s->body_left -= (uint64_t)did - head;
		/* A short write means a full socket. */
		if ((size_t)did < iov[0].iov_len + body)
			break;
	}
	if (s->blocked != pending(s)) {
		s->blocked = !s->blocked;
		watch_change(s->fd, flow, s->blocked ? WATCH_SEND : WATCH_RECV,
			     s->tag);
	}
	return !s->blocked;
}

/* Returns false if there is nothing to read now, or the connection is closed. */
static bool recv_in(struct flow *flow, struct web_server *s)
{
	ssize_t did = recv(s->fd, s->in, sizeof(s->in), 0);

	if (did < 0 && errno == EAGAIN)
		return false;
	if (did <= 0) {
		drop(flow, s);
		return false;
	}
	s->in_len = (size_t)did;
	s->in_used = 0;
	return true;
}

void web_server_ready(struct flow *flow, uint32_t tag)
{
	struct web *web = flow->own;
	struct web_server *s = web->servers[tag & WEB_TAG_SLOT];

	if (s->fd < 0 || s->tag != tag)
		return;
	while (send_out(flow, s)) {
		if (s->close && !s->shut) {
			shutdown(s->fd, SHUT_WR);
			s->shut = true;
		}
		if (s->in_used == s->in_len && !recv_in(flow, s))
			return;
		/* What follows the last request is read and forgotten: closing
		 * over it would reset the connection, response and all.
		 */
		if (s->close) {
			s->in_used = s->in_len;
			continue;
		}
		s->in_used += http_head_read(&s->head, s->in + s->in_used,
					     s->in_len - s->in_used);
		if (s->head.done || s->head.error)
			answer(s);
	}
}

void web_server_note(struct flow *flow)
{
	const struct web *web = flow->own;
	uint32_t i;

	for (i = 0; i < web->server_count; i++)
		if (web->servers[i]->fd >= 0)
			tcp_note(flow, web->servers[i]->fd);
}

void web_server_close(struct flow *flow)
{
	struct web *web = flow->own;
	uint32_t i;

	for (i = 0; i < web->server_count; i++) {
		if (web->servers[i]->fd >= 0)
			close(web->servers[i]->fd);
		free(web->servers[i]);
	}
	free(web->servers);
	web->servers = NULL;
	web->server_count = 0;
}
