#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The fat-tree engines in the real opensm: a link and a spine fail and come back.
# Each time everyone reaches everyone without a credit loop, switches included,
# and the tables are those of weft route; in the end they are those of the start.
# A successor on another node computes the same.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

out=$work/out
conf=$work/weft.conf

names() {
	awk -F'"' -v kind="^$1" '$0 ~ kind { print $2 }' "$work/net"
}

# The first port of a switch to another switch.
cable() {
	awk -F'"' -v sw="$1" '
	/^Switch/ { name = $2 }
	name == sw && /^\[.*"S-/ {
		split($1, p, /[][]/)
		print p[2]
		exit
	}' "$work/net"
}

# sound DUMPDIR ENGINE WHAT
sound() {
	"$WEFT" check -q --hosts=all --switches "$1" >"$work/check" || {
		cat "$work/check" >&2
		fail "$2, $3: weft check $1"
	}
	rm -rf "$work/offline"
	"$WEFT" route -q -e "$2" -o "$work/offline" \
		"$1/opensm-subnet.lst" >/dev/null || fail "weft route $1"
	same_rows "$1/opensm-lfts.dump" "$work/offline/opensm-lfts.dump" \
		"$2, $3"
}

# start_sm ENGINE OPTION...
start_sm() {
	engine=$1
	shift
	"$osm" -p "$plugins" -c "event_plugin_name weft-$engine" -e "$engine" \
		-c "event_plugin_options weft.conf=$conf" \
		-c 'no_fallback TRUE' -o "$out" "$@"
}

# faults ENGINE FABRIC
faults() {
	"$WEFT" gen "$2" >"$work/net" || fail "weft gen $2"
	leaf=$(names Switch | head -n 1)
	spine=$(names Switch | tail -n 1)
	link="\"$leaf\"[$(cable "$leaf")]"
	first=$(names Ca | head -n 1)
	other=$(names Ca | tail -n 1)
	rm -rf "$out"
	start_sm "$1" -n "$first" -i "$work/net" <<END || fail "$1: $2"
collect start
sim unlink $link
sweep
collect link
sim unlink "$spine"
sweep
collect spine
sim relink "$spine"
sim relink $link
sweep
collect end
stop
start $other
await SUBNET UP
collect successor
END
	for t in start link spine; do
		sound "$out/$t" "$1" "$2, $t"
	done
	same_rows "$out/start/opensm-lfts.dump" "$out/end/opensm-lfts.dump" \
		"$1, all back"
	same_rows "$out/start/opensm-lfts.dump" \
		"$out/successor/opensm-lfts.dump" "$1, successor"
	cmp -s "$out/start/opensm-lfts.dump" "$out/link/opensm-lfts.dump" &&
		fail "$1: the tables did not change"
	not_logged "$out/successor" "$1: ERR"
}

: >"$conf"
faults eftree 'pgft:3;3,3,4;1,3,3;1,1,1,guids=shuffle'
faults beft 'pgft:3;3,3,4;1,3,3;1,1,1,hosts=3:1'
faults sftree 'pgft:2;4,6;1,4;1,1'
faults mftree 'pgft:2;4,6;1,4;1,1,dual=yes'

# OpenSM's own list of roots is ours, and a bad one is refused.
"$WEFT" gen 'pgft:2;4,6;1,4;1,1' >"$work/net" || fail 'weft gen'
awk '/^switchguid=/ { split($1, g, /[=(]/); guid = g[2] }
	/^Switch/ { if (++n > 6) print guid " spine" }' \
	"$work/net" >"$work/roots"
[ -s "$work/roots" ] || fail 'no roots'
start_sm eftree -c "root_guid_file $work/roots" "$work/net" ||
	fail root_guid_file
sound "$out" eftree root_guid_file
echo spine >"$work/roots"
start_sm eftree -u 'begins with the GUID of a root' \
	-c "root_guid_file $work/roots" "$work/net" ||
	fail 'a root_guid_file with a name in it'

# Lanes need QoS.
printf '[vftree]\nmax_vls = 3\n' >"$conf"
start_sm vftree -c 'qos TRUE' "$work/net" || fail vftree
logged "$out" 'vftree: routed'
not_logged "$out" 'vftree: ERR'
"$WEFT" check -q --json --hosts=all --switches "$out" >"$work/check.json" ||
	fail 'vftree: weft check'
grep -q '"vls": *3' "$work/check.json" || fail 'vftree: not 3 lanes'
