/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_COMPAT_LINUX_NETLINK_H
#define _WL_COMPAT_LINUX_NETLINK_H

#include_next <linux/netlink.h>

/* 6.1 knows only constant messages. The text must outlive the request until the
 * acknowledgment is built, right after the RTNL is released; eight turns
 * under the RTNL are enough for that.
 */
#ifndef NL_SET_ERR_MSG_FMT
#define NL_SET_ERR_MSG_FMT(extack, fmt, args...) do {			\
	static char wl_text[8][96];					\
	static unsigned int wl_turn;					\
	struct netlink_ext_ack *wl_extack = (extack);			\
	char *wl_msg = wl_text[wl_turn++ % ARRAY_SIZE(wl_text)];	\
									\
	if (wl_extack) {						\
		snprintf(wl_msg, sizeof(wl_text[0]),			\
			 fmt, ##args);					\
		wl_extack->_msg = wl_msg;				\
	}								\
} while (0)
#endif

#endif
