/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_USER_NOSPEC_H
#define _WL_USER_NOSPEC_H

/* What could be found by speculation is the user's own. */
#define array_index_nospec(index, size)	(index)

#endif
