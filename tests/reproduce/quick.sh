#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The published figures that take seconds; "make reproduce" for all.
OUT=$(mktemp -d "${TMPDIR:-/tmp}/weft-reproduce.XXXXXX") || exit 1
export OUT
trap 'rm -rf "$OUT"' EXIT
trap 'exit 130' INT TERM
. "$WEFT_SRCDIR/tests/weft.sh"
export WEFT
sh "$WEFT_SRCDIR/tests/reproduce/run" --quick
