/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_NETNS_H
#define WLAB_NETNS_H

struct plan;

#define NETNS_DIR "/run/netns"
/* Variable with the names of all namespaces, for processes that load each.c. */
#define EACH_NAMES "WLAB_EACH"

/**
 * netns_make() - create the plan's namespaces, also for `ip netns`
 * @plan: plan; ns_fd is filled in
 */
void netns_make(struct plan *plan);

/**
 * netns_enter() - enter a namespace
 * @plan: plan
 * @which: index, -1 for the initial namespace
 */
void netns_enter(const struct plan *plan, int which);

/**
 * netns_sysctls() - set the plan's sysctls
 * @plan: plan
 */
void netns_sysctls(const struct plan *plan);

/**
 * netns_sysctls_read() - write <out>/sysctls: the values of the sysctls to read
 * @plan: plan
 */
void netns_sysctls_read(const struct plan *plan);

/**
 * netns_drop() - remove the plan's namespaces
 * @plan: plan
 */
void netns_drop(struct plan *plan);

#endif
