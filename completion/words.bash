# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Completion of weft(1) for bash 4.1 and later, made from the option tables of
# weft; needs nothing of bash-completion.
# Puts together what readline took apart at = and :, and takes the word under
# the cursor out of its quotes.  Sets line (an array), cur (what the last word
# is so far) and base (the part of it that readline does not replace).
_weft_words()
{
	local i word last='' glued=1

	line=() base=
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		glued=1
		[[ $word != +([=:]) && $last != +([=:]) ]] && glued=
		# "weft -e weave: " and a blank is a new word.
		[[ ! $word && ${COMP_LINE:COMP_POINT-1:1} == ' ' ]] && glued=
		((i < 2)) && glued=
		if [[ $glued ]]; then
			base=${line[${#line[@]} - 1]}
			[[ $word == +([=:]) ]] && base+=$word
			line[${#line[@]} - 1]+=$word
		else
			base=
			line+=("$word")
		fi
		last=$word
	done
	cur=${line[${#line[@]} - 1]}
	case $cur in
	\"* | \'*) cur=${cur:1} ;;
	*) cur=${cur//\\/} base=${base//\\/} ;;
	esac
}

# Completes words; those that end in = or : want more behind them.
_weft_reply()
{
	local IFS=$' \t\n'

	COMPREPLY+=($(compgen -W "$1" -- "$value"))
	if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]]; then
		compopt -o nospace 2>/dev/null
	fi
}

# Completes names of files (-f) or directories (-d), with blanks and all.
_weft_files()
{
	local name

	compopt -o filenames 2>/dev/null
	while IFS= read -r name; do
		COMPREPLY+=("$name")
	done < <(compgen "$1" -- "$value")
}

# Completes NAME or NAME:OPTION=VALUE,...: of engines or patterns.
_weft_named()
{
	local head=${value%"${value##*[:,]}"} settings name

	if [[ $value != *:* ]]; then
		_weft_reply "$2 $3"
		return
	fi
	_weft_settings "$1" "${value%%:*}"
	set --
	for name in $settings; do
		set -- "$@" "$head$name"
	done
	_weft_reply "$*"
}

# Completes a value of some kind; words are others that may stand there.
_weft_value()
{
	local settings

	case $1 in
	words) _weft_reply "$2" ;;
	file) _weft_files -f ;;
	directory) _weft_files -d ;;
	input)
		_weft_files -f
		[[ $value && ${#COMPREPLY[@]} -eq 0 ]] &&
			_weft_reply "$_weft_family"
		;;
	family) _weft_reply "$_weft_family" ;;
	engine) _weft_named engine "$_weft_engine" "$2" ;;
	pattern) _weft_named pattern "$_weft_pattern" "$2" ;;
	objective)
		_weft_files -f
		_weft_named pattern "$_weft_pattern $_weft_basket" "$2"
		;;
	setting)
		_weft_settings setting '*'
		_weft_reply "$settings"
		;;
	chart) _weft_reply "$_weft_chart" ;;
	esac
}

# What the words before the cursor leave to be said: kind and words of a value,
# or position, the number of the argument that is no option.
_weft_parse()
{
	local i word letters

	position=1 kind=
	for ((i = 2; i < ${#line[@]} - 1; i++)); do
		word=${line[i]}
		kind= words=
		case $word in
		--)
			((position += ${#line[@]} - i - 2))
			plain=1
			return
			;;
		--*=*) ;;
		--*) _weft_kind "$command" "$word" ;;
		-?*)
			# Letters up to the first one that takes a value.
			for ((letters = 1; letters < ${#word}; letters++)); do
				_weft_kind "$command" "-${word:letters:1}"
				[[ $kind ]] && break
			done
			((letters < ${#word} - 1)) && kind=
			;;
		*) ((position++)) ;;
		esac
		if [[ $kind ]]; then
			((++i == ${#line[@]} - 1)) && return
			kind=
		fi
	done
}

_weft()
{
	local line cur base command value prefix= kind= words= position plain=
	local options i extglob

	COMPREPLY=()
	extglob=$(shopt -p extglob)
	shopt -s extglob
	_weft_words
	$extglob
	value=$cur
	if ((${#line[@]} < 3)); then
		_weft_reply "$_weft_command help --help --version"
		return
	fi
	command=${line[1]}
	if [[ $command == @(help|--help|-h) ]]; then
		((${#line[@]} == 3)) && _weft_reply "$_weft_command"
		return
	fi
	_weft_parse
	if [[ ! $kind && ! $plain && $cur == --*=* ]]; then
		prefix=${cur%%=*}= value=${cur#*=}
		_weft_kind "$command" "${cur%%=*}" optional
	elif [[ ! $kind && ! $plain && $cur == -* ]]; then
		_weft_options "$command"
		_weft_reply "$options"
		return
	elif [[ ! $kind ]]; then
		_weft_argument "$command" "$position"
	fi
	_weft_value "$kind" "$words"
	# readline puts behind base what it gets.
	for i in "${!COMPREPLY[@]}"; do
		COMPREPLY[i]=$prefix${COMPREPLY[i]}
		COMPREPLY[i]=${COMPREPLY[i]#"$base"}
	done
}

complete -F _weft weft
