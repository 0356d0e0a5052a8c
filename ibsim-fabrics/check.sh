#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The sample fabrics are what "weft gen" makes of the descriptions in INDEX.
# With --update those that are kept are written anew; with --large those that
# are not kept are written into the directory ibsim-fabrics of the build.
here=$WEFT_SRCDIR/ibsim-fabrics
weft=$WEFT_BUILDDIR/weft
large=$WEFT_BUILDDIR/ibsim-fabrics
status=0
mkdir -p "$large" || exit 1
grep '^[a-z]' "$here/INDEX" | {
	while read -r file description size; do
		case $1,$size in
		--update,)
			"$weft" gen -o "$here/$file" "$description"
			;;
		--large,large)
			"$weft" gen -o "$large/$file" "$description"
			;;
		,)
			"$weft" gen "$description" | cmp - "$here/$file"
			;;
		,large)
			"$weft" gen "$description" | head -c 1048577 | wc -c |
				grep -qx 1048577
			;;
		*)
			continue
			;;
		esac || status=1
		echo "$file: $description"
	done
	exit $status
}
