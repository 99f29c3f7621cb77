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
	presets/known.c \
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
	words/preset.c \
	words/profile.c \
	words/words.c

# The texts of presets and profiles as C for presets/known.c, made before anything else: an
# included file is. It is found by -I$(known).
.DEFAULT_GOAL := all
presets := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))/presets
known   := $(or $(BUILD),$(root)/build)/presets

$(known)/known.mk: $(wildcard $(presets)/*/*) $(presets)/* $(lastword $(MAKEFILE_LIST))
	@mkdir -p $(@D)
	@$(presets)/embed $(presets)/links $(presets)/profiles >$(@D)/known.inc.$$$$ && mv $(@D)/known.inc.$$$$ $(@D)/known.inc
	@touch $@

include $(known)/known.mk
