#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# weft watch in a simulated fabric: one look, and views of a fabric in which errors
# grow, bytes are sent, and a cable is pulled meanwhile.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

needs_preload

"$WEFT" capture "$work/no/where" 2>&1 | grep -q 'without libibnetdisc' && {
	echo "SKIP: this weft reads no live fabric" >&2
	exit 77
}
sw=S-0257454600000001
net=$work/net
"$WEFT" gen ring:5 -o "$net"
port=$(cable "$sw")
other=$(cable "$sw" 2)
views=$work/views
"$osm" -p "$plugins" -e 'minhop no_fallback' -o "$work/out" -i "$net" \
	2>"$work/log" <<END || { cat "$work/log"; fail 'opensm on ring:5'; }
run '$WEFT' capture -q --interval=0 $work/before >$work/told.before
sim PerformanceSet "$sw"[$other] PortCounters.SymbolErrorCounter=9
run '$WEFT' watch -q --once --json --since $work/before live >$work/once.json; echo \$? >$work/status
run '$WEFT' watch -q --every 1 live >$views 2>$work/told & echo \$! >$work/pid
until grep -q '^live, ' $views
sim PerformanceSet "$sw"[$other] PortCounters.SymbolErrorCounter=12
sim Unlink "$sw"[$port]
until grep -q 'missing cables' $views
run kill \$(cat $work/pid)
END
cat "$views" "$work/told"
[ "$(cat "$work/status")" = 1 ] || fail "--once: status $(cat "$work/status")"
json=$WEFT_BUILDDIR/tests/tools/json_get
[ "$("$json" errors.0.growth errors.0.counter <"$work/once.json" |
	paste -sd ' ' -)" = '9 "SymbolErrorCounter"' ] || {
	cat "$work/once.json"
	fail '--once does not tell of nine errors'
}
head -n 1 "$views" | grep -q '^live, .*: 5 hosts, 5 switches, 10 cables$' ||
	fail 'the first view tells of another fabric'
grep -q 'SymbolErrorCounter  *+3, now 12$' "$views" ||
	fail 'the errors since the first view are not there'
grep -q '^live, .* 9 cables$' "$views" || fail 'the cable is still there'
sed -n '/^changed since the first view/,$p' "$views" | grep -q 'missing' ||
	fail 'the cable is not told of as missing'
exit 0
