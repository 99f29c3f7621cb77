/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_JOB_H
#define WLAB_JOB_H

/*
 * What the host asks of one boot: records "KEY=VALUE", each ended by a NUL, in
 * the file "job" of the job folder, in the order they are to be done.
 *
 *   rw=PATH	host folder to be writable at the same place
 *   ro=PATH	host folder to be visible at the same place, though /tmp or /run
 *		cover it
 *   tools=PATH	host folder with bin and tc, to be visible at TOOLS_DIR
 *   module=FILE	to insert
 *   env=K=V	for the command
 *   cwd=PATH	for the command
 *   tty=PATH	console for all three standard files of the command
 *   out=PATH err=PATH	consoles for its output, which is ours without
 *   arg=WORD	of the command
 */
struct job {
	char **env;
	char **args;
	const char *cwd;
	const char *tty;
	const char *out;
	const char *err;
};

#define JOB_DIR "/run/wlab"
#define TOOLS_DIR "/run/wlink"

/**
 * job_read() - read the job file and do what it says up to the command
 * @job: filled in
 *
 * Ends the program with a message where something fails.
 */
void job_read(struct job *job);

/**
 * job_bring() - make a folder of the host's visible in the guest
 * @path: of the host's
 * @where: in the guest
 * @flags: of mount(2)
 */
void job_bring(const char *path, const char *where, unsigned long flags);

/**
 * job_run() - run the command and reap everything until it ends
 * @job: as read
 *
 * Return: exit status, 128 + signal where one ended it.
 */
int job_run(const struct job *job);

void die(const char *what, const char *which) __attribute__((noreturn));

#endif
