// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* Where the engine is part of a program, so is this folder. Of no module. */
#include "ops.h"

const struct wl_3gpp_ops *wl_3gpp = &wl_3gpp_ops;
