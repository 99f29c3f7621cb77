# SPDX-License-Identifier: GPL-2.0
# What people do with wlink. Kbuild reads Kbuild, not this file.
# All products land in build/.

VERSION	:= $(shell sed -n 's/.*WLINK_VERSION\s*"\(.*\)"/\1/p' kernel/version.h)
KDIR	?= /lib/modules/$(shell uname -r)/build
# As modprobe will look for it; Debian's headers have another kernel.release.
KREL	:= $(or $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' $(KDIR)/include/generated/utsrelease.h 2>/dev/null),$(shell uname -r))
MODDIR	?= build/module/$(KREL)
KUNIT	?=
PAPERS	?= build/papers
PREFIX	?= /usr/local
TCLIB	?= /usr/lib/$(shell gcc -print-multiarch 2>/dev/null)/tc
MODLIB	?= /lib/modules/$(KREL)/updates
DKMSSRC	?= /usr/src
# The second is loaded where a link needs it.
MODULES	:= sch_wlink.ko wlink_3gpp.ko
# Where install has put them, for any kernel.
MODLIBS	= $(wildcard $(addprefix /lib/modules/*/updates/,$(MODULES)))
UAPI	:= $(wildcard kernel/include/uapi/linux/pkt_sch_wlink*.h)

WLAB	:= userspace/wlab/wlab
ARCHARG	:= $(if $(ARCH),ARCH=$(ARCH))

all: module plugin tools

help:
	@echo 'make               module for KDIR, tc plugin, wlinkctl'
	@echo 'make demo          two TCP flows on a bearer that drops from 384 to 128 kbit/s; see build/demo'
	@echo 'make papers-quick  every table and figure of three papers, few seeds; see build/papers/report'
	@echo 'make papers        the same with all cells and seeds; see Documentation/results'
	@echo '    [JOBS=N] [PAPERS=DIR (build/papers)] [SNAKEMAKE="--profile NAME ..."]'
	@echo 'make check         every test; ends with the counts'
	@echo 'make check-long    what takes too long for that: stories, oracles, mutants, fuzzers, races'
	@echo '    [STORIES=N] [LINKS=N] [BEARERS=N] [RUNS=N] [MINUTES=N]'
	@echo 'make lint | unit | fuzz | kunit | tdc | lab-check | papers-check | vm-check   one part of it'
	@echo 'make module [KDIR=DIR] [ARCH=um] [MODDIR=DIR] [KUNIT=1]'
	@echo 'make spec          build/wlink.yaml, what netlink has of wlink, for the programs of YNL; build/pyroute2_wlink.py'
	@echo 'make plugin | tools    build/tc/q_wlink.so; wlinkctl, its programs, wlink-sleep, wlink-pep'
	@echo 'make lib           the engine as a library: build/lib/libwlink.a, .so, wlink.h, wlink.py; wlink(3)'
	@echo 'make bench         what a packet costs beside the peers; build/bench/results.json'
	@echo 'make timing [WHAT="line-rate lateness sleep live"]    when packets leave; build/timing'
	@echo 'make timing-check  what of both no machine changes, as tests'
	@echo 'make wheel         wlab and all that it runs, for machines without a compiler; build/wheel'
	@echo 'make deb           packages of Debian: build/deb/*.deb'
	@echo 'make install [DESTDIR=DIR] [PREFIX=DIR]    as root'
	@echo 'make dkms-install  the module, built anew for each kernel that comes; as root'
	@echo 'make uninstall [DESTDIR=DIR] [PREFIX=DIR]  what both have put there; as root'
	@echo 'make clean         all but the caches of kernels and images; distclean takes these, too'

# kbuild writes beside the sources it is given, so it is given links to them. Where a source
# is gone, what it has noted of others may still name it. Headers of newer kernels make BTF with pahole.
module:
	@if [ ! -f "$(KDIR)/Makefile" ]; then \
		echo "module: skipped, no kernel headers in $(KDIR)"; \
	else \
		set -e; \
		mkdir -p $(MODDIR); \
		[ -z "$$(find $(MODDIR) -xtype l -print -delete)" ] || find $(MODDIR) -name '.*.cmd' -delete; \
		for part in Kbuild kernel $(if $(KUNIT),tests/kunit); do \
			mkdir -p $(MODDIR)/$$(dirname $$part); \
			cp -asf --no-target-directory $(CURDIR)/$$part $(MODDIR)/$$part; \
		done; \
		$(MAKE) -s -C $(KDIR) $(ARCHARG) M=$(abspath $(MODDIR)) \
			$(if $(shell command -v pahole),,CONFIG_DEBUG_INFO_BTF_MODULES=) \
			$(if $(KUNIT),KUNIT=1) $(KFLAGS) modules; \
		ln -sf $(addprefix kernel/,$(MODULES)) $(MODDIR)/; \
	fi

plugin:
	@$(MAKE) -s -C tc-plugin

tools:
	@$(MAKE) -s -C userspace/wlinkctl
	@$(MAKE) -s -C userspace/wlink-sleep
	@$(MAKE) -s -C userspace/wlink-pep

lib:
	@$(MAKE) -s -C userspace/lib

spec:
	@mkdir -p build
	@userspace/spec/spec.py >build/wlink.yaml
	@userspace/spec/pyroute >build/pyroute2_wlink.py

wheel:
	@userspace/need build lab pip
	@userspace/wheel

# The dependencies are those of need.
deb: deb := build/deb/wlink_$(VERSION)
deb:
	@userspace/need build lab deb
	@mkdir -p build/deb
	@rm -f build/deb/*
	dpkg-buildpackage -b -uc -us -d --buildinfo-file=$(deb).buildinfo --changes-file=$(deb).changes \
		--buildinfo-option=-ubuild/deb --changes-option=-ubuild/deb

demo:
	@userspace/need build lab plot
	@$(WLAB) demo --out build/demo

# A dry run first: it says what is wrong before hours are spent. What fails later is a hole in
# the report, and a claim that does not hold is a finding.
papers-quick: QUICK := --quick
papers papers-quick:
	@userspace/need build lab plot papers proxy programs
	@$(WLAB) sweep $(QUICK) --out $(PAPERS) --dry-run >/dev/null
	@status=0; \
	$(WLAB) sweep $(QUICK) --out $(PAPERS) $(if $(JOBS),--jobs $(JOBS)) $(if $(SNAKEMAKE),-- $(SNAKEMAKE)) || \
		status=$$?; \
	[ $$status -lt 128 ] || exit $$status; \
	$(WLAB) report $(QUICK) --out $(PAPERS) || status=1; \
	$(WLAB) claims $(QUICK) $(PAPERS) || :; \
	exit $$status

# Packages first: only here can sudo still ask for a password.
check:
	@userspace/need build lab live plot channel frames browser proxy programs unit pip machines fuzz lint tdc vm papers
	@tests/check

check-long:
	@userspace/need build lab vm unit fuzz
	@tests/check-long

unit:
	@userspace/need build unit machines
	@tests/unit/all

kunit:
	@userspace/need build lab
	@tests/kunit/run

tdc:
	@userspace/need build lab tdc
	@tests/tdc/run

# RUNS=10000000 for a long one.
fuzz:
	@userspace/need build fuzz
	@tests/fuzz/run

lab-check:
	@userspace/need build lab live plot channel frames browser proxy programs unit pip
	@tests/lab/run

papers-check:
	@userspace/need build lab plot channel papers unit pip
	@tests/papers/run

vm-check:
	@userspace/need build lab vm
	@tests/vm/run

# BENCH: words for tests/bench/run, as in BENCH="--ko FILE --tc LINE".
bench:
	@userspace/need build vm plot
	@tests/bench/run $(BENCH)

timing:
	@userspace/need build lab vm plot
	@tests/timing/run $(WHAT)

timing-check:
	@userspace/need build lab vm plot unit
	@tests/timing/check

lint:
	@userspace/need build lab lint unit
	@tests/lint/run

# One module only: where dkms keeps it, it is dkms that renews it.
install: all
	@if [ -z "$(DESTDIR)" ] && dkms status wlink -k $(KREL) 2>/dev/null | grep -q .; then \
		echo "module: left to dkms, which has $$(dkms status wlink -k $(KREL) | head -n 1); make dkms-install renews it"; \
	elif [ -f $(MODDIR)/sch_wlink.ko ]; then \
		install -v -D -m 644 -t $(DESTDIR)$(MODLIB) $(addprefix $(MODDIR)/,$(MODULES)) && \
		{ [ -n "$(DESTDIR)" ] || depmod $(KREL); }; \
	fi
	install -D -m 644 build/tc/q_wlink.so $(DESTDIR)$(TCLIB)/q_wlink.so
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/bin build/bin/wlinkctl build/bin/wlink-sleep \
		build/bin/wlink-pep
	for program in $(wildcard build/bin/wlinkctl-*) build/bin/wlink-sleep-run; do \
		install -D -m 755 -t $(DESTDIR)$(PREFIX)/libexec/wlink $$program || exit 1; \
	done
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/wlink/bpftrace userspace/bpftrace/*.bt
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/wlink userspace/monitoring/grafana.json
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/systemd/system userspace/monitoring/wlink-metrics.*
	sed -i 's,/usr/local,$(PREFIX),' $(DESTDIR)$(PREFIX)/lib/systemd/system/wlink-metrics.service
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/lib/systemd/system userspace/wlinkctl/wlink-restore.service
	for n in 1 3 5 7 8; do \
		install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man$$n Documentation/man/*.$$n || exit 1; \
	done
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include/linux $(UAPI)
	# wlab builds what it runs from the sources, so it stays where they are.
	$(if $(DESTDIR),,ln -sfn $(CURDIR)/$(WLAB) $(PREFIX)/bin/wlab)

# dkms does not replace a module of one version that somebody else has installed.
dkms-install: src := $(DESTDIR)$(DKMSSRC)/wlink-$(VERSION)
dkms-install:
	@[ -n "$(DESTDIR)" ] || command -v dkms >/dev/null || \
		{ echo 'dkms is missing; type: apt-get install dkms linux-headers-amd64'; exit 1; }
	rm -rf $(src)
	install -d $(src)
	cp -a Kbuild kernel $(src)/
	sed 's/@VERSION@/$(VERSION)/' kernel/dkms.conf.in >$(src)/dkms.conf
	$(if $(DESTDIR),,rm -f $(MODLIBS))
	@[ -n "$(DESTDIR)" ] || [ -z "$$(dkms status wlink/$(VERSION))" ] || \
		dkms remove wlink/$(VERSION) --all
	$(if $(DESTDIR),,dkms install wlink/$(VERSION) $(DKMSFLAGS))

# Of install and of dkms-install, all of it.
uninstall:
	@[ -n "$(DESTDIR)" ] || [ -z "$$(dkms status wlink 2>/dev/null)" ] || \
		dkms remove wlink/$(VERSION) --all
	rm -rf $(DESTDIR)$(DKMSSRC)/wlink-$(VERSION) $(DESTDIR)$(PREFIX)/share/wlink $(DESTDIR)$(PREFIX)/libexec/wlink
	rm -f $(if $(DESTDIR),$(addprefix $(DESTDIR)$(MODLIB)/,$(MODULES)),$(MODLIBS))
	$(if $(DESTDIR),,depmod $(KREL))
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/lib/systemd/system/wlink-,metrics.service metrics.timer restore.service)
	rm -f $(DESTDIR)$(TCLIB)/q_wlink.so $(addprefix $(DESTDIR)$(PREFIX)/bin/,wlinkctl wlink-sleep wlink-pep wlab)
	rm -f $(foreach page,$(notdir $(wildcard Documentation/man/*)),$(DESTDIR)$(PREFIX)/share/man/man$(subst .,,$(suffix $(page)))/$(page))
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/include/linux/,$(notdir $(UAPI)))

clean:
	[ ! -d build ] || find build -mindepth 1 -maxdepth 1 \
		! -name lab ! -name vm ! -name venv -exec rm -rf {} +

distclean:
	rm -rf build

.PHONY: all help module plugin tools lib spec wheel deb demo papers papers-quick check check-long unit kunit tdc lab-check \
	papers-check vm-check bench timing timing-check fuzz lint install dkms-install uninstall clean \
	distclean
