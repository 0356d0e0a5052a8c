include tests/osm/file.mk
