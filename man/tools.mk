dist_man_MANS += \
	man/weft.1 \
	man/weft-analyze.1 \
	man/weft-bound.1 \
	man/weft-capture.1 \
	man/weft-check.1 \
	man/weft-compare.1 \
	man/weft-config.1 \
	man/weft-design.1 \
	man/weft-diff.1 \
	man/weft-export.1 \
	man/weft-faults.1 \
	man/weft-layer.1 \
	man/weft-measure.1 \
	man/weft-place.1 \
	man/weft-plot.1 \
	man/weft-report.1 \
	man/weft-route.1 \
	man/weft-show.1 \
	man/weft-sim.1 \
	man/weft-standing.1 \
	man/weft-subnets.1 \
	man/weft-trace.1 \
	man/weft-watch.1 \
	man/weft-tutorial.7
