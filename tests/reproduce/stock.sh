# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# For producers: tables of the stock opensm, on ibsim where both are installed;
# else those of our engines minhop and updn, which do as OpenSM's do.
have_osm=no
sh "$src/scripts/osm-run" -k >/dev/null 2>&1 && have_osm=yes

# stock_dumps FABRIC ENGINE: directory of what opensm dumped; empty where it refused
stock_dumps() {
	stock_at=$dir/osm/$(echo "$1-$2" | tr '/:;, ' _)
	if [ ! -d "$stock_at" ]; then
		"$WEFT" gen "$1" >"$dir/net" || return
		sh "$src/scripts/osm-run" -t 900 -e "$2 no_fallback" \
			-o "$stock_at" "$dir/net" >/dev/null 2>&1
		mkdir -p "$stock_at"
	fi
	echo "$stock_at"
}

# stock FABRIC ENGINE ANALYZE-ARGUMENT...: JSON of weft analyze about the tables of
# opensm's ENGINE; nothing where it refuses the fabric, or is not there
stock() {
	stock_fabric=$1 stock_engine=$2
	shift 2
	if [ $have_osm = yes ]; then
		"$WEFT" analyze -q --json \
			"$(stock_dumps "$stock_fabric" "$stock_engine")" "$@" \
			2>/dev/null
		return
	fi
	case $stock_engine in minhop | updn)
		"$WEFT" analyze -q --json -e "$stock_engine" "$stock_fabric" \
			"$@" ;;
	esac
}
