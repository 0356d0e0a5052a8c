#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every command on inputs that lack something: tables, LIDs, hosts, switches,
# anything.  None crashes, and one that fails says why and leaves nothing.
. "$WEFT_SRCDIR/tests/weft.sh"
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$dir/work" && cd "$dir/work" || exit 99
failed=0
ran=0

fail() {
	echo "$*"
	failed=$((failed + 1))
}

# --- the inputs ---------------------------------------------------------------

mkdir empty net
weft gen ring:4,hosts=2 -o net/net.ibnetdiscover || exit 99
weft route -q -e updn net -o dump >/dev/null || exit 99
cp net/net.ibnetdiscover plain.net
sed 's/ lid [0-9]* lmc [0-9]*//; s/ lid [0-9]*//g' plain.net >lidless.net
: >nothing.net
weft gen ring:4,hosts=0 -o hostless.net || exit 99
# two hosts, cabled to each other
cat >pair.net <<END
vendid=0x2c9
devid=0x1003
sysimgguid=0x103
caguid=0x100
Ca	1 "H-0000000000000100"		# "a HCA-1"
[1](101) 	"H-0000000000000200"[1] (201) 		# lid 1 lmc 0 "b HCA-1" lid 2 4xQDR

vendid=0x2c9
devid=0x1003
sysimgguid=0x203
caguid=0x200
Ca	1 "H-0000000000000200"		# "b HCA-1"
[1](201) 	"H-0000000000000100"[1] (101) 		# lid 2 lmc 0 "a HCA-1" lid 1 4xQDR
END
printf 'host-0000 host-0001 3\n' >measured
inputs="empty net lidless.net nothing.net hostless.net pair.net"

# --- the commands -------------------------------------------------------------

# IN is the input; the rest as it would be given.
cat >commands <<END
gen IN -o OUT
route IN
route -e minhop -o OUT IN
route -e eftree -o OUT/ IN
route -e weave -o - IN
layer -o OUT IN
layer -e minhop -o OUT IN
check IN
check -e updn --redundancy --json IN
check -e updn --against=IN plain.net
check --prometheus=OUT IN
analyze IN
analyze -e minhop -n 5 IN
analyze -p basket -e updn -n 5 IN
analyze -e updn -p shift --links=OUT IN
analyze --per-host -e updn IN
analyze --worst -e updn IN
trace IN host-0000 host-0001
trace -e updn IN host-0000 host-0001
trace IN --through sw-0:1
capture IN
show IN
show --load -o OUT.svg IN
report -e updn -o OUT.html IN
report -o OUT.html IN
compare IN
config IN
watch --once IN
watch --once --since dump --json IN
bound IN
plot loads IN
faults IN
faults -e updn --host-links --csv -o OUT IN
faults --plan sw-0 -e updn IN
standing IN
place -e updn -p ring --job=host-[0000-0003] IN
place -p alltoall --size=2 --free=host-[0000-0003] -f list -o OUT IN
diff IN IN
diff plain.net IN -e updn
diff dump IN --json
export IN -f slurm-tree
export IN -f csv
export IN -f omnetpp -o OUT
export IN -f simgrid -o OUT
export IN -f ns3
export IN -f sst
export IN -f htsim -o OUT
measure IN
compare --measured=measured IN
subnets check IN
subnets check -e updn --json IN plain.net
subnets check --routers=sw-1 -e updn --map=weave IN
subnets analyze IN
subnets trace IN host-0000 host-0001
subnets route -o OUT IN
subnets route -o OUT --routers=sw-1 IN
subnets route -o OUT dump IN
subnets report IN
sim IN --time 20
sim -e updn IN --time 20 --load 50 --details=OUT --json
sim IN -p shift
sim -e updn IN --sweep streams --bytes 64
END
# design takes no input
all=$(weft --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p')
for command in $all; do
	[ "$command" = design ] && continue
	grep -q "^$command " commands || fail "no case of weft $command"
done

# What takes tables from the input, and from nowhere else: an error without.
needs_tables() {
	case $1 in
	*-e\ * | *diff\ * | *against* | show* | report* | compare* | bound* | \
		plot* | watch* | config* | \
		gen* | capture* | measure* | export*ns3* | export*sst* | \
		export*htsim* | export*slurm* | export*graphml* | \
		export*csv*) return 1 ;;
	'subnets route -o OUT '*) return 0 ;;
	subnets*) return 1 ;; # tells what is not reached
	esac
}

ASAN_OPTIONS=exitcode=99 UBSAN_OPTIONS=exitcode=99
export ASAN_OPTIONS UBSAN_OPTIONS
find . | sort >"$dir/before"
while read -r line; do
	for in in $inputs; do
		command=$(echo "$line" | sed "s,IN\b,$in,g")
		case $in$line in -*IN*IN*) continue ;; esac
		ran=$((ran + 1))
		weft $command >"$dir/out" 2>"$dir/err" <plain.net
		status=$?
		case $status in
		0 | 1)
			case $in in
			net | hostless.net)
				needs_tables "$line" &&
					fail "no tables: weft $command" ;;
			esac ;;
		2)
			grep -q error "$dir/err" ||
				fail "no word why: weft $command"
			find . | sort | cmp -s - "$dir/before" ||
				fail "something left: weft $command" ;;
		*) fail "exit status $status: weft $command"
			tail -n 30 "$dir/err" ;;
		esac
		grep -E 'Sanitizer|runtime error' "$dir/err" &&
			fail "weft $command"
		find . | sort | cmp -s - "$dir/before" || rm -rf OUT*
	done
done <commands
echo "$ran runs, $failed failed"
[ $failed -eq 0 ] && [ $ran -gt 250 ]
