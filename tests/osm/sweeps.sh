#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# weft-sweeps.jsonl of a running opensm: a line for each sweep, what it says;
# weft.conf read anew when SIGHUP starts a heavy sweep.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

json=$WEFT_BUILDDIR/tests/tools/json_get
out=$work/out
conf=$work/weft.conf
named="event_plugin_options weft.conf=$conf"
"$WEFT" gen torus:4x4 >"$work/torus" || fail "weft gen"
: >"$conf"

# lines DIR N: that many, each of them JSON.
lines() {
	file=$out/$1/weft-sweeps.jsonl
	[ "$(wc -l <"$file")" -eq "$2" ] || fail "$1: not $2 lines: $(cat "$file")"
	while read -r line; do
		echo "$line" | "$json" engine seconds.route >/dev/null ||
			fail "$1: not JSON: $line"
	done <"$file"
}

# last DIR KEY VALUE: what the last line says.
last() {
	got=$(tail -n 1 "$out/$1/weft-sweeps.jsonl" | "$json" "$2")
	[ "$got" = "$3" ] || fail "$1: $2 is $got, not $3"
}

# line N: waits for that of sweep N, which comes a little after it.
line() {
	echo "until grep -qs '\"sweep\": $1,' \$OSM_TMP_DIR/weft-sweeps.jsonl"
}

weft_sm -e 'psssp no_fallback' -c "$named" -c 'qos TRUE' -c 'max_op_vls 4' \
	-o "$out" -i "$work/torus" <<END || fail "sweeps"
$(line 1)
collect first
sim unlink "S-0257454600000001"[2]
sweep
$(line 2)
collect lost
run printf '[psssp]\npasses = many\n' >$conf
sweep
$(line 3)
collect broken
run printf '[weft]\nsweeps_size = 1\nsweeps_keep = 1\n[psssp]\npasses = 1\n' >$conf
sweep
sweep
sweep
$(line 6)
collect rotated
run printf '[weft]\ndeadlock = refuse\n' >$conf
sweep No routing engine able
collect refused
run printf '[weft]\nsweeps_size = 0\n' >$conf
sweep
collect none
END

lines first 1
last first sweep 1
last first outcome '"routed"'
last first hosts 16
last first switches 16
last first changes.switches 16
last first error null
[ "$(tail -n 1 "$out/first/weft-sweeps.jsonl" | "$json" bandwidth.mean)" != \
	null ] || fail "no bandwidth"
last first cables 48

# What a cable less changes is what opensm has to send.
lines lost 2
last lost cables 47
changes=$(rows "$out/first/opensm-lfts.dump" >"$work/a"
	rows "$out/lost/opensm-lfts.dump" | comm -13 "$work/a" - | wc -l)
last lost changes.entries "$changes"
[ "$changes" -gt 0 ] || fail "nothing changed"

# A mistake in weft.conf leaves the options as they were, and says so.
lines broken 3
last broken changes.entries 0
case $(tail -n 1 "$out/broken/weft-sweeps.jsonl" | "$json" conf_error) in
*"weft.conf:2: "*) ;;
*) fail "no word of weft.conf" ;;
esac
logged "$out/broken" 'stay in force'

# Rotation, by options that came with SIGHUP.
[ -s "$out/rotated/weft-sweeps.jsonl.1" ] || fail "no older file"
[ -e "$out/rotated/weft-sweeps.jsonl.2" ] && fail "too many files"
[ "$(wc -c <"$out/rotated/weft-sweeps.jsonl")" -le 1024 ] || fail "too large"
last rotated sweep 6
last rotated conf_error null

last refused outcome '"refused"'
last refused error_code '"5705"'
last refused sweep 7
cmp "$out/refused/weft-sweeps.jsonl" "$out/none/weft-sweeps.jsonl" ||
	fail "a line too many"
logged "$out/none" 'SUBNET UP'
