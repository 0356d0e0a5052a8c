#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Runs every fuzz target on its seeds.
status=0
for dir in "$WEFT_SRCDIR"/tests/fuzz/seeds/*/; do
	target=$(basename "$dir")
	echo "$target: $(ls "$dir" | wc -l) seeds"
	"$WEFT_BUILDDIR/tests/fuzz/$target" "$dir"* || status=1
done
exit $status
