// SPDX-License-Identifier: GPL-2.0
/*
 * q_wlink.so: the words of wlink for tc(8), which loads it from $TC_LIB_DIR.
 */

#include <inttypes.h>
#include <string.h>

#include <linux/pkt_sched.h>

#include "attr/attr.h"
#include "show/show.h"
#include "wl_tc.h"
#include "words/words.h"
#include "show/xstats.h"

/* Room that tc's message about a qdisc has for options. */
#define TC_QDISC_BYTES	65536

static void tc_u64(const char *key, uint64_t value)
{
	jsonw_name(get_json_writer(), key);
	jsonw_printf(get_json_writer(), "%" PRIu64, value);
}

static void tc_string(const char *key, const char *text)
{
	jsonw_string_field(get_json_writer(), key, text);
}

static void tc_number(const char *key, const char *text)
{
	jsonw_name(get_json_writer(), key);
	jsonw_printf(get_json_writer(), "%s", text);
}

static void tc_array(const char *key, const uint64_t *values, size_t n)
{
	size_t i;

	open_json_array(PRINT_JSON, key);
	for (i = 0; i < n; i++)
		jsonw_printf(get_json_writer(), "%" PRIu64, values[i]);
	close_json_array(PRINT_JSON, NULL);
}

static const struct wl_json tc_json = {
	.object = open_json_object,
	.end = close_json_object,
	.u64 = tc_u64,
	.string = tc_string,
	.number = tc_number,
	.array = tc_array,
};

static void explain(void)
{
	fputs("Usage: ... wlink\n", stderr);
	wl_words_usage(stderr);
}

static bool asks_for_help(int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		if (!strcmp(argv[i], "help"))
			return true;
	return false;
}

static int put(const struct wl_values *values, struct nlmsghdr *n, int room)
{
	static uint32_t options[WL_ATTR_BYTES / sizeof(uint32_t)];
	size_t len = wl_attr_encode(values, options);

	if (n->nlmsg_len + RTA_LENGTH(len) > (size_t)room) {
		fprintf(stderr, "wlink: " WL_TC_TOO_LONG "\n", WL_TC_WHAT(values));
		return -1;
	}
	return addattr_l(n, room, TCA_OPTIONS | NLA_F_NESTED, options,
			 (int)len);
}

/* A link or a bearer that is to be new has nothing to leave as it is. */
static int parse(bool is_class, int argc, char **argv, struct nlmsghdr *n,
		 int room)
{
	struct wl_values values;
	char error[WL_ERROR_TEXT];
	int err;

	if (asks_for_help(argc, argv)) {
		explain();
		return -1;
	}
	err = wl_words_parse(&values, is_class, argc,
			     (const char *const *)argv, error);
	if (!err && n->nlmsg_flags & NLM_F_EXCL)
		err = wl_words_whole(&values, error);
	if (err)
		fprintf(stderr, "wlink: %s\n", error);
	else
		err = put(&values, n, room);
	wl_values_free(&values);
	return err;
}

static int wlink_parse(struct qdisc_util *qu, int argc, char **argv,
		       struct nlmsghdr *n, const char *dev)
{
	(void)qu;
	(void)dev;
	return parse(false, argc, argv, n, TC_QDISC_BYTES);
}

/* By now tc has read the classid; without one the kernel finds a free one. */
static int wlink_parse_class(struct qdisc_util *qu, int argc, char **argv,
			     struct nlmsghdr *n, const char *dev)
{
	const struct tcmsg *tcm = NLMSG_DATA(n);

	(void)qu;
	(void)dev;
	return parse(TC_H_MIN(tcm->tcm_handle) != 1, argc, argv, n,
		     WL_TC_CLASS_BYTES);
}

/* tc prints what is set before what is counted. */
static uint64_t last_aqm;

static int wlink_print(struct qdisc_util *qu, FILE *f, struct rtattr *opt)
{
	struct wl_values values;

	(void)qu;
	if (!opt)
		return 0;
	wl_attr_decode(&values, RTA_DATA(opt), RTA_PAYLOAD(opt));
	last_aqm = values.value[WL_AQM];
	if (is_json_context())
		wl_show_json(&tc_json, &values);
	else
		wl_show_text(f, &values);
	return 0;
}

/* tc has a key "drops" of its own beside this, hence the object. */
static int wlink_print_xstats(struct qdisc_util *qu, FILE *f,
			      struct rtattr *xstats)
{
	struct wl_xstats stats;

	(void)qu;
	if (!xstats)
		return 0;
	wl_xstats_decode(&stats, RTA_DATA(xstats), RTA_PAYLOAD(xstats));
	stats.aqm = last_aqm;
	if (is_json_context()) {
		open_json_object("xstats");
		wl_xstats_json(&tc_json, &stats);
		close_json_object();
	} else {
		wl_xstats_text(f, &stats, _SL_);
	}
	return 0;
}

/* tc links it into its list, so it can not be const. */
extern struct qdisc_util wlink_qdisc_util
	__attribute__((visibility("default")));

struct qdisc_util wlink_qdisc_util = {
	.id = "wlink",
	.parse_qopt = wlink_parse,
	.print_qopt = wlink_print,
	.print_xstats = wlink_print_xstats,
	.parse_copt = wlink_parse_class,
	.print_copt = wlink_print,
};
