# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Fabrics and their forwarding tables, and what is judged of them."""
from ._library import Diag, ffi, lib, text, view


def engines():
    """Names of engines, with what each does in a line."""
    found, all_of = {}, lib.weft_engines()
    while all_of[len(found)] != ffi.NULL:
        one = all_of[len(found)]
        found[text(one.name)] = text(one.summary)
    return found


def chosen_of(table, options, diag):
    """Options of a table of libweft, by keywords."""
    made = ffi.new("struct weft_options **")
    diag.check(lib.weft_options_new(made, table))
    chosen = ffi.gc(made[0], lib.weft_options_free)
    for name, value in options.items():
        if isinstance(value, bool):
            value = "yes" if value else "no"
        diag.check(lib.weft_options_parse(
            chosen, f"{name.replace('_', '-')}={value}".encode(), diag.c))
    return chosen


def gen(description):
    """A synthetic fabric, as weft-gen(1) describes it."""
    return open(description)


def open(path):
    """A fabric: a file, a directory of dumps or a description.  Its routes are
    those that the input holds, or None."""
    diag, source = Diag(), ffi.new("struct weft_input *")
    diag.check(lib.weft_input_open(str(path).encode(), False, source, diag.c))
    source = ffi.gc(source, lib.weft_input_close)
    fabric = Fabric(source.fabric, source)
    fabric.warnings = diag.warnings
    if source.sources.ntables:
        fabric.routes = Routes(ffi.addressof(source, "routes"), fabric)
    return fabric


class Routes:
    """Forwarding tables and service levels of a fabric."""

    def __init__(self, c, fabric):
        self.c, self.fabric = c, fabric

    @property
    def table(self):
        """The port of each switch for each LID, 255 for none; may be written
        to."""
        lft = self.c.lft
        flat = view(lft.port, lft.nsw * lft.stride, self, writable=True)
        return flat.reshape(lft.nsw, lft.stride)[:, :lft.max_lid + 1]

    @property
    def lanes(self):
        """Lanes in use."""
        return self.c.layers.nvl


