/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_TC_H
#define _WL_TC_H

/*
 * The part of tc's inside that a plugin touches. No distribution installs
 * iproute2's headers; these are our own declarations of the symbols in tc's
 * dynamic table, the same from 6.1 to 6.15. Text goes straight to the FILE
 * that tc hands over, so that only these few are needed.
 */

#include <stdbool.h>
#include <stdio.h>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

enum output_type {
	PRINT_FP = 1,
	PRINT_JSON = 2,
	PRINT_ANY = 4,
};

struct qdisc_util {
	struct qdisc_util *next;
	const char *id;
	int (*parse_qopt)(struct qdisc_util *qu, int argc, char **argv,
			  struct nlmsghdr *n, const char *dev);
	int (*print_qopt)(struct qdisc_util *qu, FILE *f, struct rtattr *opt);
	int (*print_xstats)(struct qdisc_util *qu, FILE *f,
			    struct rtattr *xstats);
	int (*parse_copt)(struct qdisc_util *qu, int argc, char **argv,
			  struct nlmsghdr *n, const char *dev);
	int (*print_copt)(struct qdisc_util *qu, FILE *f, struct rtattr *opt);
};

extern const char *_SL_;		/* ends a line; a backslash with -o */

int addattr_l(struct nlmsghdr *n, int maxlen, int type, const void *data,
	      int alen);

bool is_json_context(void);
struct json_writer *get_json_writer(void);
void open_json_object(const char *key);
void close_json_object(void);
void open_json_array(enum output_type type, const char *key);
void close_json_array(enum output_type type, const char *delim);
void jsonw_name(struct json_writer *json, const char *key);
void jsonw_string_field(struct json_writer *json, const char *key,
			const char *value);
void jsonw_printf(struct json_writer *json, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
