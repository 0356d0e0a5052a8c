#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The manual: each option of --help is in it and the other way round, and its
# examples show what the commands print.  Between .EX and .EE a line that
# begins with "$ " is a command, what follows its output, errors included; a
# line "..." stands for any lines.  Times are not compared.
man=$WEFT_SRCDIR/man
. "$WEFT_SRCDIR/tests/weft.sh"
unset COLUMNS
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$dir/work" && cd "$dir/work" || exit 99
failed=0

fail() {
	echo "$*"
	failed=$((failed + 1))
}

# Text of a page's source: escapes undone.
plain() {
	sed -e 's/\\&//g; s/\\e/\\/g; s/\\-/-/g; s/\\f[A-Z]//g' "$1"
}

# The options that a text names, one a line.
options() {
	grep -oE -e '--[a-z][a-z-]*' | sort -u
}

check_options() {
	weft "$1" --help-all | options >"$dir/help"
	plain "$man/weft-$1.1" | options >"$dir/page"
	[ -s "$dir/help" ] || fail "weft $1 --help names no option"
	for option in $(comm -23 "$dir/help" "$dir/page"); do
		fail "weft-$1.1: $option is missing"
	done
	for option in $(comm -13 "$dir/help" "$dir/page"); do
		fail "weft-$1.1: weft $1 has no $option"
	done
}

# The families of fabrics and their options are in the order of the manual.
check_families() {
	weft gen --list | sed 's/[:= ].*//' >"$dir/listed"
	plain "$man/weft-gen.1" | awk '
		/^\.S[HS]/ { on = /Fat trees|Grids|Others|AI clusters|Options of/
			machines = /Machines/ }
		machines && /^[a-z0-9]*\|[0-9]/ { print substr($1, 1, index($1, "|") - 1) }
		on && tag { split($2, name, /[:=]/)
			if (name[1] != last)
				print last = name[1]
		}
		{ tag = /^\.T[PQ]/ }' >"$dir/told"
	cmp -s "$dir/listed" "$dir/told" && return
	diff "$dir/listed" "$dir/told"
	fail "weft-gen.1: not the families and options of weft gen --list"
}

# weft-plugin(7) lists every plugin, and weave is the one to take.
check_plugins() {
	plain "$man/weft-plugin.7" >"$dir/page"
	for plugin in all $(sed -n 's/^lib_.*libweft-\(.*\)\.la$/\1/p' \
		"$WEFT_SRCDIR/plugins/engines.mk"); do
		grep -q "^libweft-$plugin\.so" "$dir/page" ||
			fail "weft-plugin.7: libweft-$plugin.so is missing"
	done
	sed -n '/^\.SH SYN/,/^\.SH DES/p' "$dir/page" |
		grep -qx 'routing_engine weave' ||
		fail 'weft-plugin.7: not weave'
}

same_times() {
	sed 's/ in [0-9.]* s,/ in some s,/'
}

# Compares got with want, in which a line "..." stands for any lines.
matches() {
	awk -v want="$1" '
	function fits(i, j) {
		while (i <= nwant && pattern[i] != "...") {
			if (j > NR || line[j] != pattern[i])
				return 0
			i++
			j++
		}
		if (i > nwant)
			return j > NR
		for (; j <= NR + 1; j++)
			if (fits(i + 1, j))
				return 1
		return 0
	}
	BEGIN {
		while ((getline text < want) > 0)
			pattern[++nwant] = text
	}
	{ line[NR] = $0 }
	END { exit !fits(1, 1) }' "$2"
}

run_example() {
	[ -n "$command" ] || return
	(eval "$command") 2>&1 </dev/null | same_times >"$dir/got"
	same_times <"$dir/want" >"$dir/want2"
	if ! matches "$dir/want2" "$dir/got"; then
		fail "$page: another output: $command"
		diff "$dir/want2" "$dir/got"
	fi
	examples=$((examples + 1))
	command=
}

# Each page's examples have a folder of their own.
check_examples() {
	page=${1##*/} examples=0 command=
	rm -rf "$dir/work" && mkdir "$dir/work" && cd "$dir/work" || exit 99
	plain "$1" | sed -n '/^\.EX/,/^\.EE/p' >"$dir/examples"
	while IFS= read -r text; do
		case $text in
		.EX) ;;
		.EE) run_example ;;
		'$ '*)
			run_example
			command=${text#'$ '}
			: >"$dir/want"
			;;
		*) [ -z "$command" ] || printf '%s\n' "$text" >>"$dir/want" ;;
		esac
	done <"$dir/examples"
	echo "$page: $examples examples"
}

check_families
check_plugins
for command in $(weft --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p'); do
	if [ -e "$man/weft-$command.1" ]; then
		check_options "$command"
	else
		fail "weft-$command.1 is missing"
	fi
	plain "$man/weft.1" | sed -n '/^\.SH COMMANDS/,/^\.SH TOUR/p' |
		grep -q "^\.BR weft-$command (1)" ||
		fail "weft.1: $command is not among the commands"
done
for file in "$man"/weft*.1 "$man"/weft-engines.7 "$man"/weft-tutorial.7; do
	check_examples "$file"
done
for file in "$man"/weft*.[1-9]; do
	grep -q "^\.TH .*\"$(weft --version)\"" "$file" ||
		fail "${file##*/}: not of $(weft --version)"
done
echo "$failed failed"
[ $failed -eq 0 ]
