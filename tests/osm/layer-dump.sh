#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The dumps of a stock OpenSM whose tables can deadlock: weft layer keeps to the
# lanes that its SL2VL tables lead to, and weft check proves what is written.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

# layered LANES SL2VL: the report of weft layer.
layered() {
	"$osm" -e minhop -c 'qos TRUE' -c "qos_sl2vl $2" -o "$work/$1" ring:5 ||
		fail "opensm with qos_sl2vl $2"
	"$WEFT" check -q --top=0 "$work/$1" >"$work/found"
	[ $? -eq 1 ] || fail "no credit loop in OpenSM's minhop"
	"$WEFT" layer -n 0 "$work/$1" -o "$work/$1-safe" >"$work/report" ||
		fail "weft layer"
	cat "$work/report"
	grep -q "that ports have       $1, SL2VL tables as they are" \
		"$work/report" || fail "not the lanes of the ports"
	"$WEFT" check --switches "$work/$1-safe" >"$work/proof" || {
		cat "$work/proof"
		fail "not safe"
	}
}

layered 8 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,7
grep -q 'lanes  *2 of 8' "$work/report" || fail "not two lanes of eight"
layered 2 0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1
grep -q 'lanes  *2 of 2' "$work/report" || fail "not two lanes of two"
layered 1 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
grep -q 'along ways that need fewer lanes' "$work/report" || fail "not rerouted"
