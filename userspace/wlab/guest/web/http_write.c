// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "http.h"

#define CLOSE "Connection: close\r\n"
#define PADDING "X: "

size_t http_request_write(char *to, size_t max, const char *host,
			  uint64_t object, size_t bytes, bool close)
{
	/* The end, including an empty padding field. */
	const size_t rest = strlen(PADDING "\r\n\r\n");
	size_t len;

	len = (size_t)snprintf(to, max, "GET /%" PRIu64 " HTTP/1.1\r\nHost: %s\r\n%s",
			       object, host, close ? CLOSE : "");
	if (bytes > max)
		bytes = max;
	if (len + rest <= bytes) {
		memcpy(to + len, PADDING, strlen(PADDING));
		len += strlen(PADDING);
		memset(to + len, 'x', bytes - len - 4);
		len = bytes - 4;
		memcpy(to + len, "\r\n", 2);
		len += 2;
	}
	memcpy(to + len, "\r\n", 2);
	return len + 2;
}

static const char *phrase(unsigned int status)
{
	switch (status) {
	case 200:
		return "OK";
	case 404:
		return "Not Found";
	case 413:
		return "Content Too Large";
	case 414:
		return "URI Too Long";
	case 431:
		return "Request Header Fields Too Large";
	case 501:
		return "Not Implemented";
	case 505:
		return "HTTP Version Not Supported";
	default:
		return "Bad Request";
	}
}

size_t http_response_write(char *to, size_t max, unsigned int status,
			   uint64_t length, bool close)
{
	return (size_t)snprintf(to, max, "HTTP/1.1 %u %s\r\nContent-Length: %"
				PRIu64 "\r\n%s\r\n", status, phrase(status),
				length, close ? CLOSE : "");
}

static uint64_t whole(uint64_t body, bool close)
{
	char head[128];

	return http_response_write(head, sizeof(head), 200, body, close) + body;
}

uint64_t http_body_bytes(uint64_t bytes, bool close)
{
	const uint64_t least = whole(bytes, close) - bytes;
	uint64_t body = bytes > least ? bytes - least : 0;

	/* A smaller body may have fewer digits. */
	while (whole(body + 1, close) <= bytes)
		body++;
	return body;
}
