/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_WEB_H
#define WLAB_WEB_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "http.h"
#include "rng.h"

struct flow;
struct plan;

#define WEB_CLIENTS 16
#define WEB_OBJECTS 141		/* a page, and what can be embedded in it */
#define WEB_SERVERS 4096

struct empirical;

/**
 * struct web_pages - what pages are made of
 * @page: bytes of the reply with the page
 * @object: bytes of a reply with an embedded object
 * @objects: number of these
 * @own_site: each page is of another site than the last
 */
struct web_pages {
	const struct empirical *page;
	const struct empirical *object;
	const struct empirical *objects;
	bool own_site;
};

enum web_state { WEB_WAITS, WEB_ASKED, WEB_DONE };

/**
 * struct web_object - a page or one of its objects
 * @state: how far it is
 * @request: bytes to ask for it with
 * @body: bytes of its body
 */
struct web_object {
	enum web_state state;
	uint32_t request;
	uint64_t body;
};

/**
 * struct web_client - a connection on the client's side
 * @fd: socket, -1 for none
 * @tag: of the socket's watch
 * @both: watched for room to write, too
 * @connected: it is
 * @answered: a response has come
 * @lowat: bytes that wake the client
 * @asked: objects whose responses are to come, in this order
 * @asked_count: how many
 * @out: requests to send
 * @out_len: bytes of them
 * @out_sent: how many of the bytes are sent
 * @in_body: the head of the response has been read
 * @body_left: bytes of its body to come
 * @head: of the response
 */
struct web_client {
	int fd;
	uint32_t tag;
	bool both;
	bool connected;
	bool answered;
	int lowat;
	unsigned int asked[WEB_OBJECTS];
	unsigned int asked_count;
	char *out;
	size_t out_len;
	size_t out_sent;
	bool in_body;
	uint64_t body_left;
	struct http_head head;
};

/**
 * struct web_server - a connection on the server's side
 * @fd: socket, -1 for none
 * @tag: of the socket's watch
 * @blocked: there was no room to write
 * @close: no more requests are answered
 * @shut: nothing is sent any more
 * @out: head of the response
 * @out_len: bytes of it
 * @out_sent: how many of them are sent
 * @body_left: bytes of the body to send after it
 * @in: what has come and is not read yet
 * @in_len: bytes of it
 * @in_used: how many of them are read
 * @head: of the request
 */
struct web_server {
	int fd;
	uint32_t tag;
	bool blocked;
	bool close;
	bool shut;
	char out[128];
	size_t out_len;
	size_t out_sent;
	uint64_t body_left;
	char in[4096];
	size_t in_len;
	size_t in_used;
	struct http_head head;
};

/**
 * struct web - what a web flow is besides a flow
 * @plan: of the run
 * @host: address of the server
 * @connections: how many the client may have
 * @pipeline: it asks for all objects at once
 * @persistent: a connection serves more than one
 * @pages: what pages are made of
 * @think_ns: pause between transactions
 * @rng: random numbers
 * @due_ns: when the next transaction begins, FLOW_NEVER while there is one
 * @began_ns: when the present one began
 * @objects: of the present one, the page first
 * @object_count: how many
 * @done: how many of them are here
 * @before: bytes received before it
 * @asked: bytes of its requests
 * @received: bytes from the server
 * @transactions: completed
 * @objects_done: in completed ones, pages included
 * @opened: connections of the client so far
 * @generation: of tags; a socket's number may be that of one closed before
 * @clients: connections of the client
 * @servers: connections of the server
 * @server_count: length of @servers
 * @log: a line a transaction
 */
struct web {
	const struct plan *plan;
	char host[INET6_ADDRSTRLEN + 2];
	unsigned int connections;
	bool pipeline;
	bool persistent;
	const struct web_pages *pages;
	uint64_t think_ns;
	struct rng rng;
	uint64_t due_ns;
	uint64_t began_ns;
	struct web_object objects[WEB_OBJECTS];
	unsigned int object_count;
	unsigned int done;
	uint64_t before;
	uint64_t asked;
	uint64_t received;
	uint64_t transactions;
	uint64_t objects_done;
	uint32_t opened;
	uint32_t generation;
	struct web_client clients[WEB_CLIENTS];
	struct web_server **servers;
	uint32_t server_count;
	FILE *log;
};

/*
 * Tags: which connection, of which generation, of which side.
 */
#define WEB_TAG_SLOT 0xfffU
#define WEB_TAG_SERVER 0x80000000U

/**
 * web_tag() - a tag for a new socket
 * @web: whose
 * @slot: which connection of its side
 *
 * Return: the tag, of the client's side.
 */
uint32_t web_tag(struct web *web, uint32_t slot);

/* The client, client.c: a transaction begins; the last one has ended; a socket is ready;
 * bytes that lie unread; close all.
 */
void web_client_begin(struct flow *flow);
void web_client_end(struct flow *flow);
void web_client_ready(struct flow *flow, uint32_t tag);
uint64_t web_client_unread(const struct flow *flow);
void web_client_close(struct flow *flow);

/* The server, server.c: wait for clients; a connection is to be accepted; a
 * socket is ready; take the figures of TCP; close all.
 */
void web_server_listen(struct flow *flow);
void web_server_accept(struct flow *flow);
void web_server_ready(struct flow *flow, uint32_t tag);
void web_server_note(struct flow *flow);
void web_server_close(struct flow *flow);

#endif
