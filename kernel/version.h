/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_VERSION_H
#define _WL_VERSION_H

/* Of the module, the tools and the package; the Makefiles read it from here. */
#define WLINK_VERSION	"0.1.0"

#endif
