# weft compare --with-opensm runs it.
dist_pkglibexec_SCRIPTS = scripts/osm-run
dist_noinst_SCRIPTS += scripts/engine-lists scripts/packages scripts/quickstart \
	scripts/run-tests scripts/same-tables scripts/deb scripts/rpm
dist_noinst_SCRIPTS += scripts/libtool scripts/mutate scripts/weft-capture
EXTRA_DIST += debian/changelog debian/control debian/copyright debian/rules \
	debian/source/format debian/tests/control debian/tests/library \
	debian/tests/opensm debian/tests/production debian/libweft-dev.install \
	debian/libweft0.install debian/opensm-weft.install \
	debian/opensm-weft.lintian-overrides debian/opensm-weft.triggers \
	debian/weft-doc.docs debian/weft-doc.examples debian/weft.install
EXTRA_DIST += packaging/rpmlint.toml packaging/weft.spec
