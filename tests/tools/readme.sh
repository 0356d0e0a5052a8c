#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The commands of the README run as printed, in the folder of the build, and the
# scripts that it names are there.
readme=$WEFT_SRCDIR/README.md
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
. "$WEFT_SRCDIR/tests/weft.sh"
ln -s "$WEFT" "$dir/weft" && cd "$dir" || exit 99
failed=0

fail() {
	echo "$*"
	failed=$((failed + 1))
}

grep '^    \./weft ' "$readme" >commands
[ -s commands ] || fail 'no command'
while IFS= read -r command; do
	sh -c "$command" >out 2>&1 </dev/null && continue
	fail "status $?: $command"
	head -n 10 out
done <commands

# What an installed weft runs is in the chapter that the packages' own test
# follows (debian/tests/production).
sed '/^## In production/,/^## /d' "$readme" | grep '^    weft ' &&
	fail 'weft is not installed outside the chapter "In production"'

for script in $(grep -oE '(scripts|tests/bench)/[a-z-]+' "$readme" | sort -u)
do
	[ -x "$WEFT_SRCDIR/$script" ] || fail "no $script"
done
echo "$(wc -l <commands) commands, $failed failed"
[ $failed -eq 0 ]
