#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The fat-tree engines in the real opensm: a link and a spine fail and come back.
# Each time everyone reaches everyone without a credit loop, switches included,
# and the tables are those of weft route; in the end they are those of the start.
# A successor on another node computes the same.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

out=$work/out
conf=$work/weft.conf

# spec ENGINE: for weft route; sftree avoids the switch of the subnet manager, which
# runs on $sm
spec() {
	[ "$1" = sftree ] || { echo "$1"; return; }
	echo "sftree:keep-off=$(awk -F'"' -v sm="$sm" '
		/^Ca/ && $2 == sm { print $4 }' "$work/net")"
}

# sound DUMPDIR ENGINE WHAT
sound() {
	"$WEFT" check -q --hosts=all --switches "$1" >"$work/check" || {
		cat "$work/check" >&2
		fail "$2, $3: weft check $1"
	}
	rm -rf "$work/offline"
	"$WEFT" route -q -e "$(spec "$2")" -o "$work/offline" \
		"$1/opensm-subnet.lst" >/dev/null || fail "weft route $1"
	same_rows "$1/opensm-lfts.dump" "$work/offline/opensm-lfts.dump" \
		"$2, $3"
}

# start_sm ENGINE OPTION...
start_sm() {
	engine=$1
	shift
	"$osm" -p "$plugins" -c "event_plugin_name weft-all" \
		-e "$engine no_fallback" \
		-c "event_plugin_options weft.conf=$conf" \
		-o "$out" "$@"
}

# faults ENGINE FABRIC
faults() {
	"$WEFT" gen "$2" >"$work/net" || fail "weft gen $2"
	leaf=$(names Switch | head -n 1)
	spine=$(names Switch | tail -n 1)
	link="\"$leaf\"[$(cable "$leaf")]"
	first=$(names Ca | head -n 1)
	other=$(names Ca | tail -n 1)
	sm=$first
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
await
collect successor
END
	for t in start link spine; do
		sound "$out/$t" "$1" "$2, $t"
	done
	same_rows "$out/start/opensm-lfts.dump" "$out/end/opensm-lfts.dump" \
		"$1, all back"
	sm=$other
	sound "$out/successor" "$1" "$2, successor"
	[ "$1" = sftree ] || same_rows "$out/start/opensm-lfts.dump" \
		"$out/successor/opensm-lfts.dump" "$1, successor"
	cmp -s "$out/start/opensm-lfts.dump" "$out/link/opensm-lfts.dump" &&
		fail "$1: the tables did not change"
	not_logged "$out/successor" "$1: ERR"
}

cp "$anew" "$conf"
faults eftree 'pgft:3;3,3,4;1,3,3;1,1,1,guids=shuffle'
faults beft 'pgft:3;3,3,4;1,3,3;1,1,1,hosts=3:1'
faults sftree 'pgft:2;4,6;1,4;1,1'
# What switches send each other stays away from the subnet manager's switch.
leaf_of_valley() {
	"$WEFT" trace -q -i "$out/$1" spine-00 spine-01 |
		sed -n 's/.*> \(leaf-[0-9]*\):.*/\1/p'
}
[ "$(leaf_of_valley start)" = leaf-005 ] || fail "a valley that is elsewhere"
[ "$(leaf_of_valley successor)" = leaf-004 ] || fail "at the SM's switch"
faults mftree 'pgft:2;4,6;1,4;1,1,dual=yes'

