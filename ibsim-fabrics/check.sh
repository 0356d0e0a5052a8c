#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The sample fabrics are what "weft gen" makes of the descriptions in INDEX.
# With --update they are written anew.
here=$WEFT_SRCDIR/ibsim-fabrics
weft=$WEFT_BUILDDIR/weft
status=0
while read -r file description; do
	if [ "$1" = --update ]; then
		"$weft" gen -o "$here/$file" "$description" || status=1
		continue
	fi
	echo "$file: $description"
	"$weft" gen "$description" | cmp - "$here/$file" || status=1
done <"$here/INDEX"
exit $status
