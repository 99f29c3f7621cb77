// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* For programs, which link the engine and 3gpp/ together; in neither module. */
#include "ops.h"

const struct wl_3gpp_ops *wl_3gpp = &wl_3gpp_ops;
