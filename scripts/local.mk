dist_noinst_SCRIPTS += scripts/engine-lists scripts/osm-run scripts/packages scripts/quickstart \
	scripts/run-tests scripts/same-tables
dist_noinst_SCRIPTS += scripts/mutate
