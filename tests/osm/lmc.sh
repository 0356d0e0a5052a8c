#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Several LIDs for each endport: all of them are routed, on several ways, by the
# tables of weft route; any two have a path, by one service level both ways.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

ask=$WEFT_BUILDDIR/tests/osm/path_sls
needs "$ask"
out=$work/out

# lids_of DUMPDIR: "LID owner first-LID-of-the-owner" for all LIDs, in decimal.
lids_of() {
	awk 'function hex(s, i, n) {
		for (i = 3; i <= length(s); i++)
			n = 16 * n + index("0123456789abcdef",
					   substr(s, i, 1)) - 1
		return n
	}
	/^Unicast/ && tables++ { exit }
	/^0x/ {
		for (i = 3; i < NF; i++)
			if ($i == "portguid")
				guid = $(i + 1)
		if (!(guid in first))
			first[guid] = hex($1)
		print hex($1), guid, first[guid]
	}' "$1/opensm-lfts.dump"
}

# routed ENGINE LMC FABRIC [OPTION]...: opensm with that LMC and 8 lanes.  Once up
# each $every-th LID asks for paths to all of these: one start to learn the LIDs,
# one to ask, which gives the same.
every=1
routed() {
	engine=${1%%:*} options=$1 lmc=$2 fabric=$3
	shift 3
	rm -rf "$out" "$work/offline"
	"$osm" -p "$plugins" -c "event_plugin_name weft-all" \
		-c "event_plugin_options weft.conf=$anew" \
		-c 'qos TRUE' -c "lmc $lmc" -e "$engine no_fallback" "$@" \
		-o "$out" "$fabric" || fail "$engine, lmc $lmc: $fabric"
	not_logged "$out" "$engine: ERR"
	rm -f "$out/fabric.ibnetdiscover"
	lids_of "$out" >"$work/lids"
	asked=$(awk -v n="$every" '(NR - 1) % n == 0 { printf "%s ", $1 }' \
		"$work/lids")
	"$osm" -p "$plugins" -c "event_plugin_name weft-all" \
		-c "event_plugin_options weft.conf=$anew" \
		-c 'qos TRUE' -c "lmc $lmc" -e "$engine no_fallback" "$@" \
		-i "$fabric" <<END || fail "$engine, lmc $lmc, $fabric: paths"
run $ask $asked >$work/answers
END
}

# sound HOSTS SWITCHES: everybody is reached by every LID without a credit loop;
# the tables and service levels are those of weft route, the latter also those of
# the path records.
sound() {
	what="$engine, lmc $lmc, $fabric"
	"$WEFT" check -q --json --hosts=all "$out" >"$work/check.json" || {
		cat "$work/check.json" >&2
		fail "$what: not proven"
	}
	pairs=$((($1 * $1 - $1) << lmc))
	grep -q "\"pairs\": $pairs," "$work/check.json" ||
		fail "$what: not $pairs pairs"
	[ "$(rows "$out/opensm-lfts.dump" | wc -l)" -eq \
		$(($2 * (($1 << lmc) + $2))) ] ||
		fail "$what: not all LIDs are in all tables"
	"$WEFT" route -q -e "$options" -o "$work/offline" "$out" >/dev/null ||
		fail "weft route, $what"
	same_rows "$out/opensm-lfts.dump" "$work/offline/opensm-lfts.dump" \
		"$what"
	cmp "$out/weft-sl.dump" "$work/offline/weft-sl.dump" ||
		fail "$what: not the service levels of weft route"
	answered
}

# The service levels of path records are those that are dumped for the two ports,
# whichever of their LIDs was asked for.
answered() {
	asking=$(echo "$asked" | wc -w)
	[ "$(wc -l <"$work/answers")" -eq $((asking * asking)) ] ||
		fail "$what: not all paths answered"
	default=$(awk '$1 == "default" { print $2 }' "$out/weft-sl.dump")
	expand "$out/weft-sl.dump" >"$work/dumped"
	awk -v none="$default" '
	FILENAME == ARGV[1] { first[$1] = $3; next }
	FILENAME == ARGV[2] { sl[$1 " " $2] = $3; next }
	{
		key = first[$1] " " $2
		want = key in sl ? sl[key] : none
		if ($3 != want) {
			print $1 " to " $2 ": SL " $3 ", not " want
			exit 1
		}
	}' "$work/lids" "$work/dumped" "$work/answers" >&2 ||
		fail "$what: path records"
}

