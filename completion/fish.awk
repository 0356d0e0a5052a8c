# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Of "weft --list-options" the completion of fish.
BEGIN {
	FS = "\t"
	print "# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause"
	print "# Completion of weft(1) for fish, made from the option tables of"
	print "# weft.\n"
	print "complete -c weft -f"
	print "complete -c weft -n __fish_use_subcommand -l help " \
		"-d 'print the commands'"
	print "complete -c weft -n __fish_use_subcommand -l version " \
		"-d 'print the version'"
	print "complete -c weft -n __fish_use_subcommand -a help " \
		"-d 'print the help of a command'"
}

function quote(text) {
	gsub(/'/, "\\'", text)
	return "'" text "'"
}

function seen(command) {
	return "complete -c weft -n '__fish_seen_subcommand_from " command "'"
}

# What completes a value of a kind.
function action(kind, words) {
	gsub(/\|/, " ", words)
	if (kind == "words")
		return " -a '" words "'"
	if (kind == "file" || kind == "directory")
		return " -F"
	if (kind == "input")
		return " -F -a '(__weft_family)'"
	if (kind == "objective")
		return " -F -a '(__weft_basket; __weft_pattern)'"
	if (kind == "none" || kind == "setting")
		return ""
	return " -a '(__weft_" kind ")'"
}

$1 == "command" {
	print "complete -c weft -n __fish_use_subcommand -a " $2 " -d " quote($3)
	lines[++n] = "complete -c weft -n '__fish_seen_subcommand_from help' " \
		"-a " $2 " -d " quote($3)
}

$1 == "option" {
	line = seen($2) " -l " $3 ($4 == "-" ? "" : " -s " $4)
	if ($7 != "flag")
		line = line ($5 ~ /^\[/ ? "" : " -r") action($7, $8)
	lines[++n] = line " -d " quote($9)
}

$1 == "argument" { lines[++n] = seen($2) action($5, $6) }

$1 == "value" { values[$2] = values[$2] "\n\t\t" quote($3 "\t" $4) }

END {
	for (kind in values)
		names[++kinds] = kind
	# awk has no order of its own.
	for (i = 2; i <= kinds; i++)
		for (k = i; k > 1 && names[k] < names[k - 1]; k--) {
			kind = names[k]
			names[k] = names[k - 1]
			names[k - 1] = kind
		}
	for (i = 1; i <= kinds; i++) {
		text = values[names[i]]
		gsub(/\n/, " \\\n", text)
		print "\nfunction __weft_" names[i] "\n\tprintf '%s\\n'" text "\nend"
	}
	print ""
	for (i = 1; i <= n; i++)
		print lines[i]
}
