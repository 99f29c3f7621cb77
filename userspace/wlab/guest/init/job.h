/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_JOB_H
#define WLAB_JOB_H

/*
 * The job of one boot: records "KEY=VALUE", each ended by a NUL, in
 * the file "job" of the job folder, processed in their order.
 *
 *   rw=PATH	host folder to be writable under the same path
 *   ro=PATH	host folder to be visible under the same path, though below /tmp
 *		or /run
 *   tools=PATH	host folder with bin and tc, to be visible at TOOLS_DIR
 *   module=FILE	module to insert
 *   env=K=V	variable of the command
 *   cwd=PATH	current folder of the command
 *   tty=PATH	console for all three standard files of the command
 *   out=PATH err=PATH	consoles for its output; inherited without these
 *   arg=WORD	word of the command
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
 * job_read() - read the job file and process all records but the command
 * @job: filled in
 *
 * A failure ends the program with a message.
 */
void job_read(struct job *job);

/**
 * job_bring() - make a folder of the host visible in the guest
 * @path: path on the host
 * @where: path in the guest
 * @flags: flags of mount(2)
 */
void job_bring(const char *path, const char *where, unsigned long flags);

/**
 * job_run() - run the command and reap all processes until it ends
 * @job: as read
 *
 * Return: exit status, or 128 + signal.
 */
int job_run(const struct job *job);

#endif
