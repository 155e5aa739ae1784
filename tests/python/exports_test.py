"""treacle export, read back by independent programs: exports_test.py TREACLE

NumPy, Python's own gzip, csv and XML readers always; h5py and OpenVDB's vdb_print if they are installed.
"""

import csv
import gzip
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

try:
    import numpy as np
except ModuleNotFoundError:
    print("numpy is not installed")
    sys.exit(77)   # skipped

TREACLE = sys.argv.pop(1)

SCENE = {
    "treacle": 1, "method": "takahashi2014", "particle_spacing": 0.05, "time": {"duration": 0.1, "fps": 40},
    "materials": {"a": {"viscosity": 5}, "b": {"viscosity": 1}},
    "fluids": [{"material": "a", "velocity": [1, 0, 0], "shape": {"box": {"center": [0, 0.3, 0], "size": [0.2, 0.2, 0.2]}}},
               {"material": "b", "shape": {"box": {"center": [0.3, 0.3, 0.05], "size": [0.1, 0.1, 0.1]}}}],
    "solids": [{"name": "floor", "shape": {"plane": {"normal": [0, 1, 0], "offset": 0}}},
               {"name": "arm", "shape": {"box": {"center": [0, 0.05, 0], "size": [0.1, 0.1, 0.1]}},
                "motion": {"velocity": [0, 0, 1]}}],
}
FIXED = [("x", "<f4"), ("y", "<f4"), ("z", "<f4"), ("vx", "<f4"), ("vy", "<f4"), ("vz", "<f4"), ("id", "<u4"),
         ("material", "u1"), ("density", "<f4")]


def read_frame(path):
    """The frame of the run itself."""
    data = path.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    names = re.findall(r"^property (\w+) (\w+)$", data[:end].decode(), re.MULTILINE)
    types = {"float": "<f4", "uint": "<u4", "uchar": "u1"}
    return np.frombuffer(data[end:], dtype=[(name, types[kind]) for kind, name in names])


def read_bgeo(path):
    """Reads the classic format by its description, like blender-sequence-loader and splashsurf: {name: values}."""
    data = gzip.decompress(path.read_bytes())
    assert data[:5] == b"BgeoV"
    version, points, *rest = struct.unpack(">9i", data[5:41])
    assert version == 5 and rest[0] == 0
    at, row = 41, [("P", ">f4", (4,))]
    for _ in range(rest[3]):
        length, = struct.unpack_from(">H", data, at)
        name = data[at + 2:at + 2 + length].decode()
        size, kind = struct.unpack_from(">Hi", data, at + 2 + length)
        assert (kind, size) in ((0, 1), (1, 1), (5, 3)), (name, kind, size)
        row.append((name, ">i4" if kind == 1 else ">f4", (size,) if size > 1 else ()))
        at += 2 + length + 6 + 4 * size
    rows = np.frombuffer(data, dtype=row, count=points, offset=at)
    assert data[at + rows.nbytes:] == b"\x00\xff"
    return rows


