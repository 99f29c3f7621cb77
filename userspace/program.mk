# SPDX-License-Identifier: GPL-2.0
# Builds $(BUILD)/bin/$(name), by default named as its folder, from the C files beside the Makefile
# that includes this; it needs nothing but the C library.

here    := $(patsubst %/,%,$(dir $(abspath $(firstword $(MAKEFILE_LIST)))))
root    := $(abspath $(here)/../..)
name    ?= $(notdir $(here))
BUILD   ?= $(root)/build
CFLAGS  ?= -O2 -g
WLINK_VERSION := $(shell sed -n 's/.*WLINK_VERSION\s*"\(.*\)"/\1/p' $(root)/kernel/version.h)

override CFLAGS += -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wshadow -Werror -ffile-prefix-map=$(root)=.
CPPFLAGS += -I$(here) -DWLINK_VERSION='"$(WLINK_VERSION)"'

objects := $(patsubst $(here)/%.c,$(BUILD)/$(name)/%.o,$(sort $(wildcard $(here)/*.c)))
program := $(BUILD)/bin/$(name)

all: $(program)

$(BUILD)/$(name)/%.o: $(here)/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(program): $(objects)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@.new $^ $(LDLIBS)
	mv $@.new $@

clean:
	rm -rf $(BUILD)/$(name) $(program)

-include $(objects:.o=.d)

.PHONY: all clean