class Fabric:
    """A fabric; all of struct weft_fabric is in its c."""

    def __init__(self, c, owner):
        self.c, self._owner = c, owner
        self.routes, self.warnings = None, []

    def _view(self, name, n):
        return view(getattr(self.c, name), n, self)

    @property
    def switches(self):
        """struct weft_switch of each."""
        return self._view("sw", self.c.nsw)

    @property
    def endports(self):
        """struct weft_endport of each."""
        return self._view("ep", self.c.nep)

    @property
    def switch_names(self):
        return [text(self.c.sw[i].name) for i in range(self.c.nsw)]

    @property
    def host_names(self):
        """Names of the nodes of endports."""
        return [text(self.c.node[self.c.ep[i].node].name)
                for i in range(self.c.nep)]

    @property
    def peer(self):
        """What each channel leads to: a switch, or an endport with the bit
        weft.lib.WEFT_ENDPORT, or WEFT_NONE."""
        return self._view("peer", self.c.nch)

    @property
    def capacity(self):
        """Mbit/s of each channel."""
        return self._view("capacity", self.c.nch)

    @property
    def first_channel(self):
        """Of switches: port p of switch s sends on first_channel[s] + p."""
        return self._view("first_channel", self.c.nsw + 1)

    @property
    def cables(self):
        """Channels between switches, of both directions."""
        return self._view("adj", self.c.adj_first[self.c.nsw])

    def route(self, engine="weave", **options):
        """Has an engine route the fabric, with its options."""
        diag = Diag()
        of = lib.weft_engine_find(engine.encode())
        if of == ffi.NULL:
            raise ValueError(f"no engine '{engine}'; there are: "
                             + ", ".join(engines()))
        chosen = chosen_of(of.options, options, diag)
        c = ffi.new("struct weft_routes *")
        diag.check(lib.weft_route(of, self.c, chosen, c, diag.c))
        return Routes(ffi.gc(c, lib.weft_routes_free), self)

    def _of(self, routes):
        routes = routes or self.routes
        if routes is None:
            raise ValueError("the input holds no tables: route() first")
        return routes

    def prove(self, routes=None):
        """Is everyone reached, without credit loop?  With the load of each
        channel of a switch, in routes, when all send to all."""
        routes, diag = self._of(routes), Diag()
        spec = ffi.new("struct weft_proof_spec *", {
            "minimal": True, "loads": True, "credit_loops": True})
        c = ffi.new("struct weft_proof *")
        diag.check(lib.weft_proof_run(self.c, routes.c, spec, c, diag.c))
        c = ffi.gc(c, lib.weft_proof_free)
        return {"fine": not c.unreachable and not c.cyclic_vls,
                "pairs": c.pairs, "unreachable": c.unreachable,
                "loops": c.loops, "nonminimal": c.nonminimal,
                "cyclic_vls": c.cyclic_vls, "max_hops": c.max_hops,
                "efi": c.load_max,
                "load": view(c.channel_load, self.c.first_injection, c)}

    def worth(self, routes=None, objective=None, rounds=256, seed=1):
        """What tables are worth: shares of full bandwidth by kind of traffic,
        and their mean, "worth"."""
        routes, diag = self._of(routes), Diag()
        spec = ffi.new("struct weft_basket_spec *",
                       {"rounds": rounds, "seed": seed})
        if objective:
            judged = ffi.new("struct weft_objective *")
            diag.check(lib.weft_objective_parse(objective.encode(), judged,
                                                diag.c))
            judged = ffi.gc(judged, lib.weft_objective_free)
            spec.objective = judged
        made = ffi.new("struct weft_basket **")
        diag.check(lib.weft_basket_new(self.c, spec, made, diag.c))
        basket = ffi.gc(made[0], lib.weft_basket_free)
        c = ffi.new("struct weft_worth *")
        diag.check(lib.weft_basket_judge(basket, routes.c, c))
        c = ffi.gc(c, lib.weft_worth_free)
        parts = {text(lib.weft_basket_part_name(basket, i)): c.part[i]
                 for i in range(lib.weft_basket_parts(basket))}
        return {"worth": c.mean, "error": c.mean_error, "parts": parts}

    def bisections(self, routes=None, patterns=1000, seed=1):
        """Random bisections: mean, interval, and how many by bandwidth, in bins
        of a hundredth."""
        routes, diag = self._of(routes), Diag()
        spec = ffi.new("struct weft_ebb_spec *",
                       {"patterns": patterns, "seed": seed})
        c = ffi.new("struct weft_ebb *")
        diag.check(lib.weft_ebb_run(self.c, routes.c, spec, c, diag.c))
        return {"mean": c.mean, "ci99": c.ci99, "min": c.min, "max": c.max,
                "histogram": view(ffi.cast("uint64_t *", c.bandwidth),
                                  len(c.bandwidth), c)}

    def simulate(self, routes=None, pattern=None, time=100, **options):
        """Packets with credits and lanes for time microseconds, under a load to
        random hosts or with a pattern.  Options are parameters of weft sim, such as
        load=30 (per cent), mtu=4096, paths="random", with _ for -."""
        routes, diag = self._of(routes), Diag()
        spec = ffi.new("struct weft_sim_spec *")
        lib.weft_sim_preset(spec)
        options["time"] = time
        chosen = chosen_of(lib.weft_sim_options(), options, diag)
        diag.check(lib.weft_sim_set(spec, chosen, diag.c))
        ranks = ffi.new("struct weft_mapping *")
        diag.check(lib.weft_mapping_natural(self.c, False, ranks,
                                            ffi.new("bool *"), diag.c))
        ranks = ffi.gc(ranks, lib.weft_mapping_free)
        spec.mapping = ranks
        if pattern:
            made = ffi.new("struct weft_traffic **")
            diag.check(lib.weft_traffic_new(pattern.encode(), ranks.nranks, made,
                                            diag.c))
            traffic = ffi.gc(made[0], lib.weft_traffic_free)
            spec.traffic, spec.endless = traffic, True
        c = ffi.new("struct weft_sim *")
        diag.check(lib.weft_sim_run(self.c, routes.c, spec, c, diag.c))
        c = ffi.gc(c, lib.weft_sim_free)
        carried = view(c.lane_bytes, c.channels * c.lanes, c)
        return {"throughput": c.throughput.mean, "ci99": c.throughput.ci99,
                "gbps": c.gbps.mean, "deadlocked": bool(c.deadlocked),
                "delivered": c.delivered,
                "bytes": carried.reshape(c.channels, c.lanes)}
