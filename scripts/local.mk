dist_noinst_SCRIPTS += scripts/osm-run
