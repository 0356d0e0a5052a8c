# Fabrics to try things on, and the machines of the papers; "weft gen" makes
# them, check.sh --update writes them anew.
dist_noinst_DATA += \
	ibsim-fabrics/INDEX \
	ibsim-fabrics/atlas.ibnetdiscover \
	ibsim-fabrics/chic.ibnetdiscover \
	ibsim-fabrics/clos512.ibnetdiscover \
	ibsim-fabrics/deimos.ibnetdiscover \
	ibsim-fabrics/odin.ibnetdiscover \
	ibsim-fabrics/rack648.ibnetdiscover \
	ibsim-fabrics/ring5.ibnetdiscover \
	ibsim-fabrics/switch648.ibnetdiscover \
	ibsim-fabrics/torus3x3.ibnetdiscover \
	ibsim-fabrics/tree24.ibnetdiscover
dist_check_SCRIPTS += ibsim-fabrics/check.sh
TESTS += ibsim-fabrics/check.sh

# Those of over 1 MB.
large_fabrics = \
	ibsim-fabrics/dual4608.ibnetdiscover \
	ibsim-fabrics/juropa.ibnetdiscover \
	ibsim-fabrics/ranger.ibnetdiscover \
	ibsim-fabrics/switch3456.ibnetdiscover \
	ibsim-fabrics/thunderbird.ibnetdiscover
fabrics: weft
	@WEFT_SRCDIR='$(abs_top_srcdir)' WEFT_BUILDDIR='$(abs_top_builddir)' \
		$(SHELL) $(srcdir)/ibsim-fabrics/check.sh --large
.PHONY: fabrics
CLEANFILES += $(large_fabrics)
