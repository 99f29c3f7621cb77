/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_TERM_H
#define _WLINKCTL_TERM_H

/* A terminal that shows one picture after the other. */

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/**
 * struct term - the terminal of standard output
 * @live: there is one
 * @keys: standard input is one, too
 * @old: as @keys was found
 */
struct term {
	bool live;
	bool keys;
	struct termios old;
};

/**
 * term_open() - take the terminal: another screen, no cursor, single keys
 * @term: result
 *
 * Where standard output is none, nothing is done.
 */
void term_open(struct term *term);

/**
 * term_close() - give it back as it was
 * @term: terminal
 */
void term_close(const struct term *term);

/**
 * term_size() - how much there is room for
 * @width: of a line; 0 for any where there is no terminal
 * @height: lines; 0 for any
 */
void term_size(size_t *width, size_t *height);

/**
 * term_key() - read a key
 * @term: terminal
 *
 * Return: the key, 0 if there is none, -1 if there will be none.
 */
int term_key(struct term *term);

#endif
