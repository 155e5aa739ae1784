"""The parts of the Blender add-on that need no Blender: reading files, axes, writing scenes."""

import json
import os
import pathlib
import sys
import tempfile
import unittest

try:
    import numpy as np
except ModuleNotFoundError:
    print("numpy is not installed")
    sys.exit(77)   # skipped

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "addons" / "blender"))
from treacle import axes, ply, run_folder, scene_writer   # noqa: E402


class Folder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)


class Axes(unittest.TestCase):
    def test_up_is_up(self):
        np.testing.assert_array_equal(axes.to_blender(np.array([[1.0, 2.0, 3.0]])), [[1, -3, 2]])
        np.testing.assert_array_equal(axes.to_treacle(axes.to_blender(np.array([4.0, 5.0, 6.0]))), [4, 5, 6])

    def test_rotations_turn_the_same_things(self):
        def rotate(q, v):
            w, x, y, z = axes.multiply(axes.multiply(q, (0, *v)), (q[0], -q[1], -q[2], -q[3]))
            return np.array([x, y, z])
        q = np.array([0.5, -0.1, 0.7, 0.3])
        q = tuple(q / np.linalg.norm(q))
        for v in np.eye(3):
            there = rotate(axes.rotation_to_blender(q), axes.to_blender(v))
            np.testing.assert_allclose(there, axes.to_blender(rotate(q, v)), atol=1e-12)
        np.testing.assert_allclose(axes.rotation_to_treacle(axes.rotation_to_blender(q)), q, atol=1e-12)


class PlyFiles(Folder):
    HEADER = "ply\nformat binary_little_endian 1.0\ncomment time 0.5 s\nelement vertex 2\nproperty float x\n" \
             "property uchar material\nproperty double y\n{faces}end_header\n"

    def test_binary_points(self):
        rows = np.array([(1.5, 7, 2.5), (3.5, 8, 4.5)], dtype=[("x", "<f4"), ("material", "u1"), ("y", "<f8")])
        file = ply.read(self.write("a.ply", self.HEADER.format(faces="").encode() + rows.tobytes()))
        np.testing.assert_array_equal(file.vertices["material"], [7, 8])
        np.testing.assert_array_equal(file.columns("y", "x"), [(2.5, 1.5), (4.5, 3.5)])
        self.assertIsNone(file.columns("x", "missing"))
        self.assertIsNone(file.triangles)
        self.assertEqual(file.comments, ["time 0.5 s"])

    def test_what_is_cut_short_or_wrong_is_refused(self):
        whole = self.HEADER.format(faces="").encode() + bytes(26)
        ply.read(self.write("whole.ply", whole))
        cases = {"cut short": whole[:-1], "no end": b"ply\nformat ascii 1.0\n", "no PLY": b"obj", "format None": b"ply\nend_header\n",
                 "binary_big_endian": whole.replace(b"little", b"big"), "no vertices": b"ply\nformat ascii 1.0\nend_header\n"}
        for reason, content in cases.items():
            with self.assertRaisesRegex(ply.PlyError, reason):
                ply.read(self.write("wrong.ply", content))

    def test_triangles_binary_and_ascii(self):
        text = "ply\nformat {0} 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n" \
               "property list uchar int vertex_indices\nend_header\n"
        binary = text.format("binary_little_endian").encode() + np.arange(9, dtype="<f4").tobytes() + b"\x03" + \
            np.array([2, 1, 0], dtype="<i4").tobytes()
        plain = text.format("ascii") + "0 1 2\n3 4 5\n6 7 8\n3 2 1 0\n"
        for content in (binary, plain):
            file = ply.read(self.write("t.ply", content))
            np.testing.assert_array_equal(file.columns("x", "y", "z"), np.arange(9).reshape(3, 3))
            np.testing.assert_array_equal(file.triangles, [[2, 1, 0]])
        with self.assertRaisesRegex(ply.PlyError, "corner"):
            ply.read(self.write("t.ply", plain.replace("3 2 1 0", "3 2 1 3")))


