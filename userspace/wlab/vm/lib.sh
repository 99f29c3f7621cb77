# Shared by whatever boots a VM. Sets top, vm (the cache), and functions.
# shellcheck shell=bash disable=SC2016,SC2034 # $(WORD) is for apt; words is the caller's
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
export vm=${WLAB_BUILD:-$top/build}/vm
export PATH=$PATH:/usr/sbin:/sbin # mke2fs, for those who are not root
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

say() { echo "# $*"; }

# Runs a command into a log and says every 10 s that it is alive.
busy() {
	local what=$1 log=$2 began=$SECONDS said=0
	shift 2
	say "$what"
	"$@" >>"$log" 2>&1 </dev/null &
	local pid=$!
	while kill -0 $pid 2>/dev/null; do
		sleep 0.5
		if [ $((SECONDS - began - said)) -ge 10 ]; then
			said=$((SECONDS - began))
			say "$what: $said s, $(tail -n 1 "$log" | cut -c1-60)"
		fi
	done
	wait $pid || { tail -n 20 "$log" | sed 's/^/#   /'; return 1; }
}

# apt-get or apt-cache with the machine's sources, but lists of our own: the
# machine's may be old or missing, and only root could fetch them. Where sources names
# a file it has the sources.
sources=
own_apt() {
	local command=$1
	shift
	mkdir -p "$vm/apt/lists/partial" "$vm/apt/cache/archives/partial"
	"$command" -o "Dir::State::Lists=$vm/apt/lists" -o "Dir::Cache=$vm/apt/cache" \
		-o APT::Sandbox::User=root -o APT::Get::List-Cleanup=false \
		${sources:+-o "Dir::Etc::sourcelist=$sources" -o Dir::Etc::sourceparts=/dev/null} "$@"
}

# Sources for Debian's main as the machine has them, one line each. A source of
# somebody else may be out of order: not our concern.
debian_sources() {
	mkdir -p "$vm/apt"
	own_apt apt-get -q update >"$vm/apt/log" 2>&1 || true
	own_apt apt-get indextargets 'Created-By: Packages' \
		--format '$(ORIGIN) $(COMPONENT) $(REPO_URI) $(CODENAME)' |
		sort -u | awk -v key="$keyring" '$1 == "Debian" && $2 == "main" {
			print "deb [signed-by=" key "] " $3 " " $4 " main"; n++ }
			END { exit !n }' ||
		{ echo "no source of Debian's main can be read: build/vm/apt/log" >&2; return 1; }
}

codename() {
	# shellcheck source=/dev/null
	(. /etc/os-release && echo "$VERSION_CODENAME")
}

# headers RELEASE DIR: unpack a kernel's headers and all they stand on into DIR;
# DIR/build is then a KDIR that needs no installation.
headers() {
	local real=linux-headers-$1 dir=$2 deps
	[ ! -e "$dir/build" ] || return 0
	rm -rf "$dir" && mkdir -p "$dir/debs"
	deps=$(own_apt apt-cache depends "$real" | awk '/Depends: linux-(headers|kbuild)/ {print $2}')
	# shellcheck disable=SC2086 # one word a package
	(cd "$dir/debs" && own_apt apt-get -q download "$real" $deps) || return 1
	for deb in "$dir"/debs/*.deb; do
		dpkg-deb -x "$deb" "$dir" || return 1
	done
	# The packages name each other by absolute paths.
	find "$dir/usr/src" -maxdepth 2 -name Makefile -exec \
		sed -i "s|/usr/src/|$dir/usr/src/|g; s|/usr/lib/linux|$dir/usr/lib/linux|g" {} +
	find "$dir/usr/src" -maxdepth 2 -type l | while read -r link; do
		case $(readlink "$link") in
		/*) ln -sfn "$dir$(readlink "$link")" "$link" ;;
		esac
	done
	rm -r "$dir/debs"
	ln -sfn "usr/src/$real" "$dir/build"
}

# in_memory NAME FILE SHARE: FILE is memory that the machine has as a disk; with SHARE on, not
# off, what is written there goes into the file.
in_memory() {
	machine+=(-object "memory-backend-file,id=$1,share=$3,mem-path=$2,size=$(stat -Lc %s "$2")"
		-device "virtio-pmem-pci,memdev=$1")
}

# by_instructions FOLDER: machine and words of one with the disk of FOLDER. Its clock goes by
# instructions, one a ns, and jumps over the time in which it is idle: what it does and when
# depends on no machine and no load. So would it over the time that a disk takes, hours on a
# busy one: its disk is memory. One processor is all that QEMU has for that.
by_instructions() {
	machine=(-accel "tcg,thread=single" -smp 1 -icount "shift=0,sleep=off" -rtc clock=vm)
	in_memory disk "$1/disk.ext2" off
	words="root=/dev/pmem0 tsc=reliable"
}

# in_real_time FOLDER: machine and words of one with the disk of FOLDER and the time of the machine.
in_real_time() {
	machine=(-accel "tcg,thread=multi" -smp 2)
	in_memory disk "$1/disk.ext2" off
	words="root=/dev/pmem0"
}

# qemu FOLDER WORDS OPTION...: sets command, which runs the kernel of FOLDER, told WORDS. TCG,
# because a nested KVM cannot be relied on. -cx16: QEMU 7.2 breaks cmpxchg16b. no_timer_check:
# on a busy machine the timer seems dead to who boots.
qemu() {
	local kernel=$1 told=$2
	shift 2
	[ ! -e "$kernel/initrd.img" ] || set -- "$@" -initrd "$kernel/initrd.img"
	command=(qemu-system-x86_64 "$@" -cpu "max,-cx16"
		-m "1024,maxmem=4G" -no-reboot -nic none -kernel "$kernel/vmlinuz" -snapshot
		-append "console=ttyS0 rw quiet panic=-1 init=/init.wlink mitigations=off no_timer_check $told")
}
