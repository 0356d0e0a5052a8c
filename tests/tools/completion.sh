#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Completion in bash, zsh and fish: every command and every option of its --help;
# what bash and fish really answer.
made=$WEFT_BUILDDIR/completion
[ -e "$made/weft" ] || exit 77
. "$WEFT_SRCDIR/tests/weft.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
cd "$dir" || exit 99
failed=0

fail() {
	echo "$*"
	failed=$((failed + 1))
}

cat >complete.bash <<'END'
# complete.bash WEFT TEXT: what is offered behind TEXT, a line each.  Words are
# split as readline does it.
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
read -ra COMP_WORDS <<<"$(sed 's/[=:]\+/ & /g' <<<"$2")"
[[ $2 == *' ' ]] && COMP_WORDS+=('')
[[ $2 == *[=:] ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_weft
((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}"
exit 0
END

ask_bash() {
	bash complete.bash "$made/weft" "$1" 2>&1 | sort
}

ask_fish() {
	HOME=$dir XDG_CONFIG_HOME=$dir fish --no-config -c "
		source $made/weft.fish; complete -C '$1'" 2>&1 | cut -f 1 | sort
}

# The part of the zsh function that is about a command.
ask_zsh() {
	sed -n "/^	$1)\$/,/;;/p" "$made/_weft"
}

shells=bash
command -v bash >/dev/null || exit 77
bash -n "$made/weft" || fail 'bash does not take it'
if command -v zsh >/dev/null; then
	shells="$shells zsh"
	zsh -n "$made/_weft" || fail 'zsh does not take it'
fi
if command -v fish >/dev/null; then
	shells="$shells fish"
	fish -n "$made/weft.fish" || fail 'fish does not take it'
	ask_fish 'weft ' >fish.commands
fi

weft --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' >commands
[ -s commands ] || fail 'no commands'
ask_bash 'weft ' >bash.commands
options=0
while read -r name; do
	grep -qx "$name" bash.commands || fail "bash: no $name"
	grep -q "^	*'$name:" "$made/_weft" || fail "zsh: no $name"
	grep -q "__fish_use_subcommand -a $name " "$made/weft.fish" ||
		fail "fish: no $name"
	weft "$name" --help-all | grep -oE -e '^ {2,6}(-., )?--[a-z-]+' |
		grep -oE -e '--[a-z-]+' | sort -u >options
	ask_bash "weft $name --" | sed 's/=$//' | sort -u | comm -23 options - \
		>missing
	[ -s missing ] && fail "bash: $name: $(cat missing)"
	ask_zsh "$name" >block
	while read -r option; do
		options=$((options + 1))
		grep -qE -e "[',*]$option(\\[|=|})" block ||
			fail "zsh: $name: no $option"
		grep -qE -e "from $name' -l ${option#--} " "$made/weft.fish" ||
			fail "fish: $name: no $option"
	done <options
	[ -e fish.commands ] || continue
	grep -qx "$name" fish.commands || fail "fish: no $name"
	ask_fish "weft $name --" | sed 's/=$//' | sort -u |
		comm -23 options - >missing
	[ -s missing ] && fail "fish: $name: $(cat missing)"
done <commands

# says SHELL TEXT WANTED...: all of these are offered behind TEXT.
says() {
	shell=$1 text=$2
	shift 2
	case " $shells " in
	*" $shell "*) ;;
	*) return ;;
	esac
	"ask_$shell" "$text" >got
	for want; do
		grep -qFx -e "$want" got ||
			fail "$shell: '$text' has no '$want', but $(cat got)"
	done
}

mkdir folder
: >fabric.net >'two words'
for shell in bash fish; do
	says $shell 'weft ' analyze help
	says $shell 'weft check ' fabric.net
	says $shell 'weft check -e ' weave eftree
	says $shell 'weft check -e we' weave
	says $shell 'weft check --hosts ' ca all
	says $shell 'weft analyze -p ' bisect basket
	says $shell 'weft compare --objective ' ai hpc shift
	says $shell 'weft help ' check sim
	says $shell 'weft gen to' torus:
	says $shell 'weft export -f slurm-t' slurm-tree
	says $shell 'weft subnets ' check route
	says $shell 'weft plot ' loads
done
says bash 'weft check --engine=ps' psssp
says bash 'weft check --engine=weave:lids=b' best
says bash 'weft check -e weave:' lanes= lids=best
says bash 'weft check -e weave:lanes=2,pa' 2,passes=
says bash 'weft check -O lan' lanes=
says bash 'weft check -t fol' folder
says bash 'weft capture ' folder
says fish 'weft check --engine=ps' --engine=psssp
says fish 'weft check -t fol' folder/
ask_bash 'weft check --an' >got
[ "$(cat got)" = --any-port ] || fail "not alone: $(cat got)"
ask_bash 'weft capture ' | grep -q fabric && fail 'a file is no directory'
ask_bash 'weft check --quiet ' | grep -q -- -- && fail 'an option unasked'
echo "$shells, $(wc -l <commands) commands, $options options, $failed failed"
[ "$options" -gt 300 ] && [ $failed -eq 0 ]
