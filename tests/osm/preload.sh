# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# What goes into opensm in front of it, as UMAD2SIM for osm-run.  Sourced; needs
# $work and WEFT_BUILDDIR.  Whoever has another library puts it before these.

kernel=$WEFT_BUILDDIR/tests/osm/.libs/kernel.so

# ibsim's library, behind ours that does for it what else a kernel does (kernel.c),
# where there is libibumad to build that.
case ${UMAD2SIM-} in
*"$kernel"*) ;;
*)
	for f in /usr/lib/*/umad2sim /usr/lib64/umad2sim /usr/lib/umad2sim \
		/usr/local/lib/umad2sim; do
		[ -n "${UMAD2SIM-}" ] || [ ! -e "$f/libumad2sim.so" ] ||
			UMAD2SIM=$f/libumad2sim.so
	done
	[ ! -e "$kernel" ] || UMAD2SIM=$kernel:$UMAD2SIM

	# An instrumented plugin needs its run-time library in front of all others.
	# OpenSM itself is not asked about leaks, nor are the libraries below it
	# about what they copy: umad_send() passes on MADs that another thread may
	# have freed.
	if [ -n "${WEFT_PRELOAD-}" ]; then
		UMAD2SIM=$WEFT_PRELOAD:$UMAD2SIM
		for f in libumad2sim libibumad; do
			echo "interceptor_via_lib:$f"
		done >"$work/suppressions"
		ASAN_OPTIONS=detect_leaks=0:suppressions=$work/suppressions
		export ASAN_OPTIONS
	fi
	export UMAD2SIM
	;;
esac