# stray ENGINE FABRIC: a leaf loses all of its cables to switches.  Those who are
# left are routed, and so is the leaf by itself, from one of its hosts; all of them
# are when the cables are back, as at the start.
stray() {
	"$WEFT" gen "$2" >"$work/net" || fail "weft gen $2"
	leaf=$(names Switch | head -n 1)
	cables=$(awk -F'"' -v sw="$leaf" '
		/^Switch/ { name = $2 }
		name == sw && /^\[.*"S-/ { split($1, p, /[][]/); print p[2] }
		' "$work/net")
	hosts=$(awk -F'"' -v sw="$leaf" '
		/^Switch/ { name = $2 }
		name == sw && /^\[.*"H-/ { print $2 }' "$work/net")
	all=$(names Ca | wc -l)
	{
		echo collect start
		for p in $cables; do
			echo "sim unlink \"$leaf\"[$p]"
		done
		echo sweep
		echo collect rest
		echo stop
		echo "start $(echo "$hosts" | head -n 1)"
		echo await SUBNET UP
		echo collect leaf
		for p in $cables; do
			echo "sim relink \"$leaf\"[$p]"
		done
		echo sweep
		echo collect end
		echo stop
	} >"$work/steps"
	rm -rf "$out"
	sm=$(names Ca | tail -n 1)
	start_sm "$1" -n "$sm" -i "$work/net" \
		<"$work/steps" || fail "$1: $2"
	for t in start rest leaf; do
		[ $t = leaf ] && sm=$(echo "$hosts" | head -n 1)
		sound "$out/$t" "$1" "$2, $t"
	done
	n=$(echo "$hosts" | wc -l)
	logged "$out/rest" "$1: routed $((all - n)) hosts"
	logged "$out/leaf" "$1: routed $n hosts, 1 switches"
	sound "$out/end" "$1" "$2, the leaf is back"
	[ "$1" = sftree ] ||
		same_rows "$out/start/opensm-lfts.dump" \
			"$out/end/opensm-lfts.dump" "$1, the leaf is back"
	not_logged "$out/end" "$1: ERR"
}

stray eftree 'pgft:2;4,6;1,4;1,1'
stray sftree 'pgft:3;3,3,4;1,3,3;1,1,1'

# OpenSM's own list of roots is ours.  A list of the engine's goes before, is read
# again in every sweep, and one that cannot be read changes nothing.
"$WEFT" gen 'pgft:2;4,6;1,4;1,1' >"$work/net" || fail 'weft gen'
awk '/^switchguid=/ { split($1, g, /[=(]/); guid = g[2] }
	/^Switch/ { if (++n > 6) print guid " spine" }' \
	"$work/net" >"$work/roots"
[ -s "$work/roots" ] || fail 'no roots'
start_sm eftree -c "root_guid_file $work/roots" "$work/net" ||
	fail root_guid_file
sound "$out" eftree root_guid_file
not_logged "$out" 'eftree: ERR\|eftree: WARNING'

list=$work/list
printf '[weft]\nstanding = no\n[eftree]\nroots = %s\n' "$list" >"$conf"
printf 'leaf-000\n' >"$list"
start_sm eftree -c "root_guid_file $work/nowhere" -i "$work/net" <<END ||
collect leaf
run echo spine-00 >$list
sweep
collect spine
run echo 0x12z >$list
sweep
sweep
collect broken
run echo gone >$list
sweep
collect gone
run rm $list
sweep
collect none
END
	fail 'a list of roots'
for t in leaf spine broken; do
	root=spine-00
	[ "$t" != leaf ] || root=leaf-000
	sound "$out/$t" "eftree:roots=$root" "roots: $t"
done
sound "$out/gone" eftree 'roots: gone'
sound "$out/none" eftree 'roots: none'
# OpenSM's list is left aside, and of a clean list with one spine out of four three
# are idle, as the log tells once.
not_logged "$out/spine" 'eftree: ERR'
unheeded='root_guid_file has no effect .*: roots= in weft.conf goes before it'
[ "$(grep -c 'eftree: WARNING' "$out/spine/opensm.log")" -eq 2 ] ||
	fail 'not two warnings'
logged "$out/spine" "eftree: WARNING: OpenSM's option $unheeded"
logged "$out/spine" "eftree: WARNING: $list: roots: nothing passes 3 switches that the list lacks,.*\"spine-01\".* so 75 % of the bandwidth upwards from 6 switches lies idle"
logged "$out/broken" "eftree: ERR 5701: $list:1: roots: not the GUID"
logged "$out/broken" 'eftree: WARNING: the options read before stay in force'
[ "$(grep -c 'eftree: ERR' "$out/broken/opensm.log")" -eq 1 ] ||
	fail 'an error in each sweep'
logged "$out/gone" "eftree: WARNING: $list:1: the fabric has no switch 'gone'"
logged "$out/gone" "eftree: WARNING: $list: roots: nothing in this list"
logged "$out/none" "eftree: ERR 5701: $list: cannot open: No such file"

# A line in OpenSM's own list that is no GUID spoils the whole file, as it does with
# OpenSM's engines: all spines are found.
cp "$anew" "$conf"
sed '2s/0x[0-9a-f]* //' "$work/roots" >"$work/named"
start_sm eftree -c "root_guid_file $work/named" -i "$work/net" <<END ||
sweep
sweep
collect named
END
	fail 'a name among GUIDs'
sound "$out/named" eftree 'a name among GUIDs'
logged "$out/named" "eftree: ERR 5701: $work/named:2: root_guid_file: 'spine' is not the GUID"
[ "$(grep -c 'eftree: ERR' "$out/named/opensm.log")" -eq 1 ] ||
	fail 'the error of a list in each sweep'
printf '[weft]\nstanding = no\n[eftree]\nroots = %s\n' "$list" >"$conf"

# At the start there is nothing to keep: the engine goes on without the list.
start_sm eftree "$work/net" || fail 'no list at the start'
sound "$out" eftree 'no list at the start'
logged "$out" "eftree: ERR 5701: $list: cannot open: No such file"
logged "$out" 'eftree: WARNING: going on without this file'
cp "$anew" "$conf"

# Lanes need QoS.
for algorithm in shared paper; do
	printf '[weft]\nstanding = no\n[vftree]\nlanes = 3\nalgorithm = %s\n' $algorithm >"$conf"
	start_sm vftree -c 'qos TRUE' "$work/net" || fail vftree
	logged "$out" 'vftree: routed'
	not_logged "$out" 'vftree: ERR'
	"$WEFT" check -q --json --hosts=all --switches "$out" \
		>"$work/check.json" || fail 'vftree: weft check'
	grep -q '"vls": *3' "$work/check.json" || fail 'vftree: not 3 lanes'
done
