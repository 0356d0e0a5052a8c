include man/engines.mk
include man/formats.mk
include man/gen.mk
include man/library.mk
include man/tools.mk
include man/plugin.mk
