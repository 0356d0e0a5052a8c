#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# weft compare --with-opensm: rows of OpenSM's engines are what the same opensm
# gives by hand, and nothing is left behind, whatever ends it.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

WEFT_OSM_RUN=$osm
TMPDIR=$work/tmp
export WEFT_OSM_RUN TMPDIR
mkdir "$TMPDIR"
fabric='pgft:2;4,4;1,4;1,1,fail-links=5%,seed=3'

"$WEFT" compare -q --with-opensm -e weave --csv "$fabric" >"$work/rows.csv" ||
	fail 'compare --with-opensm'
for engine in minhop updn dnup ftree lash dor sssp dfsssp nue torus-2QoS; do
	grep -q "\"$engine\",opensm," "$work/rows.csv" || fail "no row $engine"
done
grep '"torus-2QoS",opensm' "$work/rows.csv" | grep -q '"no routing engine' ||
	fail 'torus-2QoS is no refusal'
[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"

# The same tables, judged by hand.
"$osm" -e 'minhop no_fallback' -c 'qos TRUE' -o "$work/minhop" "$fabric" ||
	fail 'opensm by hand'
"$WEFT" analyze -q --csv -p basket -n 256 "$work/minhop" | tail -n 1 |
	awk -F, '{ print $(NF - 3) }' >"$work/want"
sed -n 's/^"[^"]*","minhop",opensm,//p' "$work/rows.csv" |
	awk -F, '{ print $8 }' >"$work/got"
cmp "$work/want" "$work/got" || fail 'minhop is worth something else'

# Ctrl-C in the midst of it
"$WEFT" compare --with-opensm -e weave -o "$work/never.csv" \
	pgft:'3;6,6,6;1,6,6;1,1,1' >/dev/null 2>&1 &
weft=$!
tries=0
until ls "$TMPDIR" | grep -q weft-osm; do
	sleep 0.1
	tries=$((tries + 1))
	[ $tries -lt 200 ] || fail 'opensm did not start'
done
kill -INT $weft 2>/dev/null || kill $weft
sleep 0.2
kill $weft 2>/dev/null
wait $weft
tries=0
while [ -n "$(ls "$TMPDIR")" ]; do
	sleep 0.2
	tries=$((tries + 1))
	[ $tries -lt 150 ] || fail "left behind: $(ls "$TMPDIR")"
done
[ ! -e "$work/never.csv" ] || fail 'a file that is not whole'
exit 0
