/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_TRACEFS_H
#define _WLINKCTL_TRACEFS_H

/* The kernel's files of tracing, and an instance of its own in them. */

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct tracefs - a tracing instance
 * @root: folder of tracefs
 * @dir: folder of the instance
 * @name: of the instance, below @root; empty if there is none
 */
struct tracefs {
	int root;
	int dir;
	char name[64];
};

/**
 * tracefs_open() - make an instance
 * @fs: result
 *
 * It uses the tracefs that is mounted. Where none is, as inside ip netns exec,
 * it uses one of its own that nobody else sees.
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int tracefs_open(struct tracefs *fs);

/**
 * tracefs_close() - remove the instance
 * @fs: as tracefs_open() left it; every file of it must be closed
 */
void tracefs_close(struct tracefs *fs);

/**
 * tracefs_list() - open a folder
 * @at: folder that it is in
 * @path: of it
 *
 * Return: list for closedir(), NULL with errno set.
 */
DIR *tracefs_list(int at, const char *path);

/**
 * tracefs_read() - read a file of the instance
 * @fs: instance
 * @path: file
 * @text: result, a string
 * @size: of @text
 *
 * Return: 0, or -1 with errno set; EFBIG if @text is too small.
 */
int tracefs_read(const struct tracefs *fs, const char *path, char *text,
		 size_t size);

/**
 * tracefs_write() - write a file of the instance
 * @fs: instance
 * @path: file
 * @text: what
 *
 * Return: 0, or -1 with errno set.
 */
int tracefs_write(const struct tracefs *fs, const char *path,
		  const char *text);

#endif
