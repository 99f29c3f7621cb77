# SPDX-License-Identifier: GPL-2.0
# What people do with wlink. Kbuild reads Kbuild, not this file.
# All products land in build/.

VERSION	:= 0.1.0
KDIR	?= /lib/modules/$(shell uname -r)/build
KREL	 = $(notdir $(patsubst %/build,%,$(patsubst %/,%,$(KDIR))))
MODDIR	?= build/module/$(KREL)
KUNIT	?=
PREFIX	?= /usr/local
TCLIB	?= /usr/lib/$(shell gcc -print-multiarch 2>/dev/null)/tc
MODLIB	?= /lib/modules/$(shell uname -r)/updates

WLAB	:= userspace/wlab/wlab
ARCHARG	:= $(if $(ARCH),ARCH=$(ARCH))

all: module plugin tools

help:
	@echo 'make               module for KDIR, tc plugin, wlinkctl'
	@echo 'make demo          two TCP flows on a bearer that drops from 384 to 128 kbit/s; see build/demo'
	@echo 'make check         every test; ends with the counts'
	@echo 'make lint | unit | kunit | tdc | lab-check | vm-check   one part of it'
	@echo 'make module [KDIR=DIR] [ARCH=um] [MODDIR=DIR] [KUNIT=1]'
	@echo 'make plugin | tools    build/tc/q_wlink.so, build/bin/wlinkctl'
	@echo 'make install [DESTDIR=DIR] [PREFIX=DIR]    as root'
	@echo 'make dkms-install  the module for every kernel on this machine, as root'
	@echo 'make clean         all but the caches of kernels and images; distclean takes these, too'

# kbuild writes beside the sources it is given, so it is given links to them.
module:
	@if [ ! -f "$(KDIR)/Makefile" ]; then \
		echo "module: skipped, no kernel headers in $(KDIR)"; \
	else \
		set -e; \
		mkdir -p $(MODDIR); \
		find $(MODDIR) -xtype l -delete; \
		for part in Kbuild kernel $(if $(KUNIT),tests/kunit); do \
			mkdir -p $(MODDIR)/$$(dirname $$part); \
			cp -asf --no-target-directory $(CURDIR)/$$part $(MODDIR)/$$part; \
		done; \
		$(MAKE) -s -C $(KDIR) $(ARCHARG) M=$(abspath $(MODDIR)) \
			$(if $(KUNIT),KUNIT=1) $(KFLAGS) modules; \
		ln -sf kernel/sch_wlink.ko $(MODDIR)/sch_wlink.ko; \
	fi

plugin:
	@$(MAKE) -s -C tc-plugin

tools:
	@$(MAKE) -s -C userspace/wlinkctl

demo:
	@userspace/need build lab plot
	@$(WLAB) demo --out build/demo

check:
	@tests/check

unit:
	@userspace/need build unit
	@tests/unit/all

kunit:
	@userspace/need build lab
	@tests/kunit/run

tdc:
	@userspace/need build lab tdc
	@tests/tdc/run

lab-check:
	@userspace/need build lab plot
	@tests/lab/run

vm-check:
	@userspace/need build vm
	@tests/vm/run

lint:
	@userspace/need build lab lint
	@tests/lint/run

install: all
	@if [ -f build/module/$(KREL)/sch_wlink.ko ]; then \
		install -D -m 644 build/module/$(KREL)/sch_wlink.ko $(DESTDIR)$(MODLIB)/sch_wlink.ko; \
		[ -n "$(DESTDIR)" ] || depmod; \
	fi
	install -D -m 644 build/tc/q_wlink.so $(DESTDIR)$(TCLIB)/q_wlink.so
	install -D -m 755 build/bin/wlinkctl $(DESTDIR)$(PREFIX)/bin/wlinkctl
	install -D -m 644 Documentation/man/tc-wlink.8 $(DESTDIR)$(PREFIX)/share/man/man8/tc-wlink.8
	install -D -m 644 Documentation/man/wlinkctl.8 $(DESTDIR)$(PREFIX)/share/man/man8/wlinkctl.8
	install -D -m 644 kernel/include/uapi/linux/pkt_sch_wlink.h $(DESTDIR)$(PREFIX)/include/linux/pkt_sch_wlink.h

dkms-install:
	install -d $(DESTDIR)/usr/src/wlink-$(VERSION)
	cp -a Kbuild kernel $(DESTDIR)/usr/src/wlink-$(VERSION)/
	sed 's/@VERSION@/$(VERSION)/' kernel/dkms.conf.in > $(DESTDIR)/usr/src/wlink-$(VERSION)/dkms.conf
	[ -n "$(DESTDIR)" ] || dkms install wlink/$(VERSION)

clean:
	rm -rf build/module build/tc build/bin build/unit build/check build/demo build/tdc

distclean:
	rm -rf build

.PHONY: all help module plugin tools demo check unit kunit tdc lab-check \
	vm-check lint install dkms-install clean distclean
