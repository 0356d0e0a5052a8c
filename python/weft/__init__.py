# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Fabrics, forwarding tables, engines, worth and simulations of libweft.

    import weft
    fabric = weft.open("pgft:2;4,4;1,4;1,1")
    routes = fabric.route("weave", lanes=2)
    print(fabric.worth(routes)["worth"], routes.table.shape)

Arrays are views of what the library has, without a copy, and keep it alive.
Structures and constants are those of the headers (weft.lib, weft.ffi).
"""
from ._library import Error, ffi, lib
from .fabric import Fabric, Routes, engines, gen, open

__all__ = ["Error", "Fabric", "Routes", "engines", "ffi", "gen", "lib",
           "open"]
__version__ = ffi.string(lib.weft_version()).decode()
