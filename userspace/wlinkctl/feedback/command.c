// SPDX-License-Identifier: GPL-2.0
/*
 * What a proxy has under way to the users of a link follows the link: a connection may have as
 * much unsent or unacknowledged as the link carries in its round trip and an allowance.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <arpa/inet.h>
#include <sys/resource.h>

#include "feedback/sockets.h"
#include "lib/clocks.h"
#include "lib/json.h"
#include "link/events.h"
#include "link/link.h"
#include "link/target.h"

#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_MSEC	1000000ULL
#define USERS_MAX	1024
#define PROCESSES_MAX	64
/* How often the program's processes are looked for. */
#define PROCESSES_NS	NSEC_PER_SEC
/* With fewer segments under way a timeout alone tells of a lost one (RFC 5681). */
#define SEGMENTS_MIN	4

/**
 * struct user - addresses behind a bearer
 * @address: the first of them; one of IPv4 is mapped
 * @bits: of it that count
 * @bearer: its number
 */
struct user {
	struct in6_addr address;
	unsigned int bits;
	uint32_t bearer;
};

/* What a bearer carries, and for how many connections with data; then what was printed of it. */
struct state {
	uint64_t rate_bps;
	uint64_t active;
	uint64_t told_bps;
	uint64_t told_active;
};

struct feedback {
	struct wlinkctl *ctl;
	struct target to;
	const char *program;
	const char *netns_name;
	struct stat netns;
	uint64_t allow_ns;
	uint64_t every_ns;
	bool background;
	struct user users[USERS_MAX];
	size_t n_users;
	int pids[PROCESSES_MAX];
	size_t n_pids;
	uint64_t pids_ns;
	struct state bearers[WLINK_BEARERS_MAX + 1];
	struct connections connections;
};

static uint32_t bearer_of(void *ctx, const struct in6_addr *peer)
{
	const struct feedback *fb = ctx;
	const struct user *u;

	for (u = fb->users; u < fb->users + fb->n_users; u++) {
		unsigned int whole = u->bits / 8, left = u->bits % 8;

		if (!memcmp(peer, &u->address, whole) &&
		    (!left || !((peer->s6_addr[whole] ^ u->address.s6_addr[whole]) >> (8 - left))))
			return u->bearer;
	}
	return 0;
}

/* The rate of each bearer; of those that share a transmitter its part of that. */
static int read_rates(struct feedback *fb)
{
	bool shared = false;
	struct link_list list;
	uint64_t busy = 0;
	size_t i;
	int code;

	code = link_dump_bearers(fb->ctl, fb->to.ifindex, fb->to.handle, &list);
	if (code)
		return code;
	for (i = 0; i < list.n; i++) {
		if (list.links[i].bearer == 1)
			shared = list.links[i].values.value[WL_SCHED] != WLINK_SCHED_DEDICATED;
		busy += !!list.links[i].stats.value[WLINK_STAT_BUFFER_BYTES];
	}
	for (i = 0; i <= WLINK_BEARERS_MAX; i++)
		fb->bearers[i].rate_bps = 0;
	for (i = 0; i < list.n; i++) {
		const uint64_t *stats = list.links[i].stats.value;

		fb->bearers[list.links[i].bearer % (WLINK_BEARERS_MAX + 1)].rate_bps =
			stats[WLINK_STAT_RATE] /
			(shared ? busy + !stats[WLINK_STAT_BUFFER_BYTES] : 1);
	}
	free(list.links);
	return EXIT_DONE;
}

static void limit(const struct feedback *fb, const struct connection *c)
{
	const struct state *b = &fb->bearers[c->bearer];
	double ns = c->rtt_us * 1e3 + (double)fb->allow_ns;
	double bytes = (double)b->rate_bps / 8e9 * ns / (double)(b->active ? b->active : 1);
	double least = SEGMENTS_MIN * (double)c->segment_bytes;

	if (c->rtt_us != UINT32_MAX && b->rate_bps <= WLINK_RATE_MAX)
		connection_limit(c, bytes > least ? bytes : least);
}

static void tell(uint32_t bearer, struct state *b)
{
	if (b->rate_bps == b->told_bps && b->active == b->told_active)
		return;
	b->told_bps = b->rate_bps;
	b->told_active = b->active;
	json_begin();
	json_writer.u64("time_ns", clock_now());
	json_writer.u64("bearer", bearer);
	json_writer.u64("rate_bps", b->rate_bps);
	json_writer.u64("connections", b->active);
	json_end();
}

static int follow(struct feedback *fb)
{
	struct connections *all = &fb->connections;
	uint64_t now = clock_now();
	int code = read_rates(fb);
	size_t i;

	if (code)
		return code;
	if (!fb->n_pids || now - fb->pids_ns >= PROCESSES_NS) {
		fb->n_pids = processes_find(fb->program, &fb->netns, fb->pids, PROCESSES_MAX);
		fb->pids_ns = now;
	}
	for (i = 0; i < fb->n_pids && !code; i++)
		code = connections_open(fb->pids[i], bearer_of, fb, all);
	for (i = 0; i < fb->n_users; i++)
		fb->bearers[fb->users[i].bearer].active = 0;
	for (i = 0; i < all->n; i++)
		fb->bearers[all->list[i].bearer].active += all->list[i].queued_bytes > 0;
	for (i = 0; i < all->n; i++)
		limit(fb, &all->list[i]);
	connections_close(all);
	for (i = 0; i < fb->n_users && !fb->background; i++)
		tell(fb->users[i].bearer, &fb->bearers[fb->users[i].bearer]);
	if (!code)
		return EXIT_DONE;
	complain("the sockets of %s: %s; it needs Linux 5.6, and root or CAP_SYS_PTRACE",
		 fb->program, strerror(code));
	return EXIT_REFUSED;
}

