# Shared by the scripts of tests/vm. Sets top, vm (the cache), and functions.
# shellcheck shell=bash disable=SC2016 # $(WORD) is for apt
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export vm=$top/build/vm

say() { echo "# $*"; }

# Runs a command into a log and says every few seconds that it is alive.
busy() {
	local what=$1 log=$2 began=$SECONDS
	shift 2
	say "$what"
	"$@" >>"$log" 2>&1 </dev/null &
	local pid=$!
	while kill -0 $pid 2>/dev/null; do
		sleep 1
		if [ $(((SECONDS - began) % 10)) = 9 ]; then
			say "$what: $((SECONDS - began)) s, $(tail -n 1 "$log" | cut -c1-60)"
			sleep 1
		fi
	done
	wait $pid || { tail -n 20 "$log"; return 1; }
}

# The apt sources of this machine for Debian's main, as one-line entries.
debian_sources() {
	apt-get indextargets 'Created-By: Packages' \
		--format '$(ORIGIN) $(COMPONENT) $(REPO_URI) $(CODENAME)' |
		sort -u | awk '$1 == "Debian" && $2 == "main" {
			print "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] " $3 " " $4 " main" }'
}

codename() {
	# shellcheck source=/dev/null
	(. /etc/os-release && echo "$VERSION_CODENAME")
}

# headers PACKAGE DIR [APT OPTIONS...]: unpack a kernel's headers and all they
# stand on into DIR; $DIR/build is then a KDIR that needs no installation.
headers() {
	local package=$1 dir=$2 real deps
	shift 2
	[ ! -e "$dir/build" ] || return 0
	rm -rf "$dir" && mkdir -p "$dir/debs"
	real=$(apt-cache "$@" depends "$package" | awk '/Depends: linux-headers/ {print $2; exit}')
	[ -n "$real" ] || return 1
	deps=$(apt-cache "$@" depends "$real" | awk '/Depends: linux-(headers|kbuild)/ {print $2}')
	# shellcheck disable=SC2086 # one word a package
	(cd "$dir/debs" && apt-get "$@" download "$real" $deps) || return 1
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
	ln -sfn "usr/src/$real" "$dir/build"
}
