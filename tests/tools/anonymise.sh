#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# weft capture --anonymise: the same figures of fabrics and their tables, and
# nothing left of GUIDs and names.
. "$WEFT_SRCDIR/tests/weft.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99

fail() {
	echo "FAIL: $*" >&2
	exit 1
}

# figures INPUT: verdicts and worth of its tables, without what it is called; and
# without what other tables, whose ties are broken by GUIDs, are worth.
figures() {
	weft check -q --safe --csv --switches --hosts=all "$1" | sed 's/^"[^"]*","[^"]*"//'
	weft analyze -q --csv -n 20 "$1" |
		sed 's/^"[^"]*","[^"]*"//; s/,[a-z]*,[0-9.]*,[0-9.]*,[0-9.]*\(,[0-9.]*,""\)$/\1/'
	weft analyze -q --csv -n 20 -p uniform "$1" |
		sed 's/^"[^"]*","[^"]*"//'
}


head -c 16 /dev/urandom >key

# same INPUT: figures and what is left
same() {
	rm -rf other
	weft capture -q --anonymise --key=key -i "$1" other ||
		fail "$1: not anonymised"
	figures "$1" >figures.before
	figures other >figures.after
	[ -s figures.before ] || fail "$1: no figures"
	cmp figures.before figures.after || {
		diff figures.before figures.after | head -n 20
		fail "$1: other figures"
	}
	echo "$1: $(wc -l <figures.before) lines of figures are the same"
}

# hidden: no GUID and no name of the topology $1 is anywhere in other.
hidden() {
	grep -Eo '0x[0-9a-f]+|[SHR]-[0-9a-f]{16}' "$1" |
		sed 's/^0x0*//; s/^[SHR]-0*//' |
		awk 'length > 8' | sort -u >words
	grep -o '"[^"]*"' "$1" | tr -d '"' | grep -v '^[SHR]-[0-9a-f]*$' |
		grep -vi 'aggregation node' | awk 'length > 4' |
		sort -u >>words
	[ "$(wc -l <words)" -gt 4 ] || fail "$1: no GUIDs and names"
	if grep -rnF -f words other | head -n 3 | grep .; then
		fail "$1: GUIDs or names are left"
	fi
}

for f in 'kary:4;2' torus:3x4,hosts=2 dragonfly:4,2,2,9; do
	weft gen -q "$f" >fabric.net || fail "$f"
	for engine in minhop weave; do
		rm -rf dump
		weft route -q -e $engine -o dump fabric.net || fail "$f, $engine"
		same dump
		hidden dump/fabric.ibnetdiscover
	done
done

# several LIDs, lanes, offsets
rm -rf dump
weft route -q -e smodk --lmc=2 -o dump "kary:4;2" || fail "smodk"
same dump
[ -e other/weft-paths.dump ] || fail "no offsets of LIDs"

# hostile names
weft gen ring:4 | sed 's/"sw-1"/"<script>alert(1)<\/script>"/
	s/"sw-2"/"--x $(id) \\"/; s/host-0001/x,y;z HCA-1/' >hostile.net
weft route -q -e updn -o hostile hostile.net || fail "hostile names"
same hostile
hidden hostile/fabric.ibnetdiscover

# real ones, topology and tables, as far as they are there
for f in "$WEFT_FABRICS"/*; do
	[ -d "$f" ] || continue
	weft check -q --csv "$f" >verdict 2>/dev/null
	[ $? -le 1 ] || continue
	[ "$(du -sk "$f" | cut -f 1)" -lt 40000 ] || continue
	same "$f"
done

# topologies alone: engines make the same tables of them
for f in "$WEFT_FABRICS"/*.ibnetdiscover; do
	[ -f "$f" ] || continue
	rm -rf other
	weft capture -q --anonymise --key=key -i "$f" other 2>messages ||
		{ cat messages; fail "$f: not anonymised"; }
	for g in "$f" other; do
		weft check -q --safe --csv -e minhop "$g" 2>messages |
			sed 's/^"[^"]*","[^"]*"//'
	done >figures
	awk '!($0 in seen) { seen[$0]; n++ } END { exit n != 2 }' figures ||
		{ cat figures; fail "$f: other figures with an engine"; }
done

# the same key, the same aliases; no key, others each time
weft capture -q --anonymise --key=key -i dump one
weft capture -q --anonymise --key=key -i dump two
diff -r one two || fail "the same key gives other aliases"
weft capture -q --anonymise -i dump three
weft capture -q --anonymise -i dump four
cmp -s three/fabric.ibnetdiscover four/fabric.ibnetdiscover &&
	fail "a random key that is not"
exit 0
