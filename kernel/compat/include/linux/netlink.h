/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_COMPAT_LINUX_NETLINK_H
#define _WL_COMPAT_LINUX_NETLINK_H

#include_next <linux/netlink.h>

/* 6.1 knows only constant messages; newer ones have as much room as here. */
#ifndef NL_SET_ERR_MSG_FMT
#define NETLINK_MAX_FMTMSG_LEN 80

/* The text must outlive the request until the acknowledgment is built, right after the
 * RTNL is released, and some are part of another: eight turns under the RTNL are enough
 * for that.
 */
#define NL_SET_ERR_MSG_FMT(extack, fmt, args...) do {			\
	static char wl_texts[8][NETLINK_MAX_FMTMSG_LEN];		\
	static unsigned int wl_turn;					\
	struct netlink_ext_ack *wl_extack = (extack);			\
	char *wl_text = wl_texts[wl_turn++ % ARRAY_SIZE(wl_texts)];	\
									\
	snprintf(wl_text, NETLINK_MAX_FMTMSG_LEN, fmt, ##args);		\
	if (wl_extack)							\
		wl_extack->_msg = wl_text;				\
} while (0)
#endif

#endif
