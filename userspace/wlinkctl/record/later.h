/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RECORD_LATER_H
#define _WLINKCTL_RECORD_LATER_H

/* A file whose lines are made when the recording is over: until then the kernel's
 * pages are kept as they are in a raw file beside it, which costs the link least.
 */

#include "record/out.h"

/**
 * struct record_later - a file without its lines
 * @path: it
 * @raw_path: the raw file; NULL if there is none
 * @file: where lines will go
 */
struct record_later {
	const char *path;
	char *raw_path;
	struct record_out file;
};

/**
 * record_later_can() - find out if a file can wait for its lines
 * @path: file, or - for standard output
 *
 * Return: false if somebody may read it at once: standard output, a pipe, a
 * device.
 */
bool record_later_can(const char *path);

/**
 * record_later_open() - open both files
 * @later: result
 * @raw: result, the raw file; it must not be there
 * @path: the file that the lines are for, whose old contents are lost
 * @signals: that ask for the end
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int record_later_open(struct record_later *later, struct record_out *raw,
		      const char *path, const struct signals *signals);

/**
 * record_later_end() - make the lines and remove the raw file
 * @later: file
 * @raw: raw file, closed
 * @began: there was something to record; if not nothing is made
 *
 * Where the lines are not all there the raw file stays, which is said.
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int record_later_end(struct record_later *later, const struct record_out *raw,
		     bool began);

#endif
