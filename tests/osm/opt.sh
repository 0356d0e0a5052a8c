#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Engines for exact fat trees: opensm programs what weft route computes; those
# that choose paths by LMC refuse one that is too small, and say which it takes.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

fabric='pgft:2;4,6;1,4;1,1,guids=shuffle,seed=3'

# run ENGINE LMC OUT: opensm with that engine alone.
run() {
	"$osm" -p "$plugins" -c "event_plugin_name weft-all" -c "lmc $2" \
		-c "event_plugin_options weft.conf=$anew" \
		-e "$1" -o "$3" "$fabric" >/dev/null || fail "$1, lmc $2"
}

for case in 'dmodk 0' 'smodk 2' 'opt 1' 'random 2'; do
	set -- $case
	out=$work/$1
	run "$1" "$2" "$out"
	"$WEFT" route -q -e "$1" --lmc="$2" -o "$work/offline-$1" \
		"$out/opensm-subnet.lst" >/dev/null || fail "weft route -e $1"
	same_by_owner "$out/opensm-lfts.dump" \
		"$work/offline-$1/opensm-lfts.dump"
	reachable "$work/offline-$1"
	logged "$out" "$1: routed 24 hosts, 10 switches"
	not_logged "$out" "$1: ERR"
done

# Each group sends to LIDs of its own; on whatever LIDs, to the same offsets.
cut -d ' ' -f 1,3 "$work/offline-opt/weft-paths.dump" >"$work/offsets"
"$WEFT" route -q -e opt --lmc=3 -o "$work/other" "$fabric" >/dev/null
cut -d ' ' -f 1,3 "$work/other/weft-paths.dump" | cmp - "$work/offsets" ||
	fail "offsets depend on LIDs"
[ "$(grep -c '^0x.* 1$' "$work/offsets")" -eq 12 ] || fail "groups are not halves"

# The plugin tells the same, with OpenSM's LIDs, and only where there is a choice.
cut -d ' ' -f 1,3 "$work/opt/weft-paths.dump" | cmp - "$work/offsets" ||
	fail "the plugin's weft-paths.dump"
[ ! -e "$work/dmodk/weft-paths.dump" ] || fail "offsets without a choice"

# Refused: OpenSM goes on to its own engine.
run smodk 1 "$work/small"
[ ! -e "$work/small/weft-paths.dump" ] || fail "offsets of a refused engine"
logged "$work/small" 'smodk: ERR .*4 paths need LMC 2'
logged "$work/small" 'minhop tables configured'
