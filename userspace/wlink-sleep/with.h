/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINK_SLEEP_WITH_H
#define _WLINK_SLEEP_WITH_H

#include <stdbool.h>
#include <stddef.h>

/* Conditions that a process sets for itself; a run has a set of them. */
enum with_bit { WITH_TIMERSLACK = 1, WITH_FIFO = 2, WITH_RR = 4, WITH_MLOCKALL = 8 };

#define RT_PRIORITY 50

/**
 * with_parse() - read "plain" or names joined by '+'
 * @text: the names
 * @len: length of @text
 *
 * Return: a set of enum with_bit, or -1 for what is none.
 */
int with_parse(const char *text, size_t len);

/**
 * with_name() - the reverse
 * @set: of enum with_bit
 * @buf: room for the name
 * @size: of @buf
 *
 * Return: @buf
 */
const char *with_name(int set, char *buf, size_t size);

/**
 * with_apply() - set the conditions for this process and those it makes
 * @set: of enum with_bit
 * @why: what is lacking, where it fails
 * @size: of @why
 */
bool with_apply(int set, char *why, size_t size);

#endif
