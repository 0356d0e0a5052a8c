# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Of "weft --list-options" the tables that words.bash looks things up in.
BEGIN { FS = "\t" }

function word_list(text) {
	gsub(/\|/, " ", text)
	return text == "-" ? "" : text
}

function add(list, word) {
	return list == "" ? word : list " " word
}

$1 == "command" { command[++commands] = $2 }

$1 == "option" {
	optional = $5 ~ /^\[/
	plain = "--" $3
	if ($7 != "flag" && !optional)
		plain = plain "="
	options[$2] = add(options[$2], plain)
	if (optional)
		options[$2] = add(options[$2], plain "=")
	if ($7 == "flag")
		next
	# What may be left out is no word of its own.
	if (optional)
		names = $2 "--" $3 "=)"
	else
		names = $2 "--" $3 "|" $2 "--" $3 "=" \
			($4 == "-" ? "" : "|" $2 "-" $4) ")"
	kinds = kinds "\t" names " kind=" $7 " words='" word_list($8) "' ;;\n"
}

$1 == "argument" {
	n = $3 + 0
	pattern = n
	if ($3 ~ /\+$/)
		pattern = n > 1 ? "[" n "-9]*|[1-9][0-9]*" : "*"
	# Patterns with a bar name their command twice.
	gsub(/\|/, "|" $2 ":", pattern)
	arguments = arguments "\t" $2 ":" pattern ") kind=" $5 \
		" words='" word_list($6) "' ;;\n"
}

$1 == "value" { values[$2] = add(values[$2], $3) }

$1 == "setting" {
	key = $2 ":" $3
	if (!(key in settings))
		order[++keys] = key
	settings[key] = add(settings[key], $4)
	if ($2 == "engine" && !seen[$4]++)
		all = add(all, $4)
}

END {
	for (i = 1; i <= commands; i++)
		list = add(list, command[i])
	print "_weft_command='" list "'"
	n = split("engine pattern basket family chart", kind, " ")
	for (i = 1; i <= n; i++)
		print "_weft_" kind[i] "='" values[kind[i]] "'"
	print "\n# Sets options to those of a command.\n_weft_options()\n{"
	print "\toptions=\n\tcase $1 in"
	for (i = 1; i <= commands; i++)
		print "\t" command[i] ") options='" options[command[i]] "' ;;"
	print "\tesac\n}\n"
	print "# Sets kind and words of the value of a command's option."
	print "_weft_kind()\n{\n\tkind= words=\n\tcase $1$2 in"
	printf "%s", kinds
	print "\tesac\n}\n"
	print "# Sets kind and words of a command's argument."
	print "_weft_argument()\n{\n\tkind= words=\n\tcase $1:$2 in"
	printf "%s", arguments
	print "\tesac\n}\n"
	print "# Sets settings to those of an engine or a pattern."
	print "_weft_settings()\n{\n\tsettings=\n\tcase $1:$2 in"
	for (i = 1; i <= keys; i++)
		print "\t" order[i] ") settings='" settings[order[i]] "' ;;"
	print "\tsetting:*) settings='" all "' ;;"
	print "\tesac\n}\n"
}
