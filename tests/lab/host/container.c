// SPDX-License-Identifier: GPL-2.0
/* container|fenceless|traceless|filterless|neither PROGRAM ARGS...: runs it with the capabilities
 * and the seccomp rules that a container of Docker's defaults has; fenceless: in one of a kernel
 * without Landlock; traceless: in one whose filter refuses ptrace; filterless: further filters;
 * neither: both.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cap-ng.h>
#include <seccomp.h>
#include <linux/capability.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const unsigned int kept[] = {
	CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID, CAP_KILL, CAP_SETGID, CAP_SETUID,
	CAP_SETPCAP, CAP_NET_BIND_SERVICE, CAP_NET_RAW, CAP_SYS_CHROOT, CAP_MKNOD,
	CAP_AUDIT_WRITE, CAP_SETFCAP,
};

static const int refused[] = {
	SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(unshare), SCMP_SYS(setns),
	SCMP_SYS(pivot_root), SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(fsopen),
	SCMP_SYS(fsmount), SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(init_module),
	SCMP_SYS(finit_module), SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(userfaultfd),
	SCMP_SYS(open_by_handle_at), SCMP_SYS(quotactl), SCMP_SYS(reboot), SCMP_SYS(swapon),
	SCMP_SYS(clock_settime), SCMP_SYS(settimeofday),
};

static const unsigned long spaces[] = {
	CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID,
	CLONE_NEWNET,
};

int main(int argc, char **argv)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int error = 0;
	size_t i;

	if (argc < 3)
		return 2;
	capng_clear(CAPNG_SELECT_BOTH);
	for (i = 0; i < COUNT(kept); i++)
		capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED | CAPNG_INHERITABLE |
			     CAPNG_BOUNDING_SET, kept[i]);
	if (!geteuid() && capng_apply(CAPNG_SELECT_BOTH)) {
		fputs("container: capabilities\n", stderr);
		return 1;
	}
	for (i = 0; i < COUNT(refused); i++)
		error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0);
	for (i = 0; i < COUNT(spaces); i++)
		error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
					  SCMP_A0(SCMP_CMP_MASKED_EQ, spaces[i], spaces[i]));
	error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
	if (!strcmp(argv[1], "fenceless"))
		error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EOPNOTSUPP),
					  SCMP_SYS(landlock_create_ruleset), 0);
	if (!strcmp(argv[1], "traceless") || !strcmp(argv[1], "neither"))
		error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ptrace), 0);
	if (!strcmp(argv[1], "filterless") || !strcmp(argv[1], "neither"))
		error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(seccomp), 0);
	error |= seccomp_load(filter);
	if (error) {
		fputs("container: seccomp\n", stderr);
		return 1;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
