#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Fabrics of real machines, simulated, with all lanes there are: everybody is
# reachable, and there is no credit loop.  Needs $WEFT_FABRICS; 77 without.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

n=0
for name in avakas/ib-subnet-fe80.txt mixed-fdr10.ibnetdiscover \
	ndr-pod.ibnetdiscover ufm-lab.ibnetdiscover \
	x5-hash-names.ibnetdiscover; do
	f=${WEFT_FABRICS-}/$name
	[ -f "$f" ] || continue
	n=$((n + 1))
	echo "$name"
	# In the layout that ibsim loads; OpenSM gives out LIDs of its own.
	rm -rf "$work/net" "$work/out"
	"$WEFT" route -q -e null -o "$work/net" "$f" >/dev/null ||
		fail "$name: weft route"
	weft_sm -e psssp -c 'qos TRUE' -o "$work/out" \
		"$work/net/fabric.ibnetdiscover" ||
		fail "$name"
	lanes=8 offline "$work/out"
	reachable "$work/out"
	no_credit_loop "$work/out"
	grep -o 'against credit loops.*' "$work/out/opensm.log"
	not_logged "$work/out" 'psssp: ERR'
done
[ $n -gt 0 ] || {
	echo "no fabrics in ${WEFT_FABRICS-\$WEFT_FABRICS}" >&2
	exit 77
}
