dist_man_MANS += man/weft.3
