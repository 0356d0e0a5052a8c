#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Lanes in the real opensm: the fabric is proven from what opensm dumps, and the
# SA answers every path query with the SL that is dumped.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

out=$work/out
ask=$WEFT_BUILDDIR/tests/osm/path_sls
needs "$ask"
conf=$work/weft.conf
named="event_plugin_options weft.conf=$conf"
"$WEFT" gen torus:4x4,hosts=2 >"$work/torus" || fail "weft gen"
lids=$(seq 1 48 | tr '\n' ' ')	# 16 switches, 32 hosts

# proven DUMPDIR LANES: weft check finds nothing, with service levels as dumped.
proven() {
	[ -e "$1/weft-sl.dump" ] || fail "$1: no weft-sl.dump"
	"$WEFT" check -q --json --hosts=all --switches "$1" \
		>"$work/check.json" || {
		cat "$work/check.json" >&2
		fail "$1: not proven"
	}
	logged "$1" "psssp: against credit loops: .* of $2 lane"
}

# --- torus, eight lanes: all pairs -------------------------------------------

weft_sm -e psssp -c 'qos TRUE' -o "$out" -i "$work/torus" <<END ||
run $ask $lids >$work/answers
collect
END
	fail "torus"
proven "$out" 8
lanes=8 offline "$out"
cmp "$out/weft-sl.dump" "$work/offline/weft-sl.dump" ||
	fail "not the service levels of weft route"
expand "$out/weft-sl.dump" | sort >"$work/expected"
sort "$work/answers" >"$work/answered"
[ "$(wc -l <"$work/expected")" -eq $((48 * 48)) ] || fail "not all pairs dumped"
cmp "$work/expected" "$work/answered" ||
	fail "the SA does not say what is dumped"
[ "$(awk '{ print $3 }' "$work/answered" | sort -u | wc -l)" -gt 1 ] ||
	fail "all paths have one service level"

# --- fewer lanes -------------------------------------------------------------

