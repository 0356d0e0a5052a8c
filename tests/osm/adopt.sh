#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A subnet manager that becomes master keeps what the switches hold: after
# OpenSM's own engine, after one of ours on another host that was killed, after
# a restart without a cache, with a cable out in between.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

out=$work/out
"$WEFT" gen 'pgft:3;4,4,6;1,4,3;1,1,1' >"$work/net" || fail 'weft gen'
leaf=$(names Switch | head -n 1)
port=$(cable "$leaf")
first=$(names Ca | head -n 1)
other=$(names Ca | tail -n 1)
third=$(names Ca | sed -n 9p)
conf=$work/weft.conf
: >"$conf"

# adopt_sm ENGINE: with all plugins; commands on standard input.
adopt_sm() {
	rm -rf "$out"
	"$osm" -p "$plugins" -n "$first" -o "$out" -e "$1" \
		-c 'event_plugin_name weft-all' \
		-c 'sminfo_polling_timeout 200' -c 'polling_retry_number 2' \
		-c "event_plugin_options weft.conf=$conf" \
		-i "$work/net" || fail "$1"
}

# changed A B: entries of both that differ, and those that B has not.
changed() {
	rows "$out/$1/opensm-lfts.dump" >"$work/rows.a"
	rows "$out/$2/opensm-lfts.dump" >"$work/rows.b"
	[ -s "$work/rows.a" ] || fail "$1: no table"
	awk 'NR == FNR { now[$1, $2] = $3; next }
	now[$1, $2] != $3 { n++ }
	END { print n + 0 }' "$work/rows.b" "$work/rows.a"
}

# keeps A B [MOST]: no entry of A, or at most that many, is another one in B.
keeps() {
	n=$(changed "$1" "$2")
	[ "$n" -le "${3-0}" ] || fail "$2 changes $n entries of $1"
	reachable "$out/$2"
	no_credit_loop "$out/$2"
	not_logged "$out/$2" 'routed anew'
}

# takes_over A B [MOST]: the same, by what B read from the switches.
takes_over() {
	keeps "$@"
	logged "$out/$2" 'tables of [0-9]* switches taken over'
	logged "$out/$2" '; as the switches had them'
	grep -q '"adopted": {"switches": [0-9]*, "silent": 0,' \
		"$out/$2/weft-sweeps.jsonl" || fail "$2: not adopted"
}

# field NAME DIR: of the last sweep there.
field() {
	tail -n 1 "$out/$2/weft-sweeps.jsonl" |
		sed "s/.*\"$1\": \([0-9]*\).*/\1/"
}

# From OpenSM's engine to ours; our own tables from then on, in memory.
adopt_sm ftree <<END || exit
collect stock
stop
start $other routing_engine weave no_fallback
await
collect weave
sweep
collect again
stop
sim unlink "$leaf"[$port]
start $third routing_engine eftree no_fallback
await
collect cable
stop
start $third routing_engine eftree no_fallback
await
collect restart
END
takes_over stock weave
# (ftree does not route from all switches to all others)
[ "$(field entries weave)" = "$(field fresh weave)" ] ||
	fail "changes beyond holes: $(cat "$out/weave/weft-sweeps.jsonl")"
keeps weave again
not_logged "$out/weave" 'weave: ERR'
no_credit_loop "$out/cable"
used=$(rows "$out/again/opensm-lfts.dump" |
	awk -v port="$port" '$3 == port' | wc -l)
takes_over again cable $((3 * used))
keeps cable restart

# A standby.  (ibsim leaves the standby of a second one that is killed waiting
# for an answer forever, with any engine.)
adopt_sm weave <<END || exit
collect master
start $other
await Entering STANDBY
kill $first
await
collect standby
sim unlink "$leaf"[$port]
sweep
collect cable
stop
start $third
await
collect next
END
takes_over master standby
not_logged "$out/standby" 'weave: ERR'
takes_over cable next
logged "$out/next" 'tables stand: 0 entries mended, 0 back home, 0 moved'

# Nobody is asked, or there is nothing to be had.
printf '[weft]\nadopt = no\n' >"$conf"
adopt_sm minhop <<END || exit
collect stock
stop
start $other routing_engine weave no_fallback
await
collect anew
END
not_logged "$out/anew" 'taken over'
[ "$(changed stock anew)" -gt 0 ] || fail 'adopt=no changes nothing'
: >"$conf"
adopt_sm weave </dev/null
not_logged "$out" 'taken over\|routed anew'
