#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tables that weft writes are loaded by the stock "file" engine: what dump_lfts
# then reads from the simulated switches is what was written.
set -u
PATH=$PATH:/usr/sbin:/sbin
command -v ibnetdiscover >/dev/null && command -v dump_lfts >/dev/null || {
	echo "skipped: no infiniband-diags" >&2
	exit 77
}
fabric=torus:3x3,hosts=2
lmc=1
run=$WEFT_SRCDIR/scripts/osm-run
WEFT=${WEFT-$WEFT_BUILDDIR/weft}
export WEFT
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

fail() {
	echo "failed: $*" >&2
	exit 1
}

# Leaves the topology with LIDs and the programmed tables in files of NAME.
subnet() { # NAME ENGINE [CONF-LINE]
	{
		echo "run ibnetdiscover >$dir/$1.ibnetdiscover"
		echo "run dump_lfts >$dir/$1.lfts"
		echo quit
	} | "$run" -i -e "$2" -c "lmc $lmc" ${3+-c "$3"} "$fabric" \
		>"$dir/$1.log" 2>&1
	status=$?
	[ $status = 77 ] && exit 77
	[ $status = 0 ] || { cat "$dir/$1.log"; fail "opensm with $2"; }
}

# "GUID LID PORT" of every entry.
entries() { # FILE
	sed -n -e 's/^Unicast lids .* guid \(0x[0-9a-f]*\) .*/guid \1/p' \
		-e '/^0x/p' "$1" |
		awk '$1 == "guid" { guid = $2; next } { print guid, $1, $2 }' |
		sort
}

subnet stock minhop
"$WEFT" route -q -e psssp -o "$dir/written.dump" "$dir/stock.ibnetdiscover" ||
	fail "weft route"
subnet loaded file "lfts_file $dir/written.dump"

entries "$dir/written.dump" >"$dir/written"
entries "$dir/loaded.lfts" >"$dir/loaded"
entries "$dir/stock.lfts" >"$dir/stock"
n=$(wc -l <"$dir/written")
# 9 switches, 9 LIDs of switches and 18 hosts of two LIDs.
[ "$n" -eq 405 ] || fail "$n entries written, not 405"
cmp "$dir/written" "$dir/loaded" || fail "other tables were programmed"
cmp -s "$dir/stock" "$dir/loaded" && fail "these are minhop's tables"
echo "$n entries programmed as written"
