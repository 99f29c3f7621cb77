# SPDX-License-Identifier: GPL-2.0
# wlinkctl's own files, for it and for its tests. $(root) is the project's.

here_ctl := $(root)/userspace/wlinkctl
own := $(patsubst $(here_ctl)/%,%,$(sort $(wildcard $(here_ctl)/*.c $(here_ctl)/*/*.c)))

# Commands that are programs in Python, packages of wlab: wlinkctl-COMMAND.
programs := doctor from-netem host metrics top trace web

# The module's own files that read and judge a configuration, for check/. The modes that
# judge are the modes that work, so it is the whole core.
kernel := netlink/attr.c netlink/aqm.c netlink/impair.c netlink/kept.c netlink/options.c \
	  netlink/profile.c netlink/words.c \
	  $(patsubst $(root)/kernel/%,%,$(sort $(wildcard $(addprefix $(root)/kernel/core/,*.c */*.c */*/*.c))))

# And what tc-plugin/sources.mk makes.
includes = -I$(known) -I$(here_ctl) -I$(root)/tc-plugin \
	    -I$(here_ctl)/check/include -I$(root)/kernel \
	    -I$(root)/kernel/include -I$(root)/kernel/include/uapi
