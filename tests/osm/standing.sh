#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tables that stand in the real opensm: a cable, a switch and a host fail and come
# back.  What changes is what has to, what comes back goes home, the tables are
# those of weft route --keep, and hosts have no credit loop.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

out=$work/out
fabric='pgft:3;4,4,6;1,4,3;1,1,1'
"$WEFT" gen "$fabric" >"$work/net" || fail "weft gen $fabric"
leaf=$(names Switch | head -n 1)
port=$(cable "$leaf")
spine=$(names Switch | tail -n 1)
host=$(names Ca | tail -n 1)

# All at once, as weft route does.
printf '[weft]\nsafe_order = no\n' >"$work/any.conf"
any="event_plugin_options weft.conf=$work/any.conf"

# changed A B: entries of both that differ.
changed() {
	rows "$out/$1/opensm-lfts.dump" >"$work/rows.a"
	rows "$out/$2/opensm-lfts.dump" >"$work/rows.b"
	awk 'NR == FNR { was[$1, $2] = $3; next }
	($1, $2) in was && was[$1, $2] != $3 { n++ }
	END { print n + 0 }' "$work/rows.a" "$work/rows.b"
}

# keeps ENGINE BEFORE AFTER: as weft route --keep has them, in one lane.
keeps() {
	rm -rf "$work/kept"
	spec=$1
	[ "$1" != weave ] || spec=weave:lanes=1
	"$WEFT" route -q -e "$spec" --keep "$out/$2" -o "$work/kept" \
		"$out/$3/opensm-subnet.lst" >/dev/null ||
		fail "$1: weft route --keep $2 $3"
	same_rows "$out/$3/opensm-lfts.dump" "$work/kept/opensm-lfts.dump" \
		"$1: $3 after $2"
}

# logged DUMP TEXT
logged() {
	grep -q "$2" "$out/$1/opensm.log" || fail "$1: not logged: $2"
}

for engine in psssp eftree weave; do
	rm -rf "$out"
	"$osm" -p "$plugins" -c "event_plugin_name weft-$engine" -c "$any" \
		-e "$engine no_fallback" -o "$out" -i "$work/net" <<END ||
collect start
sim unlink "$leaf"[$port]
sweep
collect cable
sim relink "$leaf"[$port]
sweep
collect cable-back
sim unlink "$spine"
sweep
collect spine
sim relink "$spine"
sweep
collect spine-back
sim unlink "$host"
sweep
collect host
sim relink "$host"
sweep
collect host-back
END
		fail "$engine: $fabric"
	for t in cable spine host; do
		no_credit_loop "$out/$t"
		keeps "$engine" start "$t"
		cmp "$out/start/opensm-lfts.dump" \
			"$out/$t-back/opensm-lfts.dump" ||
			fail "$engine: $t: not home"
		logged "$t" "$engine: tables stand: "
	done
	# Of entries that led by the cable, standing.dead, at most three each.
	dead=$(tail -n 1 "$out/cable/weft-sweeps.jsonl" |
		sed 's/.*"dead": \([0-9]*\).*/\1/')
	n=$(changed start cable)
	[ "$n" -gt 0 ] && [ "$n" -le $((3 * dead)) ] ||
		fail "$engine: a cable with $dead entries changes $n"
	n=$(changed start host)
	[ "$n" -eq 0 ] || fail "$engine: a host changes $n entries of others"
	not_logged "$out/host-back" 'routed anew'
	not_logged "$out/host-back" "$engine: ERR"
done

