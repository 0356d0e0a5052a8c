# "make reproduce": published figures beside ours.  Each program prints paper,
# ours and the difference, and fails where a figure is farther off than it may.
reproduce_programs =
reproduce: $(reproduce_programs)
	@status=0; \
	for p in $(reproduce_programs); do \
		echo "== $$p"; $$p || status=1; \
	done; exit $$status
.PHONY: reproduce
include tests/reproduce/fattrees.mk
check_PROGRAMS += $(reproduce_programs)
