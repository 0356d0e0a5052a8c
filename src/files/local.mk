# Files that appear as a whole: for the command, and for the plugins.
noinst_LTLIBRARIES += libweft_files.la
libweft_files_la_SOURCES = \
	src/files/temporary.c \
	src/files/temporary.h
