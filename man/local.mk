include man/engines.mk
include man/tools.mk
include man/formats.mk
