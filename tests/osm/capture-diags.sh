#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# scripts/weft-capture reads what weft capture reads, multicast tables that are not
# empty among it.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

needs_preload

for p in dump_fts ibqueryerrors iblinkinfo; do
	PATH=$PATH:/usr/sbin command -v "$p" >/dev/null || {
		echo "SKIP: $p is not installed" >&2
		exit 77
	}
done
join=$WEFT_BUILDDIR/tests/osm/mcast_join
needs "$join"
"$WEFT" capture "$work/no/where" 2>&1 | grep -q 'without libibnetdisc' && {
	echo "SKIP: this weft reads no live fabric" >&2
	exit 77
}
script=$WEFT_SRCDIR/scripts/weft-capture
echo 'Default=0x7fff, ipoib, rate=2, mtu=1: ALL=full;' >"$work/partitions.conf"
"$WEFT" gen torus:3x3,hosts=2 | sed 's/"host-0003"/"<i>; $(id) \x27 ==( 1"/' \
	>"$work/net"
guids=$(awk -F'[()]' '/^Ca/ { ca = 1 } /^$/ { ca = 0 }
	ca && /^\[/ { print $2 }' "$work/net" | head -n 7 | tr '\n' ' ')

"$osm" -e 'minhop no_fallback' -c 'qos TRUE' -o "$work/out" \
	-c "partition_config_file $work/partitions.conf" -i "$work/net" \
	2>"$work/log" <<END || { cat "$work/log"; fail "opensm"; }
run $join $guids
sweep
collect
run '$WEFT' capture -q --interval=0 $work/own
run sh '$script' -i 1 -l $work/diags 2>$work/said; echo \$? >$work/status
run sh '$script' -i 0 -l $work/diags 2>$work/again
END
cat "$work/said"
[ "$(cat "$work/status")" = 0 ] || fail "status $(cat "$work/status")"
[ "$(grep -c 'is there' "$work/again")" = 7 ] || fail "what is there is read again"

verdict() {
	"$WEFT" check -q --csv "$1" | sed 's/^"[^"]*","[^"]*"//'
}
[ "$(verdict "$work/own")" = "$(verdict "$work/diags")" ] ||
	fail "weft check: another verdict"
same_rows "$work/own/opensm-lfts.dump" "$work/diags/fabric.lfts" "LFTs"

# multicast: "guid mlid port" of both
awk -F '[, ]' 'NR > 1 { for (i = 3; i <= NF; i++) print $1, $2, $i }' \
	"$work/own/weft-multicast.csv" | sort >"$work/own.mc"
awk '/^Multicast/ { for (i = 1; i < NF; i++) if ($i == "guid") guid = $(i + 1) }
	/^0x/ { for (p = 0; 2 * p + 13 <= length(); p++)
		if (substr($0, 2 * p + 13, 1) == "x")
			print guid, $1, p }' \
	"$work/diags/fabric.mfts" | sort >"$work/diags.mc"
[ -s "$work/own.mc" ] || fail "no multicast table"
cmp "$work/own.mc" "$work/diags.mc" || {
	diff "$work/own.mc" "$work/diags.mc" | head -n 20
	head -n 12 "$work/diags/fabric.mfts"
	fail "other multicast tables"
}

# states of all cabled ports, and two readings
for d in own diags; do
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["port"] { print $at["port"], $at["state"],
			$at["physical"], $at["width"] }' \
		"$work/$d/weft-ports.csv" | sort | uniq -c >"$work/$d.ports"
	[ "$(grep -c '^0x' "$work/$d/weft-counters.csv")" = 144 ] ||
		fail "$d: not two readings of 72 ports"
done
cmp "$work/own.ports" "$work/diags.ports" || {
	cat "$work/own.ports" "$work/diags.ports"
	fail "other states"
}
exit 0
