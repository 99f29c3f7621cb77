/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_JUDGE_H
#define _WLINKCTL_JUDGE_H

/*
 * What the module would say of a new link or of a class: its own files, kernel/netlink/
 * and kernel/core/, judge, so that nothing here can differ from them. How much memory
 * there is, and which classes are there, only a module knows.
 */

#include <stdbool.h>
#include <stddef.h>

/* Room for a message of the kernel's. */
#define JUDGE_TEXT	80

struct judge;
struct nlattr;

/**
 * judge_new() - begin
 *
 * Classes are those of the link judged last. Where there is none, or it is bad, they are
 * those of one that sends 1 Mbit/s and is else as it comes.
 *
 * Return: the judge, or NULL if there is no memory.
 */
struct judge *judge_new(void);

/**
 * judge_words() - judge the attributes of a link or of a class
 * @judge: judge
 * @is_class: of a class other than 1:1 of the link judged last
 * @options: TCA_OPTIONS, nested
 * @error: what the kernel would say, JUDGE_TEXT bytes
 *
 * Return: 0, or -1 with @error set.
 */
int judge_words(struct judge *judge, bool is_class, struct nlattr *options,
		char *error);

/**
 * judge_show() - what it would be, as the module tells it
 * @judge: judge; judge_words() has found the last one good
 * @len: bytes of it
 *
 * Return: payload of TCA_OPTIONS, good until the next call.
 */
const void *judge_show(struct judge *judge, size_t *len);

/**
 * judge_free() - end
 * @judge: judge
 */
void judge_free(struct judge *judge);

#endif
