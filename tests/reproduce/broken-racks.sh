# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# For both producers of figures of degraded trees.
rack=rack648
up=$(calc "$(size $rack cables) - $(between $rack '^rack' '^rack') / 2")

share() {
	calc "100 * $1 / $up"
}

# idle FABRIC FROM TO: channels from the switches whose names begin with FROM to
# those with TO over which minhop has no route
idle() {
	"$WEFT" check -q --json --top=99999 "$(stock_dumps "$1" minhop)" |
		grep -c "^ *\"$2-[^ ]* -> $3-"
}

# without N: the fabric less N switches.  Which ones is not said; minhop balances
# what is sent up where the number of roots left is odd, and the paper has that
# with 2, 3, 6 and 7 switches lost, so that every other one of them is taken to be
# a root.
without() {
	seed=1
	while [ "$(named "$rack,fail-switches=$1,seed=$seed" '^spine')" != \
		$((18 - $1 / 2)) ]; do
		seed=$((seed + 1))
	done
	echo "$rack,fail-switches=$1,seed=$seed"
}

# balance N: of minhop with N switches lost: -1 where over 10 % of the channels up
# from the middle are unused, 0 where that is so only of those down to it, else 1
balance() {
	fabric=$(without $1)
	some=$(calc "$(between $fabric '^leaf' '^spine') / 10")
	if [ "$(calc "$(idle $fabric leaf spine) > $some")" = 1 ]; then
		echo -1
	elif [ "$(calc "$(idle $fabric spine leaf) > $some")" = 1 ]; then
		echo 0
	else
		echo 1
	fi
}
