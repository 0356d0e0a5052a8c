# "make reproduce": published figures beside ours.  Each program prints paper,
# ours and the difference, and fails where a figure is farther off than it may.
# The scripts need the weft command; charts are drawn where there is gnuplot.
reproduce_programs =
reproduce_scripts = \
	tests/reproduce/cluster08 \
	tests/reproduce/hoti09
reproduce: $(reproduce_programs) weft
	@status=0; \
	for p in $(reproduce_programs); do \
		echo "== $$p"; $$p || status=1; \
	done; \
	for p in $(reproduce_scripts); do \
		echo "== $$p"; \
		LC_ALL=C WEFT_SRCDIR='$(abs_top_srcdir)' \
			$(SHELL) $(srcdir)/$$p || status=1; \
	done; exit $$status
.PHONY: reproduce
dist_noinst_SCRIPTS += $(reproduce_scripts)
include tests/reproduce/fattrees.mk
check_PROGRAMS += $(reproduce_programs)
