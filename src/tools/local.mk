bin_PROGRAMS += weft
weft_SOURCES = \
	src/tools/main.c
weft_LDADD = libweft.la
