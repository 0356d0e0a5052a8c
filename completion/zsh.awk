# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Of "weft --list-options" the completion of zsh.
BEGIN { FS = "\t" }

# For a text in single quotes that _arguments or _describe takes apart.
function clean(text) {
	gsub(/'/, "'\\''", text)
	gsub(/:/, "\\:", text)
	gsub(/\[/, "\\[", text)
	gsub(/\]/, "\\]", text)
	return text
}

# What completes a value of a kind.
function action(kind, words) {
	gsub(/\|/, " ", words)
	if (kind == "words")
		return "(" words ")"
	if (kind == "file" || kind == "input")
		return kind == "file" ? "_files" : "_weft_input"
	if (kind == "directory")
		return "_files -/"
	if (kind == "none")
		return " "
	return "_weft_" kind
}

$1 == "command" {
	command[++commands] = $2
	about[$2] = $3
}

$1 == "option" {
	name = "--" $3
	optional = $5 ~ /^\[/
	value = ""
	if ($7 != "flag") {
		argument = $5
		gsub(/[][]/, "", argument)
		value = (optional ? "::" : ":") clean(argument) ":" \
			action($7, $8)
		name = name (optional ? "=-" : "=")
	}
	help = "[" clean($9) "]"
	again = $6 == "yes" ? "*" : ""
	if ($4 == "-")
		spec = "'" again name help value "'"
	else {
		short = "-" $4 ($7 == "flag" ? "" : "+")
		exclude = again == "" ? "(-" $4 " --" $3 ")" : "*"
		spec = "'" exclude "'{" short "," name "}'" help value "'"
	}
	options[$2] = options[$2] " \\\n\t\t\t" spec
}

$1 == "argument" {
	options[$2] = options[$2] " \\\n\t\t\t'" ($3 ~ /\+$/ ? "*" : $3) ":" \
		clean($4) ":" action($5, $6) "'"
}

$1 == "value" {
	if (!($2 in values))
		order[++kinds] = $2
	values[$2] = values[$2] "\n\t\t'" clean($3) ":" clean($4) "'"
}

END {
	print "#compdef weft"
	print "# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause"
	print "# Completion of weft(1) for zsh, made from the option tables of"
	print "# weft."
	for (i = 1; i <= kinds; i++) {
		print "\n_weft_" order[i] "()\n{\n\tlocal -a values=(" \
			values[order[i]] "\n\t)\n"
		print "\t_describe -t " order[i] "s " order[i] " values -S ''\n}"
	}
	print "\n_weft_setting()\n{\n\t_message 'option=value'\n}"
	print "\n_weft_objective()\n{\n\t_alternative 'baskets:basket:" \
		"_weft_basket' 'patterns:pattern:_weft_pattern' 'files:file:_files'\n}"
	print "\n_weft_input()\n{\n\t_alternative 'files:file:_files' " \
		"'families:family:_weft_family'\n}"
	print "\n_weft()\n{\n\tlocal context state state_descr line"
	print "\tlocal -A opt_args\n\tlocal -a commands=("
	for (i = 1; i <= commands; i++)
		print "\t\t'" command[i] ":" clean(about[command[i]]) "'"
	print "\t\t'help:print the help of a command'\n\t)\n"
	print "\tif ((CURRENT == 2)); then"
	print "\t\t_describe -t commands command commands"
	print "\t\t_arguments '--help[print the commands]' " \
		"'--version[print the version]'"
	print "\t\treturn\n\tfi"
	print "\tshift words\n\t((CURRENT--))\n\tcase $words[1] in"
	for (i = 1; i <= commands; i++) {
		print "\t" command[i] ")\n\t\t_arguments -s -S" \
			options[command[i]]
		print "\t\t;;"
	}
	print "\thelp)\n\t\t_describe -t commands command commands\n\t\t;;"
	print "\tesac\n}\n\n_weft \"$@\""
}
