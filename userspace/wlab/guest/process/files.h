/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_FILES_H
#define WLAB_FILES_H

/* Where all programs start; a boot has at most one run with programs. */
#define PROGRAM_FOLDER "/tmp/programs"

struct plan;

/**
 * files_bring() - make the programs' folder with copies of their files, unless it is there
 * @plan: plan
 */
void files_bring(const struct plan *plan);

/**
 * files_keep() - copy the files that are wanted from there to <out>/kept
 * @plan: plan, whose programs have ended
 *
 * What is not there, or is too large or without room, is told in <out>/not-kept: the run is
 * complete without it.
 */
void files_keep(const struct plan *plan);

#endif
