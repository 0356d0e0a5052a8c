# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Tables of the engines of opensm, for benchmarks to read by the dot command.
# Needs $src, $dir and $work (scratch, of all fabrics and of one), $work/net (the
# fabric), $switches (how many it has), $lmc, $keep, $limit, $budget, $start; $conf,
# if there is one, is a line more for opensm.conf.

# number KEY: its first value in the JSON report on the standard input
number() {
	tr ',{}' '\n\n\n' | sed -n "s/^ *\"$1\": *//p" | head -n 1
}

# seconds COMMAND...: user and system time that it took; nothing if it failed
seconds() (
	"$@" >/dev/null 2>&1 || exit 1
	times >"$work/times"
	tail -n 1 "$work/times" | awk '{
		for (i = 1; i <= 2; i++) {
			split($i, part, "m")
			sum += part[1] * 60 + part[2]
		}
		printf "%.2f\n", sum
	}'
)

# is_spared ENGINE: it was late on a fabric of no more switches
is_spared() {
	awk -v engine="$1" -v switches="$switches" '
		$1 == engine && $2 <= switches { found = 1 }
		END { exit !found }' "$dir/late"
}

# tables ENGINE: opensm's forwarding tables of $work/net with LMC $lmc into
# $out.lfts.gz, the fabric with its LIDs into $out.lst.gz, what came of it into
# $out.verdict.  opensm's list of the subnet does not tell the LMC of hosts.
tables() {
	verdict=fine
	began=$(date +%s)
	sh "$src/scripts/osm-run" -t "$limit" -e "$1 no_fallback" \
		-c 'qos TRUE' -c "lmc $lmc" ${conf:+-c "$conf"} -o "$work/osm" "$work/net" >/dev/null 2>&1 || {
		verdict=refused
		[ $(($(date +%s) - began)) -lt "$limit" ] ||
			verdict="late $limit"
	}
	if [ "$verdict" = fine ]; then
		sed 's/^\(0x[0-9a-f]* [0-9]*\).*/\1/' \
			"$work/osm/opensm-lfts.dump" | gzip -1 >"$out.lfts.gz"
		sed "s/\({ CA[^{}]*{[^}]*} LID:[0-9A-F]*\) PN/\1 LMC:$lmc PN/g" \
			"$work/osm/opensm-subnet.lst" | gzip -1 >"$out.lst.gz"
	fi
	rm -rf "$work/osm"
	echo "$verdict" >"$out.verdict"
}

# What is known of an engine on this fabric: fine, refused, late, or nothing.
known() {
	[ -e "$out.verdict" ] && read -r word seconds <"$out.verdict" || return
	[ "$word" = late ] && [ "$seconds" -lt "$limit" ] || echo "$word"
}

# stock_tables ENGINE: into $work/tables if $verdict is fine then
stock_tables() {
	out=$work/$1
	[ -z "$keep" ] || out=$keep/$(cksum <"$work/net" | tr ' ' -)/$1
	[ "$lmc" = 0 ] || out=$out-lmc$lmc
	[ -z "${conf-}" ] || out=$out-$(echo "$conf" | tr ' ' -)
	mkdir -p "${out%/*}"
	verdict=$(known)
	if [ -z "$verdict" ]; then
		if is_spared "$1"; then
			verdict=spared
		elif [ $(($(date +%s) - start)) -ge "$budget" ]; then
			verdict=later
		else
			tables "$1"
			verdict=$(known)
		fi
	fi
	[ "$verdict" != late ] || echo "$1 $switches" >>"$dir/late"
	[ "$verdict" = fine ] || return
	mkdir -p "$work/tables"
	gzip -dc "$out.lfts.gz" >"$work/tables/opensm-lfts.dump"
	gzip -dc "$out.lst.gz" >"$work/tables/opensm-subnet.lst"
}
