#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What "weft gen" writes is a fabric to ibsim and the stock opensm: the subnet
# comes up with all of its switches, hosts and cables, and every host reaches
# every other.  Fat trees satisfy OpenSM's own idea of one, the ftree engine.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

counts() { # INPUT [OPTION]...
	"$WEFT" analyze -q -n 1 --json "$@" |
		tr ',' '\n' | grep -Eo '"(switches|hosts|links)": *[0-9]+' |
		tr -d ' '
}

# up ENGINE DESCRIPTION: with that engine and no other.
up() {
	rm -rf "$work/out"
	"$osm" -e "$1 no_fallback" -o "$work/out" "$2" >"$work/log" \
		2>&1 || { cat "$work/log"; fail "$1: $2"; }
	logged "$work/out" "$1 tables configured"
	# what opensm saw, not what it was given
	rm -f "$work/out/fabric.ibnetdiscover"
	# (ftree does not route from all switches to all others)
	"$WEFT" check -q --json "$work/out" >"$work/check.json"
	grep -q '"unreachable": 0,' "$work/check.json" ||
		{ cat "$work/check.json"; fail "$2: not all hosts are reached"; }
	counts "$work/out" >"$work/seen"
	counts -e minhop "$2" >"$work/meant"
	cmp -s "$work/seen" "$work/meant" ||
		fail "$2: $(paste -sd ' ' "$work/seen") instead of" \
			"$(paste -sd ' ' "$work/meant")"
	echo "$1: $2: $(paste -sd ' ' "$work/seen")"
}

while read -r engine description; do
	up "$engine" "$description"
done <<'END'
ftree pgft:3;4,3,4;1,4,3;1,1,1
ftree pgft:2;12,6;1,2;1,6
ftree kary:3;3
ftree mport:8;3
ftree rlft:24;2;12
ftree gft:6+4,9
ftree switch648
minhop odin,guids=shuffle,dual=yes
minhop rack216,hosts=22:1
minhop deimos
minhop chic,fail-links=5%,fail-switches=4
minhop torus:4x3x2,links=2,hosts=2
minhop mesh:5x5,names=same
minhop hypercube:5,speed=edr,width=12x
minhop ring:5,lids=order,guids=shuffle
minhop star:6,names=none
minhop full:7,total=20
minhop random:43x12,24
minhop dragonfly:4,2,2,9,global=absolute
END
