// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
#include "tm.h"

u64 wl_tm_expiry_ns(const struct wl_bearer *b)
{
	return b->ops ? WL_NEVER_NS : wl_buffer_discard_ns(b);
}
