#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each fabric of ibsim-fabrics is loaded by the stock ibsim and brought up by
# the stock opensm, whole; the large ones, which take minutes, with WEFT_LARGE=1.
. "$WEFT_SRCDIR/tests/osm/lib.sh"

here=$WEFT_SRCDIR/ibsim-fabrics
grep '^[a-z]' "$here/INDEX" >"$work/index"
while read -r file description size; do
	if [ -n "$size" ] && [ -z "${WEFT_LARGE-}" ]; then
		"$WEFT" gen "$description" >/dev/null || fail "$file"
	elif [ -n "$size" ]; then
		"$WEFT" gen -o "$work/$file" "$description" || fail "$file"
		brought_up minhop "$work/$file"
		rm "$work/$file"
	else
		brought_up minhop "$here/$file"
	fi
done <"$work/index"
