/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_SIGNALS_H
#define _WLINKCTL_SIGNALS_H

/* Signals that are read like other input, for commands that run long. */

#include <signal.h>
#include <stddef.h>

/**
 * struct signals - signals that do nothing by themselves
 * @fd: readable when there is one
 * @old: mask as it was found
 */
struct signals {
	int fd;
	sigset_t old;
};

/**
 * signals_open() - take signals
 * @signals: result
 * @numbers: which
 * @n: how many
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int signals_open(struct signals *signals, const int *numbers, size_t n);

/**
 * signals_next() - read a signal
 * @signals: signals
 *
 * Return: its number, 0 if there is none.
 */
int signals_next(const struct signals *signals);

/**
 * signals_close() - give the signals back, forget those that are unread
 * @signals: signals
 */
void signals_close(struct signals *signals);

#endif
