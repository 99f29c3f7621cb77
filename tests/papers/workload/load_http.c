// SPDX-License-Identifier: GPL-2.0
/* Heads of HTTP messages: good, bad, in pieces, one behind the other, huge and
 * damaged. Run with sanitizers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "web/http.h"
#include "rng.h"
#include "ut.h"

#define HOST "Host: a\r\n"

struct want {
	const char *text;
	enum http_kind kind;
	unsigned int status;	/* of the error; of a good response */
	bool good;
	bool close;
	bool head_only;
	uint64_t number;	/* size or length */
};

#define GOOD(text, ...) { text, HTTP_REQUEST, 0, true, __VA_ARGS__ }
#define BAD(text, status) { text, HTTP_REQUEST, status, false }
#define REPLY(text, status, ...) { text, HTTP_RESPONSE, status, true, __VA_ARGS__ }
#define NO_REPLY(text) { text, HTTP_RESPONSE, 0, false }

static const struct want wants[] = {
	GOOD("GET /0 HTTP/1.1\r\n" HOST "\r\n", .number = 0),
	GOOD("GET /7231 HTTP/1.1\r\n" HOST "X: yyyy\r\n\r\n", .number = 7231),
	GOOD("GET /12?x=y HTTP/1.1\r\n" HOST "\r\n", .number = 12),
	GOOD("GET http://a:80/12 HTTP/1.1\r\n" HOST "\r\n", .number = 12),
	GOOD("HEAD /5 HTTP/1.1\r\nhOST:a\r\n\r\n", .head_only = true, .number = 5),
	GOOD("GET /5 HTTP/1.0\r\n\r\n", .close = true, .number = 5),
	GOOD("GET /5 HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", .number = 5),
	GOOD("GET /5 HTTP/1.1\r\n" HOST "Connection: TE,\tClose\r\n\r\n",
	     .close = true, .number = 5),
	GOOD("GET /5 HTTP/1.1\r\n" HOST "Connection: closed\r\n\r\n", .number = 5),
	GOOD("GET /5 HTTP/1.1\n" HOST "\n", .number = 5),
	GOOD("\r\n\r\nGET /5 HTTP/1.1\r\n" HOST "\r\n", .number = 5),
	GOOD("GET /5 HTTP/1.1\r\n" HOST "Content-Length: 0\r\n\r\n", .number = 5),
	GOOD("GET /1000000000000 HTTP/1.1\r\n" HOST "Empty:\r\n\r\n",
	     .number = HTTP_BODY_MAX),
	BAD("GET /5\r\n", 400),
	BAD("GET  HTTP/1.1\r\n", 400),
	BAD(" /5 HTTP/1.1\r\n", 400),
	BAD("GET /5 HTTP/1.1 \r\n", 400),
	BAD("GET /5 6 HTTP/1.1\r\n", 400),
	BAD("GET /5 http/1.1\r\n", 400),
	BAD("GET /5 HTTP/11\r\n", 400),
	BAD("GET /5 HTTP/2.0\r\n", 505),
	BAD("POST /5 HTTP/1.1\r\n", 501),
	BAD("get /5 HTTP/1.1\r\n", 501),
	BAD("GET / HTTP/1.1\r\n", 404),
	BAD("GET /5x HTTP/1.1\r\n", 404),
	BAD("GET /-5 HTTP/1.1\r\n", 404),
	BAD("GET 5 HTTP/1.1\r\n", 404),
	BAD("GET http://a HTTP/1.1\r\n", 404),
	BAD("GET /1000000000001 HTTP/1.1\r\n", 404),
	BAD("GET /99999999999999999999999999 HTTP/1.1\r\n", 404),
	BAD("GET /5 HTTP/1.1\r\n\r\n", 400),
	BAD("GET /5 HTTP/1.1\r\n" HOST HOST, 400),
	BAD("GET /5 HTTP/1.1\r\nHost : a\r\n", 400),
	BAD("GET /5 HTTP/1.1\r\n" HOST " folded\r\n", 400),
	BAD("GET /5 HTTP/1.1\r\nno colon\r\n", 400),
	BAD("GET /5 HTTP/1.1\r\n: x\r\n", 400),
	BAD("GET /5 HTTP/1.1\r\r", 400),
	BAD("GET /5\x01", 400),
	BAD("GET /5 HTTP/1.1\r\n" HOST "X: \x7f", 400),
	BAD("GET /5 HTTP/1.1\r\n" HOST "Content-Length: 1\r\n\r\n", 413),
	BAD("GET /5 HTTP/1.1\r\n" HOST "Content-Length: -1\r\n", 400),
	BAD("GET /5 HTTP/1.1\r\n" HOST "Content-Length: 0, 0\r\n", 400),
	BAD("GET /5 HTTP/1.1\r\n" HOST
	    "Content-Length: 1\r\nContent-Length: 2\r\n", 400),
	BAD("GET /5 HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n", 501),
	REPLY("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", 200, .number = 9),
	REPLY("HTTP/1.1 200\r\ncontent-length:9 \r\n\r\n", 200, .number = 9),
	REPLY("HTTP/1.0 200 OK\r\nContent-Length: 9\r\n\r\n", 200, .close = true,
	      .number = 9),
	REPLY("HTTP/1.1 100 Continue\r\n\r\n", 100, .number = 0),
	REPLY("HTTP/1.1 404 \r\nContent-Length: 9\r\nContent-Length: 9\r\n\r\n",
	      404, .number = 9),
	NO_REPLY("HTTP/1.1 200 OK\r\n\r\n"),
	NO_REPLY("HTTP/1.1 20 OK\r\n"),
	NO_REPLY("HTTP/1.1 2000 OK\r\n"),
	NO_REPLY("HTTP/1.1\r\n"),
	NO_REPLY("<html>\r\n"),
	NO_REPLY("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"),
	NO_REPLY("HTTP/1.1 200 OK\r\nContent-Length: 1x\r\n"),
};

