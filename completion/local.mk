# Completion for shells, made of the option tables by the program itself: none
# where that cannot run here.
EXTRA_DIST += completion/bash.awk completion/fish.awk completion/words.bash \
	completion/zsh.awk
if !CROSS_COMPILING
bashcompletion_DATA = completion/weft
zshcompletion_DATA = completion/_weft
fishcompletion_DATA = completion/weft.fish
CLEANFILES += completion/weft completion/_weft completion/weft.fish \
	completion/options
completion/options: weft$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) completion && \
	./weft$(EXEEXT) --list-options >$@.tmp && mv $@.tmp $@
completion/weft: completion/options $(srcdir)/completion/bash.awk \
		$(srcdir)/completion/words.bash
	$(AM_V_GEN){ cat $(srcdir)/completion/words.bash && echo && \
	$(AWK) -f $(srcdir)/completion/bash.awk completion/options; } \
		>$@.tmp && mv $@.tmp $@
completion/_weft: completion/options $(srcdir)/completion/zsh.awk
	$(AM_V_GEN)$(AWK) -f $(srcdir)/completion/zsh.awk \
		completion/options >$@.tmp && mv $@.tmp $@
completion/weft.fish: completion/options $(srcdir)/completion/fish.awk
	$(AM_V_GEN)$(AWK) -f $(srcdir)/completion/fish.awk \
		completion/options >$@.tmp && mv $@.tmp $@
endif
