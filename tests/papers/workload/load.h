/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LOAD_H
#define _LOAD_H

/* load_draw.c: what workloads draw. load_http.c: what they read and write. */
void load_draw(void);
void load_http(void);

#endif
