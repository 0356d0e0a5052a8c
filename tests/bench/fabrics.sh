# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Groups of fabrics, for benchmarks to read by the dot command.  Needs $seed, and
# $captures, a folder.  group NAME prints one a line.

captures() {
	for f in "$captures"/*.ibnetdiscover "$captures"/small/*.topo \
		"$captures"/*/ib-subnet-*.txt; do
		case $f in
		*selene*) ;;
		*) [ -e "$f" ] && echo "$f" ;;
		esac
	done
}

family() {
	for f in 'pgft:2;16,32;1,8;1,2' 'xgft:2;18,30;1,9' 'rlft:24;2' \
		'pgft:3;8,8,16;1,8,8;1,1,1' 'xgft:3;10,8,8;1,5,5' 'kary:8;3' \
		rack432 torus:8x8,hosts=8 torus:6x6x6,hosts=2 \
		torus:12x12,hosts=4,fail-links=3% mesh:8x8,hosts=6 \
		hypercube:6,hosts=8 dragonfly:6,3,3,19 random:43x12,24 \
		full:16,hosts=24 ring:9,hosts=16; do
		echo "$f"
		echo "$f,guids=shuffle"
	done
}

# 60 trees: whole, thinned out toward the top, uneven and broken ones.
trees60() {
	awk -v seed="$seed" '
	function below(n) {
		state = state * 16807 % 2147483647
		return int(state / 2147483647 * n)
	}
	function pick(list,  n, word) {
		n = split(list, word, " ")
		return word[1 + below(n)]
	}
	function up(x) {
		return int(x + .999)
	}
	function two(  m, p, w) {
		m = pick("12 16 18 20 24 32 36 40")
		p = pick("1 1 2 3 4")
		w = up(m / p / pick("1 1 1.5 2 3"))
		leaves = up((500 + below(2500)) / m)
		leaves = leaves * p > 250 ? int(250 / p) : leaves
		hosts = m * leaves
		return "pgft:2;" m "," leaves ";1," w ";1," p
	}
	function three(  m, k, n, v, w, p) {
		m = pick("6 8 10 12 16 18")
		k = pick("4 6 8 10 12")
		n = up((500 + below(2500)) / m / k)
		p = n <= 8 ? pick("1 2") : 1
		v = up(m / pick("1 1 1.5 2"))
		w = up(k / p / pick("1 1 1.5 2"))
		hosts = m * k * n
		return "pgft:3;" m "," k "," n ";1," v "," w ";1,1," p
	}
	BEGIN {
		state = seed * 7919 + 1
		for (i = 0; i < 10; i++)
			below(2)
		while (made < 60) {
			text = below(2) ? two() : three()
			if (hosts < 500 || hosts > 3000)
				continue
			all = int(hosts * pick("1 1 1 1 .9 .8 .7"))
			if (all < hosts && all >= 500)
				text = text ",total=" all
			text = text ",fail-links=" pick("0 0 1 2 3 5 7 10") "%"
			if (!below(4))
				text = text ",fail-switches=1"
			print text ",guids=" pick("order shuffle") ",seed=" ++made
		}
	}'
}

group() {
	case $1 in
	captures)
		captures
		;;
	machines)
		printf '%s\n' switch648 rack648 rack432 rack216 deimos odin \
			chic myrinet512
		;;
	family)
		family
		;;
	trees60)
		trees60
		;;
	large)
		printf '%s\n' switch3456 juropa ranger \
			juropa,fail-links=2% random:250x12,36 \
			dragonfly:8,4,4,33 torus:8x8x8,hosts=4
		ls "$captures"/selene* 2>/dev/null
		;;
	paths)
		printf '%s\n' switch648 rack648 deimos torus:4x4x4,hosts=4 \
			hyperx:6x6,hosts=6 dragonfly:4,2,2,9 slimfly:5,hosts=4
		;;
	slimflies)
		printf '%s\n' slimfly:5 slimfly:7 slimfly:9 slimfly:11,hosts=6
		;;
	quick)
		printf '%s\n' switch648,guids=shuffle rack648 rack216 deimos \
			'xgft:3;10,8,8;1,5,5,fail-links=5%' \
			'pgft:2;16,32;1,8;1,2,fail-links=3%' torus:8x8,hosts=8 \
			torus:6x6x6,hosts=2,fail-links=2% mesh:8x8,hosts=6 \
			hypercube:6,hosts=8 dragonfly:6,3,3,19 random:43x12,24
		;;
	*)
		echo "$1"
		;;
	esac
}

