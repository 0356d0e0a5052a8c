if HAVE_OPENSM
endif
