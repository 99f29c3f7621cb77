/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_SET_H
#define _WLINKCTL_SET_H

/* One transaction, from words to the notification that it has taken effect. */

#include "wlinkctl.h"

/**
 * set_run() - change bearers of a link together
 * @ctl: the program
 * @command: for complaints
 * @argc: number of words
 * @argv: [dev] DEV [HANDLE] [bearer N] WORDS [bearer M WORDS]...
 * @wait: for the notification
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int set_run(struct wlinkctl *ctl, const char *command, int argc, char **argv,
	    bool wait);

/**
 * set_take_wait() - take --wait and --no-wait out of the words
 * @ctl: the program
 * @argc: number of words, changed
 * @argv: words, changed
 *
 * Return: what they say; without them, a batch does not wait and others do.
 */
bool set_take_wait(const struct wlinkctl *ctl, int *argc, char **argv);

#endif
