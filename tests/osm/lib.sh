# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# What the tests with the real opensm have in common.  Sourced.
# Needs WEFT_SRCDIR and WEFT_BUILDDIR; leaves $work, a directory of its own.

set -u
. "$WEFT_SRCDIR/tests/weft.sh"
export WEFT
osm=$WEFT_SRCDIR/scripts/osm-run
plugins=$WEFT_BUILDDIR/plugins/.libs

fail() {
	echo "FAIL: $*" >&2
	exit 1
}

"$osm" -k || exit $?
work=$(mktemp -d "${TMPDIR:-/tmp}/weft-test.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

. "$WEFT_SRCDIR/tests/osm/preload.sh"

# needs_preload: for weft under umad2sim.  One that is instrumented has to have its
# run-time library in front of that, which is known with the plugins only.
needs_preload() {
	[ -n "${WEFT_PRELOAD-}" ] ||
		! grep -q __asan_init "$WEFT" && return
	echo "SKIP: an instrumented weft without the library to preload" >&2
	exit 77
}

# needs PROGRAM: one that is built where there is libibumad.
needs() {
	[ -x "$1" ] && return
	echo "SKIP: libibumad was not there to build $1" >&2
	exit 77
}

# weft_sm [OPTION]... FABRIC: osm-run with the plugin weft-psssp.
weft_sm() {
	"$osm" -p "$plugins" -c 'event_plugin_name weft-psssp' "$@"
}

# $anew: a weft.conf by which each sweep asks the engine.
anew=$work/anew.conf
printf '[weft]\nstanding = no\n' >"$anew"

# $calm: a command of osm-run that waits until a sweep is over in which no entry
# waits for another one, nor balance.
calm='until awk "
/building routing/ { calm = 0 }
/entries wait for the next sweep|balance is left for another sweep/ { waits = 1 }
/-> SUBNET UP/ { calm = !waits; waits = 0 }
END { exit !calm }" "$OSM_TMP_DIR/opensm.log"'
calm=$(echo $calm)

# names KIND: nodes of $work/net; cable SWITCH [N]: its Nth port (1) to another
# switch.
names() {
	awk -F'"' -v kind="^$1" '$0 ~ kind { print $2 }' "$work/net"
}
cable() {
	awk -F'"' -v sw="$1" -v n="${2-1}" '
	/^Switch/ { name = $2 }
	name == sw && /^\[.*"S-/ && !--n {
		split($1, p, /[][]/)
		print p[2]
		exit
	}' "$work/net"
}

# rows FILE: "switch-guid lid port" for every entry of a table dump, sorted.
rows() {
	awk '/^Unicast lids/ {
		for (i = 1; i < NF; i++)
			if ($i == "guid")
				guid = $(i + 1)
	}
	/^0x/ { print guid, $1, $2 + 0 }' "$1" | sort
}

# same_rows A B WHAT
same_rows() {
	rows "$1" >"$work/rows.a"
	rows "$2" >"$work/rows.b"
	[ -s "$work/rows.a" ] || fail "$3: $1 has no table"
	cmp -s "$work/rows.a" "$work/rows.b" && return
	diff "$work/rows.a" "$work/rows.b" | head -n 10 >&2
	fail "$3: $1 and $2 differ"
}

# offline DUMPDIR [OPTION]...: the tables that weft route computes, with $lanes
# (1) lanes against credit loops, for the subnet dumped there are those that
# opensm has.  The outcome is left in $work/offline.
offline() {
	dumps=$1
	shift
	rm -rf "$work/offline"
	"$WEFT" route -q -e psssp:passes=3,deadlock=layers,lanes="${lanes:-1}" \
		"$@" -o "$work/offline" "$dumps/opensm-subnet.lst" \
		>/dev/null || fail "weft route $dumps"
	same_rows "$dumps/opensm-lfts.dump" "$work/offline/opensm-lfts.dump" \
		"OpenSM's tables and those of weft route"
}

# reachable DUMPDIR: weft check finds nothing worse than a credit loop.
reachable() {
	"$WEFT" check -q --json --hosts=all --switches "$1" >"$work/check.json"
	[ $? -le 1 ] || fail "weft check $1"
	grep -Eq '"unreachable": *0[,}]?' "$work/check.json" || {
		cat "$work/check.json" >&2
		fail "$1: not all reach each other"
	}
}

# no_credit_loop DUMPDIR: nor a credit loop, but for what switches may send each
# other on data lanes: trees have one there, and nobody minds.
no_credit_loop() {
	"$WEFT" check -q --hosts=all "$1" >"$work/check.txt" || {
		cat "$work/check.txt" >&2
		fail "$1: a credit loop"
	}
}

# expand DUMP: "source dest sl" for all pairs of weft-sl.dump, in decimal.
expand() {
	awk 'function hex(s, i, n) {
		for (i = 3; i <= length(s); i++)
			n = 16 * n + index("0123456789abcdef",
					   substr(s, i, 1)) - 1
		return n
	}
	$1 == "from" {
		if (runs)
			sources = runs = 0
		from[sources++] = hex($3)
	}
	/^0x/ {
		runs++
		n = split($1, range, "-")
		for (d = hex(range[1]); d <= hex(range[n]); d++)
			for (i = 0; i < sources; i++)
				print from[i], d, $2
	}' "$1"
}

# logged DUMPDIR TEXT, not_logged DUMPDIR TEXT (basic regular expressions)
logged() {
	grep -q -e "$2" "$1/opensm.log" || fail "$1: no \"$2\" in opensm.log"
}

not_logged() {
	grep -e "$2" "$1/opensm.log" >&2 && fail "$1: \"$2\" in opensm.log"
	return 0
}

# by_owner FILE: the same with owners' GUIDs and which of their LIDs it is for
# LIDs: opensm-subnet.lst does not tell the LMC, and weft route gives out LIDs of
# its own.
by_owner() {
	awk '/^Unicast lids/ {
		for (i = 1; i < NF; i++)
			if ($i == "guid")
				guid = $(i + 1)
	}
	/^0x/ {
		for (i = 3; i < NF; i++)
			if ($i == "portguid")
				print guid, $(i + 1), n[guid, $(i + 1)]++, $2
	}' "$1" | sort
}

# same_by_owner A B
same_by_owner() {
	by_owner "$1" >"$work/owner.a"
	by_owner "$2" >"$work/owner.b"
	[ -s "$work/owner.a" ] || fail "$1 has no table"
	cmp "$work/owner.a" "$work/owner.b" || fail "$1 and $2 differ"
}

# counts INPUT [OPTION]...: lines with the sizes of a fabric.
counts() {
	"$WEFT" analyze -q -n 1 --json "$@" |
		tr ',' '\n' | grep -Eo '"(switches|hosts|links)": *[0-9]+' |
		tr -d ' '
}

# brought_up ENGINE FABRIC: the stock opensm with that engine and no other routes
# the whole of a file or description.
brought_up() {
	rm -rf "$work/out"
	"$osm" -t 300 -e "$1 no_fallback" -o "$work/out" "$2" >"$work/log" \
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
