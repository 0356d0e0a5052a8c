# weft compare --with-opensm runs it.
dist_pkglibexec_SCRIPTS = scripts/osm-run
dist_noinst_SCRIPTS += scripts/engine-lists scripts/packages scripts/quickstart \
	scripts/run-tests scripts/same-tables
dist_noinst_SCRIPTS += scripts/mutate scripts/weft-capture
