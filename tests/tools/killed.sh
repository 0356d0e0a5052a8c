#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A set of files is replaced, and the program that does so is killed at every
# moment there is: what stays is the old set, the new one, or no set at all.
set -u
killer=$WEFT_BUILDDIR/tests/tools/.libs/killer.so
. "$WEFT_SRCDIR/tests/weft.sh"
[ -e "$killer" ] || { echo "SKIP: no shared libraries here"; exit 77; }
! ldd "$WEFT" 2>/dev/null | grep -q 'lib[at]san' ||
	{ echo "SKIP: an instrumented program preloads its own"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/weft-killed.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99

fail() {
	echo "FAIL: $*" >&2
	exit 1
}

# kill_at N COMMAND...: status 137 if it was killed.
kill_at() {
	at=$1
	shift
	LD_PRELOAD=$killer KILL_AT=$at "$@" >out 2>err
}

# same A B: two directories have the same files; hidden ones are nobody's.
same() {
	diff -r -q -x '.*' "$1" "$2" >/dev/null
}

# replaced NAME "JUDGE" COMMAND...: the command writes NAME anew, where old is.
# Killed at each moment, it leaves old, new, or what JUDGE refuses to read.
replaced() {
	name=$1 judge=$2
	shift 2
	rm -rf "$name" && cp -r old "$name"
	"$@" >out 2>&1 || { cat out; fail "$*"; }
	rm -rf new && cp -r "$name" new
	$judge >out 2>err
	[ $? -le 1 ] || { cat err; fail "$judge"; }
	same old new && fail "$name: nothing was replaced"
	k=0 refused=0
	while :; do
		k=$((k + 1))
		rm -rf "$name" && cp -r old "$name"
		kill_at $k "$@"
		rc=$?
		[ $rc -eq 137 ] || break
		$judge >out 2>err
		case $? in
		0 | 1) same "$name" old || same "$name" new || {
			find "$name" -type f
			fail "$name: a mixture is judged when killed at $k"
		} ;;
		2) refused=$((refused + 1)) ;;
		*) cat err; fail "$judge" ;;
		esac
		# The next run takes away what is left.
		[ $((k % 8)) -eq 3 ] || continue
		"$@" >out 2>&1 || fail "$name: after a kill at $k"
		find "$name" -name '.*weft-*' | grep . &&
			fail "$name: left behind"
	done
	[ $rc -eq 0 ] || fail "$name: $(cat err)"
	[ $k -gt 4 ] && [ $refused -gt 0 ] || fail "$name: not killed"
	echo "$name: killed at $((k - 1)) moments, $refused without a set"
}

lanes='psssp:deadlock=layers,lanes=4'
"$WEFT" gen torus:4x4 >torus || fail gen
"$WEFT" route -q -e $lanes -o old torus >out || fail route
replaced one "$WEFT check -q one" \
	"$WEFT" route -q --force -e minhop -o one torus
rm -rf old && cp -r one old
replaced several "$WEFT check -q several" \
	"$WEFT" route -q --force -e $lanes -o several torus
cp -r one minhop
replaced layer "$WEFT check -q layer" \
	"$WEFT" layer -q --force --lanes=4 -o layer minhop

rm -rf old
"$WEFT" route -q -e opt --lmc=1 -o old 'pgft:2;4,4;1,4;1,1' >out ||
	fail "route -e opt"
replaced lids "$WEFT check -q lids" \
	"$WEFT" route -q --force -e updn -o lids torus

rm -rf old
site='subnets:2,routers=2,of=pgft:2;2,2;1,2;1,1'
"$WEFT" subnets route -q -e minhop --map=issr -o old "$site" >out ||
	fail "subnets route"
replaced site "$WEFT subnets check -q --map=files site/subnets.ini" \
	"$WEFT" subnets route -q --force -e psssp --map=isfr -o site "$site"
exit 0
