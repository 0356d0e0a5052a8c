#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# One word for one thing, in --help, the manual and the README, as the glossary of
# weft-engines(7) has it: a cable joins two ports, a channel is one direction of it;
# "link" is neither.  Some fillers are none, either.  Names of options and keys, and files' links, are let pass.
set -u
. "$WEFT_SRCDIR/tests/weft.sh"
man=$WEFT_SRCDIR/man
dir=$(mktemp -d "${TMPDIR:-/tmp}/weft-test.XXXXXX") || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

# Lines of "link" that is no name: not in bold, behind a dash or before "=".
said() {
	grep -nwE 'links?' "$@" |
		grep -vE -e '-links?\b|\blinks?=|\\fB[^\\]*\blinks?\b|:\.BR? .*\blinks?\b' \
			-e 'symbolic links?|link of its name|link up|link-local'
}

for command in $("$WEFT" --help |
	sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	"$WEFT" "$command" --help-all >"$dir/weft-$command--help-all"
done
"$WEFT" route --list >"$dir/route--list"
[ -s "$dir/route--list" ] || exit 99
cd "$dir" || exit 99
said ./* "$man"/*.[1357] "$WEFT_SRCDIR/README.md" && {
	echo 'FAIL: a cable, or a channel' >&2
	exit 1
}
for word in cable channel lane worth EFI; do
	grep -qx "\\.B $word" "$man/weft-engines.7" || {
		echo "FAIL: weft-engines(7), GLOSSARY: no $word" >&2
		exit 1
	}
done
# Words that carry nothing, or leave the reader to guess how many.
grep -nE '\bso many\b|\bof (its|their) own\b|what it is\b' ./* "$man"/*.[1357] \
	"$WEFT_SRCDIR/README.md" && {
	echo 'FAIL: say how many, whose, or nothing' >&2
	exit 1
}
exit 0
