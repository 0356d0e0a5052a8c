dist_noinst_SCRIPTS += scripts/osm-run scripts/packages scripts/quickstart \
	scripts/run-tests scripts/same-tables