class RunFolders(Folder):
    def test_what_a_run_holds(self):
        self.write("manifest.json", json.dumps({"treacle": 1, "fps": 25, "scene": {
            "particle_spacing": 0.1, "materials": {"a": {"color": "#ff0080"}, "b": {}, "..": {}},
            "solids": [{"name": "cup/lid", "invert": True}]}}))
        self.write("frames/frame.0002.ply", "")
        self.write("frames/.frame.0003.ply.tmp", "")
        self.write("frames/frame.10000.ply", "")
        self.write("meshes/b/frame.0001.ply", "")
        self.write("meshes/%2E./frame.0004.ply", "")
        self.write("frame.0005.ply", "")  # not of the material ".."
        self.write("bodies.csv", "frame,time,body,px,py,pz,qw,qx,qy,qz\n1,0,\"cup/lid\",1,2,3,1,0,0,0\n2,0,cup/lid,4,5")
        run = run_folder.Run(self.folder)
        self.assertEqual(run.fps, 25)
        self.assertEqual(sorted(run.frames), [2, 10000])
        self.assertEqual({part: sorted(files) for part, files in run.surfaces.items()}, {"b": [1], "..": [4]})
        self.assertEqual(sorted(run.files("POINTS", "")), [2, 10000])
        self.assertEqual(sorted(run.files("SURFACE", "b")), [1])
        self.assertEqual(run.files("SURFACE", ""), {})
        self.assertEqual(run.materials[0][1], (1, 0, 128 / 255))
        self.assertEqual(run.bodies, [("cup/lid", str(self.folder / "bodies" / "cup%2Flid.ply"), True)])
        self.assertEqual(run.poses, {"cup/lid": [(1, (1, 2, 3), (1, 0, 0, 0))]})   # half a row is ignored

    def test_every_frame_is_a_change(self):
        self.assertIsNone(run_folder.last_change(self.folder))
        os.utime(self.write("manifest.json", "{}"), (100, 100))
        self.assertEqual(run_folder.last_change(self.folder), 100)
        os.utime(self.write("metrics.csv", "frame"), (200, 200))
        self.assertEqual(run_folder.last_change(self.folder), 200)

    def test_looks(self):
        self.assertEqual(run_folder.look_of({"look": "slime", "viscosity": 0.001}), "slime")
        self.assertEqual(run_folder.look_of({"viscosity": 0.001}), "water")
        self.assertEqual(run_folder.look_of({"viscosity": 5, "shear_modulus": 100}), "cream")

    def test_no_run(self):
        with self.assertRaisesRegex(run_folder.RunError, "is no run of treacle"):
            run_folder.Run(self.folder)
        self.write("manifest.json", "{")
        with self.assertRaisesRegex(run_folder.RunError, "manifest.json"):
            run_folder.Run(self.folder)


class Scenes(Folder):
    def test_steady_movements_need_two_keyframes(self):
        still = (1.0, 0.0, 0.0, 0.0)
        straight = [(n / 10, [n * 0.5, 0, 0], still) for n in range(11)]
        self.assertEqual([k["time"] for k in scene_writer.moving_keyframes(straight)], [0, 1])
        bent = straight + [(1 + n / 10, [5, n * 0.5, 0], still) for n in range(1, 11)]
        self.assertEqual([k["time"] for k in scene_writer.moving_keyframes(bent)], [0, 1, 2])
        curved = [(n / 10, [n * n, 0, 0], still) for n in range(5)]
        self.assertEqual(len(scene_writer.moving_keyframes(curved)), 5)
        self.assertEqual(scene_writer.moving_keyframes([(n, [1, 2, 3], still) for n in range(5)]), [])

    def test_turns_are_kept(self):
        half = 0.5 ** 0.5
        samples = [(0, [0, 0, 0], (1, 0, 0, 0)), (1, [0, 0, 0], (half, 0, half, 0)), (2, [0, 0, 0], (0, 0, 1, 0)),
                   (3, [0, 0, 0], (half, 0, -half, 0))]
        self.assertGreaterEqual(len(scene_writer.moving_keyframes(samples)), 3)   # each turn less than half a circle

    def test_shapes(self):
        corners = np.array([(x, y, z) for x in (0, 2) for y in (1, 2) for z in (-1, 1)], dtype=float)
        self.assertEqual(scene_writer.tidy(scene_writer.bounding_shape("box", corners)),
                         {"box": {"center": [1, 1.5, 0], "size": [2, 1, 2]}})
        self.assertEqual(scene_writer.bounding_shape("cylinder", corners)["cylinder"]["height"], 1)
        self.assertEqual(scene_writer.tidy(scene_writer.plane_shape([0, 2, 0], [5, 3, 1])),
                         {"plane": {"normal": [0, 1, 0], "offset": 3}})

    def test_extra_settings(self):
        self.assertEqual(scene_writer.merge({"a": {"b": 1}}, scene_writer.extra_settings('{"a": {"c": 2}}', "x")),
                         {"a": {"b": 1, "c": 2}})
        for text in ("{", "[1]"):
            with self.assertRaisesRegex(scene_writer.ExportError, "cube: "):
                scene_writer.extra_settings(text, "cube")

    def test_colors_and_names(self):
        self.assertEqual(scene_writer.hex_color((1, 0.2158605, 0)), "#ff8000")
        taken = set()
        self.assertEqual([scene_writer.unique_name(n, taken) for n in ("a b", "a.b", "")], ["a_b", "a_b_2", "object"])

    def test_numbers_are_tidy(self):
        path = str(self.folder / "s.json")
        scene_writer.write_scene(path, {"a": 0.30000001192092896, "b": [np.float64(-0.0), 1e-9]})
        self.assertEqual(json.loads(pathlib.Path(path).read_text()), {"a": 0.3, "b": [0.0, 1e-9]})
        self.assertEqual(os.listdir(self.folder), ["s.json"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
