/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_HTTP_H
#define WLAB_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The part of HTTP/1.1 (RFC 9110, RFC 9112) that web flows, curl and a proxy
 * need: GET and HEAD of /N, which is N bytes long; heads of messages whose
 * bodies, if any, have a Content-Length.
 */

#define HTTP_LINE_MAX 8192U
#define HTTP_HEAD_MAX 65536U
#define HTTP_BODY_MAX 1000000000000U

enum http_kind { HTTP_REQUEST, HTTP_RESPONSE };

/**
 * struct http_head - the head of a message, parsed incrementally
 * @kind: request or response
 * @done: it is complete
 * @error: its fault, or NULL
 * @status: of a response; for a bad request, of the answer to it
 * @close: the connection ends with this exchange
 * @head_only: a request for the head alone
 * @size: request: the N of /N
 * @length: response: bytes of the body
 * @started: the first line has been read
 * @old: HTTP/1.0
 * @keep: "Connection: keep-alive" has been read
 * @host: a Host field has been read
 * @sized: a Content-Length has been read
 * @cr: the last byte was a carriage return
 * @total: bytes of the head so far
 * @len: bytes of the line so far
 * @line: being read
 */
struct http_head {
	enum http_kind kind;
	bool done;
	const char *error;
	unsigned int status;
	bool close;
	bool head_only;
	uint64_t size;
	uint64_t length;
	bool started;
	bool old;
	bool keep;
	bool host;
	bool sized;
	bool cr;
	size_t total;
	size_t len;
	char line[HTTP_LINE_MAX + 1];
};

/**
 * http_head_start() - prepare for the head of another message
 * @head: head
 * @kind: kind of the message
 */
void http_head_start(struct http_head *head, enum http_kind kind);

/**
 * http_head_read() - parse more bytes
 * @head: started, neither done nor with an error
 * @data: received bytes
 * @len: number of bytes
 *
 * Return: how many bytes were used; all, unless the head is done or has an
 * error now.
 */
size_t http_head_read(struct http_head *head, const char *data, size_t len);

/**
 * http_request_write() - a request
 * @to: where, not ended by a NUL
 * @max: bytes there; 512 hold all but the padding
 * @host: for its Host field
 * @object: how many bytes to ask for
 * @bytes: of the request, made with padding. It is longer where what must be in
 *	it is, and up to 6 bytes shorter where there is no room for padding
 * @close: ask for the end of the connection
 *
 * Return: bytes written.
 */
size_t http_request_write(char *to, size_t max, const char *host,
			  uint64_t object, size_t bytes, bool close);

/**
 * http_response_write() - the head of a response
 * @to: where, not ended by a NUL
 * @max: bytes there, at least 128
 * @status: 200 or what http_head_read() has come to
 * @length: of the body
 * @close: say that the connection ends
 *
 * Return: bytes written.
 */
size_t http_response_write(char *to, size_t max, unsigned int status,
			   uint64_t length, bool close);

/**
 * http_body_bytes() - the body that makes a response as long as wanted
 * @bytes: of head and body
 * @close: as of http_response_write()
 *
 * Return: bytes of the body. Where none fits, since one digit more in the head
 * is one byte too many, the response is one byte short; where the head alone is
 * longer, the body is empty.
 */
uint64_t http_body_bytes(uint64_t bytes, bool close);

#endif
