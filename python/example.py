#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""example.py [INPUT [PICTURE]]: two routings of a fabric side by side.

Cells, as of a notebook: what the fabric is, what engines are worth by kind of
traffic, how much luck random bisections need, and how loads are spread.
"""
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy

import weft

# %% The fabric, and two sets of tables
fabric = weft.open(sys.argv[1] if len(sys.argv) > 1 else "deimos")
routes = {name: fabric.route(name) for name in ("minhop", "weave")}
for name, tables in routes.items():
    proof = fabric.prove(tables)
    print(f"{name}: {proof['pairs']} pairs, {proof['unreachable']} unreachable,"
          f" {proof['cyclic_vls']} lanes with credit loops,"
          f" {tables.lanes} in use")

# %% What they are worth, by kind of traffic
figure, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
parts = {name: fabric.worth(tables) for name, tables in routes.items()}
for i, (name, worth) in enumerate(parts.items()):
    kinds = list(worth["parts"])
    axes[0].bar(numpy.arange(len(kinds)) + .4 * i, worth["parts"].values(),
                width=.4, label=f"{name}, worth {worth['worth']:.3f}")
axes[0].set_xticks(numpy.arange(len(kinds)) + .2, kinds, rotation=30)
axes[0].set_ylabel("share of full bandwidth")
axes[0].legend()

# %% How much luck a job needs: random bisections
for name, tables in routes.items():
    found = fabric.bisections(tables, patterns=200)
    shown = numpy.flatnonzero(found["histogram"])
    axes[1].step(numpy.arange(100) / 100, found["histogram"], where="post",
                 label=f"{name}, mean {found['mean']:.3f}")
axes[1].set_xlim(max(shown[0] / 100 - .1, 0), min(shown[-1] / 100 + .1, 1))
axes[1].set_xlabel("share of full bandwidth")
axes[1].set_ylabel("random bisections")
axes[1].legend()

# %% Loads of channels between switches, sorted
for name, tables in routes.items():
    load = fabric.prove(tables)["load"][fabric.cables]
    axes[2].plot(numpy.sort(load)[::-1], label=name)
axes[2].set_xlabel("channels, most loaded first")
axes[2].set_ylabel("routes, all to all")
axes[2].legend()

figure.savefig(sys.argv[2] if len(sys.argv) > 2 else "weft.png", dpi=80)
