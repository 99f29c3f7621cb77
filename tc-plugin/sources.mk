# SPDX-License-Identifier: GPL-2.0
# The table of words and what reads, sends and prints by it: in q_wlink.so, in
# wlinkctl and in their tests.

words := \
	attr/attr.c \
	attr/find.c \
	numbers/ber.c \
	numbers/dist.c \
	numbers/num.c \
	numbers/rayleigh.c \
	presets/cellular.c \
	presets/gsm.c \
	presets/presets.c \
	presets/profiles.c \
	show/show.c \
	show/usage.c \
	show/xstats.c \
	show/xstats_text.c \
	table/path.c \
	table/read.c \
	table/rows.c \
	table/value.c \
	words/aqm.c \
	words/jitter.c \
	words/near.c \
	words/netem.c \
	words/pair.c \
	words/profile.c \
	words/words.c
