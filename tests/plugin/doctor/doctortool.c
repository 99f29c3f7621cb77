// SPDX-License-Identifier: GPL-2.0
/*
 * What wlinkctl doctor says to facts that are known, without a kernel:
 *
 *   doctortool [KEY=VALUE]... [BEARER OPTIONS STATS]...
 *	facts, and bearers as seetool has them: number and attributes in
 *	hexadecimal; prints the findings as JSON
 *   doctortool machine [WORD]...
 *	this machine without what the words name, and a short measurement: clock ID,
 *	fine (timers), timerfd, sleep, real-time
 */

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "attr/attr.h"
#include "doctor/device/device.h"
#include "lib/json.h"
#include "machinelacks.h"

static struct doctor doctor;
static struct dev_facts dev = { .name = "va" };
static struct sys_facts sys;
static struct link_facts facts;

void complain(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
}

static int machine(void)
{
	int code;

	doctor.root = "";
	doctor.live = true;
	doctor_clock(&doctor);
	doctor_timers(&doctor);
	code = doctor_probe(&doctor, NSEC_PER_SEC / 5);
	doctor_expect(&doctor);
	return code;
}

static const struct {
	const char *key;
	int64_t *to;
} numbers[] = {
	{ "mtu", &dev.mtu }, { "txqueuelen", &dev.tx_queue_len },
	{ "tx_queues", &dev.tx_queues }, { "gso_max_segs", &dev.gso_max_segs },
	{ "speed", &dev.speed_mbit }, { "tcp_wmem", &sys.tcp_wmem },
	{ "tcp_rmem", &sys.tcp_rmem }, { "wmem", &sys.wmem },
	{ "rmem", &sys.rmem }, { "tcp_limit", &sys.tcp_limit },
};

static const struct {
	const char *key;
	enum known *to;
} facts_known[] = {
	{ "up", &dev.up }, { "asks", &dev.asks },
	{ "gro", &dev.offloads.gro }, { "lro", &dev.offloads.lro },
	{ "gso", &dev.offloads.gso }, { "tso", &dev.offloads.tso },
	{ "peer_gro", &dev.peer_offloads.gro },
	{ "peer_lro", &dev.peer_offloads.lro }, { "high_res", &doctor.high_res },
};

static enum known known(const char *value)
{
	return !strcmp(value, "yes") ? YES : !strcmp(value, "no") ? NO : UNKNOWN;
}

static void set(const char *key, const char *value)
{
	uint64_t number = strtoull(value, NULL, 10);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (!strcmp(numbers[i].key, key))
			*numbers[i].to = strtoll(value, NULL, 10);
	for (i = 0; i < ARRAY_SIZE(facts_known); i++)
		if (!strcmp(facts_known[i].key, key))
			*facts_known[i].to = known(value);
	if (!strcmp(key, "tick_ns"))
		doctor.tick_ns = number;
	else if (!strcmp(key, "late_ns"))
		doctor.late = (struct lateness){ .wakes = 1000, .p99_ns = number };
	else if (!strcmp(key, "siblings"))
		facts.siblings = number;
	else if (!strcmp(key, "virtual"))
		doctor.virtual_time = known(value) == YES;
	else if (!strcmp(key, "elsewhere"))
		dev.peer_elsewhere = known(value) == YES;
	else if (!strcmp(key, "peer"))
		snprintf(dev.peer, sizeof(dev.peer), "%s", value);
	else if (!strcmp(key, "rps"))
		snprintf(dev.rps, sizeof(dev.rps), "%s", value);
	else if (!strcmp(key, "above") && facts.n_above < ABOVE_MAX)
		snprintf(facts.above[facts.n_above++], sizeof(facts.above[0]),
			 "%s", value);
}

static size_t unhex(const char *text, unsigned char *to, size_t room)
{
	unsigned int byte;
	size_t n = 0;

	while (n < room && sscanf(text + 2 * n, "%2x", &byte) == 1)
		to[n++] = (unsigned char)byte;
	return n;
}

static void read_bearer(struct link *link, char **words)
{
	static unsigned char buf[16384];

	link->ifindex = 1;
	link->handle = 0x10000;
	link->bearer = (uint32_t)strtoul(words[0], NULL, 16);
	wl_attr_decode(&link->values, buf, unhex(words[1], buf, sizeof(buf)));
	wl_xstats_decode_all(&link->stats, buf, unhex(words[2], buf, sizeof(buf)));
	link->has_stats = words[2][0];
}

static int print(void)
{
	json_start();
	json_writer.object(NULL);
	report_json(&doctor.report);
	json_writer.end();
	json_finish();
	report_free(&doctor.report);
	return 0;
}

int main(int argc, char **argv)
{
	struct link_list *list = &facts.bearers;
	char *is;
	int i;

	if (argc > 1 && !strcmp(argv[1], "machine")) {
		machine_lacks(argv + 2, argc - 2);
		return machine() ? 1 : print();
	}
	list->links = calloc((size_t)argc, sizeof(*list->links));
	if (!list->links)
		return 1;
	for (i = 1; i < argc; i++) {
		is = strchr(argv[i], '=');
		if (is) {
			*is = 0;
			set(argv[i], is + 1);
		} else if (i + 2 < argc) {
			read_bearer(&list->links[list->n++], argv + i);
			i += 2;
		}
	}
	if (list->n)
		facts.link = list->links[0];
	judge_device(&doctor, &dev);
	judge_link(&doctor, &dev, &sys, &facts);
	judge_buffers(&doctor, &dev, &sys, &facts);
	free(list->links);
	return print();
}
