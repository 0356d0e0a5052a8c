# "make reproduce": published figures beside ours, with a verdict for each.
# "make reproduce-quick": those that take seconds, which "make check" runs, too.
# "make reproduce-sim": those that take the packet simulator.
reproduce_parts = \
	tests/reproduce/beff-sim \
	tests/reproduce/beft \
	tests/reproduce/beft-sim \
	tests/reproduce/cluster08 \
	tests/reproduce/degraded \
	tests/reproduce/degraded-sim \
	tests/reproduce/hoti09 \
	tests/reproduce/issr \
	tests/reproduce/issr-sim \
	tests/reproduce/judge \
	tests/reproduce/mftree \
	tests/reproduce/mftree-sim \
	tests/reproduce/nienaber \
	tests/reproduce/page \
	tests/reproduce/run \
	tests/reproduce/sftree \
	tests/reproduce/sftree-sim \
	tests/reproduce/slides08 \
	tests/reproduce/slides08-sim \
	tests/reproduce/thesis \
	tests/reproduce/vftree \
	tests/reproduce/vftree-sim
reproduce_env = LC_ALL=C WEFT_SRCDIR='$(abs_top_srcdir)'
reproduce: weft
	@$(reproduce_env) $(SHELL) $(srcdir)/tests/reproduce/run
reproduce-quick: weft
	@$(reproduce_env) $(SHELL) $(srcdir)/tests/reproduce/run --quick
reproduce-sim: weft
	@$(reproduce_env) $(SHELL) $(srcdir)/tests/reproduce/run --sim
.PHONY: reproduce reproduce-quick reproduce-sim
dist_noinst_SCRIPTS += $(reproduce_parts)
dist_noinst_DATA += \
	tests/reproduce/broken-racks.sh \
	tests/reproduce/causes-sim.tsv \
	tests/reproduce/causes.tsv \
	tests/reproduce/lib.sh \
	tests/reproduce/published-sim.tsv \
	tests/reproduce/published.tsv \
	tests/reproduce/stock.sh \
	tests/reproduce/unrun.tsv
dist_check_SCRIPTS += tests/reproduce/judging.sh tests/reproduce/quick.sh \
	tests/reproduce/twice.sh
TESTS += tests/reproduce/judging.sh tests/reproduce/twice.sh
long_tests += tests/reproduce/quick.sh
