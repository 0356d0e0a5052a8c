# Pages of HTML, for what of the program writes some.
noinst_LTLIBRARIES += libweft_page.la
libweft_page_la_SOURCES = \
	src/core/text/utf8.c \
	src/core/text/utf8.h \
	src/page/chart.c \
	src/page/chart.h \
	src/page/markup.c \
	src/page/markup.h \
	src/page/page.c \
	src/page/page.h \
	src/page/style.c \
	src/page/style.h
