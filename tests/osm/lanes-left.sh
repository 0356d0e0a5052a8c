#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Lanes that others leave: partitions, the QoS policy, qos_*sl2vl and cables with
# few of them.  Nobody refuses because of these, nor has minhop its turn; tables
# have no credit loop on any path that the SA gives out.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

out=$work/out
ask=$WEFT_BUILDDIR/tests/osm/path_sls
needs "$ask"
"$WEFT" gen ring:6,hosts=3 >"$work/ring" || fail "weft gen"
"$WEFT" gen torus:4x4,hosts=1 >"$work/torus" || fail "weft gen"
ring=$(seq 1 24 | tr '\n' ' ')
torus=$(seq 1 32 | tr '\n' ' ')
cat >"$work/partitions.conf" <<END
Default=0x7fff, ipoib : ALL=full;
Store=0x2, ipoib, sl=1 : ALL=full;
END
parts="partition_config_file $work/partitions.conf"

# start ENGINE FABRIC OPTION...: routes it, and asks for all paths of the two
# partitions.
start() {
	engine=$1
	fabric=$2
	shift 2
	eval "lids=\$$fabric"
	rm -rf "$out"
	"$osm" -p "$plugins" -c "event_plugin_name weft-$engine" -e "$engine" \
		-c 'qos TRUE' -o "$out" -i "$@" "$work/$fabric" <<END ||
run $ask once pkey=0xffff $lids >$work/default
run $ask once pkey=0x8002 $lids >$work/store
collect
END
		fail "$engine: $fabric: $*"
	logged "$out" "$engine: routed"
	not_logged "$out" "$engine: ERR"
	not_logged "$out" 'minhop tables configured'
}

# sls ANSWERS: how many different SLs there are.
sls() {
	awk '{ print $3 }' "$1" | sort -u | wc -l
}

# proven LANES: the SA gives out the SLs that are dumped, and in the other
# partition as many others in their places.  Neither has a credit loop by the
# SL2VL tables that opensm has set, and LANES (at least) are in use.
proven() {
	if [ "$1" -gt 1 ]; then
		expand "$out/weft-sl.dump" | sort >"$work/expected"
		sort "$work/default" | cmp - "$work/expected" ||
			fail "$out: the SA does not say what is dumped"
	else
		grep -qx 'form one' "$out/weft-sl.dump" ||
			fail "$out: more than one SL is dumped"
	fi
	no_credit_loop "$out"
	[ "$(sls "$work/default")" -ge "$1" ] ||
		fail "$out: $(sls "$work/default") SLs, not $1"
	[ -s "$work/store" ] || fail "$out: no paths in the other partition"
	paste -d ' ' "$work/default" "$work/store" |
		awk '{ print $3, $6 }' | sort -u >"$work/levels"
	[ "$(wc -l <"$work/levels")" -eq "$(sls "$work/default")" ] &&
		[ "$(sls "$work/store")" -eq "$(sls "$work/default")" ] ||
		fail "$out: other layers in the other partition"
	mkdir "$out/store"
	cp "$out/opensm-lfts.dump" "$out/opensm-subnet.lst" \
		"$out/opensm-sl2vl.dump" "$out/store"
	awk 'NR == FNR { to[$1] = $2; next }
	$1 == "default" || /^0x/ { $2 = to[$2] }
	$1 == "lanes" { $2 = 15 }
	{ print }' "$work/levels" "$out/weft-sl.dump" >"$out/store/weft-sl.dump"
	no_credit_loop "$out/store"
}

# kept SL VL: every port between switches sends what has that SL on that lane.
kept() {
	awk -v sl="$1" -v vl="$2" '$1 ~ /^[0-9]+$/ && $3 == ":" && $2 >= 3 {
		n++
		bad += $(4 + sl) != vl
	}
	END { exit bad || !n }' "$out/opensm-sl2vl.dump" ||
		fail "$out: SL $1 is not on VL $2 everywhere"
}

# --- partitions --------------------------------------------------------------

start weave ring -c "$parts"
proven 2
kept 0 0
kept 1 1
logged "$out" "weave: partition 'Store' has SL 1: that leaves 4 of 8 lanes"
not_logged "$out" 'weave: WARNING'
start psssp torus -c "$parts"
proven 2
kept 0 0
kept 1 1

# Two lanes are what the two partitions take.  Nothing is left: tables for one
# lane, by which OpenSM has all SLs to itself.
for case in weave:ring psssp:torus; do
	engine=${case%:*}
	start $engine ${case#*:} -c "$parts" -c 'max_op_vls 2'
	proven 1
	kept 1 1
	logged "$out" "$engine: WARNING: partition 'Store' has SL 1: that leaves 1 of 2 lanes against credit loops.*; one SL for all paths would leave 2"
done

# --- qos_sl2vl ---------------------------------------------------------------

# Four lanes are left, and SLs that share the lane of SL 0; so do those of SL 1.
table='qos_sl2vl 0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3'
start weave ring -c "$table" -c "$parts"
proven 2
for sl in 1 2 3; do
	kept $sl $sl
done
# None.
table='qos_swe_sl2vl 1,0,2,3,4,5,6,7,1,0,2,3,4,5,6,7'
start weave ring -c "$table" -c "$parts"
proven 1
kept 0 1
logged "$out" 'weave: WARNING: option qos_swe_sl2vl sends SL 0 to VL 1: that leaves 1 of 8 lanes.*; [0-9.]* % of routes are longer than the shortest ways; leave out qos_swe_sl2vl'

# --- QoS policy --------------------------------------------------------------

cat >"$work/policy" <<END
qos-levels
 qos-level
  name: DEFAULT
  sl: 0
 end-qos-level
 qos-level
  name: gold
  sl: 5
 end-qos-level
end-qos-levels
qos-match-rules
 qos-match-rule
  pkey: 0x2
  qos-level-name: gold
 end-qos-match-rule
end-qos-match-rules
END
sed 's/, sl=1//' "$work/partitions.conf" >"$work/plain.conf"
start psssp torus -c "partition_config_file $work/plain.conf" \
	-c "qos_policy_file $work/policy"
proven 2
logged "$out" "psssp: QoS policy level 'gold' has SL 5: that leaves 4 of 8"
kept 5 5

# --- a cable with one lane ---------------------------------------------------

# Others keep theirs, and the log names it, once.
[ -z "${WEFT_PRELOAD-}" ] || exit 0
"$WEFT" gen dragonfly:4,2,2,9 >"$work/dragonfly" || fail "weft gen"
UMAD2SIM=$WEFT_BUILDDIR/tests/osm/.libs/narrow.so:$UMAD2SIM
guid=$(awk -F'[()]' '/^switchguid/ { print $2; exit }' "$work/dragonfly")
NARROW=0x$guid:3
export NARROW
rm -rf "$out"
"$osm" -p "$plugins" -c 'event_plugin_name weft-weave' -e weave -c 'qos TRUE' \
	-o "$out" -i "$work/dragonfly" <<END || fail dragonfly
collect first
sweep
collect second
END
for t in first second; do
	logged "$out/$t" 'weave: routed .* VLs [3-8],'
	no_credit_loop "$out/$t"
done
[ "$(grep -c 'weave: WARNING' "$out/second/opensm.log")" -eq 1 ] ||
	fail 'not one warning'
logged "$out/first" "weave: WARNING: 1 cable with fewer than 8 lanes: \".*\" (0x0*$guid):3 - .* has 1; layers share them there, or keep away"
