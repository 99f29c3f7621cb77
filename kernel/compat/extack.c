// SPDX-License-Identifier: GPL-2.0
#include <linux/netlink.h>

/* The text must outlive the request until the acknowledgment is built, right
 * after the RTNL is released, and some are part of another: eight turns under the
 * RTNL are enough for that.
 */
char *wl_extack_text(void)
{
	static char text[8][NETLINK_MAX_FMTMSG_LEN];
	static unsigned int turn;

	return text[turn++ % ARRAY_SIZE(text)];
}
