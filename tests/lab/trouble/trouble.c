// SPDX-License-Identifier: GPL-2.0
/* Gets the lab kernel into trouble on purpose. */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>

static char *how = "warn";
module_param(how, charp, 0);
MODULE_PARM_DESC(how, "warn, oops, hang or host");

static char *file = "";
module_param(file, charp, 0);
MODULE_PARM_DESC(file, "what to write on the host");

static int pid = 1;
module_param(pid, int, 0);
MODULE_PARM_DESC(pid, "a process of the host");

/* A system call of the host, which User Mode Linux is a process of. */
static long host(long nr, long a, long b, long c)
{
	register long r10 asm("r10") = 0;
	register long r8 asm("r8") = 0;
	long got;

	asm volatile("syscall"
		     : "=a"(got)
		     : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
		     : "rcx", "r11", "memory");
	return got;
}

/* The numbers are those of x86-64. */
static void __init attack(void)
{
	const long name = (long)file;

	pr_info("host open: %ld\n", host(2, name, 01 | 0100 | 01000, 0644));
	pr_info("host empty: %ld\n", host(2, name, 01000, 0));
	pr_info("host truncate: %ld\n", host(76, name, 0, 0));
	pr_info("host chmod: %ld\n", host(90, name, 0777, 0));
	pr_info("host unlink: %ld\n", host(87, name, 0, 0));
	pr_info("host mount: %ld\n", host(165, 0, (long)"/", 0));
	pr_info("host unshare: %ld\n", host(272, 0x10000000, 0, 0));
	pr_info("host clone: %ld\n", host(56, 0x10000000 | 17, 0, 0));
	pr_info("host clone3: %ld\n", host(435, 0, 0, 0));
	pr_info("host socket: %ld\n", host(41, 1, 1, 0));
	pr_info("host socketpair: %ld\n", host(53, 1, 2, 0));
	pr_info("host io_uring_setup: %ld\n", host(425, 1, 0, 0));
	pr_info("host kill: %ld\n", host(62, pid, 0, 0));
}

static int __init trouble_init(void)
{
	int *volatile nowhere = NULL;

	if (!strcmp(how, "warn"))
		WARN(1, "trouble was asked for\n");
	else if (!strcmp(how, "oops"))
		*nowhere = 1;
	else if (!strcmp(how, "host"))
		attack();
	else
		for (;;)
			cpu_relax();
	return 0;
}
module_init(trouble_init);

static void __exit trouble_exit(void)
{
}
module_exit(trouble_exit);

MODULE_DESCRIPTION("wlink lab test: kernel trouble");
MODULE_LICENSE("GPL");
