dist_man_MANS += man/weft-engines.7
