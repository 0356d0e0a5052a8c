#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A topology with odd names and looped cables, as weft writes it, is loaded by
# ibsim and brought up by opensm; what ibnetdiscover in all its modes, opensm
# and iblinkinfo then tell of that subnet loads with the same counts.
. "$WEFT_SRCDIR/tests/osm/lib.sh"
PATH=$PATH:/usr/sbin:/sbin
command -v ibnetdiscover >/dev/null || {
	echo "skipped: no ibnetdiscover" >&2
	exit 77
}
topology=$WEFT_BUILDDIR/tests/osm/topology

cat >"$work/plain" <<'END'
switchguid=0x1000(1000)
Switch 36 "S-0000000000001000" # "box GUID=0x00066a00e8001310 L1" enhanced port 0 lid 0 lmc 0
[1] "H-0000000000002000"[1](2001) # "n1" lid 0 4xQDR
[2] "H-0000000000003000"[1](3001) # "n2" lid 0 4xQDR
[5] "S-0000000000001000"[6] # "loop" lid 0 4xQDR
[6] "S-0000000000001000"[5] # "loop" lid 0 4xQDR
[35] "S-0000000000001100"[1] # "x" lid 0 4xQDR
[36] "S-0000000000001100"[2] # "x" lid 0 4xQDR

switchguid=0x1100(1100)
Switch 129 "S-0000000000001100" # "say "hello" # [1]" base port 0 lid 0 lmc 0
[1] "S-0000000000001000"[35] # "x" lid 0 4xQDR
[2] "S-0000000000001000"[36] # "x" lid 0 4xQDR
[3] "H-0000000000003000"[2](3002) # "n2" lid 0 4xQDR
[129] "H-0000000000004000"[1](4001) # "n3" lid 0 4xQDR

caguid=0x2000
Ca 1 "H-0000000000002000" # "n1 a=b lid 7"
[1](2001) "S-0000000000001000"[1] # lid 0 lmc 0 "x" lid 0 4xQDR

caguid=0x3000
Ca 2 "H-0000000000003000" # "'n2' - 'x'"
[1](3001) "S-0000000000001000"[2] # lid 0 lmc 0 "x" lid 0 4xQDR
[2](3002) "S-0000000000001100"[3] # lid 0 lmc 0 "x" lid 0 4xQDR

caguid=0x4000
Ca 1 "H-0000000000004000" # ""
[1](4001) "S-0000000000001100"[129] # lid 0 lmc 0 "x" lid 0 4xQDR
END
expected="2 3 4 7"

counts() { # FILE
	[ "$("$topology" "$1")" = "$expected" ] || {
		cat "$1" >&2
		fail "$1: $("$topology" "$1"), not $expected"
	}
}

"$topology" -w "$work/plain" >"$work/written" || fail "write"
counts "$work/plain"
counts "$work/written"
{
	echo "run ibnetdiscover >$work/classic 2>&1"
	echo "run ibnetdiscover -f >$work/full 2>&1"
	echo "run ibnetdiscover -g >$work/grouped 2>&1"
	echo "run ibnetdiscover -s >$work/show 2>&1"
	echo "run ibnetdiscover -p >$work/rows 2>&1"
	echo "run ibnetdiscover -v -p >$work/verbose-rows 2>&1"
	echo "run iblinkinfo >$work/links 2>&1"
	echo "run iblinkinfo -p >$work/links-p 2>&1"
	echo "run iblinkinfo --line >$work/line 2>&1"
	echo "run iblinkinfo --line --switches-only >$work/line-switches 2>&1"
	echo quit
} | "$osm" -i -o "$work/dump" -e minhop "$work/written" || fail "opensm"
for f in classic full grouped show rows verbose-rows dump/opensm-subnet.lst
do
	counts "$work/$f"
done
echo "loaded: classic, -f, -g, -s, -p, -v -p, opensm-subnet.lst"
# What iblinkinfo tells is what ibnetdiscover's port report does.
"$topology" -w "$work/rows" >"$work/expected" || fail "rows"
for f in links links-p line line-switches; do
	"$topology" -w "$work/$f" >"$work/back" 2>"$work/said" ||
		fail "iblinkinfo: $f"
	[ -s "$work/said" ] && fail "iblinkinfo: $(cat "$work/said")"
	cmp "$work/expected" "$work/back" || fail "iblinkinfo: $f"
done
echo "the same from iblinkinfo, -p, --line, --switches-only"
