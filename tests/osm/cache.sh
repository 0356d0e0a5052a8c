#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# use_ucast_cache: with standing=no OpenSM takes a host or a leaf switch that goes
# and comes back out of its own cache and does not call the engine; what is lost in
# the core it routes anew.  Tables that stand do without that cache, which would lose
# what leads through a leaf switch.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

fabric='pgft:3;4,4,4;1,4,4;1,1,1'
out=$work/out
"$WEFT" gen "$fabric" >"$work/net" || fail "weft gen $fabric"
leaf=$(awk -F'"' '/^Switch/ && ++n == 3 { print $2 }' "$work/net")
spine=$(awk -F'"' '/^Switch/ { name = $2 } END { print name }' "$work/net")
host=$(awk -F'"' '/^Ca/ { name = $2 } END { print name }' "$work/net")

weft_sm -e psssp -c "event_plugin_options weft.conf=$anew" \
	-c 'use_ucast_cache TRUE' -o "$out" -i "$work/net" <<END ||
collect start
sim unlink "$host"
sweep
sim relink "$host"
sweep
collect host
sim unlink "$leaf"
sweep
sim relink "$leaf"
sweep
collect leaf
sim unlink "$spine"
sweep
collect spine
sim relink "$spine"
sweep
collect end
END
	fail "$fabric"

cached() {
	grep -c 'Configuring switch tables using cached routing' \
		"$out/$1/opensm.log"
}
routed() {
	grep -c 'psssp: routed' "$out/$1/opensm.log"
}

[ "$(cached leaf)" -ge 2 ] || fail "the cache was not used"
[ "$(routed leaf)" -lt 5 ] || fail "the engine was called every time"
[ "$(routed end)" -gt "$(routed leaf)" ] ||
	fail "the engine was not called for the spine"
offline "$out/spine"
reachable "$out/spine"
for t in host leaf end; do
	cmp "$out/start/opensm-lfts.dump" "$out/$t/opensm-lfts.dump" ||
		fail "$t: the tables are not those of the start"
done
not_logged "$out/end" 'psssp: ERR'

# A leaf goes by which others reach each other, as each has but one spine.
"$WEFT" gen 'pgft:2;2,4;1,2;1,1' >"$work/net" || fail 'weft gen'
set -- $(names Switch)
weft_sm -e 'psssp no_fallback' -c 'use_ucast_cache TRUE' \
	-o "$out" -i "$work/net" <<END || fail 'through a leaf'
sim unlink "$2"[$(cable "$2")]
sweep
sim unlink "$3"[$(cable "$3" 2)]
sweep
collect through
sim unlink "$4"
sweep
collect gone
END
not_logged "$out/gone" 'using cached routing'
reachable "$out/gone"
