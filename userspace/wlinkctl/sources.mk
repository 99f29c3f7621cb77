# SPDX-License-Identifier: GPL-2.0
# wlinkctl's own files, for it and for its tests. One a line. $(root) is the project's.

own := \
	check/command.c \
	check/judge.c \
	lib/clocks.c \
	lib/genl.c \
	lib/json.c \
	lib/line.c \
	lib/nl.c \
	lib/signals.c \
	lib/tracefs.c \
	link/batch.c \
	link/bearer.c \
	link/change.c \
	link/events.c \
	link/link.c \
	link/part.c \
	link/pending.c \
	link/preset.c \
	link/profile.c \
	link/set.c \
	link/show.c \
	link/target.c \
	link/watch.c \
	program.c \
	record/clock.c \
	record/command.c \
	record/from.c \
	record/json.c \
	record/later.c \
	record/lines.c \
	record/out.c \
	record/raw.c \
	ring/format.c \
	ring/open.c \
	ring/page.c \
	ring/ring.c \
	schedule/command.c \
	schedule/file.c \
	schedule/schedule.c \
	wlinkctl.c

# Commands that are programs in Python, packages of wlab: wlinkctl-COMMAND.
programs := doctor top trace

# The module's own files that read and judge a configuration, for check/. The modes that
# judge are the modes that work, so it is the whole core.
kernel := netlink/attr.c netlink/aqm.c netlink/options.c netlink/profile.c \
	  $(patsubst $(root)/kernel/%,%,$(sort $(wildcard $(addprefix $(root)/kernel/core/,*.c */*.c */*/*.c))))

includes := -I$(root)/userspace/wlinkctl -I$(root)/tc-plugin \
	    -I$(root)/userspace/wlinkctl/check/include -I$(root)/kernel \
	    -I$(root)/kernel/include -I$(root)/kernel/include/uapi
