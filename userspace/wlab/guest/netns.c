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
#include "plan.h"

#define NETNS_DIR "/run/netns"

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

static void set_one(const struct sysctl *s)
{
	char path[256] = "/proc/sys/";
	size_t i, at = strlen(path);
	int fd;

	for (i = 0; s->name[i] && at < sizeof(path) - 1; i++)
		path[at++] = s->name[i] == '.' ? '/' : s->name[i];
	path[at] = '\0';
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT && s->optional)
		return;
	if (fd < 0 || write(fd, s->value, strlen(s->value)) < 0)
		fail("sysctl %s = %s: %s", s->name, s->value, strerror(errno));
	close(fd);
}

void netns_sysctls(const struct plan *plan)
{
	int ns = -1;
	size_t i;

	for (i = 0; i < plan->sysctl_count; i++) {
		if (plan->sysctls[i].ns != ns)
			netns_enter(plan, plan->sysctls[i].ns);
		ns = plan->sysctls[i].ns;
		set_one(&plan->sysctls[i]);
	}
	netns_enter(plan, -1);
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
