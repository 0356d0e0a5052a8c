dist_man_MANS += man/weft-gen.1
