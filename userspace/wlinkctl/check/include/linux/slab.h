/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_USER_SLAB_H
#define _WL_USER_SLAB_H

#include <stddef.h>
#include <stdlib.h>

#define kvzalloc(size, flags)	calloc(1, size)
#define kvfree(mem)		free(mem)

/* Of few and small elements. */
#define flex_array_size(p, member, count)				\
	((count) * (offsetof(__typeof__(*(p)), member[1]) -		\
		    offsetof(__typeof__(*(p)), member[0])))
#define struct_size(p, member, count) \
	(sizeof(*(p)) + flex_array_size(p, member, count))

#endif
