/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_3GPP_OPS_H
#define _WL_3GPP_OPS_H

#include "../3gpp.h"

extern const struct wl_3gpp_ops wl_3gpp_ops;

#endif
