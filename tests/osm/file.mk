# OpenSM's "file" engine and the tables that weft writes.
TESTS += tests/osm/file-engine.sh
EXTRA_DIST += tests/osm/file-engine.sh
# weft layer on what OpenSM dumps.
TESTS += tests/osm/layer-dump.sh
EXTRA_DIST += tests/osm/layer-dump.sh
