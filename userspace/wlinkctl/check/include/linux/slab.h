/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_USER_SLAB_H
#define _WL_USER_SLAB_H

#include <stdlib.h>

#define kvzalloc(size, flags)	calloc(1, size)
#define kvfree(mem)		free(mem)

/* Of few and small elements. */
#define flex_array_size(p, member, count) ((count) * sizeof(*(p)->member))
#define struct_size(p, member, count) \
	(sizeof(*(p)) + flex_array_size(p, member, count))

#endif
