#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# One fabric in the forms that different programs write it in (forms.awk) is
# the same fabric.
. "$WEFT_SRCDIR/tests/weft.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99
status=0

form() { # FORM [FILE]
	awk -v form="$1" -f "$WEFT_SRCDIR/tests/tools/forms.awk" \
		"${2-fabric}" || exit 99
}

# FILE OUT: as weft reads it from a pipe, in ibnetdiscover's layout
read_in() {
	cat "$1" | weft route -e null -o out --force - >/dev/null 2>err || {
		cat err
		exit 1
	}
	grep . err && status=1
	mv out/fabric.ibnetdiscover "$2"
}

same() { # FORM FILE OTHER
	cmp "$2" "$3" || status=1
	echo "$1: $spec"
}

for spec in "pgft:3;4,4,4;1,4,2;1,1,2" dragonfly:4,2,2,9 ndr-pod \
	"torus:4x4,hosts=2"; do
	case $spec in
	ndr-pod) fabric=${WEFT_FABRICS-/nowhere}/ndr-pod.ibnetdiscover ;;
	*) fabric=$spec ;;
	esac
	[ "$spec" != "$fabric" ] && [ ! -f "$fabric" ] && continue
	weft route -q -e null --lmc=1 -o out --force "$fabric" >/dev/null ||
		exit 1
	mv out/fabric.ibnetdiscover fabric
	form db_csv >db_csv
	read_in db_csv back
	same db_csv fabric back
	# Without GUIDs of nodes and LMCs.
	form rows >rows
	read_in rows expected
	for f in links line; do
		form $f >$f
		read_in $f back
		same $f expected back
	done
	# Without what only adapters could tell of themselves, and LMCs.
	form net_dump >net_dump
	read_in net_dump back
	for f in fabric back; do
		grep -v '^[a-z]*id=' $f | sed 's/([0-9a-f]*)//
			s/ lmc [0-9]*//; s/ [a-z]* port 0 / /
			s/^Ca.[0-9]* /Ca /; s/^[cs][a-z]*guid=.*//' >$f.bare
	done
	same net_dump fabric.bare back.bare
done

# Tables that need lanes: the same verdict from what OpenSM dumps and from what
# ibdiagnet does, all service levels being one.
spec=torus:5x5,hosts=2
weft route -q -e minhop -o plain $spec >/dev/null || exit 1
weft layer -q -n 0 -o opensm plain >/dev/null || exit 1
rm opensm/weft-sl.dump
mkdir ibdiagnet
form db_csv opensm/fabric.ibnetdiscover >ibdiagnet/ibdiagnet2.db_csv
form fdbs opensm/opensm-lfts.dump >ibdiagnet/ibdiagnet2.fdbs
form slvl opensm/opensm-sl2vl.dump >ibdiagnet/ibdiagnet2.slvl
for d in opensm ibdiagnet; do
	weft check --json $d >$d.json 2>err
	echo "$d: exit status $?" >>$d.json
	grep . err && status=1
	grep -c '"sl2vl": "'$d $d.json | grep -qx 1 || status=1
	sed "s/$d[^\"]*//" $d.json >$d.verdict
done
same verdict opensm.verdict ibdiagnet.verdict
exit $status
