#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Links and switches go down and come back between sweeps: with standing=no the
# tables are at each time those of the fabric as it is, and in the end those of
# the start.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

fabric='pgft:3;4,4,4;1,4,4;1,1,1'
out=$work/out
"$WEFT" gen "$fabric" >"$work/net" || fail "weft gen $fabric"

# A leaf and the number of its first port to another switch; a spine; a host.
leaf=$(names Switch | head -n 1)
port=$(cable "$leaf")
spine=$(names Switch | tail -n 1)
host=$(names Ca | tail -n 1)

weft_sm -e psssp -c "event_plugin_options weft.conf=$anew" \
	-o "$out" -i "$work/net" <<END || fail "$fabric"
collect start
sim unlink "$leaf"[$port]
sweep
collect link-down
sim relink "$leaf"[$port]
sweep
collect link-up
sim unlink "$spine"
sweep
collect switch-down
sim relink "$spine"
sweep
collect switch-up
sim unlink "$host"
sweep
collect host-down
sim relink "$host"
sweep
collect host-up
sweep
collect again
END

for t in start link-down switch-down host-down; do
	offline "$out/$t"
	reachable "$out/$t"
done
for t in link-up switch-up host-up again; do
	cmp "$out/start/opensm-lfts.dump" "$out/$t/opensm-lfts.dump" ||
		fail "$t: the tables are not those of the start"
done
for t in link-down switch-down host-down; do
	cmp -s "$out/start/opensm-lfts.dump" "$out/$t/opensm-lfts.dump" &&
		fail "$t: the tables did not change"
done
[ "$(grep -c 'psssp: routed' "$out/again/opensm.log")" -eq 8 ] ||
	fail "not 8 sweeps"
not_logged "$out/again" 'psssp: ERR'

# The same link with traps: OpenSM sweeps by itself.
weft_sm -e psssp -c "event_plugin_options weft.conf=$anew" \
	-c 'sweep_on_trap TRUE' -o "$out" -i "$work/net" <<END ||
await
sim unlink "$leaf"[$port]
await
collect trap
END
	fail "$fabric with traps"
offline "$out/trap"
reachable "$out/trap"
[ "$(rows "$out/trap/opensm-lfts.dump")" = \
	"$(rows "$out/link-down/opensm-lfts.dump")" ] ||
	fail "a sweep by trap and one by signal give different tables"
