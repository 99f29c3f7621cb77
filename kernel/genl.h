/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_GENL_H
#define _WL_GENL_H

/**
 * wl_genl_register() - make the family known, before any qdisc
 *
 * Return: 0 or a negative errno.
 */
int wl_genl_register(void);

/**
 * wl_genl_unregister() - after all qdiscs
 */
void wl_genl_unregister(void);

#endif
