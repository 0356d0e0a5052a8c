#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# The commands of README.md print what it says: lines that begin with "$ " in
# its indented blocks, each with what it prints behind it, errors included.
#
# run.sh                        with the programs that make has built
# run.sh --installed DIRECTORY  with the ones that the commands themselves
#                               compile, against the weft that pkg-config finds
here=${WEFT_SRCDIR:+$WEFT_SRCDIR/examples}
installed=
if [ "$1" = --installed ]; then
	installed=yes
	here=$(cd "$2" && pwd) || exit 99
fi
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$dir/work" && cp "$here"/*.c "$dir/work" && cd "$dir/work" || exit 99
failed=0 commands=0

# cc -o PROGRAM ...: compiles, or takes the program that is there already.
cc() {
	if [ "$installed" ]; then
		${CC:-gcc} $CFLAGS "$@"
	else
		printf '#!/bin/sh\nexec "%s/examples/%s" "$@"\n' \
			"$WEFT_BUILDDIR" "$2" >"$2" && chmod +x "$2"
	fi
}

if [ -z "$installed" ]; then
	mkdir "$dir/bin" && printf '#!/bin/sh\n' >"$dir/bin/pkg-config" &&
		chmod +x "$dir/bin/pkg-config" || exit 99
	PATH=$dir/bin:$PATH
fi

run() {
	[ -n "$command" ] || return 0
	commands=$((commands + 1))
	(eval "$command") >"$dir/got" 2>&1 </dev/null
	status=$?
	if [ $status -ne 0 ] || ! cmp -s "$dir/want" "$dir/got"; then
		echo "exit status $status: $command"
		diff "$dir/want" "$dir/got"
		failed=$((failed + 1))
	fi
	command=
}

command=
sed -n 's/^    //p' "$here/README.md" >"$dir/examples"
while IFS= read -r text; do
	case $text in
	'$ '*)
		run
		command=${text#'$ '}
		: >"$dir/want"
		;;
	*) printf '%s\n' "$text" >>"$dir/want" ;;
	esac
done <"$dir/examples"
run
echo "$commands commands, $failed failed"
[ $commands -ge 6 ] && [ $failed -eq 0 ]
