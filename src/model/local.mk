libweft_more_la_SOURCES +=
