/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_COMPAT_LINUX_NETLINK_H
#define _WL_COMPAT_LINUX_NETLINK_H

#include_next <linux/netlink.h>

/* 6.1 knows only constant messages; newer ones have as much room as here. */
#ifndef NL_SET_ERR_MSG_FMT
#define NETLINK_MAX_FMTMSG_LEN 80

/**
 * wl_extack_text() - where a message may be written
 *
 * Return: NETLINK_MAX_FMTMSG_LEN bytes; under RTNL.
 */
char *wl_extack_text(void);

#define NL_SET_ERR_MSG_FMT(extack, fmt, args...) do {			\
	struct netlink_ext_ack *wl_extack = (extack);			\
	char *wl_text;							\
									\
	if (wl_extack) {						\
		wl_text = wl_extack_text();				\
		snprintf(wl_text, NETLINK_MAX_FMTMSG_LEN, fmt, ##args);	\
		wl_extack->_msg = wl_text;				\
	}								\
} while (0)
#endif

#endif
