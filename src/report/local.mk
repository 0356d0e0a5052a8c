# The report: what it tells, and the page.
noinst_LTLIBRARIES += libweft_report.la
libweft_report_la_SOURCES = \
	src/report/collect.c \
	src/report/cuts.c \
	src/report/cuts.h \
	src/report/grade.c \
	src/report/grade.h \
	src/report/judged.c \
	src/report/judged.h \
	src/report/hottest.c \
	src/report/hottest.h \
	src/report/lanes.c \
	src/report/lanes.h \
	src/report/multicast.c \
	src/report/multicast.h \
	src/report/report.h \
	src/report/since.c \
	src/report/since.h \
	src/report/words.c \
	src/report/write.c \
	src/report/write.h \
	src/report/write_conf.c \
	src/report/write_engines.c \
	src/report/write_fabric.c \
	src/report/write_glance.c \
	src/report/write_links.c \
	src/report/write_multicast.c \
	src/report/write_picture.c \
	src/report/write_ports.c \
	src/report/write_since.c \
	src/report/write_traffic.c \
	src/report/write_verdict.c \
	src/report/write_weak.c
