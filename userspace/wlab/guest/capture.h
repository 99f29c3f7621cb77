/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_CAPTURE_H
#define WLAB_CAPTURE_H

#include <stdbool.h>
#include <sys/statvfs.h>

/* What the rest of a run may need of a disk. */
#define CAPTURE_FREE_BYTES (128ULL << 20)

/* Whether the disk of a file has room for a capture as well: it must fill none, for then all the
 * rest would fail.
 */
static inline bool capture_has_room(int fd)
{
	struct statvfs st;

	return fstatvfs(fd, &st) || st.f_bavail * st.f_frsize >= CAPTURE_FREE_BYTES;
}

#endif
