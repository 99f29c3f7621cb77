/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_USER_NETLINK_H
#define _WL_USER_NETLINK_H

/*
 * User space's side of kernel/netlink/: the kernel's names on top of libmnl. Only what
 * is used there is here.
 */
#include <stdarg.h>
#include <stdio.h>

#include <libmnl/libmnl.h>
#include <linux/netlink.h>

#include "wl_user.h"

/* The plugin's table of words has a function of this name. */
#define wl_refuse	wl_refuse_message

#define __printf(fmt, args)	__attribute__((__format__(__printf__, fmt, args)))
#define noinline_for_stack	noinline
#define BIT(n)			(1UL << (n))
#define sizeof_field(type, member...) sizeof(((type *)0)->member)
#define container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))
#define strscpy(to, from, size)	snprintf(to, size, "%s", from)

enum {
	NLA_U32 = 1,
	NLA_U64,
	NLA_STRING,
	NLA_NESTED,
	NLA_BINARY,
	NLA_REJECT,
};

/**
 * struct va_format - a message and what goes in
 * @fmt: it
 * @va: its arguments
 */
struct va_format {
	const char *fmt;
	va_list *va;
};

#define NETLINK_MAX_FMTMSG_LEN	80

/**
 * struct netlink_ext_ack - what is wrong with a message
 * @_msg: it, NULL for nothing
 * @bad_attr: attribute at fault, or NULL
 * @text: room for @_msg
 */
struct netlink_ext_ack {
	const char *_msg;
	const struct nlattr *bad_attr;
	char text[NETLINK_MAX_FMTMSG_LEN];
};

/* The one format is %pV. */
#define NL_SET_ERR_MSG_FMT(extack, fmt_pv, format) do {			\
	vsnprintf((extack)->text, sizeof((extack)->text), (format)->fmt, \
		  *(format)->va);					\
	(extack)->_msg = (extack)->text;				\
} while (0)
#define NL_SET_BAD_ATTR(extack, attr)	((extack)->bad_attr = (attr))

#define nla_type(attr)		mnl_attr_get_type(attr)
#define nla_len(attr)		((int)mnl_attr_get_payload_len(attr))
#define nla_strscpy(to, attr, size)					\
	snprintf(to, size, "%.*s", nla_len(attr), (const char *)nla_data(attr))
#define nla_data(attr)		mnl_attr_get_payload(attr)
#define nla_get_u32(attr)	mnl_attr_get_u32(attr)
#define nla_get_u64(attr)	mnl_attr_get_u64(attr)

/* What is left behind the last one is looked at, which libmnl's loop does not tell. */
#define nla_for_each_nested(pos, nla, rem)				\
	for (pos = nla_data(nla), rem = nla_len(nla);			\
	     mnl_attr_ok(pos, rem);					\
	     rem -= (int)NLA_ALIGN((pos)->nla_len),			\
	     pos = mnl_attr_next(pos))

/**
 * struct sk_buff - a message that is written
 * @nlh: it
 * @room: bytes for it
 */
struct sk_buff {
	struct nlmsghdr *nlh;
	size_t room;
};

static inline int nla_put_u32(struct sk_buff *skb, int type, u32 value)
{
	return mnl_attr_put_u32_check(skb->nlh, skb->room, (uint16_t)type,
				      value) ? 0 : -EMSGSIZE;
}

static inline int nla_put_u64_64bit(struct sk_buff *skb, int type, u64 value,
				    int pad)
{
	return mnl_attr_put_u64_check(skb->nlh, skb->room, (uint16_t)type,
				      value) ? 0 : -EMSGSIZE;
}

static inline int nla_put_string(struct sk_buff *skb, int type,
				 const char *text)
{
	return mnl_attr_put_strz_check(skb->nlh, skb->room, (uint16_t)type,
				       text) ? 0 : -EMSGSIZE;
}

static inline struct nlattr *nla_nest_start(struct sk_buff *skb, int type)
{
	return mnl_attr_nest_start_check(skb->nlh, skb->room, (uint16_t)type);
}

static inline int nla_nest_end(struct sk_buff *skb, struct nlattr *nest)
{
	mnl_attr_nest_end(skb->nlh, nest);
	return (int)skb->nlh->nlmsg_len;
}

#endif
