// SPDX-License-Identifier: GPL-2.0
/* libmnl's sockets, whose kernel says what the fuzzer wants. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include <libmnl/libmnl.h>

#include "fuzz.h"

static const uint8_t *next;
static size_t left;

/* Always readable. */
static int ready = -1;

void fuzz_kernel(const uint8_t *data, size_t size)
{
	next = data;
	left = size;
	if (ready < 0)
		ready = eventfd(1, EFD_CLOEXEC);
}

struct mnl_socket *mnl_socket_open2(int bus, int flags)
{
	return malloc(1);
}

int mnl_socket_bind(struct mnl_socket *nl, unsigned int groups, pid_t pid)
{
	return 0;
}

int mnl_socket_setsockopt(const struct mnl_socket *nl, int type, void *buf,
			  socklen_t len)
{
	return 0;
}

ssize_t mnl_socket_sendto(const struct mnl_socket *nl, const void *buf,
			  size_t len)
{
	return (ssize_t)len;
}

ssize_t mnl_socket_recvfrom(const struct mnl_socket *nl, void *buf, size_t len)
{
	uint16_t bytes;

	if (left < sizeof(bytes)) {
		errno = EIO;
		return -1;
	}
	memcpy(&bytes, next, sizeof(bytes));
	next += sizeof(bytes);
	left -= sizeof(bytes);
	if (bytes > left)
		bytes = (uint16_t)left;
	if (len > bytes)
		len = bytes;
	memcpy(buf, next, len);
	next += bytes;
	left -= bytes;
	return (ssize_t)len;
}

int mnl_socket_get_fd(const struct mnl_socket *nl)
{
	return ready;
}

unsigned int mnl_socket_get_portid(const struct mnl_socket *nl)
{
	return 1000;
}

int mnl_socket_close(struct mnl_socket *nl)
{
	free(nl);
	return 0;
}
