// SPDX-License-Identifier: GPL-2.0
/*
 * The guest's first process: sets up a system from the host's files. In the lab kernel it is
 * the init; as `wlab-init container FOLDER` root starts it on the machine's kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "container.h"
#include "job.h"
#include "rng.h"

/* This process is the init of the lab kernel, which ends with it. */

struct node {
	const char *path;
	mode_t mode;
	unsigned int major;
	unsigned int minor;
};

static const struct node nodes[] = {
	{ "/dev/net/tun", S_IFCHR | 0666, 10, 200 },
	{ "/dev/null", S_IFCHR | 0666, 1, 3 },
	{ "/dev/zero", S_IFCHR | 0666, 1, 5 },
	{ "/dev/full", S_IFCHR | 0666, 1, 7 },
	{ "/dev/random", S_IFCHR | 0666, 1, 8 },
	{ "/dev/urandom", S_IFCHR | 0666, 1, 9 },
	{ "/dev/kmsg", S_IFCHR | 0600, 1, 11 },
	{ "/dev/tty", S_IFCHR | 0666, 5, 0 },
	{ "/dev/console", S_IFCHR | 0600, 5, 1 },
	{ "/dev/ptmx", S_IFCHR | 0666, 5, 2 },
	{ "/dev/tty0", S_IFCHR | 0600, 4, 0 },
	{ "/dev/ttyS0", S_IFCHR | 0600, 4, 64 },
	{ "/dev/ttyS1", S_IFCHR | 0600, 4, 65 },
	{ "/dev/ttyS2", S_IFCHR | 0600, 4, 66 },
	{ "/dev/ttyS3", S_IFCHR | 0600, 4, 67 },
	{ "/dev/ttyS4", S_IFCHR | 0600, 4, 68 },
	{ "/dev/ttyS5", S_IFCHR | 0600, 4, 69 },
	{ "/dev/ttyS6", S_IFCHR | 0600, 4, 70 },
};

static void put_status(int status)
{
	FILE *f = fopen(JOB_DIR "/status", "w");

	if (!f || fprintf(f, "%d\n", status) < 0 || fclose(f))
		perror("wlab: status file");
}

static void mount_or_die(const char *type, const char *where, const char *opt)
{
	if (mkdir(where, 0755) && errno != EEXIST && errno != EROFS)
		die("mkdir", where);
	if (mount("none", where, type, 0, opt))
		die("mount", where);
}

static void make_dev(void)
{
	size_t i;

	mount_or_die("tmpfs", "/dev", "mode=755");
	if (mkdir("/dev/net", 0755))
		die("mkdir", "/dev/net");
	for (i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
		if (mknod(nodes[i].path, nodes[i].mode,
			  makedev(nodes[i].major, nodes[i].minor)))
			die("mknod", nodes[i].path);
	if (symlink("/proc/self/fd", "/dev/fd") ||
	    symlink("/proc/self/fd/0", "/dev/stdin") ||
	    symlink("/proc/self/fd/1", "/dev/stdout") ||
	    symlink("/proc/self/fd/2", "/dev/stderr"))
		die("symlink", "/dev/fd");
	mount_or_die("devpts", "/dev/pts", "mode=620,ptmxmode=666");
	mount_or_die("tmpfs", "/dev/shm", "mode=1777");
}

static void lo_up(void)
{
	struct ifreq ifr = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &ifr))
		die("bring up", "lo");
	close(fd);
}

/*
 * To an ordinary caller root's programs belong to another user (see host/sandbox.c), whose
 * id a set-user-ID program would give to the process.
 */
static void no_suid(void)
{
	if (mount("none", "/", NULL, MS_REMOUNT | MS_RDONLY | MS_NOSUID, NULL))
		die("remount", "/");
}

/*
 * kmemleak's automatic scans in the sanitizer kernel take 20 s of wall time each and report
 * nothing; tests start scans themselves.
 */
static void no_leak_scans(void)
{
	FILE *f = fopen("/sys/kernel/debug/kmemleak", "w");

	if (!f)
		return;
	if (fputs("scan=off", f) < 0 || fclose(f))
		die("write", "kmemleak");
}

static void take_console(void)
{
	int fd = open("/dev/tty0", O_RDWR);

	if (fd >= 0) {
		dup2(fd, 0);
		dup2(fd, 1);
		dup2(fd, 2);
	}
}

/* In virtual time this takes none of the host's. */
static void wait_uptime(const char *seconds)
{
	struct timespec at = { 0 };

	if (!seconds)
		return;
	at.tv_sec = atol(seconds);
	if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL))
		die("wait", "uptime");
}

static void make_system(const char *dir)
{
	make_dev();
	if (own_kernel && rng_seed_kernel(0))
		die("seed", "/dev/urandom");
	if (own_kernel)
		take_console();
	else
		container_keep_root();
	if (!dir)
		die("no", "WLAB_JOB");
	mount_or_die("proc", "/proc", NULL);
	mount_or_die("sysfs", "/sys", NULL);
	mount_or_die("tmpfs", "/run", "mode=755");
	mount_or_die("tmpfs", "/tmp", "mode=1777");
	job_bring(dir, JOB_DIR, 0);
	if (own_kernel) {
		mount_or_die("debugfs", "/sys/kernel/debug", NULL);
		no_leak_scans();
	}
	mount_or_die("tracefs", "/sys/kernel/tracing", NULL);
	if (sethostname("wlab", 4))
		die("set", "host name");
}

int main(int argc, char **argv)
{
	const struct rlimit files = { 4096, 65536 };
	const char *dir = getenv("WLAB_JOB");
	struct job job = { 0 };
	int status;

	umask(022);
	if (argc == 3 && !strcmp(argv[1], "container")) {
		dir = argv[2];
		container_enter();
	} else {
		no_suid();
	}
	make_system(dir);
	setrlimit(RLIMIT_NOFILE, &files);
	lo_up();
	if (own_kernel)
		wait_uptime(getenv("WLAB_UPTIME_S"));
	job_read(&job);
	if (!own_kernel)
		container_drop_root();
	status = job_run(&job);
	put_status(status);
	if (!own_kernel)
		return 0;
	sync();
	reboot(RB_POWER_OFF);
	return 1;
}
