/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_USER_NETLINK_H
#define _WL_USER_NETLINK_H

/*
 * User space's side of kernel/netlink/: the kernel's names on top of the C library. Only
 * what is used there is here.
 */
#include <stdarg.h>
#include <stdio.h>

#include <linux/netlink.h>

#include "wl_user.h"

/* The plugin's table of words has a function of this name. */
#define wl_refuse	wl_refuse_message

#define __printf(fmt, args)	__attribute__((__format__(__printf__, fmt, args)))
#define noinline_for_stack	noinline
#define BIT(n)			(1UL << (n))
#define static_assert(cond)	_Static_assert(cond, #cond)
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

static inline int nla_type(const struct nlattr *attr)
{
	return attr->nla_type & NLA_TYPE_MASK;
}

static inline int nla_len(const struct nlattr *attr)
{
	return attr->nla_len - NLA_HDRLEN;
}

static inline void *nla_data(const struct nlattr *attr)
{
	return (char *)attr + NLA_HDRLEN;
}

/* Attributes are aligned to 4. */
static inline u32 nla_get_u32(const struct nlattr *attr)
{
	return *(u32 *)nla_data(attr);
}

static inline u64 nla_get_u64(const struct nlattr *attr)
{
	u64 value;

	memcpy(&value, nla_data(attr), sizeof(value));
	return value;
}

#define nla_strscpy(to, attr, size)					\
	snprintf(to, size, "%.*s", nla_len(attr), (const char *)nla_data(attr))

static inline bool nla_ok(const struct nlattr *attr, int left)
{
	return left >= NLA_HDRLEN && attr->nla_len >= NLA_HDRLEN && attr->nla_len <= left;
}

static inline struct nlattr *nla_next(const struct nlattr *attr, int *left)
{
	*left -= NLA_ALIGN(attr->nla_len);
	return (struct nlattr *)((char *)attr + NLA_ALIGN(attr->nla_len));
}

#define nla_for_each_nested(pos, nla, rem)				\
	for (pos = nla_data(nla), rem = nla_len(nla);			\
	     nla_ok(pos, rem); pos = nla_next(pos, &(rem)))

/**
 * struct sk_buff - a message that is written
 * @data: where, aligned to 4
 * @len: of it, written
 * @room: bytes for it
 */
struct sk_buff {
	char *data;
	size_t len;
	size_t room;
};

static inline int nla_put(struct sk_buff *skb, int type, size_t len, const void *data)
{
	struct nlattr *attr = (struct nlattr *)(skb->data + skb->len);
	size_t bytes = NLA_ALIGN(NLA_HDRLEN + len);

	if (bytes > skb->room - skb->len)
		return -EMSGSIZE;
	memset(attr, 0, bytes);
	attr->nla_type = (u16)type;
	attr->nla_len = (u16)(NLA_HDRLEN + len);
	if (len)
		memcpy(nla_data(attr), data, len);
	skb->len += bytes;
	return 0;
}

static inline int nla_put_u32(struct sk_buff *skb, int type, u32 value)
{
	return nla_put(skb, type, sizeof(value), &value);
}

static inline int nla_put_u64_64bit(struct sk_buff *skb, int type, u64 value,
				    int pad)
{
	return nla_put(skb, type, sizeof(value), &value);
}

static inline int nla_put_string(struct sk_buff *skb, int type,
				 const char *text)
{
	return nla_put(skb, type, strlen(text) + 1, text);
}

static inline struct nlattr *nla_nest_start(struct sk_buff *skb, int type)
{
	struct nlattr *nest = (struct nlattr *)(skb->data + skb->len);

	return nla_put(skb, type | NLA_F_NESTED, 0, NULL) ? NULL : nest;
}

static inline int nla_nest_end(struct sk_buff *skb, struct nlattr *nest)
{
	nest->nla_len = (u16)(skb->data + skb->len - (char *)nest);
	return (int)skb->len;
}

#endif
