# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Checks the distributions of "weft analyze": the shares of the bins add up to
# 100 %, each bin begins where the one before ends or later, loads are those of
# the table above, and bins are few.  Prints what is wrong, and a line for each
# distribution otherwise.
function wrong(text) {
	print title ": " text
	status = 1
}

function finish() {
	if (!bins)
		return
	# Each share is rounded to two digits.
	if (sum < 100 - .006 * bins || sum > 100 + .006 * bins)
		wrong("shares add up to " sum)
	if (title ~ /^channels/ && 
	    (first != least || last != most || bins > 10))
		wrong(bins " bins, " first " to " last)
	if (title ~ /bandwidth$/ && bins > 12)
		wrong(bins " bins")
	if (!status)
		print title ": fine"
	bins = sum = 0
}

/^  least / { least = $2 }
/^  most \(EFI\)/ { most = $3 }
/^$/ { section = 1 }
/^[^ ]/ { finish(); title = $0 }

section && /^  / {
	from = $1
	to = $2 == "-" ? $3 : $2 == "and" ? 1e9 : from
	# Bandwidth, a share: the end of a bin is not in it.
	if (bins && (from < last || (from == last && title !~ /bandwidth$/)))
		wrong("bins overlap at " from)
	if (!bins++)
		first = from
	last = to
	match($0, /[0-9.]+ %/)
	sum += substr($0, RSTART, RLENGTH - 2)
}

END { finish(); exit status }
