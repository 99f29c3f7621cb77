/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_DOCTOR_DEV_H
#define _WLINKCTL_DOCTOR_DEV_H

/* What is known of a device and its links, and what the doctor says to it. */

#include "doctor/doctor.h"
#include "link/link.h"

/* Qdiscs above a link; nobody stacks more. */
#define ABOVE_MAX	8

/**
 * struct offloads - what a device or the kernel in its name does to packets
 * @gro: merges received packets
 * @lro: the hardware does
 * @gso: takes super-packets
 * @tso: takes super-packets of TCP
 */
struct offloads {
	enum known gro;
	enum known lro;
	enum known gso;
	enum known tso;
};

/**
 * struct dev_facts - what was found out about a device; -1 is unknown
 * @name: its name
 * @ifindex: 0 if it is looked at from files only
 * @mtu: bytes
 * @tx_queue_len: packets
 * @tx_queues: hardware's or driver's queues
 * @gso_max_segs: packets of one super-packet
 * @speed_mbit: of the device itself
 * @up: is it?
 * @asks: does it ask for neighbours?
 * @rps: mask of processors that its packets are spread to, empty for none
 * @kind: such as veth, empty for none
 * @offloads: of the device
 * @peer: name of a veth's other end, empty if there is none
 * @peer_elsewhere: it is in another namespace
 * @peer_offloads: of the peer
 */
struct dev_facts {
	char name[IF_NAMESIZE];
	int ifindex;
	int64_t mtu;
	int64_t tx_queue_len;
	int64_t tx_queues;
	int64_t gso_max_segs;
	int64_t speed_mbit;
	enum known up;
	enum known asks;
	char rps[64];
	char kind[16];
	struct offloads offloads;
	char peer[IF_NAMESIZE];
	bool peer_elsewhere;
	struct offloads peer_offloads;
};

/**
 * struct sys_facts - bounds of the machine's sockets; -1 is unknown
 * @tcp_wmem: most that TCP takes for sending, bytes
 * @tcp_rmem: most that TCP takes for receiving, bytes
 * @wmem: most that SO_SNDBUF gets
 * @rmem: most that SO_RCVBUF gets
 * @tcp_limit: tcp_limit_output_bytes
 */
struct sys_facts {
	int64_t tcp_wmem;
	int64_t tcp_rmem;
	int64_t wmem;
	int64_t rmem;
	int64_t tcp_limit;
};

/**
 * struct link_facts - a wlink and what stands above it
 * @link: the qdisc
 * @bearers: its bearers
 * @above: kinds of the qdiscs above it, the nearest first
 * @n_above: how many
 * @siblings: other wlinks under the same parent
 */
struct link_facts {
	struct link link;
	struct link_list bearers;
	char above[ABOVE_MAX][16];
	size_t n_above;
	size_t siblings;
};

/**
 * dev_facts_files() - read what files tell of a device and of sockets
 * @doctor: machine
 * @dev: @name is set; the rest is filled in
 * @sys: result
 */
void dev_facts_files(const struct doctor *doctor, struct dev_facts *dev,
		     struct sys_facts *sys);

/**
 * dev_facts_kernel() - ask the kernel about a device
 * @ctl: the program
 * @dev: @ifindex is set; the rest is filled in
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int dev_facts_kernel(struct wlinkctl *ctl, struct dev_facts *dev);

/**
 * dev_offloads() - ask for the offloads of a device
 * @name: device
 * @offloads: result
 */
void dev_offloads(const char *name, struct offloads *offloads);

/**
 * struct tree - the qdiscs of a device
 * @rows: kind, handle and parent of each
 * @n: how many
 * @failed: there was no memory for all
 */
struct tree {
	struct tree_row {
		char kind[16];
		int ifindex;
		uint32_t handle;
		uint32_t parent;
	} *rows;
	size_t n;
	bool failed;
};

/**
 * tree_read() - read the qdiscs of all devices
 * @ctl: the program
 * @tree: result; free @rows after use
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int tree_read(struct wlinkctl *ctl, struct tree *tree);

/**
 * tree_above() - find what stands above a wlink
 * @tree: qdiscs
 * @facts: @link is set; @above, @n_above and @siblings are filled in
 */
void tree_above(const struct tree *tree, struct link_facts *facts);

/**
 * judge_device() - findings about a device
 * @doctor: where to
 * @dev: facts
 */
void judge_device(struct doctor *doctor, const struct dev_facts *dev);

/**
 * judge_link() - findings about one wlink: what stands above it and its times
 * @doctor: where to
 * @dev: its device
 * @sys: the sockets' bounds
 * @facts: facts
 */
void judge_link(struct doctor *doctor, const struct dev_facts *dev,
		const struct sys_facts *sys, const struct link_facts *facts);

/**
 * judge_buffers() - findings about the limits of one wlink and the sockets'
 * @doctor: where to
 * @dev: its device
 * @sys: the sockets' bounds
 * @facts: facts
 */
void judge_buffers(struct doctor *doctor, const struct dev_facts *dev,
		   const struct sys_facts *sys, const struct link_facts *facts);

#endif
