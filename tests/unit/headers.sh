#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each header is installed, part of weft.h and in weft(3), and compiles alone, as
# C11 and as C++11; so does the example of weft(3).  Functions are named after a
# type, a header or something that a fabric numbers, as weft(3) says.
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

for h in "$dir"/weft/*.h; do
	name=weft/$(basename "$h")
	grep -q "include/$name" "$WEFT_SRCDIR/src/local.mk" ||
		{ echo "$name is not installed"; status=1; }
	[ "$name" = weft/weft.h ] || grep -q "<$name>" "$dir/weft/weft.h" ||
		{ echo "$name is not in weft.h"; status=1; }
	grep -q "$name" "$WEFT_SRCDIR/man/weft.3" ||
		{ echo "$name is not in weft.3"; status=1; }
done

# example COMPILER...: the program in weft(3).
example() {
	sed -n '/^\.SH EXAMPLE/,/^\.RE/{/^\.[A-Z]/d; s/\\-/-/g; s/\\e/\\/g; p;}' \
		"$WEFT_SRCDIR/man/weft.3" | sed '1,/^\.nf/d' >"$tmp/example.c"
	grep -q 'int main' "$tmp/example.c" || status=1
	"$@" -Wall -Wextra -Werror -I"$dir" -fsyntax-only "$tmp/example.c" ||
		status=1
}

# Functions whose name begins with nothing that they could be about.
misnamed() {
	echo '#include <weft/weft.h>' | "$@" -I"$dir" -E -P -x c - >"$tmp/all" ||
		return
	grep -oE '\<weft_[a-z0-9_]+\(' "$tmp/all" | tr -d '(' | sort -u >"$tmp/names"
	[ "$(wc -l <"$tmp/names")" -gt 300 ] || echo "few functions"
	{
		grep -oE '\<(struct|enum) weft_[a-z0-9_]+' "$tmp/all" | sed 's/.* //'
		for h in "$dir"/weft/*.h; do echo "weft_$(basename "$h" .h)"; done
		printf 'weft_%s\n' channel vertex lid machine device is
	} | awk 'NR == FNR { is_noun[$1] = 1; next }
		{
			for (s = $1; s != "weft"; s = substr(s, 1, RSTART - 1)) {
				if (s in is_noun ||
				    (s ~ /s$/ && substr(s, 1, length(s) - 1) in is_noun))
					next
				match(s, /_[a-z0-9]*$/)
			}
			print
		}' - "$tmp/names"
}

misnamed "${CC:-cc}" >"$tmp/misnamed"
sed 's/$/(): named after nothing in its header/' "$tmp/misnamed"
[ -s "$tmp/misnamed" ] && status=1
example "${CC:-cc}" -std=c11
alone c "${CC:-cc}" -std=c11
alone cc "${CXX:-c++}" -std=c++11
echo "$tried headers tried"
[ "$tried" -gt 0 ] || exit 77
exit $status
