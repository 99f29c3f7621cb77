// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>

#include "wlinkctl.h"

void complain(const char *format, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("wlinkctl: ", stderr);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
}
