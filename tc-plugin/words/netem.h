/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_NETEM_H
#define _WL_NETEM_H

/**
 * wl_netem_hint() - what wlink has for a word of netem
 * @keyword: unknown to wlink, or "reorder"
 *
 * Return: half a sentence, or NULL for a word that is not netem's either.
 */
const char *wl_netem_hint(const char *keyword);

#endif
