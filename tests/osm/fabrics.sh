#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# psssp in the real opensm: on each fabric the tables are those that weft route
# computes offline, and those that the simulated switches hold.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

# read_back DUMP DIR: commands that ask every switch for its table.
read_back() {
	awk -v dir="$2" '/^Unicast lids/ {
		for (i = 1; i < NF; i++)
			if ($i == "Lid")
				print "run ibroute -n", $(i + 1),
					">>" dir "/ibroute"
	}' "$1"
}

try() {
	echo "$1"
	rm -rf "$work/out"
	weft_sm -e psssp -o "$work/out" "$1" || fail "$1"
	logged "$work/out" 'psssp: routed .* hosts, .* switches in'
	logged "$work/out" 'psssp tables configured on all switches'
	not_logged "$work/out" 'psssp: ERR'
	offline "$work/out"
	reachable "$work/out"
}

# try_hardware FABRIC: the same, and every switch is asked.
try_hardware() {
	try "$1"
	read_back "$work/out/opensm-lfts.dump" "$work/out" >"$work/commands"
	weft_sm -e psssp -i "$1" <"$work/commands" || fail "$1: ibroute"
	same_rows "$work/out/opensm-lfts.dump" "$work/out/ibroute" \
		"OpenSM's tables and the switches'"
}

try_hardware ring:5,hosts=3
try_hardware 'pgft:3;4,4,4;1,4,4;1,1,1'
no_credit_loop "$work/out"
not_logged "$work/out" 'credit loop'
try_hardware torus:3x3x3,hosts=2
try chain:2,hosts=1
try star:3
try deimos
try 'pgft:2;6,6;1,3;1,2,dual=yes,guids=shuffle,fail-links=3'
