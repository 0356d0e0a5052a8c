#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A short run of tests/osm/soak: events at random, restarts and takeovers, in trees
# and in lanes.  The judge is told apart from a yes-man first.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

soak=$WEFT_SRCDIR/tests/osm/soak
judge=$WEFT_BUILDDIR/tests/osm/soak/judge
out=$work/out

# soaked OPTION...
soaked() {
	sh "$soak/run" "$@" --out "$out" || fail "soak $*"
}

# rejects WHAT FIELD AWK: tables changed by a program, told table and lid; a field of
# the judge's line is not 0.
rejects() {
	awk "/^Unicast/ { table++ } { lid = \$1 } $3 { print }" \
		"$out/before/opensm-lfts.dump" \
		>"$work/wrong/opensm-lfts.dump"
	"$judge" "$work/wrong" 0 0 wrong 18 9 >"$work/line" &&
		fail "the judge passes $1: $(cat "$work/line")"
	[ "$(cut -d ' ' -f "$2" "$work/line")" -gt 0 ] ||
		fail "the judge does not see $1: $(cat "$work/line")"
}

# What is wrong with the tables of a ring whose host 6 is three switches on from
# the first by ports 3, and back by ports 4.
"$WEFT" gen -q ring:9,hosts=2 >"$work/net" || fail 'weft gen'
soaked --events 1 --fabric "$work/net" --midst 0 --restarts 0
mkdir "$work/wrong"
cp "$out/before/opensm-subnet.lst" "$work/wrong/"
"$judge" "$out/before" 0 0 right 18 9 >"$work/line" ||
	fail "the judge rejects what is right: $(cat "$work/line")"
"$judge" "$out/before" 0 0 right 19 9 >/dev/null &&
	fail 'the judge does not count hosts'
host=$(awk '/host-0006/ { print $1; exit }' "$out/before/opensm-lfts.dump")
rejects 'a hole' 7 "table == 2 && lid == \"$host\" { next }"
rejects 'a loop' 8 "table == 2 && lid == \"$host\" { \$2 = \"004\" }"
rejects 'a credit loop' 10 '$2 + 0 > 2 { $2 = "003" }'

soaked --events 25 --seed 4 --engine weave --fabric 'pgft:3;3,3,4;1,3,3;1,1,1'
soaked --events 15 --seed 5 --engine psssp --fabric torus:4x4,hosts=2 --qos \
	--lmc 2 --stock minhop
soaked --events 15 --seed 6 --engine eftree --midst 50 \
	--fabric 'pgft:2;6,6;1,4;1,1' --conf 'use_ucast_cache TRUE'
