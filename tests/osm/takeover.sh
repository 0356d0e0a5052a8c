#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Another subnet manager, on another node and with an empty cache, takes the
# subnet over: it finds it in another order and computes the same tables, should
# it not keep those that there are.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

try() {
	echo "$1"
	"$WEFT" gen "$1" >"$work/net" || fail "weft gen $1"
	first=$(awk -F'"' '/^Ca/ { print $2; exit }' "$work/net")
	other=$(awk -F'"' '/^Ca/ { name = $2 } END { print name }' \
		"$work/net")
	rm -rf "$work/out"
	weft_sm -e psssp -c "event_plugin_options weft.conf=$anew" \
		-o "$work/out" -n "$first" -i "$work/net" <<END ||
collect first
stop
start $other
await
collect other
END
		fail "$1"
	same_rows "$work/out/first/opensm-lfts.dump" \
		"$work/out/other/opensm-lfts.dump" "$1, master and successor"
	logged "$work/out/other" 'psssp tables configured'

	# A standby does not route.
	weft_sm -e psssp -c "event_plugin_options weft.conf=$anew" \
		-o "$work/out" -n "$first" -i "$work/net" <<END ||
start $other
await Entering STANDBY
collect standby
END
		fail "$1, standby"
	not_logged "$work/out/standby" 'psssp: routed'
}

try 'pgft:3;4,4,4;1,4,4;1,1,1,guids=shuffle'
try torus:4x4,hosts=2,guids=shuffle

# A master that is stopped while its standby asks whether it is alive, and killed
# then: that request is never answered, and OpenSM waits for all of them.
needs "$kernel"
UMAD_PATIENCE=500 weft_sm -e psssp -c 'sminfo_polling_timeout 200' \
	-c 'polling_retry_number 2' -t 20 -o "$work/out" -n "$first" -i \
	"$work/net" <<END || fail 'a master that does not answer'
start $other log_flags 0x47
await SM State 2
use $first
run kill -STOP \$OSM_PID
use $other
run sleep 0.5
kill $first
await
END
