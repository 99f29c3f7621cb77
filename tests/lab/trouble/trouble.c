// SPDX-License-Identifier: GPL-2.0
/* Gets the lab kernel into trouble on purpose. */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>

static char *how = "warn";
module_param(how, charp, 0);
MODULE_PARM_DESC(how, "warn, oops or hang");

static int __init trouble_init(void)
{
	int *volatile nowhere = NULL;

	if (!strcmp(how, "warn"))
		WARN(1, "trouble was asked for\n");
	else if (!strcmp(how, "oops"))
		*nowhere = 1;
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
