/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_LINK_SHOW_H
#define _WLINKCTL_LINK_SHOW_H

struct link;
struct target;
struct wlinkctl;

/**
 * struct show_as - how one of a list is printed
 * @json: the members of its object
 * @text: its lines
 */
struct show_as {
	void (*json)(struct wlinkctl *ctl, struct link *link);
	void (*text)(const struct link *link);
};

/**
 * show_bearers() - print the bearers that a target names
 * @ctl: the program
 * @of: target, not found yet
 * @as: how each is printed
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int show_bearers(struct wlinkctl *ctl, struct target *of, const struct show_as *as);

#endif
