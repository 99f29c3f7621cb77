// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "netns.h"
#include "run/plan.h"

static int first_ns = -1;

static void ns_path(char *path, size_t size, const char *name)
{
	snprintf(path, size, NETNS_DIR "/%s", name);
}

void netns_make(struct plan *plan)
{
	char path[128];
	int fd, i;

	if (first_ns < 0)
		first_ns = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	mkdir(NETNS_DIR, 0755);
	for (i = 0; i < plan->ns_count; i++) {
		if (unshare(CLONE_NEWNET))
			fail("new namespace: %s", strerror(errno));
		ns_path(path, sizeof(path), plan->ns_name[i]);
		fd = open(path, O_CREAT | O_RDONLY | O_CLOEXEC, 0);
		if (fd < 0 || mount("/proc/self/ns/net", path, "none", MS_BIND,
				    NULL))
			fail("name namespace %s: %s", path, strerror(errno));
		close(fd);
		plan->ns_fd[i] = open(path, O_RDONLY | O_CLOEXEC);
		if (plan->ns_fd[i] < 0)
			fail("open %s: %s", path, strerror(errno));
	}
	netns_enter(plan, -1);
}

void netns_enter(const struct plan *plan, int which)
{
	if (setns(which < 0 ? first_ns : plan->ns_fd[which], CLONE_NEWNET))
		fail("enter namespace: %s", strerror(errno));
}

static int sysctl_open(const struct sysctl *s, int flags)
{
	char path[256] = "/proc/sys/";
	size_t i, at = strlen(path);

	for (i = 0; s->name[i] && at < sizeof(path) - 1; i++)
		path[at++] = s->name[i] == '.' ? '/' : s->name[i];
	path[at] = '\0';
	return open(path, flags | O_CLOEXEC);
}

static void set_one(const struct sysctl *s)
{
	int fd = sysctl_open(s, O_WRONLY);
	const int missing = fd < 0 && errno == ENOENT;

	if ((fd < 0 || write(fd, s->value, strlen(s->value)) < 0) &&
	    !(s->optional && (missing || fd >= 0)))
		fail("sysctl %s = %s: %s", s->name, s->value, strerror(errno));
	if (fd >= 0)
		close(fd);
}

/* A line "NS NAME VALUE", without the value where there is no such sysctl. */
static void read_one(const struct plan *plan, const struct sysctl *s, FILE *to)
{
	char value[256] = "";
	int fd = sysctl_open(s, O_RDONLY);
	ssize_t len = 0;

	if (fd < 0 && errno != ENOENT)
		fail("sysctl %s: %s", s->name, strerror(errno));
	if (fd >= 0) {
		len = read(fd, value, sizeof(value) - 1);
		if (len < 0)
			fail("sysctl %s: %s", s->name, strerror(errno));
		close(fd);
	}
	value[len] = '\0';
	fprintf(to, "%s %s %s%s", s->ns < 0 ? "-" : plan->ns_name[s->ns],
		s->name, value, len && value[len - 1] == '\n' ? "" : "\n");
}

static void each_sysctl(const struct plan *plan, FILE *to)
{
	int ns = -1;
	size_t i;

	netns_enter(plan, -1);
	for (i = 0; i < plan->sysctl_count; i++) {
		const struct sysctl *s = &plan->sysctls[i];

		if (!s->value != !!to)
			continue;
		if (s->ns != ns)
			netns_enter(plan, s->ns);
		ns = s->ns;
		if (to)
			read_one(plan, s, to);
		else
			set_one(s);
	}
	netns_enter(plan, -1);
}

void netns_sysctls(const struct plan *plan)
{
	each_sysctl(plan, NULL);
}

void netns_sysctls_read(const struct plan *plan)
{
	FILE *f = plan_file(plan, "sysctls", "");

	each_sysctl(plan, f);
	plan_file_close(f, "sysctls");
}

void netns_drop(struct plan *plan)
{
	char path[128];
	int i;

	netns_enter(plan, -1);
	for (i = 0; i < plan->ns_count; i++) {
		close(plan->ns_fd[i]);
		ns_path(path, sizeof(path), plan->ns_name[i]);
		if (umount2(path, MNT_DETACH) || unlink(path))
			fail("remove %s: %s", path, strerror(errno));
	}
}
