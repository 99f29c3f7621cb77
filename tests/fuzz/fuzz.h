/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FUZZ_H
#define _FUZZ_H

/* What the targets share: the input as a file, and a kernel made of it. */

#include <stddef.h>
#include <stdint.h>

struct wlinkctl;

/* The linker leads calls of wlinkctl_run() to the second: see batch.c. */
int __real_wlinkctl_run(struct wlinkctl *ctl, int argc, char **argv);
int __wrap_wlinkctl_run(struct wlinkctl *ctl, int argc, char **argv);

/* Of q_wlink.c. */
extern struct qdisc_util wlink_qdisc_util;

/* libFuzzer calls it with each input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/**
 * fuzz_file() - make a file of the input
 * @data: contents
 * @size: bytes
 *
 * Return: its path, good until the next call. There is one file only.
 */
const char *fuzz_file(const uint8_t *data, size_t size);

/**
 * fuzz_kernel() - say what a netlink socket reads from now on
 * @data: messages, each behind its length as a u16; after the last one a read
 *	fails
 * @size: bytes
 */
void fuzz_kernel(const uint8_t *data, size_t size);

#endif
