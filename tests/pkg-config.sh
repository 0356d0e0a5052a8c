#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# weft.pc names the directories of "make install", wherever it was configured and
# built for, and nothing of the build.
command -v pkg-config >/dev/null || exit 77
[ -e "$WEFT_BUILDDIR/Makefile" ] || exit 77
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
unset MAKEFLAGS MFLAGS MAKELEVEL
failed=0

fail() {
	echo "$*"
	failed=$((failed + 1))
}

# installed DESTDIR [VARIABLE...]: the file that make installs
installed() {
	to=$1
	shift
	${MAKE:-make} -s -C "$WEFT_BUILDDIR" install-pkgconfigDATA DESTDIR="$to" \
		"$@" >"$dir/out" 2>&1 || { cat "$dir/out"; exit 1; }
	pc=$(find "$to" -name weft.pc)
	[ -f "$pc" ] || { fail "not installed: $*"; exit 1; }
	grep -F "$WEFT_BUILDDIR" "$pc" && fail "the build in weft.pc: $*"
	grep -F "$dir" "$pc" && fail "DESTDIR in weft.pc: $*"
	grep '@' "$pc" && fail "left as it was: $*"
	PKG_CONFIG_PATH=${pc%/*}
	export PKG_CONFIG_PATH
}

is() { # OPTION WANTED
	got=$(pkg-config "$1" weft | sed 's/ *$//')
	[ "$got" = "$2" ] || fail "$1: '$got', not '$2'"
}

installed "$dir/a"
prefix=$(pkg-config --variable=prefix weft)
grep -q "^prefix = $prefix$" "$WEFT_BUILDDIR/Makefile" ||
	fail "$prefix is not what was configured"
installed "$dir/b" prefix=/opt/other exec_prefix=/opt/other \
	libdir=/opt/other/lib includedir=/opt/other/include
is --variable=prefix /opt/other
is --variable=libdir /opt/other/lib
is --cflags -I/opt/other/include
is --libs '-L/opt/other/lib -lweft'
# Relocated, as cross builds do.
got=$(pkg-config --define-variable=prefix=/moved --cflags --libs weft | sed 's/ *$//')
[ "$got" = '-I/moved/include -L/moved/lib -lweft' ] || fail "moved: $got"
installed "$dir/c" prefix=/usr libdir=/usr/lib/x86_64-linux-gnu
is --variable=libdir /usr/lib/x86_64-linux-gnu

# Without an installation, the tree that was built.
PKG_CONFIG_PATH=$WEFT_BUILDDIR
got=$(pkg-config --cflags weft | tr -d ' ')
[ -e "${got#-I}/weft/weft.h" ] || fail "uninstalled: $got"
[ -e "${WEFT_BUILDDIR}/weft.pc" ] && ${MAKE:-make} -s -C "$WEFT_BUILDDIR" weft.pc
echo "$failed failed"
[ $failed -eq 0 ]
