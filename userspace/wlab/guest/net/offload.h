/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_OFFLOAD_H
#define WLAB_OFFLOAD_H

struct plan;

/**
 * offloads_do() - switch features of devices off, note all that are asked for
 * @plan: plan, whose devices are there
 *
 * Writes <out>/offloads: a line "DEVICE FEATURE on|off", without the last word where
 * the kernel has no such feature.
 */
void offloads_do(const struct plan *plan);

#endif
