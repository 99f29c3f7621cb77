// SPDX-License-Identifier: GPL-2.0
/*
 * TCP Reno as of 4.3BSD-Reno and RFC 2001, for the lab: the stack reno-1990 of a scenario.
 *
 * Linux without SACK recovers as NewReno does (RFC 6582): an ACK of a part of what was outstanding
 * when recovery began retransmits the next hole. Reno leaves fast recovery at the first ACK of new
 * data; a second hole then waits for three duplicate ACKs of its own, or for the timeout.
 *
 * The window in recovery is the slow-start threshold. Linux counts a duplicate ACK as a packet that
 * has left the network, so this sends what Reno sends with its window inflated by these ACKs, and
 * not what proportional rate reduction does.
 */
#include <linux/module.h>
#include <net/tcp.h>

/**
 * struct reno_1990 - state of a connection
 * @una: SND.UNA at the end of the last ACK's processing
 */
struct reno_1990 {
	u32 una;
};

static void reno_1990_init(struct sock *sk)
{
	struct reno_1990 *ca = inet_csk_ca(sk);

	ca->una = tcp_sk(sk)->snd_una;
}

/*
 * TCP calls this before it looks whether recovery ends, which it does where SND.UNA has reached
 * high_seq; where it is equal to it, recovery without SACK goes on.
 */
static void reno_1990_in_ack_event(struct sock *sk, u32 flags)
{
	const struct reno_1990 *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	if (inet_csk(sk)->icsk_ca_state == TCP_CA_Recovery && tp->snd_una != ca->una)
		tp->high_seq = tp->snd_una - 1;
}

#ifdef WITH_ACK
static void reno_1990_cong_control(struct sock *sk, u32 ack, int flag, const struct rate_sample *rs)
#else
static void reno_1990_cong_control(struct sock *sk, const struct rate_sample *rs)
#endif
{
	struct reno_1990 *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);
	bool advanced = tp->snd_una != ca->una;
	u32 retransmission;

	ca->una = tp->snd_una;
	if (tcp_in_cwnd_reduction(sk)) {
		/* The retransmission that recovery begins with asks for no window. */
		retransmission = tp->lost_out > tp->retrans_out ? tcp_packets_in_flight(tp) + 1 : 0;
		tcp_snd_cwnd_set(tp, max3(tp->snd_ssthresh, retransmission, 1U));
	} else if (advanced) {
		tcp_reno_cong_avoid(sk, 0, rs->acked_sacked);
	}
}

static struct tcp_congestion_ops reno_1990 __read_mostly = {
	.flags = TCP_CONG_NON_RESTRICTED,
	.name = "reno-1990",
	.owner = THIS_MODULE,
	.init = reno_1990_init,
	.ssthresh = tcp_reno_ssthresh,
	.in_ack_event = reno_1990_in_ack_event,
	.cong_control = reno_1990_cong_control,
	.undo_cwnd = tcp_reno_undo_cwnd,
};

static int __init reno_1990_register(void)
{
	BUILD_BUG_ON(sizeof(struct reno_1990) > ICSK_CA_PRIV_SIZE);
	return tcp_register_congestion_control(&reno_1990);
}

static void __exit reno_1990_unregister(void)
{
	tcp_unregister_congestion_control(&reno_1990);
}

module_init(reno_1990_register);
module_exit(reno_1990_unregister);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("TCP Reno without NewReno's recovery");
