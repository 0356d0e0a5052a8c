# Python: a package over libweft by cffi, whose structures come of the headers.
# Where it goes is make install pythonpackagedir=...
pythonpackagedir = $(prefix)/lib/python3/dist-packages
weftpythondir = $(pythonpackagedir)/weft
dist_weftpython_DATA = python/weft/__init__.py python/weft/_library.py \
	python/weft/fabric.py
nodist_weftpython_DATA = python/weft/weft.cdef
CLEANFILES += python/weft/weft.cdef
EXTRA_DIST += python/make-cdef python/example.py python/test.py

python/weft/weft.cdef: python/make-cdef $(weftinclude_HEADERS)
	@$(MKDIR_P) python/weft
	$(AM_V_GEN)CC='$(CC)' $(SHELL) $(top_srcdir)/python/make-cdef \
		$(top_srcdir)/include >$@.tmp && mv $@.tmp $@

TESTS += python/run.sh
dist_check_SCRIPTS += python/run.sh
