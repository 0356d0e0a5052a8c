include man/engines.mk
include man/tools.mk
