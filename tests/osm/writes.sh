#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The order in which the real opensm writes blocks of tables is the one that
# weft diff judges: block by block, all switches in the order of its GUID map.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

"$WEFT" gen 'random:24x6,12,guids=shuffle,seed=4' >"$work/net" ||
	fail "weft gen"
"$osm" -e minhop -c 'log_flags 0xff' -o "$work/out" "$work/net" ||
	fail "opensm"
sed -n 's/.*Writing FT block \([0-9]*\) to switch \(0x[0-9a-f]*\).*/\1 \2/p' \
	"$work/out/opensm.log" >"$work/wrote"
[ "$(wc -l <"$work/wrote")" -ge 48 ] || fail "no writes in the log"
"$WEFT_BUILDDIR/tests/osm/write_order" "$work/net" >"$work/order" ||
	fail "write_order"
# The log pads no zeros.
awk '
function plain(guid) { sub(/^0x0*/, "", guid); return guid }
FNR == NR { place[plain($1)] = FNR; next }
$1 < block || ($1 == block && place[plain($2)] <= last) {
	print "out of order: block " $1 " of " $2
	bad = 1
}
!(plain($2) in place) { print "unknown: " $2; bad = 1 }
{ block = $1; last = place[plain($2)] }
END { exit bad }' "$work/order" "$work/wrote" ||
	fail "opensm writes in another order"
