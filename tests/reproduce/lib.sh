# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# What the producers of figures share: they are run by tests/reproduce/run, print
# "id<TAB>figure" for rows of published.tsv (those of published-sim.tsv may print
# least and most behind it, and more, see judge), and have $WEFT, $src (the source
# tree), $quick (yes: only what takes seconds) and $dir, a directory of their own.
set -u
src=${WEFT_SRCDIR-$(cd "$(dirname "$0")/../.." && pwd)}
WEFT=${WEFT-$PWD/weft}
export WEFT
quick=no
[ "${1-}" = --quick ] && quick=yes
dir=$(mktemp -d "${TMPDIR:-/tmp}/weft-reproduce.XXXXXX") || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

# rows PREFIX VALUE...: figures of PREFIX-01, PREFIX-02 ...; "-" leaves one out
rows() {
	rows_prefix=$1
	rows_i=0
	shift
	for rows_value; do
		rows_i=$((rows_i + 1))
		[ "$rows_value" = - ] ||
			printf '%s-%02d\t%s\n' "$rows_prefix" $rows_i \
				"$rows_value"
	done
}

row() {
	printf '%s\t%s\n' "$1" "$2"
}

# ranged ID FIGURE...: the first figure, and the least and the most of all, which
# other assumptions give
ranged() {
	ranged_id=$1
	shift
	printf '%s\n' "$@" | awk -v id="$ranged_id" -v OFS='\t' '
	NR == 1 { first = least = most = $1 + 0 }
	$1 + 0 < least { least = $1 + 0 }
	$1 + 0 > most { most = $1 + 0 }
	END { print id, first, least, most }'
}

# beside ID FIGURE LEAST MOST TEXT: a figure whose range decides alone, and what it is
# otherwise, which decides nothing
beside() {
	printf '%s\t%s\t%s\t%s\t%s\talone\n' "$@"
}

# calc EXPRESSION: by awk
calc() {
	awk "BEGIN { x = ($(echo "$1" | tr '\n' ' ')); printf \"%.6g\", x }"
}

# mean KEY: of the JSON on stdin, the mean of that measure (streams, lower, upper)
mean() {
	sed -n "/\"$1\": {/,\$p" | value mean
}

# gain A B: by how many per cent A is above B
gain() {
	calc "100 * ($1 / $2 - 1)"
}

# value KEY: of the JSON on stdin, the first one
value() {
	tr ',{}[]' '\n\n\n\n\n' | sed -n "s/^ *\"$1\": *//p" | head -1
}

# columns NAME...: of the CSV on stdin, separated by blanks, without the header
columns() {
	awk -v names="$*" '
	{
		n = 0
		text = $0 ","
		while (text != "") {
			if (text ~ /^"/) {
				match(text, /^"[^"]*"/)
				field[++n] = substr(text, 2, RLENGTH - 2)
				text = substr(text, RLENGTH + 2)
			} else {
				i = index(text, ",")
				field[++n] = substr(text, 1, i - 1)
				text = substr(text, i + 1)
			}
		}
	}
	NR == 1 {
		for (i = 1; i <= n; i++)
			at[field[i]] = i
		wanted = split(names, want, " ")
		next
	}
	{
		line = ""
		for (i = 1; i <= wanted; i++)
			line = line (i > 1 ? " " : "") field[at[want[i]]]
		print line
	}'
}

# seconds ENGINE FABRIC: that our engine takes for the tables
seconds() {
	"$WEFT" route -e "$1" "$2" -o /dev/null 2>/dev/null |
		sed -n 's/.* in \([0-9.]*\) s.*/\1/p'
}

# sizes FABRIC: what it is made of, a line each: "hosts N" (ports of CAs), "nodes N"
# (CAs), "switches N", "cables N" (between switches), "leaves N" (switches with
# hosts), "roots N" (as far from all hosts as it gets), "middles N" (neither),
# "ports N" (of the largest switch), "stages N" (switches of a longest way up and
# down, without levels in between where cables run level)
sizes() {
	"$WEFT" gen "$1" | awk '
	/^Switch/ {
		here = $3
		gsub(/"/, "", here)
		sw[here] = 1
		if ($2 > ports)
			ports = $2
		next
	}
	/^Ca/ { here = ""; nodes++; next }
	here != "" && /^\[/ {
		there = $2
		sub(/"\[.*/, "", there)
		sub(/"/, "", there)
		if (there ~ /^H/) {
			hosts++
			near[here]++
			rank[here] = 0
		} else {
			cables++
			to[here, ++degree[here]] = there
		}
	}
	END {
		for (more = 1; more; level++) {
			more = 0
			for (s in sw)
				if (s in rank && rank[s] == level)
					for (i = 1; i <= degree[s]; i++)
						if (!(to[s, i] in rank)) {
							rank[to[s, i]] = level + 1
							more = 1
						}
		}
		for (s in sw) {
			switches++
			count[rank[s]]++
			if (rank[s] > top)
				top = rank[s]
		}
		print "hosts", hosts
		print "nodes", nodes
		print "switches", switches
		print "cables", cables / 2
		print "ports", ports + 0
		print "leaves", count[0]
		print "roots", count[top]
		print "middles", switches - count[0] - count[top]
		print "stages", 2 * top + 1
		for (s in sw)
			if (s in near && near[s] > most)
				most = near[s]
		print "hosts-of-leaf", most
	}'
}

# size FABRIC WHAT
size() {
	sizes "$1" | sed -n "s/^$2 //p"
}

# between FABRIC A B: cables between switches whose names match A and those whose
# names match B (extended regular expressions)
between() {
	"$WEFT" gen "$1" | awk -v a="$2" -v b="$3" '
	/^Switch/ { split($0, part, "\""); here = part[4]; next }
	/^Ca/ { here = "" }
	here != "" && /^\[/ {
		split($0, part, "\"")
		if (part[2] ~ /^S/ && here ~ a && part[4] ~ b)
			n++
	}
	END { print n + 0 }'
}

# named FABRIC A: switches whose names match
named() {
	"$WEFT" gen "$1" | awk -F'"' -v a="$2" '/^Switch/ && $4 ~ a { n++ }
		END { print n + 0 }'
}
