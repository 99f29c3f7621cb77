// SPDX-License-Identifier: GPL-2.0
/*
 * A congestion control of one's own to begin with: it does as reno does.
 *	wlab module tcp_mine.c
 *	wlab run ... --set tcp.congestion=tcp_mine.ko
 */
#include <linux/module.h>
#include <net/tcp.h>

/* The name is that of the file. */
static struct tcp_congestion_ops mine __read_mostly = {
	.flags = TCP_CONG_NON_RESTRICTED,
	.name = "mine",
	.owner = THIS_MODULE,
	.ssthresh = tcp_reno_ssthresh,
	.cong_avoid = tcp_reno_cong_avoid,
	.undo_cwnd = tcp_reno_undo_cwnd,
};

static int __init mine_register(void)
{
	return tcp_register_congestion_control(&mine);
}

static void __exit mine_unregister(void)
{
	tcp_unregister_congestion_control(&mine);
}

module_init(mine_register);
module_exit(mine_unregister);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A congestion control to begin with");
