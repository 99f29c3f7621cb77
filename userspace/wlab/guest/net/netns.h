/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_NETNS_H
#define WLAB_NETNS_H

struct plan;

#define NETNS_DIR "/run/netns"
/* The environment of a process that each.c is loaded into: all namespaces' names. */
#define EACH_NAMES "WLAB_EACH"

/**
 * netns_make() - create the plan's namespaces, also for `ip netns`
 * @plan: plan; ns_fd is filled in
 */
void netns_make(struct plan *plan);

/**
 * netns_enter() - work in a namespace from now on
 * @plan: plan
 * @which: index, -1 for the first namespace of all
 */
void netns_enter(const struct plan *plan, int which);

/**
 * netns_sysctls() - set what the plan says
 * @plan: plan
 */
void netns_sysctls(const struct plan *plan);

/**
 * netns_sysctls_read() - write <out>/sysctls: what those to read have in force
 * @plan: plan
 */
void netns_sysctls_read(const struct plan *plan);

/**
 * netns_drop() - remove the plan's namespaces
 * @plan: plan
 */
void netns_drop(struct plan *plan);

#endif
