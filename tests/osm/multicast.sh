#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Hosts and switches join the IPoIB broadcast group: under psssp, with its own
# trees and with OpenSM's, the multicast tables are those of minhop, in the sweep
# of a join, between sweeps, and after a link, a switch and a member have gone.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

# At a rate and MTU that port 0 of a switch has, too.
echo 'Default=0x7fff, ipoib, rate=2, mtu=1: ALL=full;' >"$work/partitions.conf"

# ports FILE: GUIDs of the CA ports of a topology
ports() {
	awk -F'[()]' '/^Ca/ { ca = 1 } /^$/ { ca = 0 }
		ca && /^\[/ { print $2 }' "$1"
}

# switches FILE: GUIDs of the ports 0
switches() {
	awk -F'[()]' '/^switchguid/ { print $2 }' "$1"
}

# every STEP: every STEPth line
every() {
	awk -v step="$1" 'NR % step == 0' | tr '\n' ' '
}

join=$WEFT_BUILDDIR/tests/osm/mcast_join
needs "$join"
# who returns home does not wait for another sweep, which a dump could come before
printf '[weft]\nsafe_order = no\n' >"$work/weft.conf"
printf '[weft]\nsafe_order = no\nmulticast = opensm\n' >"$work/opensm.conf"

# run_with ENGINE OUT NET CONF-LINE: joins, faults, and a dump after each; the
# last join is served between two sweeps.
run_with() {
	weft_sm -e "$1" -c "partition_config_file $work/partitions.conf" \
		-c "$4" -o "$2" -i "$3" <<END
run $join $(ports "$3" | every 9)
sweep
collect few
run $join $(switches "$3" | every 7)
sweep
collect with-switches
run $join $(ports "$3" | every 1)
run $join $(switches "$3" | every 1)
await Configured MLID 0xC000 for $({ ports "$3"; switches "$3"; } | wc -l) ports
collect all
sim unlink "$up"[$up_port]
sweep
collect link-down
sim unlink "$spine"
sweep
collect switch-down
sim unlink "$host"
sweep
collect member-down
sim relink "$up"[$up_port]
sim relink "$spine"
sim relink "$host"
sweep
collect up
END
}

# same_trees A B WHAT
same_trees() {
	[ -s "$1" ] || fail "$1 is empty"
	cmp "$1" "$2" || fail "$3: multicast tables differ from minhop's"
}

try() {
	echo "$1"
	"$WEFT" gen "$1" >"$work/net" || fail "weft gen $1"
	up=$(awk -F'"' '/^Switch/ { print $2; exit }' "$work/net")
	up_port=$(awk -F'"' -v sw="$up" '/^Switch/ { name = $2 }
		name == sw && /^\[.*"S-/ {
			split($1, p, /[][]/)
			print p[2]
			exit
		}' "$work/net")
	spine=$(awk -F'"' '/^Switch/ { name = $2 } END { print name }' \
		"$work/net")
	host=$(awk -F'"' '/^Ca/ { n++; if (n == 6) print $2 }' "$work/net")
	rm -rf "$work/minhop" "$work/weft" "$work/opensm"
	run_with minhop "$work/minhop" "$work/net" '' || fail "$1, minhop"
	run_with psssp "$work/weft" "$work/net" \
		"event_plugin_options weft.conf=$work/weft.conf" ||
		fail "$1, psssp"
	run_with psssp "$work/opensm" "$work/net" \
		"event_plugin_options weft.conf=$work/opensm.conf" ||
		fail "$1, psssp with OpenSM's trees"
	for at in few with-switches all link-down switch-down member-down up; do
		for who in weft opensm; do
			same_trees "$work/$who/$at/opensm.mcfdbs" \
				"$work/minhop/$at/opensm.mcfdbs" "$1, $who, $at"
		done
	done
	# ours are trees of all members, by weft check as well
	for at in few with-switches all link-down switch-down up; do
		"$WEFT" check --safe --csv "$work/weft/$at" >"$work/csv" ||
			fail "$1, $at: weft check: $(cat "$work/csv")"
		tail -1 "$work/csv" | grep -q ',1,0,[0-9]*,1$' ||
			fail "$1, $at: not one tree: $(cat "$work/csv")"
	done
	logged "$work/weft/up" 'psssp: Configured MLID'
	not_logged "$work/opensm/up" 'psssp: Configured MLID'
	not_logged "$work/weft/up" 'psssp: ERR'
}

try 'pgft:3;4,4,4;1,4,4;1,1,1'
try torus:4x4,hosts=2
