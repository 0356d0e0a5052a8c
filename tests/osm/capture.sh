#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# weft capture in a simulated fabric: what it reads is what opensm set, after an
# interruption, too, and what does not answer is told.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

needs_preload

"$WEFT" capture "$work/no/where" 2>&1 | grep -q 'without libibnetdisc' && {
	echo "SKIP: this weft reads no live fabric" >&2
	exit 77
}
out=$work/out
capture="'$WEFT' capture -q --interval=0"

# captured ENGINE FABRIC CONF... : runs the commands on standard input in it;
# $out holds opensm's dumps, without the topology that it was given.
captured() {
	engine=$1 fabric=$2
	shift 2
	rm -rf "$out"
	"$osm" -p "$plugins" -e "$engine" "$@" -o "$out" -i "$fabric" \
		2>"$work/log" || { cat "$work/log"; fail "$engine: $fabric"; }
	rm -f "$out/fabric.ibnetdiscover"
}

# same_sl2vl A B: rows of both, as far as B has them.
sl2vl_rows() {
	awk '/^Switch/ { guid = $2 }
		/^(Channel|Router)/ { guid = "" }
		/^[0-9]/ && guid { $1 = $1; print guid, $0 }' "$1" | sort
}
same_sl2vl() {
	sl2vl_rows "$1" >"$work/sl2vl.a"
	sl2vl_rows "$2" >"$work/sl2vl.b"
	[ -s "$work/sl2vl.b" ] || fail "$2: no SL2VL tables"
	comm -13 "$work/sl2vl.a" "$work/sl2vl.b" >"$work/sl2vl.more"
	[ ! -s "$work/sl2vl.more" ] || {
		head "$work/sl2vl.more" >&2
		fail "$2: not the SL2VL tables of opensm"
	}
}

# verdict INPUT: of weft check, but for what it is called.
verdict() {
	"$WEFT" check -q --csv "$@" | sed 's/^"[^"]*","[^"]*"//'
}

# --- with an engine of weft's, and a stock one --------------------------

captured weave torus:3x3,hosts=2 -c 'event_plugin_name weft-weave' \
	-c 'qos TRUE' -c 'lmc 1' <<END
run $capture --paths $work/weave >$work/told
run $capture --json --paths=50 $work/drawn >$work/drawn.json
run $capture --paths --anonymise $work/masked >$work/masked.told
END
cat "$work/told"
# opensm's subnet list does not tell the LMC, its tables do
same_rows "$out/opensm-lfts.dump" "$work/weave/opensm-lfts.dump" weave
same_sl2vl "$out/opensm-sl2vl.dump" "$work/weave/opensm-sl2vl.dump"
expand "$work/weave/weft-sl.dump" >"$work/sl.captured"
expand "$out/weft-sl.dump" >"$work/sl.dumped"
# switches, LIDs 1 to 9, have no place in a table of pairs of ports
awk 'NR == FNR { sl[$1, $2] = $3; next }
	$1 > 9 { n++; bad += sl[$1, $2] != $3 }
	END { exit !(n > 500 && !bad) }' "$work/sl.dumped" "$work/sl.captured" ||
	fail "service levels other than those of weft-sl.dump"
"$WEFT" check -q "$work/weave" >"$work/check" || {
	cat "$work/check"
	fail "what was captured of weave is not sound"
}
awk -F, 'NR > 1 { n++; bad += $3 > 15 } END { exit !(n == 50 && !bad) }' \
	"$work/drawn/weft-sample.csv" || fail "no sample of 50 pairs"
grep -q '"hosts": 18' "$work/drawn.json" &&
	! grep '"missing": [^0]' "$work/drawn.json" ||
	fail "JSON does not tell what was read"
[ ! -e "$work/drawn/weft-sl.dump" ] || fail "service levels of a sample"
# under other names while it is captured
grep -rqi '02574546\|host-0\|sw-0' "$work/masked" && fail "names are left"
[ "$(verdict "$work/weave")" = "$(verdict "$work/masked")" ] ||
	fail "anonymised: another verdict"
[ "$(grep -c '^0x' "$work/masked/weft-counters.csv")" = 144 ] ||
	fail "anonymised: counters are missing"
grep -q ',master,' "$work/weave/weft-sm.csv" || fail "no subnet manager"
# two readings of each cabled port: 9 switches of 4 + 2, and 18 hosts
[ "$(grep -c '^0x' "$work/weave/weft-counters.csv")" = 144 ] ||
	fail "not two readings of 72 ports"
awk -F, '$2 == 1 && $5 != 4 { bad = 1 } END { exit bad }' \
	"$work/weave/weft-ports.csv" || fail "ports that are not active"
[ ! -e "$work/weave/.weft-capture" ] || fail "a journal is left"

captured 'minhop no_fallback' 'kary:4;2' <<END
run $capture $work/minhop
END
"$WEFT" trace -q "$work/minhop" 10 11 >"$work/trace" ||
	fail "no route in what was captured"