static struct http_head head;

/* What has come of a message, to compare one way of reading with another. */
struct outcome {
	bool done;
	const char *error;
	unsigned int status;
	bool close;
	bool head_only;
	uint64_t size;
	uint64_t length;
	size_t used;
};

/* Reads pieces of @step bytes, the first of @first. Each is in memory of its
 * own, so that a look beyond it is found.
 */
static struct outcome feed(enum http_kind kind, const char *text, size_t len,
			   size_t first, size_t step)
{
	struct outcome o = { 0 };
	size_t at = 0, n = first;
	char *piece;

	http_head_start(&head, kind);
	while (at < len && !head.done && !head.error) {
		if (n > len - at)
			n = len - at;
		piece = malloc(n);
		memcpy(piece, text + at, n);
		at += http_head_read(&head, piece, n);
		free(piece);
		n = step;
	}
	o.done = head.done;
	o.error = head.error;
	o.status = head.status;
	o.close = head.close;
	o.head_only = head.head_only;
	o.size = head.size;
	o.length = head.length;
	o.used = at;
	return o;
}

static bool same(const struct outcome *a, const struct outcome *b)
{
	return a->done == b->done && a->error == b->error &&
	       a->status == b->status && a->close == b->close &&
	       a->head_only == b->head_only && a->size == b->size &&
	       a->length == b->length && a->used == b->used;
}

static void messages(void)
{
	size_t i, n, len;

	for (i = 0; i < sizeof(wants) / sizeof(wants[0]); i++) {
		const struct want *w = &wants[i];
		struct outcome o, split;
		uint64_t number;

		len = strlen(w->text);
		o = feed(w->kind, w->text, len, len, 1);
		number = w->kind == HTTP_REQUEST ? o.size : o.length;
		ut_begin("message %zu: %s", i + 1, w->good ? "read" : o.error ?
			 o.error : "refused");
		CHECK_EQ(o.done, w->good);
		CHECK_EQ(!o.error, w->good);
		if (w->good || w->kind == HTTP_REQUEST)
			CHECK_EQ(o.status, w->status);
		CHECK_EQ(o.used, len);
		if (w->good) {
			CHECK_EQ(o.close, w->close);
			CHECK_EQ(o.head_only, w->head_only);
			CHECK_EQ(number, w->number);
		}
		/* However it is cut in two, and in single bytes. */
		for (n = 1; n <= len; n++) {
			split = feed(w->kind, w->text, len, n, len);
			CHECK(same(&o, &split));
		}
		split = feed(w->kind, w->text, len, 1, 1);
		CHECK(same(&o, &split));
	}
}

static void pipelined(void)
{
	static const char text[] = "GET /1 HTTP/1.1\r\n" HOST "\r\n"
		"GET /2 HTTP/1.1\r\n" HOST "\r\n"
		"GET /3 HTTP/1.1\r\n" HOST "\r\nrest";
	const size_t one = (sizeof(text) - 5) / 3;
	struct outcome o;
	size_t i;

	ut_begin("requests behind each other are taken one by one");
	for (i = 0; i < 3; i++) {
		o = feed(HTTP_REQUEST, text + i * one, sizeof(text) - 1 - i * one,
			 sizeof(text), 1);
		CHECK(o.done);
		CHECK_EQ(o.size, i + 1);
		CHECK_EQ(o.used, one);
	}
}

/* "GET /5 HTTP/1.1", Host, and then @count fields of @len bytes each, or
 * @len bytes in the first line itself where there are none.
 */
static struct outcome huge(size_t count, size_t len)
{
	char *text = malloc(256 + (count + 1) * (len + 2)), *at = text;
	struct outcome o;
	size_t i;