# Options that change are reasons to ask the engine, a fabric that grows is
# none.
conf=$work/weft.conf
cp "$work/any.conf" "$conf"
part=$(names Switch | sed -n 5,8p)
rm -rf "$out"
{
	for s in $part; do echo "sim unlink \"$s\""; done
	echo sweep
	printf '%s\n' "run printf '[psssp]\npasses = 1\n' >$conf"
	echo sweep
	echo collect told
	echo sweep
	printf '%s\n' "run printf '[weft]\nrebalance = jump\n[psssp]\npasses = 1\n' >$conf"
	echo sweep
	echo collect asked
	echo sweep
	echo collect calm
	for s in $part; do echo "sim relink \"$s\""; done
	echo sweep
	# what is new is balanced in a second sweep
	echo "$calm"
	echo collect grown
} >"$work/events"
weft_sm -e 'psssp no_fallback' -c "event_plugin_options weft.conf=$conf" \
	-o "$out" -i "$work/net" <"$work/events" || fail "reasons"
logged told 'psssp: routed anew: options have changed'
grep -c 'psssp: routed anew' "$out/asked/opensm.log" | grep -qx 2 ||
	fail 'not routed anew by hand'
grep -c 'psssp: routed anew' "$out/calm/opensm.log" | grep -qx 2 ||
	fail 'routed anew by the same word'
logged grown 'psssp: tables stand: .* [1-9][0-9]* for what is new'
for t in told grown; do
	no_credit_loop "$out/$t"
done

# In order: entries that must not be written before others wait for a sweep of
# their own, which comes by itself, and the tables are home after it.
printf '[weft]\n' >"$conf"
rm -rf "$out"
"$osm" -p "$plugins" -c 'event_plugin_name weft-eftree' -e eftree -o "$out" \
	-c "event_plugin_options weft.conf=$conf" -i "$work/net" <<END ||
collect start
sim unlink "$leaf"[$port]
sweep
$calm
sim relink "$leaf"[$port]
sweep
$calm
collect back
END
	fail 'in order'
logged back 'eftree: [1-9][0-9]* entries wait for the next sweep'
cmp "$out/start/opensm-lfts.dump" "$out/back/opensm-lfts.dump" ||
	fail 'in order: not home'
tail -n 1 "$out/back/weft-sweeps.jsonl" | grep -q '"waiting": 0' ||
	fail 'in order: entries wait still'

# two_sweeps FABRIC [SECONDS]: balance comes in a sweep of its own, which the plugin
# asks for.  Both together make the tables of weft route --keep.  Before, a thread
# looks at the first tables, which may take that many seconds.
two_sweeps() {
	"$WEFT" gen "$1" >"$work/net" || fail "weft gen $1"
	leaf=$(names Switch | head -n 1)
	port=$(cable "$leaf")
	rm -rf "$out"
	"$osm" -p "$plugins" -c 'event_plugin_name weft-eftree' -t 300 \
		-c "event_plugin_options weft.conf=$conf" \
		-e 'eftree no_fallback' -o "$out" -i "$work/net" <<END ||
run sleep ${2-1}
collect start
sim unlink "$leaf"[$port]
sweep as the sweep before had left it
until sed '1,/as the sweep before/d' \$OSM_TMP_DIR/opensm.log | grep -q 'SUBNET UP'
collect balanced
sim relink "$leaf"[$port]
sweep
collect back
END
		fail "two sweeps: $1"
	logged balanced 'eftree: balance is left for another sweep'
	logged balanced 'eftree: tables stand: [1-9][0-9]* entries moved'
	[ "$(grep -c '"later": [1-9]' "$out/balanced/weft-sweeps.jsonl")" -eq 1 ] ||
		fail "two sweeps: $1: not once left for later"
	no_credit_loop "$out/balanced"
	keeps eftree start balanced
	cmp "$out/start/opensm-lfts.dump" "$out/back/opensm-lfts.dump" ||
		fail "two sweeps: $1: not home"
}

printf '[weft]\nbalance = later\nsafe_order = no\n' >"$conf"
two_sweeps "$fabric"
# Where it takes long, without being told.
[ -n "${WEFT_LARGE-}" ] || exit 0
cp "$work/any.conf" "$conf"
two_sweeps 'pgft:3;6,12,24;1,12,6;1,1,1' 5
