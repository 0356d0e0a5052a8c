# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Prints each name of a list as Slurm folds them, "switch name" a line.
{
	split($1, who, "=")
	list = substr($2, index($2, "=") + 1) ","
	depth = 0
	item = ""
	for (i = 1; i <= length(list); i++) {
		c = substr(list, i, 1)
		depth += (c == "[") - (c == "]")
		if (c != "," || depth) { item = item c; continue }
		expand(who[2], item)
		item = ""
	}
}
function expand(by, item,   b, e, n, k, part, ends, head, tail, j, width) {
	b = index(item, "[")
	if (!b) { print by, item; return }
	e = index(item, "]")
	head = substr(item, 1, b - 1)
	tail = substr(item, e + 1)
	n = split(substr(item, b + 1, e - b - 1), part, ",")
	for (k = 1; k <= n; k++) {
		if (split(part[k], ends, "-") == 1)
			ends[2] = ends[1]
		width = length(ends[1])
		for (j = ends[1] + 0; j <= ends[2] + 0; j++)
			print by, head sprintf("%0" width "d", j) tail
	}
}
