dist_man_MANS += man/weft-formats.5
