#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A cable that comes and goes in the real opensm: the third time within the window
# it is out of use, its return changes nothing, and after a calm window it carries
# what it did at first.  What comes and goes between two sweeps counts, too.  Where
# tables shall be home, no entry waits for another sweep any more.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

json=$WEFT_BUILDDIR/tests/tools/json_get
out=$work/out
conf=$work/weft.conf
"$WEFT" gen 'pgft:2;4,4;1,2;1,1' >"$work/net" || fail 'weft gen'
leaf=$(names Switch | head -n 1)
port=$(cable "$leaf")
guid=0x${leaf#S-}

# once TEXT DIR N: that many lines of the log.
once() {
	n=$(grep -c -e "$1" "$out/$2/opensm.log")
	[ "$n" -eq "$3" ] || fail "$2: $n lines \"$1\" instead of $3"
}

# flapping DIR N: cables that the last sweep has so.
flapping() {
	n=$(tail -n 1 "$out/$1/weft-sweeps.jsonl" | "$json" flapping.cables)
	[ "$n" = "$2" ] || fail "$1: $n cables flap instead of $2"
}

# tables A B WHAT
tables() {
	cmp "$out/$1/opensm-lfts.dump" "$out/$2/opensm-lfts.dump" || fail "$3"
}

gone="sim unlink \"$leaf\"[$port]"
back="sim relink \"$leaf\"[$port]"
for engine in psssp weave; do
	printf '[weft]\nflap_window = 600\nsweeps_size = 64\n' >"$conf"
	rm -rf "$out"
	"$osm" -p "$plugins" -c "event_plugin_name weft-$engine" \
		-c "event_plugin_options weft.conf=$conf" \
		-e "$engine no_fallback" -o "$out" -i "$work/net" <<END ||
collect start
$gone
sweep
$back
sweep
$calm
collect once
$gone
$back
sweep
$gone
sweep
collect gone
$back
sweep
run sleep 1
run TZ=UTC $WEFT standing --json "\$OSM_TMP_DIR/cache/weft-standing" >"$work/stood"
collect back
$gone
sweep
$back
sweep
run printf '[weft]\nflap_window = 1\nsweeps_size = 64\n' >$conf
run sleep 2
sweep
$calm
collect calm
END
		fail "$engine"
	tables start once "$engine: a cable that went once is not used"
	flapping gone 1
	tables gone back "$engine: a cable that flaps changes tables"
	flapping back 1
	got=$("$json" flaps.0.times flaps.0.there flaps.0.out <"$work/stood")
	[ "$(echo $got)" = '3 true true' ] || fail "weft standing: $got"
	once "$engine: WARNING: .*($guid):$port .* went 3 times within 600 s" \
		back 1
	once "$engine: WARNING: 1 degraded cable not in use: .*flapping" back 1
	tail -n 1 "$out/back/weft-sweeps.jsonl" |
		grep -q "\"$guid:$port\".*\"times\": 3, \"there\": true" ||
		fail "$engine: weft-sweeps.jsonl does not name it"
	reachable "$out/back"
	no_credit_loop "$out/back"
	flapping calm 0
	tables start calm "$engine: not home after a calm window"
	once "$engine: .*($guid):$port .* was there for 1 s: in use again" \
		calm 1
	once 'WARNING: .* went [0-9]* times' calm 1
	once 'routed anew' calm 0
done

# Nobody counts.
printf '[weft]\nflaps = 0\n' >"$conf"
rm -rf "$out"
weft_sm -e 'psssp no_fallback' -c "event_plugin_options weft.conf=$conf" \
	-o "$out" -i "$work/net" <<END || fail 'off'
collect start
$gone
sweep
$back
sweep
$gone
sweep
$back
sweep
$gone
sweep
$back
sweep
sweep
collect end
END
tables start end 'flaps=0: a cable is out of use'
not_logged "$out/end" ' went [0-9]* times'
