# Small fabrics to try things on; "weft gen" makes them, check.sh --update
# writes them anew.
dist_noinst_DATA += \
	ibsim-fabrics/INDEX \
	ibsim-fabrics/ring5.ibnetdiscover \
	ibsim-fabrics/torus3x3.ibnetdiscover \
	ibsim-fabrics/tree24.ibnetdiscover
dist_check_SCRIPTS += ibsim-fabrics/check.sh
TESTS += ibsim-fabrics/check.sh
