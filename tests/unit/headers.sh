#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each installed header compiles alone, as C11 and as C++11.
dir=$WEFT_SRCDIR/include
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
status=0 tried=0

# alone LANGUAGE COMPILER...
alone() {
	language=$1
	shift
	command -v "$1" >/dev/null || return 0
	for h in "$dir"/weft/*.h; do
		tried=$((tried + 1))
		echo "#include <weft/$(basename "$h")>" >"$tmp/one.$language"
		"$@" -Wall -Wextra -Werror -I"$dir" -fsyntax-only \
			"$tmp/one.$language" || status=1
	done
}

alone c "${CC:-cc}" -std=c11
alone cc "${CXX:-c++}" -std=c++11
echo "$tried headers tried"
[ "$tried" -gt 0 ] || exit 77
exit $status
