include man/engines.mk