# --- the engines, LMC 2 ------------------------------------------------------

tree='pgft:2;4,8;1,4;1,1' torus='torus:4x4,hosts=2' slim='slimfly:3'
psssp=psssp:passes=3,deadlock=layers,lanes=8
for e in weave:lanes=8 $psssp eftree; do
	every=5
	routed $e 2 "$tree"
	sound 32 12
	every=7
	routed $e 2 "$torus"
	sound 32 16
	every=9
	routed $e 2 "$slim"
	sound 54 18
done

# --- any LMC -----------------------------------------------------------------

for l in 0 1 3 4 5 6 7; do
	every=$(((16 << l) / 15 + 1))
	routed weave:lanes=8 $l "$torus"
	sound 32 16
done

# Every LID with every LID; at some switch the LIDs of some host leave by
# different ports, and the service levels differ, or this would tell nothing.
every=1
routed weave:lanes=8 2 "$torus"
sound 32 16
[ "$(awk '{ print $3 }' "$work/answers" | sort -u | wc -l)" -gt 1 ] ||
	fail "all paths have one service level"
# The program that administrators have says the same, either way.
set -- $(awk '$3 > 0 { print; exit }' "$work/answers")
if PATH=$PATH:/usr/sbin command -v saquery >/dev/null; then
	"$osm" -p "$plugins" -c 'event_plugin_name weft-weave' \
		-c 'qos TRUE' -c 'lmc 2' -e weave -i "$torus" <<END ||
run PATH=$PATH:/usr/sbin saquery PR --slid $1 --dlid $2 >$work/there
run PATH=$PATH:/usr/sbin saquery PR --slid $2 --dlid $1 >$work/back
END
		fail saquery
	sl=$(printf "[^a-z]sl\\.*0x%X$" "$3")
	cat "$work/there" "$work/back" | grep -c "$sl" | grep -qx 2 ||
		fail "saquery: $1 and $2 not by SL $3"
fi
"$WEFT" check --redundancy "$out" >"$work/redundancy" || fail 'redundancy'
grep -q 'all LIDs by one switch in between  0$' "$work/redundancy" || {
	cat "$work/redundancy" >&2
	fail 'the LIDs of a host are not spread'
}

# --- switches with several LIDs ----------------------------------------------

"$WEFT" gen "$torus" | sed 's/base port 0/enhanced port 0/' >"$work/enhanced"
every=7
routed weave:lanes=8 2 "$work/enhanced" -c 'lmc_esp0 TRUE'
[ "$(rows "$out/opensm-lfts.dump" | wc -l)" -eq $((16 * 48 * 4)) ] ||
	fail "lmc_esp0: not all LIDs are in all tables"
what=lmc_esp0
answered
"$WEFT" check -q --hosts=all "$out" >/dev/null || fail 'lmc_esp0: weft check'
"$WEFT" check -v "$out" 2>&1 | grep -q 'tells the LMC.*2 on 48 ports' ||
	fail 'lmc_esp0: the LIDs of switches are not read'

# --- what OpenSM does not get up ---------------------------------------------

# More LIDs than there are.
weft_sm -e psssp -c 'lmc 7' -u 'ERRORS DURING' -o "$out" \
	'pgft:2;20,20;1,10;1,2' || fail 'lmc 7'
logged "$out" 'psssp: WARNING: 17 of 400 ports have no LID: with LMC 7 there is room for 383 ports beside 30 switches, with LMC 6 for 767'

# A port with a lower LMC is an error to OpenSM, with any engine: it gets no LID.
if [ -z "${WEFT_PRELOAD-}" ]; then
	sim=$WEFT_BUILDDIR/tests/osm/.libs/narrow.so:$UMAD2SIM
	FEWER=0x0257454601000500:1 UMAD2SIM=$sim weft_sm -e psssp \
		-c 'lmc 2' -u 'ERRORS DURING' -o "$out" "$torus" ||
		fail "a lower LMC"
	logged "$out" 'ERR 3322: .*0x0257454601000501'
	logged "$out" 'psssp: WARNING: some ports have no LID'
	logged "$out" 'psssp: routed 32 hosts'
	not_logged "$out" 'psssp: ERR'
fi
