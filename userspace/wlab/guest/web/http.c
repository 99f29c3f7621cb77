// SPDX-License-Identifier: GPL-2.0
/* Parses heads of messages. All that RFC 9112 allows to refuse is refused: two
 * parsers must never read one message differently.
 */
#include <string.h>
#include <strings.h>

#include "http.h"

void http_head_start(struct http_head *head, enum http_kind kind)
{
	/* All but the line, which is large and need not be cleared. */
	memset(head, 0, offsetof(struct http_head, line));
	head->kind = kind;
}

static void bad(struct http_head *h, unsigned int status, const char *error)
{
	h->error = error;
	if (h->kind == HTTP_REQUEST)
		h->status = status;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* RFC 9110, 5.6.2 */
static bool is_token(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c && strchr("!#$%&'*+-.^_`|~", c));
}

/* Reads the digits at *@at and steps over them; false for none or too many. */
static bool number(const char **at, uint64_t *n)
{
	if (!is_digit(**at))
		return false;
	for (*n = 0; is_digit(**at); (*at)++) {
		*n = *n * 10 + (uint64_t)(**at - '0');
		if (*n > HTTP_BODY_MAX)
			return false;
	}
	return true;
}

/* "HTTP/1.x" at the start of @w, and what must follow it */
static bool version(struct http_head *h, const char *w, char after)
{
	if (strncmp(w, "HTTP/", 5) || !is_digit(w[5]) || w[6] != '.' ||
	    !is_digit(w[7]) || w[8] != after) {
		bad(h, 400, "no HTTP version where one must be");
		return false;
	}
	if (w[5] != '1') {
		bad(h, 505, "an HTTP version other than 1.0 and 1.1");
		return false;
	}
	h->old = w[7] == '0';
	return true;
}

/* The target is a path or, for a proxy, a whole address. */
static void target(struct http_head *h, const char *w)
{
	if (!strncasecmp(w, "http://", 7)) {
		w = strchr(w + 7, '/');
		if (!w)
			w = "";
	}
	if (*w++ != '/' || !number(&w, &h->size) || (*w && *w != '?'))
		bad(h, 404, "a path other than / and a number of bytes");
}

static void request_line(struct http_head *h)
{
	char *path = strchr(h->line, ' ');
	char *last = path ? strchr(path + 1, ' ') : NULL;

	if (!last || path == h->line || last == path + 1) {
		bad(h, 400, "a request line without method, path or version");
		return;
	}
	if (!version(h, last + 1, '\0'))
		return;
	*path++ = '\0';
	*last = '\0';
	if (!strcmp(h->line, "HEAD"))
		h->head_only = true;
	else if (strcmp(h->line, "GET"))
		bad(h, 501, "a method other than GET and HEAD");
	if (!h->error)
		target(h, path);
}

static void status_line(struct http_head *h)
{
	const char *w = h->line + 9;

	if (!version(h, h->line, ' '))
		return;
	if (!is_digit(w[0]) || !is_digit(w[1]) || !is_digit(w[2]) ||
	    (w[3] && w[3] != ' ')) {
		bad(h, 0, "no status of three digits");
		return;
	}
	h->status = (unsigned int)(w[0] - '0') * 100 +
		    (unsigned int)(w[1] - '0') * 10 + (unsigned int)(w[2] - '0');
}

static void first_line(struct http_head *h)
{
	h->started = true;
	if (h->kind == HTTP_REQUEST)
		request_line(h);
	else
		status_line(h);
}

/* A list of tokens, as in "close, TE" */
static void connection(struct http_head *h, const char *w)
{
	size_t n;

	while (*w) {
		n = strcspn(w, ", \t");
		if (n == 5 && !strncasecmp(w, "close", n))
			h->close = true;
		if (n == 10 && !strncasecmp(w, "keep-alive", n))
			h->keep = true;
		w += n;
		w += strspn(w, ", \t");
	}
}

static void content_length(struct http_head *h, const char *w)
{
	const uint64_t before = h->length;

	if (!number(&w, &h->length) || *w)
		bad(h, 400, "a Content-Length that is no number or too large");
	else if (h->sized && h->length != before)
		bad(h, 400, "two different Content-Length");
	h->sized = true;
}

static void field_line(struct http_head *h)
{
	char *colon = strchr(h->line, ':'), *value, *end;
	const char *c;

	if (!colon || colon == h->line) {
		bad(h, 400, "a field without name or colon");
		return;
	}
	/* A space before the colon or a continued line ends here, too. */
	for (c = h->line; c < colon; c++) {
		if (!is_token(*c)) {
			bad(h, 400, "a field with a bad name");
			return;
		}
	}
	*colon = '\0';
	value = colon + 1 + strspn(colon + 1, " \t");
	end = value + strlen(value);
	while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	if (!strcasecmp(h->line, "Connection")) {
		connection(h, value);
	} else if (!strcasecmp(h->line, "Content-Length")) {
		content_length(h, value);
	} else if (!strcasecmp(h->line, "Transfer-Encoding")) {
		bad(h, 501, "a transfer coding");
	} else if (!strcasecmp(h->line, "Host")) {
		if (h->host)
			bad(h, 400, "two Host fields");
		h->host = true;
	}
}

static void end_of_head(struct http_head *h)
{
	h->close |= h->old && !h->keep;
	if (h->kind == HTTP_REQUEST && !h->old && !h->host)
		bad(h, 400, "no Host field");
	else if (h->kind == HTTP_REQUEST && h->length)
		bad(h, 413, "a request with a body");
	else if (h->kind == HTTP_RESPONSE && h->status == 200 && !h->sized)
		bad(h, 0, "a response without Content-Length");
	else
		h->done = true;
}

static void end_of_line(struct http_head *h)
{
	h->line[h->len] = '\0';
	/* Empty lines before the first are skipped: RFC 9112, 2.2. */
	if (!h->started && h->len)
		first_line(h);
	else if (h->started && h->len)
		field_line(h);
	else if (h->started)
		end_of_head(h);
	h->len = 0;
	h->cr = false;
}

static void take(struct http_head *h, char c)
{
	if (++h->total > HTTP_HEAD_MAX)
		bad(h, 431, "a head that is too large");
	else if (c == '\n')
		end_of_line(h);
	else if (h->cr)
		bad(h, 400, "a carriage return within a line");
	else if (c == '\r')
		h->cr = true;
	else if ((unsigned char)c < ' ' ? c != '\t' : c == 0x7f)
		bad(h, 400, "a control character");
	else if (h->len == HTTP_LINE_MAX)
		bad(h, h->started ? 431 : 414, "a line that is too long");
	else
		h->line[h->len++] = c;
}

size_t http_head_read(struct http_head *head, const char *data, size_t len)
{
	size_t used = 0;

	while (used < len && !head->done && !head->error)
		take(head, data[used++]);
	return used;
}