"$WEFT" report -q -o "$work/page.html" "$work/minhop" ||
	fail "no report of what was captured"
same_rows "$out/opensm-lfts.dump" "$work/minhop/opensm-lfts.dump" minhop
[ "$(verdict "$out")" = "$(verdict "$work/minhop")" ] ||
	fail "weft check: another verdict on what was captured"

# --- nothing is ever set ------------------------------------------------

# A capture leaves all as it was: the next one reads the same.
captured 'minhop no_fallback' ring:5 <<END
run $capture $work/before
run $capture $work/after
END
for f in fabric.ibnetdiscover opensm-lfts.dump weft-ports.csv weft-vlarb.csv \
	weft-multicast.csv; do
	cmp "$work/before/$f" "$work/after/$f" || fail "$f changes"
done

# --- what does not answer -----------------------------------------------

# The switch answers the discovery, but not for its tables: all others are
# there, the command tells, and goes on once the switch answers again.
sw=S-0257454600000003
captured 'minhop no_fallback' ring:5 <<END
sim Error "$sw" 100 25
run $capture --timeout=50 --retries=1 $work/part >$work/told 2>&1; echo \$? >$work/status
sim Error "$sw" 0 25
run $capture $work/part 2>$work/refused; echo \$? >>$work/status
run $capture --force $work/part >$work/again; echo \$? >>$work/status
END
cat "$work/told"
[ "$(paste -sd ' ' "$work/status")" = "1 2 0" ] ||
	fail "exit status $(paste -sd ' ' "$work/status"), not 1 2 0"
grep -q 'forwarding tables .*MISSING' "$work/told" ||
	fail "the missing table is not told"
grep -q 'forwarding tables .*4 of them from before' "$work/again" ||
	fail "tables are asked for again"
same_rows "$out/opensm-lfts.dump" "$work/part/opensm-lfts.dump" part

# A warning names the switch, and how to go on.
captured 'minhop no_fallback' ring:5 <<END
sim Error "$sw" 100 25
run ${capture%-q *} --interval=0 --timeout=50 --retries=0 $work/named 2>$work/told; true
END
grep -q 'forwarding tables: no answer from 1 node .*sw-2 (0x0257454600000003)' \
	"$work/told" || { cat "$work/told"; fail "the switch is not named"; }
grep -q 'weft capture --force .* asks for that alone' "$work/told" ||
	fail "no remedy"
"$WEFT" check "$work/named" >"$work/check" 2>"$work/told" &&
	fail "weft check finds nothing wrong with a part"
grep -qi 'no entry\|no table\|without' "$work/told" ||
	{ cat "$work/told"; fail "weft check says nothing of the part"; }

# A switch that does not answer at all.
captured 'minhop no_fallback' ring:5 <<END
sim Error "$sw" 100
run ${capture%-q *} --interval=0 --timeout=50 --retries=1 $work/dead 2>$work/told; echo \$? >$work/status
END
[ "$(cat "$work/status")" = 1 ] || fail "status $(cat "$work/status"), not 1"
grep -q 'cables\{0,1\} .*up whose other end did not answer' "$work/told" ||
	{ cat "$work/told"; fail "the dead switch is not told"; }

# --- interrupted ---------------------------------------------------------

# Killed after it has asked for all tables, which is when its journal grows no more;
# what is there then is no capture, and is said to be an interrupted one.
cat >"$work/interrupt" <<END
$capture --interval=60 $work/cut &
n=0
had=0
has=0
until [ \$has -gt 0 -a \$has -eq \$had ] || [ \$n -gt 100 ]; do
	sleep 1
	n=\$((n + 1))
	had=\$has
	has=\$(cat $work/cut/.weft-capture 2>/dev/null | wc -c)
done
kill \$!
wait \$!
END
captured 'minhop no_fallback' torus:5x5,hosts=2 <<END
run . $work/interrupt; true
run '$WEFT' check $work/cut 2>$work/told; true
run $capture $work/cut >$work/again
END
grep -q "a capture that was interrupted: 'weft capture .*' goes on with it" \
	"$work/told" || { cat "$work/told"; fail "not told of the interruption"; }
grep -q 'forwarding tables .*50 of them from before' "$work/again" ||
	{ cat "$work/again"; fail "goes not on with what it had"; }
same_rows "$out/opensm-lfts.dump" "$work/cut/opensm-lfts.dump" cut

# --- hostile names --------------------------------------------------------

"$WEFT" gen ring:4 | sed 's/"sw-1"/"<script>alert(1)<\/script>"/
	s/"sw-2"/"a,b;--x $(id) %s"/' >"$work/hostile.net"
captured 'minhop no_fallback' "$work/hostile.net" <<END
run $capture $work/hostile
END
grep -q '<script>alert(1)</script>' "$work/hostile/fabric.ibnetdiscover" ||
	fail "a name is lost"
[ "$(verdict "$out")" = "$(verdict "$work/hostile")" ] ||
	fail "hostile names: another verdict"
exit 0
