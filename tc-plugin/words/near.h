/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_NEAR_H
#define _WL_NEAR_H

/**
 * wl_near() - which keyword is meant?
 * @keyword: unknown
 *
 * Return: one that differs from it in a few letters only, or NULL.
 */
const char *wl_near(const char *keyword);

#endif
