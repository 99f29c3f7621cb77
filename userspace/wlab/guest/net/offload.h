/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_OFFLOAD_H
#define WLAB_OFFLOAD_H

struct plan;

/**
 * offloads_do() - switch features of devices off, and write the state of all in the plan
 * @plan: plan, whose devices exist
 *
 * Writes <out>/offloads: a line "DEVICE FEATURE on|off", without the last word if
 * the kernel has no such feature.
 */
void offloads_do(const struct plan *plan);

#endif
