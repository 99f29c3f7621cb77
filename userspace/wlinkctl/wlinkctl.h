/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_H
#define _WLINKCTL_H

#ifndef WLINK_VERSION
#define WLINK_VERSION	"unknown"
#endif

#include <stdbool.h>
#include <stdint.h>

struct mnl_socket;

/**
 * enum wlinkctl_exit - exit codes, told in wlinkctl(8)
 * @EXIT_DONE: done
 * @EXIT_USAGE: the command was wrong, nothing was sent
 * @EXIT_REFUSED: the kernel refused it
 * @EXIT_NOT_FOUND: no such device, preset or bearer, or no wlink there
 * @EXIT_TIMEOUT: watch saw fewer changes than it was to count
 */
enum wlinkctl_exit {
	EXIT_DONE = 0,
	EXIT_USAGE = 1,
	EXIT_REFUSED = 2,
	EXIT_NOT_FOUND = 3,
	EXIT_TIMEOUT = 4,
};

/**
 * struct wlinkctl - one run of the program
 * @nl: socket of all requests, NULL until the first one
 * @genl: socket of generic netlink, NULL until the first request
 * @family: number of the family wlink, 0 while it is not known
 * @version: of its interface
 * @seq: sequence number of the last request
 * @json: print JSON
 * @in_batch: commands come from a file
 */
struct wlinkctl {
	struct mnl_socket *nl;
	struct mnl_socket *genl;
	uint16_t family;
	uint32_t version;
	uint32_t seq;
	bool json;
	bool in_batch;
};

/**
 * wlinkctl_run() - run one command line
 * @ctl: the program
 * @argc: number of words, the command first
 * @argv: words; reordered
 *
 * Return: enum wlinkctl_exit.
 */
int wlinkctl_run(struct wlinkctl *ctl, int argc, char **argv);

/**
 * complain() - write one line to standard error
 * @format: as printf() has it
 */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

int cmd_show(struct wlinkctl *ctl, int argc, char **argv);
int cmd_set(struct wlinkctl *ctl, int argc, char **argv);
int cmd_pair(struct wlinkctl *ctl, int argc, char **argv);
int cmd_pending(struct wlinkctl *ctl, int argc, char **argv);
int cmd_cancel(struct wlinkctl *ctl, int argc, char **argv);
int cmd_bearer(struct wlinkctl *ctl, int argc, char **argv);
int cmd_preset(struct wlinkctl *ctl, int argc, char **argv);
int cmd_profile(struct wlinkctl *ctl, int argc, char **argv);
int cmd_schedule(struct wlinkctl *ctl, int argc, char **argv);
int cmd_watch(struct wlinkctl *ctl, int argc, char **argv);
int cmd_feedback(struct wlinkctl *ctl, int argc, char **argv);
int cmd_record(struct wlinkctl *ctl, int argc, char **argv);
int cmd_clock(struct wlinkctl *ctl, int argc, char **argv);
int cmd_check(struct wlinkctl *ctl, int argc, char **argv);
int cmd_batch(struct wlinkctl *ctl, int argc, char **argv);

#endif
