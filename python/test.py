# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What python/weft promises; run by python/run.sh."""
import gc
import json
import subprocess
import sys
import tempfile
import unittest

import numpy

import weft


def told_by_weft(*words):
    """The first case that the command prints as JSON."""
    out = subprocess.run(["weft", *words, "-q", "--json"], check=True,
                         capture_output=True).stdout
    return json.loads(out)[0]


class Test(unittest.TestCase):
    def setUp(self):
        self.fabric = weft.open("torus:4x4,hosts=2")

    def test_arrays(self):
        f = self.fabric
        self.assertEqual(len(f.switches), 16)
        self.assertEqual(f.switches["nports"].max(), 6)
        self.assertEqual(len(set(f.endports["guid"].tolist())), 32)
        self.assertEqual(f.switch_names[0], "sw-0-0")
        ends = f.peer[f.cables]
        self.assertTrue((ends < 16).all())
        self.assertFalse(f.switches.flags.writeable)

    def test_owner(self):
        table = weft.open("torus:4x4").route("updn").table[1:, 3:]
        before = table.copy()
        gc.collect()
        self.assertTrue((before == table).all())

    def test_same_as_the_command(self):
        updn = self.fabric.route("updn")
        told = told_by_weft("check", "-e", "updn", "torus:4x4,hosts=2")
        proof = self.fabric.prove(updn)
        for key in ("pairs", "efi", "nonminimal", "max_hops"):
            self.assertEqual(proof[key], told[key])
        self.assertEqual(proof["load"].max(), told["efi"])
        worth = self.fabric.worth(updn)
        self.assertAlmostEqual(worth["worth"], told["verdict"]["worth"])
        ai = self.fabric.worth(updn, objective="ai")
        self.assertIn("all-reduce", ai["parts"])

    def test_tables(self):
        updn = self.fabric.route("updn")
        lid = int(self.fabric.endports["lid"][0])
        updn.table[:, lid] = 255
        proof = self.fabric.prove(updn)
        self.assertFalse(proof["fine"])
        self.assertEqual(proof["unreachable"], 31)

    def test_dump(self):
        with tempfile.TemporaryDirectory() as where:
            told_by_weft("check", "-e", "updn", "ring:5")
            subprocess.run(["weft", "route", "-q", "-e", "updn", "ring:5",
                            "-o", where], check=True,
                           stdout=subprocess.DEVNULL)
            f = weft.open(where)
        self.assertTrue(f.prove()["fine"])
        self.assertIsNone(weft.open("ring:5").routes)

    def test_samples(self):
        weave = self.fabric.route("weave", lanes=2)
        found = self.fabric.bisections(weave, patterns=50)
        self.assertEqual(found["histogram"].sum(), 50)
        run = self.fabric.simulate(weave, load=30, time=50)
        self.assertAlmostEqual(run["throughput"], .3, delta=.05)
        self.assertFalse(run["deadlocked"])
        self.assertGreater(self.fabric.simulate(
            weave, pattern="shift", time=20, mtu=4096, host_queues="lane",
            outstanding=2)["gbps"], 1)

    def test_errors(self):
        for call in (lambda: weft.open("torus:4xx"),
                     lambda: self.fabric.route("weave", nosuch=1),
                     lambda: self.fabric.route("dmodk"),
                     lambda: self.fabric.simulate(
                         self.fabric.route("updn"), mtu="much"),
                     lambda: self.fabric.simulate(
                         self.fabric.route("updn"), load=0),
                     lambda: self.fabric.worth(self.fabric.route("updn"),
                                               objective="nosuch")):
            with self.assertRaises(weft.Error) as said:
                call()
            self.assertGreater(len(str(said.exception)), 10)
        with self.assertRaises(ValueError):
            self.fabric.route("nosuch")
        with self.assertRaises(ValueError):
            self.fabric.prove()
        self.assertIn("weave", weft.engines())

    def test_stays(self):
        """A library that is closed stays, as threads may run in it."""
        code = ("import ctypes, _ctypes, os\n"
                "path = os.environ['WEFT_LIBRARY']\n"
                "_ctypes.dlclose(ctypes.CDLL(path)._handle)\n"
                "exit('libweft' not in open('/proc/self/maps').read())\n")
        self.assertEqual(subprocess.call([sys.executable, "-c", code]), 0)

    def test_structures(self):
        """Layouts are those that the compiler gives them."""
        self.assertEqual(self.fabric.endports.dtype.itemsize,
                         weft.ffi.sizeof("struct weft_endport"))
        self.assertTrue(numpy.array_equal(
            self.fabric.endports["sw"],
            [self.fabric.c.ep[i].sw for i in range(self.fabric.c.nep)]))


if __name__ == "__main__":
    unittest.main()