for vls in 1:1 2:2 3:4; do
	weft_sm -e psssp -c 'qos TRUE' -c "max_op_vls ${vls%:*}" -o "$out" \
		"$work/torus" || fail "max_op_vls $vls"
	proven "$out" "${vls#*:}"
	lanes=${vls#*:} offline "$out"
	[ "$vls" != 1:1 ] || cp "$work/offline/opensm-lfts.dump" "$work/one"
done

# The tables for one lane, in OpenSM's own file engine: as safe.
"$osm" -e file -c "lfts_file $work/one" -o "$work/file" "$work/torus" ||
	fail "file engine"
same_rows "$work/one" "$work/file/opensm-lfts.dump" "the file engine's tables"
"$WEFT" check -q "$work/file" >/dev/null || fail "file engine: not proven"

# One port in the middle of the fabric has one data lane: the others keep theirs.
narrow=$(awk -F'[()]' '/^switchguid/ && ++n == 6 { print "0x" $2 }' \
	"$work/torus")
if [ -z "${WEFT_PRELOAD-}" ]; then
	sim=$WEFT_BUILDDIR/tests/osm/.libs/narrow.so:$UMAD2SIM
	NARROW=$narrow:3 UMAD2SIM=$sim weft_sm -e psssp -c 'qos TRUE' \
		-o "$out" "$work/torus" || fail "narrow port"
	proven "$out" 8
	logged "$out" 'psssp: WARNING: 1 cable with fewer than 8 lanes: '
fi

# --- qos FALSE ---------------------------------------------------------------

weft_sm -e psssp -o "$out" "$work/torus" || fail "qos FALSE"
proven "$out" 1
logged "$out" 'psssp: WARNING: qos is FALSE'
grep -qx 'form one' "$out/weft-sl.dump" || fail "service levels without SL2VL"

printf '[weft]\ndeadlock = ignore\n' >"$conf"
weft_sm -e psssp -c "$named" -c 'qos TRUE' -o "$out" -i "$work/torus" <<END ||
run $ask 17 18 30 40 >$work/answers
END
	fail "deadlock = ignore"
logged "$out" 'psssp: WARNING: credit loop'
awk '$3 { exit 1 }' "$work/answers" || fail "service levels without layers"

# --- levels of QoS -----------------------------------------------------------

cat >"$work/partitions.conf" <<END
Default=0x7fff, ipoib : ALL=full;
gold=0x1, sl=8 : ALL=full;
END
parts="partition_config_file $work/partitions.conf"
# The policy gives all paths SL 8: level 1, and the layer is added.  (OpenSM
# itself confirms no other SL than that of the policy.)
policy="qos_policy_file $work/policy"
printf 'qos-ulps\n default : 8\nend-qos-ulps\n' >"$work/policy"
printf '[weft]\nqos_levels = 2\n' >"$conf"
weft_sm -e psssp -c "$named" -c 'qos TRUE' -c "$parts" -c "$policy" \
	-o "$out" -i "$work/torus" <<END || fail "two levels"
run $ask once $lids >$work/answers
collect
END
proven "$out" 4
awk '{ $3 -= 8; print }' "$work/answers" | sort >"$work/answered"
expand "$out/weft-sl.dump" | sort | cmp - "$work/answered" ||
	fail "not the SLs of level 1"
# Without levels SL 8 is where OpenSM has it, in the lane of SL 0.
printf '' >"$conf"
weft_sm -e 'psssp no_fallback' -c "$named" -c 'qos TRUE' -c "$parts" \
	-c "$policy" -o "$out" "$work/torus" || fail "one level"
proven "$out" 8
# What is not in force is not dumped.
printf '[weft]\ndeadlock = refuse\n' >"$conf"
weft_sm -e 'psssp dor' -c "$named" -c 'qos TRUE' -o "$out/refused" \
	"$work/torus" || fail "refused"
logged "$out/refused" 'psssp: ERR 5705: credit loop'
logged "$out/refused" 'dor tables configured'
[ ! -e "$out/refused/weft-sl.dump" ] || fail "a dump of what is not in force"

# --- sweeps ------------------------------------------------------------------

# Routes are kept, so that they need several lanes: new ones in one lane have nothing
# to change.  What OpenSM's cache settles, which tables that stand do not use, stays
# as it was; a lost cable changes the dump; so does its return.
cut=$(awk -F'"' '/^Switch/ { print $2; exit }' "$work/torus")
host=$(awk -F'"' '/^Ca/ { name = $2 } END { print name }' "$work/torus")
other=$(awk -F'"' '/^Ca/ && ++n == 5 { print $2 }' "$work/torus")
printf '[weft]\ndeadlock = keep\nstanding = no\n' >"$conf"
weft_sm -e psssp -c "$named" -c 'qos TRUE' -c 'use_ucast_cache TRUE' -o "$out" -n "$host" \
	-i "$work/torus" <<END || fail "sweeps"
collect start
sim unlink "$other"
sweep
sim relink "$other"
sweep
run $ask $lids >$work/answers
collect cached
sim unlink "$cut"[3]
sweep
collect cut
sim relink "$cut"[3]
sweep
collect end
END
logged "$out/cached" 'Configuring switch tables using cached routing'
cmp "$out/start/weft-sl.dump" "$out/cached/weft-sl.dump" ||
	fail "cached: another dump"
expand "$out/cached/weft-sl.dump" | sort >"$work/expected"
sort "$work/answers" | cmp - "$work/expected" ||
	fail "cached: the SA does not say what is dumped"
cmp -s "$out/start/weft-sl.dump" "$out/cut/weft-sl.dump" &&
	fail "a lost cable changes nothing"
cmp "$out/start/weft-sl.dump" "$out/end/weft-sl.dump" ||
	fail "the service levels did not return"
for t in cached cut end; do
	proven "$out/$t" 8
done
exit 0
