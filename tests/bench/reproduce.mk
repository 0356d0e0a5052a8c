# Published figures: "make reproduce" prints paper, ours and the difference.
reproductions = \
	tests/bench/reproduce-cluster08 \
	tests/bench/reproduce-hoti09
dist_noinst_SCRIPTS += $(reproductions)
reproduce: weft
	for r in $(reproductions); do \
		echo "$$r"; \
		WEFT_SRCDIR='$(abs_top_srcdir)' LC_ALL=C \
			$(SHELL) $(top_srcdir)/$$r || exit; \
	done
.PHONY: reproduce
