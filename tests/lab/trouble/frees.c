// SPDX-License-Identifier: GPL-2.0
/* Counts packets of a device that are dropped, and how: under its root lock, without a
 * reason. Needs a kernel with PROVE_LOCKING, which knows what is held.
 */
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/version.h>
#include <net/sch_generic.h>
#include <trace/events/skb.h>

static char *dev = "dummy1";
module_param(dev, charp, 0444);
MODULE_PARM_DESC(dev, "name of the device");

static uint freed, held, unsaid;
module_param(freed, uint, 0444);
MODULE_PARM_DESC(freed, "packets dropped");
module_param(held, uint, 0444);
MODULE_PARM_DESC(held, "of them, while the root lock was held");
module_param(unsaid, uint, 0444);
MODULE_PARM_DESC(unsaid, "of them, without a reason");

/* Of the kernels that are tried the first with a socket is 6.12, and with a const one 7.3. */
static void on_free(void *data, struct sk_buff *skb, void *location,
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0)
		    enum skb_drop_reason reason, const struct sock *rx_sk)
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
		    enum skb_drop_reason reason, struct sock *rx_sk)
#else
		    enum skb_drop_reason reason)
#endif
{
	struct Qdisc *root;

	if (!skb->dev || strcmp(skb->dev->name, dev))
		return;
	root = rcu_dereference_raw(netdev_get_tx_queue(skb->dev, 0)->qdisc);
	freed++;
	held += !!lockdep_is_held(qdisc_lock(root));
	unsaid += reason == SKB_DROP_REASON_NOT_SPECIFIED;
}

static int __init frees_init(void)
{
	return register_trace_kfree_skb(on_free, NULL);
}
module_init(frees_init);

static void __exit frees_exit(void)
{
	unregister_trace_kfree_skb(on_free, NULL);
	tracepoint_synchronize_unregister();
}
module_exit(frees_exit);

MODULE_DESCRIPTION("wlink lab test: how packets are freed");
MODULE_LICENSE("GPL");