static int run(struct feedback *fb)
{
	struct events events;
	struct event event;
	uint64_t until_ns;
	int code;

	if (events_open(&events))
		return EXIT_REFUSED;
	code = follow(fb);
	if (!code && fb->background && daemon(0, 0)) {
		complain("no background: %s", strerror(errno));
		code = EXIT_REFUSED;
	}
	while (!code && !ferror(stdout)) {
		until_ns = clock_now() + fb->every_ns;
		/* One that was lost, or none at all, is seen when it is time. */
		if (!events.nl || (events_next(&events, until_ns, &event) < 0 && errno != ENOBUFS))
			clock_poll(NULL, 0, until_ns);
		code = follow(fb);
	}
	events_close(&events);
	return code;
}

static int add_user(struct feedback *fb, uint32_t bearer, const char *text)
{
	char address[INET6_ADDRSTRLEN] = "", end;
	struct user *u = &fb->users[fb->n_users];
	bool is_v6 = strchr(text, ':');
	int words;

	u->bits = 128;
	u->bearer = bearer;
	words = sscanf(text, "%45[^/]/%3u%c", address, &u->bits, &end);
	if (!is_v6) {
		memset(&u->address, 0, sizeof(u->address));
		memset(&u->address.s6_addr[10], 0xff, 2);
		u->bits += words == 2 ? 96 : 0;
	}
	if (words < 1 || words > 2 || u->bits > 128 || (words == 1 && strchr(text, '/')) ||
	    inet_pton(is_v6 ? AF_INET6 : AF_INET, address,
		      &u->address.s6_addr[is_v6 ? 0 : 12]) != 1) {
		complain("\"%s\" is not an address or a prefix, such as 10.1.0.0/24", text);
		return -1;
	}
	if (fb->n_users == USERS_MAX - 1) {
		complain("feedback takes %d addresses at most", USERS_MAX - 1);
		return -1;
	}
	fb->n_users++;
	return 0;
}

static int parse_word(struct feedback *fb, uint32_t *bearer, const char *word, const char *text)
{
	static const struct number spans = {
		WL_UNIT_TIME, NSEC_PER_MSEC, 10 * NSEC_PER_SEC, "a time from 1ms to 10s",
	};
	const char **name = !strcmp(word, "of") ? &fb->program :
			    !strcmp(word, "netns") ? &fb->netns_name : NULL;
	uint64_t *ns = !strcmp(word, "allow") ? &fb->allow_ns :
		       !strcmp(word, "every") ? &fb->every_ns : NULL;
	bool is_bearer = !strcmp(word, "bearer");

	if (!name && !ns && !is_bearer && strcmp(word, "to")) {
		complain("feedback knows no word \"%s\"", word);
		return -1;
	}
	if (!text) {
		complain("%s has no value", word);
		return -1;
	}
	if (ns)
		return number_parse(&spans, word, text, ns);
	if (is_bearer)
		return target_bearer(text, bearer);
	if (!name)
		return add_user(fb, *bearer, text);
	*name = text;
	return 0;
}

static int parse(struct feedback *fb, int argc, char **argv)
{
	int i = target_parse(&fb->to, "feedback", argc, argv);
	uint32_t bearer = fb->to.bearer ? fb->to.bearer : 1;

	fb->to.bearer = 0;
	while (i >= 0 && i < argc) {
		if (!strcmp(argv[i], "background")) {
			fb->background = true;
			i++;
		} else {
			if (parse_word(fb, &bearer, argv[i], i + 1 < argc ? argv[i + 1] : NULL))
				return -1;
			i += 2;
		}
	}
	if (i >= 0 && fb->program && fb->n_users)
		return 0;
	if (i >= 0)
		complain("feedback needs 'of PROGRAM' and 'to ADDRESS', of those behind the link");
	return -1;
}

int cmd_feedback(struct wlinkctl *ctl, int argc, char **argv)
{
	static struct feedback fb;
	struct rlimit files;
	int code, netns;

	fb = (struct feedback){
		.ctl = ctl, .netns_name = "/proc/self/ns/net",
		.allow_ns = 50 * NSEC_PER_MSEC, .every_ns = 20 * NSEC_PER_MSEC,
	};
	if (parse(&fb, argc, argv))
		return EXIT_USAGE;
	netns = target_open_netns(fb.netns_name);
	if (netns < 0)
		return EXIT_NOT_FOUND;
	fstat(netns, &fb.netns);
	close(netns);
	code = target_find(ctl, &fb.to);
	if (code)
		return code;
	/* One for each connection, for a moment. */
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	code = run(&fb);
	free(fb.connections.list);
	return code;
}
