# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Every engine of src/engines/engines.def can be left out:
# --disable-engine=NAME[,NAME...].  configure knows --disable-FEATURE only, so that
# the arguments are taken apart before it looks at them, into
# --disable-engine-NAME, which config.status remembers as well.  The names are in
# weft_engine_names.m4.
AC_DEFUN([WEFT_ENGINES], [
m4_divert_text([DEFAULTS], [
weft_left=$[#]
while test "$weft_left" -gt 0; do
	weft_arg=$[1]
	shift
	weft_left=`expr $weft_left - 1`
	case $weft_arg in
	--disable-engine=*)
		for weft_name in `echo "$weft_arg" | sed 's/^.*=//; s/,/ /g'`; do
			set x ${1+"$[@]"} "--disable-engine-$weft_name"
			shift
		done ;;
	*)
		set x ${1+"$[@]"} "$weft_arg"
		shift ;;
	esac
done
])
m4_foreach_w([weft_e], WEFT_ENGINE_NAMES, [
	AC_ARG_ENABLE([engine-]weft_e, [], [], [enable_engine_[]weft_e=yes])
	AS_IF([test "x$enable_engine_[]weft_e" = xno], [weft_has=0],
	      [weft_has=1])
	AC_DEFINE_UNQUOTED([WEFT_HAS_]weft_e, [$weft_has],
		[the engine ]weft_e)
	AM_CONDITIONAL([ENGINE_]m4_toupper(weft_e), [test $weft_has = 1])
])
m4_divert_text([HELP_ENABLE], [
  --disable-engine=NAME[[,NAME...]]
                          leave engines out, plugins and all
])
])