class Exports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "scene.json").write_text(json.dumps(SCENE))
        cls.treacle("run", "scene.json", "-o", "run", "--quiet", "--no-preview")
        cls.frame = read_frame(cls.folder / "run/frames/frame.0005.ply")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def treacle(cls, *arguments, code=0):
        done = subprocess.run([TREACLE, *arguments], cwd=cls.folder, capture_output=True, text=True)
        assert done.returncode == code, (arguments, done.returncode, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def export(self, form, *more):
        self.treacle("export", "run", "--to", form, "--quiet", *more)
        return self.folder / "run/export" / form

    def vectors(self, *names):
        return np.column_stack([self.frame[name] for name in names])

    def test_npz(self):
        with np.load(self.export("npz") / "frame.0005.npz", allow_pickle=False) as file:
            np.testing.assert_array_equal(file["position"], self.vectors("x", "y", "z"))
            np.testing.assert_array_equal(file["velocity"], self.vectors("vx", "vy", "vz"))
            for name in ("id", "material", "density"):
                np.testing.assert_array_equal(file[name], self.frame[name])
                self.assertEqual(file[name].dtype, self.frame[name].dtype)
            self.assertEqual((int(file["frame"]), float(file["time"])), (5, 0.1))
            self.assertEqual(len(self.frame), 64 + 8)

    def test_csv(self):
        with open(self.export("csv") / "frame.0005.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), list(self.frame.dtype.names))
        for name in self.frame.dtype.names:
            read = np.array([row[name] for row in rows]).astype(self.frame.dtype[name])
            np.testing.assert_array_equal(read, self.frame[name])

    def test_bgeo(self):
        rows = read_bgeo(self.export("bgeo") / "frame.0005.bgeo")
        self.assertEqual(rows.dtype.names[:6], ("P", "v", "id", "pscale", "density", "material"))
        np.testing.assert_array_equal(rows["P"][:, :3], self.vectors("x", "y", "z"))
        np.testing.assert_array_equal(rows["P"][:, 3], 1)
        np.testing.assert_array_equal(rows["v"], self.vectors("vx", "vy", "vz"))
        np.testing.assert_array_equal(rows["id"], self.frame["id"])
        np.testing.assert_array_equal(rows["density"], self.frame["density"])
        np.testing.assert_array_equal(rows["material"], self.frame["material"])
        np.testing.assert_array_equal(rows["pscale"], np.float32(0.025))

    def test_z_up(self):
        folder = self.folder / "z_up"
        self.export("npz", "--up", "z", "-o", str(folder))
        with np.load(folder / "frame.0005.npz") as file:
            np.testing.assert_array_equal(file["position"], np.column_stack([self.frame["x"], -self.frame["z"], self.frame["y"]]))
        self.assertEqual(json.loads((folder / "export.json").read_text())["up_axis"], "z")

    def test_vtkhdf(self):
        folder = self.export("vtkhdf")
        series = json.loads((folder / "frames.hdf.series").read_text())
        self.assertEqual([entry["time"] for entry in series["files"]], [0, 0.025, 0.05, 0.075, 0.1])
        try:
            import h5py
        except ModuleNotFoundError:
            self.skipTest("h5py is not installed")
        with h5py.File(folder / series["files"][4]["name"]) as file:
            group = file["VTKHDF"]
            self.assertEqual(group.attrs["Type"], b"UnstructuredGrid")
            np.testing.assert_array_equal(group["Points"], self.vectors("x", "y", "z"))
            np.testing.assert_array_equal(group["Offsets"], np.arange(73))
            np.testing.assert_array_equal(group["PointData/velocity"], self.vectors("vx", "vy", "vz"))
            np.testing.assert_array_equal(group["PointData/id"], self.frame["id"])

    def test_vdb(self):
        path = self.export("vdb") / "frame.0005.vdb"
        self.assertEqual(path.read_bytes()[:4], b" BDV")
        if not shutil.which("vdb_print"):
            self.skipTest("vdb_print is not installed (package libopenvdb-tools)")
        text = subprocess.run(["vdb_print", "-l", str(path)], capture_output=True, text=True).stdout
        self.assertIn("points", text)
        self.assertIn("creator: treacle", text)
        self.assertIn("up_axis: y", text)

    def test_mitsuba(self):
        folder = self.export("mitsuba")
        scene = xml.parse(folder / "frame.0005.xml").getroot()
        self.assertEqual((scene.tag, scene.get("version")), ("scene", "3.0.0"))
        spheres = scene.findall("shape[@type='sphere']")
        centers = np.array([[s.find("point").get(axis) for axis in "xyz"] for s in spheres]).astype("<f4")
        np.testing.assert_array_equal(centers, self.vectors("x", "y", "z"))
        settings = xml.parse(folder / scene.find("include").get("filename")).getroot()
        defined = {bsdf.get("id") for bsdf in settings.findall("bsdf")}
        self.assertLessEqual({ref.get("id") for ref in scene.iter("ref")}, defined)
        arm = scene.findall("shape[@type='ply']")[1]
        self.assertTrue((folder / arm.find("string").get("value")).exists())
        np.testing.assert_allclose(np.array(arm.find("transform/matrix").get("value").split(), dtype=float).reshape(4, 4)[:3, 3],
                                   (0, 0, 0.1), atol=1e-12)

    def test_usda(self):
        folder = self.export("usda")
        stage = (folder / "frames.usda").read_text()
        for clip in re.findall(r"@\./([^@]+)@", stage):
            self.assertTrue((folder / clip).exists(), clip)
        text = (folder / "frame.0005.usda").read_text()
        points = re.search(r"points\.timeSamples = \{\s*5: \[(.*?)\],\s*\}", text, re.DOTALL).group(1)
        read = np.array(re.findall(r"[-\d.e+]+", points)).astype("<f4").reshape(-1, 3)
        np.testing.assert_array_equal(read, self.vectors("x", "y", "z"))
        for file in (stage, text, (folder / "frames.manifest.usda").read_text()):
            for a, b in ("()", "[]", "{}"):
                self.assertEqual(file.count(a), file.count(b))

    def test_vtp(self):
        folder = self.export("vtp")
        listed = [entry.get("file") for entry in xml.parse(folder / "frames.pvd").iter("DataSet")]
        self.assertEqual(listed, [f"frame.{n:04d}.vtp" for n in range(1, 6)])
        bodies = [entry.get("file") for entry in xml.parse(folder / "bodies.pvd").iter("DataSet")]
        self.assertEqual(bodies, [f"bodies.{n:04d}.vtp" for n in range(1, 6)])   # the arm moves

    def test_sidecar_and_what_is_done_is_skipped(self):
        folder = self.folder / "some"
        self.assertIn("2 frames as csv", self.treacle("export", "run", "--to", "csv", "--frames", "2:3", "-o", "some"))
        sidecar = json.loads((folder / "export.json").read_text())
        self.assertEqual([entry["file"] for entry in sidecar["frames"]], ["frame.0002.csv", "frame.0003.csv"])
        self.assertEqual((sidecar["fps"], sidecar["up_axis"], sidecar["units"]["length"], sidecar["particle_radius"]),
                         (40, "y", "m", 0.025))
        self.assertIn("5 frames as csv, 2 of them were there already", self.treacle("export", "run", "--to", "csv", "-o", "some"))
        self.assertEqual(len(json.loads((folder / "export.json").read_text())["frames"]), 5)
        text = self.treacle("export", "run", "--to", "csv", "-o", "some", "--up", "z")   # other settings: all again
        self.assertNotIn("already", text)
        text = self.treacle("export", "run", "--to", "npz", "-o", "some", code=2)
        self.assertIn("holds an export to csv", text)

    def test_wrong_input(self):
        self.assertIn('did you mean "bgeo"', self.treacle("export", "run", "--to", "bgoe", code=2))
        self.assertIn("is no run of treacle", self.treacle("export", "nowhere", "--to", "csv", code=2))
        self.assertIn("there are none of these in run, which has frames 1 to 5",
                      self.treacle("export", "run", "--to", "csv", "--frames", "9:", code=2))
        self.assertIn("write first:last", self.treacle("export", "run", "--to", "csv", "--frames", "a:b", code=2))
        mine = self.folder / "mine"
        mine.mkdir()
        (mine / "thesis.txt").write_text("years of work")
        self.assertIn("holds no export of treacle", self.treacle("export", "run", "--to", "csv", "-o", "mine", code=2))
        self.assertEqual(os.listdir(mine), ["thesis.txt"])
        self.treacle("run", "scene.json", "-o", "no_ply", "--quiet", "--no-preview", "--frames", "1", "--set", '/output/formats=["csv"]')
        self.assertIn("holds no frames as ply", self.treacle("export", "no_ply", "--to", "npz", code=2))

    def test_damaged_frames_keep_no_others_from_being_written(self):
        shutil.copytree(self.folder / "run", self.folder / "damaged", ignore=shutil.ignore_patterns("export"))
        path = self.folder / "damaged/frames/frame.0003.ply"
        path.write_bytes(path.read_bytes()[:-10])
        (self.folder / "damaged/frames/frame.0002.ply").unlink()   # a missing frame is no error: runs may be thinned out
        text = self.treacle("export", "damaged", "--to", "npz", code=4)
        self.assertIn("frame.0003.ply: cannot be read: it is cut short", text)
        self.assertEqual(sorted(p.name for p in (self.folder / "damaged/export/npz").iterdir()),
                         ["export.json", "frame.0001.npz", "frame.0004.npz", "frame.0005.npz"])

    def test_full_disk(self):
        script = f"ulimit -f 2; trap '' XFSZ; exec {TREACLE} export run --to csv -o full --quiet"
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("full/frame.0001.csv: ", done.stderr)
        self.assertEqual(os.listdir(self.folder / "full"), ["export.json"])
        self.treacle("export", "run", "--to", "csv", "-o", "full", "--quiet")   # with room again, it continues
        self.assertEqual(len(os.listdir(self.folder / "full")), 6)

    def test_the_same_while_running(self):
        words = ["ply", "vtp", "vtkhdf", "bgeo", "vdb", "csv", "npz", "usda", "mitsuba"]
        self.treacle("run", "scene.json", "-o", "all", "--quiet", "--no-preview", "--set", "/output/formats=" + json.dumps(words))
        for form, extension in (("csv", "csv"), ("npz", "npz"), ("bgeo", "bgeo"), ("vtp", "vtp"), ("vtkhdf", "hdf"),
                                ("mitsuba", "xml"), ("usda", "usda")):
            made = (self.folder / f"all/frames/frame.0004.{extension}").read_bytes()
            self.assertEqual(made, (self.export(form) / f"frame.0004.{extension}").read_bytes(), form)
        listed = {entry["file"] for entry in json.loads((self.folder / "all/manifest.json").read_text())["frames"]}
        self.assertEqual(len(listed), 5 * len(words))


if __name__ == "__main__":
    unittest.main(verbosity=1)