	at += sprintf(at, "GET /5?");
	if (!count) {
		memset(at, 'x', len - strlen("GET /5? HTTP/1.1"));
		at += len - strlen("GET /5? HTTP/1.1");
	}
	at += sprintf(at, " HTTP/1.1\r\n" HOST);
	for (i = 0; i < count; i++) {
		memset(at, 'x', len);
		at[1] = ':';
		at += len;
		at += sprintf(at, "\r\n");
	}
	at += sprintf(at, "\r\n");
	o = feed(HTTP_REQUEST, text, (size_t)(at - text), 4096, 4096);
	free(text);
	return o;
}

static void huge_heads(void)
{
	ut_begin("huge lines and heads are read up to the bounds, refused above");
	CHECK(huge(0, HTTP_LINE_MAX).done);
	CHECK_EQ(huge(0, HTTP_LINE_MAX + 1).status, 414);
	CHECK_EQ(huge(0, 100 * HTTP_LINE_MAX).status, 414);
	CHECK(huge(1, HTTP_LINE_MAX).done);
	CHECK_EQ(huge(1, HTTP_LINE_MAX + 1).status, 431);
	CHECK(huge(7, HTTP_LINE_MAX).done);
	CHECK_EQ(huge(8, HTTP_LINE_MAX).status, 431);
	CHECK(huge(10000, 4).done);
	CHECK_EQ(huge(100000, 4).status, 431);
}

/* A sound reader of damaged text: bounded, and the same in pieces. */
static void damaged(void)
{
	const size_t count = sizeof(wants) / sizeof(wants[0]);
	struct rng rng = { .state = 1 };
	struct outcome whole, pieces;
	char text[256];
	size_t i, k, len, n;

	ut_begin("100000 damaged messages are the same whole and in pieces");
	for (i = 0; i < 100000; i++) {
		const struct want *w = &wants[rng_next(&rng) % count];

		len = strlen(w->text);
		memcpy(text, w->text, len);
		for (k = rng_next(&rng) % 4 + 1; k; k--) {
			n = rng_next(&rng) % len;
			if (rng_next(&rng) % 2)
				text[n] = (char)rng_next(&rng);
			else
				text[n] = "\r\n :/0"[rng_next(&rng) % 6];
		}
		whole = feed(w->kind, text, len, len, 1);
		pieces = feed(w->kind, text, len, rng_next(&rng) % 9 + 1,
			      rng_next(&rng) % 9 + 1);
		CHECK(same(&whole, &pieces));
		CHECK(!(whole.done && whole.error));
		CHECK(whole.done || whole.error || whole.used == len);
		CHECK(!whole.error || w->kind != HTTP_REQUEST ||
		      whole.status >= 400);
	}
}

static void requests(void)
{
	struct outcome o;
	char text[2048];
	size_t bytes, len;
	int close;

	ut_begin("requests are as long as the model says and read as written");
	for (bytes = 0; bytes <= 1373; bytes++) {
		for (close = 0; close < 2; close++) {
			len = http_request_write(text, sizeof(text), "10.0.1.1",
						 1636039, bytes, close);
			o = feed(HTTP_REQUEST, text, len, len, 1);
			CHECK(o.done && o.size == 1636039 && o.used == len);
			CHECK_EQ(o.close, close);
			if (bytes >= (close ? 72 : 53))
				CHECK(len <= bytes && len + 6 >= bytes);
		}
	}
	CHECK_EQ(http_request_write(text, sizeof(text), "a", 1, 1u << 20, false),
		 sizeof(text));
}

static void responses(void)
{
	const uint64_t least[] = { 38, 57 };
	uint64_t bytes, body, whole;
	struct outcome o;
	char text[128];
	size_t len;
	int close, exact = 0;

	ut_begin("responses are as long as the model says, less a byte at most");
	for (bytes = 0; bytes < 20000; bytes++) {
		for (close = 0; close < 2; close++) {
			body = http_body_bytes(bytes, close);
			len = http_response_write(text, sizeof(text), 200, body,
						  close);
			whole = len + body;
			exact += whole == bytes;
			if (bytes < least[close])
				CHECK_EQ(body, 0);
			else
				CHECK(whole == bytes || whole + 1 == bytes);
			o = feed(HTTP_RESPONSE, text, len, len, 1);
			CHECK(o.done && o.length == body && o.used == len);
			CHECK_EQ(o.status, 200);
			CHECK_EQ(o.close, close);
		}
	}
	/* Four lengths have no body: where it grows by a digit, each way. */
	CHECK_EQ(exact, 2 * 20000 - 38 - 57 - 2 * 4);
}

TEST(http)
{
	messages();
	pipelined();
	huge_heads();
	damaged();
	requests();
	responses();
}
