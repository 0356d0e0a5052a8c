#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What "weft gen" writes is a fabric to ibsim and the stock opensm: the subnet
# comes up with all of its switches, hosts and cables, and every host reaches
# every other.  Fat trees satisfy OpenSM's own idea of one, the ftree engine.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

while read -r engine description; do
	brought_up "$engine" "$description"
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
