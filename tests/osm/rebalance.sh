#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Better tables come in steps: after a change of engines tables of the old one
# stand, and become those of the new one while nothing happens, by themselves,
# when somebody says so, or not at all.  Each step is safe in any order.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

out=$work/out
conf=$work/weft.conf
"$WEFT" gen 'pgft:3;5,5,6;1,4,3;1,1,1' >"$work/net" || fail 'weft gen'
first=$(names Ca | head -n 1)
other=$(names Ca | tail -n 1)

# settings BLOCKS RULE
settings() {
	printf '[weft]\nrebalance_after = 0\nrebalance_pause = 0\n' >"$conf"
	printf 'changes = %s\nrebalance = %s\n' "$1" "$2" >>"$conf"
}

run() {
	rm -rf "$out"
	"$osm" -p "$plugins" -c 'event_plugin_name weft-all' \
		-c "event_plugin_options weft.conf=$conf" -n "$first" \
		-e 'minhop no_fallback' -o "$out" -i "$work/net"
}

# The dumps and then the line of a sweep come a little after it, those of opensm by the
# time that the subnet is up: waits until it is, and there is a line for each sweep.
written="$calm
until [ \$(grep -c ': routed [0-9]* hosts' \$OSM_TMP_DIR/opensm.log) -eq \$(grep -c '\"sweep\"' \$OSM_TMP_DIR/weft-sweeps.jsonl) ]"

steps() {
	grep -c 'a step to better tables' "$out/$1/opensm.log"
}

# By itself, in at least four steps of 40 blocks; the first tables are there for long
# enough to collect them.
settings 40 never
run <<END || fail auto
collect stock
stop
start $other routing_engine weave no_fallback
await
$written
collect first
run sed -i 's/never/auto/' $conf
sweep
await better tables: [0-9]* entries, 0 are left
$written
collect weave
sweep
collect again
END
"$WEFT" route -q -e weave --near="$out/first" -o "$work/anew" \
	"$out/weave/opensm-subnet.lst" || fail 'weft route'
same_rows "$out/weave/opensm-lfts.dump" "$work/anew/opensm-lfts.dump" \
	'the last step leads to the tables of weave'
same_rows "$out/again/opensm-lfts.dump" "$work/anew/opensm-lfts.dump" \
	'a sweep after that keeps them'
n=$(steps weave)
[ "$n" -ge 4 ] || fail "$n steps"
awk -F '"blocks": ' '/"sweep"/ {
	split($2, b, /[^0-9]/)
	if (NR > 1 && b[1] > 40)
		exit 1
}' "$out/weave/weft-sweeps.jsonl" || fail 'a step of more than 40 blocks'
no_credit_loop "$out/weave"
grep -q '"debt": {"worth": 0' "$out/weave/weft-sweeps.jsonl" || fail 'no debt'

# What it would gain is known before it is time.
settings 40 auto
sed -i 's/after = 0/after = 3600/' "$conf"
run <<END || fail debt
stop
start $other routing_engine weave no_fallback
await
await debt: tables in force are worth
run sleep 1
run "$WEFT" standing --json "\$OSM_TMP_DIR/cache/weft-standing" >"$work/stood"
END
json=$WEFT_BUILDDIR/tests/tools/json_get
for key in since worth anew entries blocks; do
	got=$("$json" "debt.$key" <"$work/stood")
	case $got in
	''|0|0.0) fail "weft standing: debt.$key is '$got'" ;;
	esac
done

# Not at all; and then by hand.
settings 100000 never
run <<END || fail now
stop
start $other routing_engine weave no_fallback
await
run sleep 4
sweep
collect never
run sed -i 's/never/now, please/; s/now,/now/' $conf
sweep
await better tables: [0-9]* entries, 0 are left
$written
collect now
run sed -i 's/now please/jump/' $conf
sweep
collect jump
END
[ "$(steps never)" = 0 ] || fail 'steps, never'
[ "$(steps now)" -ge 1 ] || fail "now: no step"
rm -rf "$work/anew"
"$WEFT" route -q -e weave --near="$out/never" -o "$work/anew" \
	"$out/now/opensm-subnet.lst" || fail 'weft route'
same_rows "$out/now/opensm-lfts.dump" "$work/anew/opensm-lfts.dump" now
grep -q 'routed anew: rebalance=jump says so' "$out/jump/opensm.log" ||
	fail jump

# With service levels: pairs of switches change lanes on the way.
"$WEFT" gen random:20,5,3 >"$work/net" || fail 'weft gen'
first=$(names Ca | head -n 1)
other=$(names Ca | tail -n 1)
settings 30 never
rm -rf "$out"
"$osm" -p "$plugins" -c 'event_plugin_name weft-all' -c 'qos TRUE' \
	-c 'max_op_vls 4' -c "event_plugin_options weft.conf=$conf" \
	-n "$first" -e 'minhop no_fallback' -o "$out" -i "$work/net" \
	<<END || fail levels
stop
start $other routing_engine weave no_fallback
await
$written
collect first
run sed -i 's/never/auto/' $conf
sweep
await better tables: [0-9]* entries, 0 are left
$written
collect weave
END
n=$(steps weave)
[ "$n" -ge 4 ] || fail "$n steps with service levels"
grep -q 'pairs of switches have other service levels' \
	"$out/weave/opensm.log" || fail 'no pair has another service level'
"$WEFT" route -q --force -e weave:lanes=8 --near="$out/first" \
	-o "$work/anew" "$out/weave/opensm-subnet.lst" || fail 'weft route'
same_rows "$out/weave/opensm-lfts.dump" "$work/anew/opensm-lfts.dump" \
	'the last step leads to the tables of weave with eight lanes'
for dir in "$out/first" "$out/weave" "$work/anew"; do
	expand "$dir/weft-sl.dump" | sort >"$dir/levels"
done
cmp -s "$out/weave/levels" "$work/anew/levels" ||
	fail 'the last step leads to other service levels'
cmp -s "$out/first/levels" "$work/anew/levels" &&
	fail 'service levels were those from the beginning'
no_credit_loop "$out/first"
no_credit_loop "$out/weave"

# What cannot be said.
settings 100 sometimes
"$osm" -p "$plugins" -c 'event_plugin_name weft-weave' -e weave -t 20 \
	-c "event_plugin_options weft.conf=$conf" -o "$out" "$work/net" \
	>/dev/null 2>&1
grep -q "$conf:5: rebalance cannot be sometimes" "$out/opensm.log" ||
	fail 'an error with its line'
