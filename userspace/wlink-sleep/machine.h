/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINK_SLEEP_MACHINE_H
#define _WLINK_SLEEP_MACHINE_H

#include <stdbool.h>
#include <sys/utsname.h>

/**
 * struct machine - what decides how exact a sleep can be here
 * @name: kernel and architecture
 * @cpus: online
 * @hz: ticks a second, 0 if not known
 * @resolution_ns: of the kernel's timers; a tick without high-resolution timers
 * @slack_ns: this process's timer slack
 * @clocksource: its name, empty if not known
 * @tick: how the tick behaves, empty if not known
 * @cmdline: the words of the kernel's command line that are about time
 * @swap_kib: swap there is, -1 if not known
 * @rt_runtime_us: what real-time processes may use of each @rt_period_us; -1 no bound, -2 not known
 * @rt_period_us: see @rt_runtime_us
 * @one_look_ns: how far the clock moves from one look to the next
 * @hypervisor: the CPU says that it is a virtual one
 */
struct machine {
	struct utsname name;
	long cpus;
	long hz;
	long resolution_ns;
	long slack_ns;
	char clocksource[64];
	char tick[64];
	char cmdline[512];
	long swap_kib;
	long rt_runtime_us, rt_period_us;
	double one_look_ns;
	bool hypervisor;
};

/**
 * machine_read() - look around
 * @m: filled
 */
void machine_read(struct machine *m);

/**
 * machine_high_res() - whether timers are finer than the tick
 * @m: as read
 */
bool machine_high_res(const struct machine *m);

/**
 * machine_busy() - processor time that all of the machine has used
 * @busy: not idle, in ticks of user space
 * @total: all there was
 *
 * Return: false where /proc/stat does not say.
 */
bool machine_busy(unsigned long long *busy, unsigned long long *total);

/**
 * clock_moves() - whether computing takes time
 * @one_look_ns: see struct machine
 *
 * In virtual time it does not: a process that waits for the clock without
 * sleeping waits for ever.
 */
bool clock_moves(double one_look_ns);

#endif
