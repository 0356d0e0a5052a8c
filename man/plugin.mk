dist_man_MANS += man/weft-plugin.7
