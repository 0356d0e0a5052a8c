#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# LMC 2: four LIDs for each endport, all of them routed, on several ways.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

fabric='pgft:2;4,8;1,4;1,1'
out=$work/out
weft_sm -e psssp -c 'lmc 2' -o "$out" "$fabric" || fail "$fabric"
"$WEFT" route -q -e psssp:passes=3 --lmc=2 -o "$work/offline" \
	"$out/opensm-subnet.lst" >/dev/null || fail "weft route"
same_by_owner "$out/opensm-lfts.dump" "$work/offline/opensm-lfts.dump"
reachable "$work/offline"
not_logged "$out" 'psssp: ERR'

# 32 hosts with 4 LIDs each and 12 switches with one, in 12 tables.
[ "$(rows "$out/opensm-lfts.dump" | wc -l)" -eq $((12 * (32 * 4 + 12))) ] ||
	fail "not all LIDs are in all tables"

# At some switch, the four LIDs of some host leave by different ports.
rows "$out/opensm-lfts.dump" | awk '
	# Blocks of four LIDs differ in all hexadecimal digits but the last, or
	# in its upper two bits.
	function block(lid, n) {
		n = length(lid)
		return substr(lid, 1, n - 1) \
			int((index("0123456789abcdef", substr(lid, n)) - 1) / 4)
	}
	{
		b = $1 block($2)
		count[b]++
		differ[b] += $3 != last[b]
		last[b] = $3
	}
	END {
		for (b in count)
			n += count[b] == 4 && differ[b] > 1
		exit !n
	}' ||
	fail "the LIDs of one host are never spread"
