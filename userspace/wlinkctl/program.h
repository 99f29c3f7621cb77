/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _PROGRAM_H
#define _PROGRAM_H

/* Commands that are programs of their own, wlinkctl-COMMAND. */

#include <stddef.h>

#include "wlinkctl.h"

/**
 * program_find() - look for a command's program
 * @command: as typed
 * @path: result: beside wlinkctl itself, else in ../libexec/wlink
 * @size: room there
 *
 * Return: whether there is one.
 */
bool program_find(const char *command, char *path, size_t size);

/**
 * program_run() - run it with --json if that was asked for and the words behind the command
 * @ctl: the program; in a batch the other one is waited for, else it takes this one's place
 * @path: of the other one
 * @argc: number of words
 * @argv: words
 *
 * It finds the path of this wlinkctl in its environment, as WLINKCTL.
 *
 * Return: its exit code, or EXIT_USAGE after a complaint.
 */
int program_run(const struct wlinkctl *ctl, char *path, int argc, char **argv);

#endif
