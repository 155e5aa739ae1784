"""The add-on inside the real program: blender -b --factory-startup --python-exit-code 1 -P blender_test.py -- TREACLE ZIP OUT

TREACLE is the program, ZIP the packed add-on, OUT a folder for the files of the tests (pictures to look at stay there).
Run by ./test --blender.
"""

import json
import os
import subprocess
import sys
import time
import unittest

import bpy
import numpy as np

TREACLE, ZIP, OUT = sys.argv[sys.argv.index("--") + 1:][:3]

SCENE = {
    "treacle": 1, "method": "clavet2005", "particle_spacing": 0.02, "time": {"duration": 0.2, "fps": 20},
    "materials": {"honey": {"viscosity": 5, "color": "#d08a28"}, "milk": {"viscosity": 1, "color": "#f0f0ff"}},
    "fluids": [{"material": "honey", "velocity": [0.5, 0, 0], "shape": {"box": {"center": [0, 0.3, 0.1], "size": [0.1, 0.1, 0.2]}}},
               {"material": "milk", "shape": {"box": {"center": [0.2, 0.3, 0.1], "size": [0.1, 0.1, 0.1]}}}],
    "solids": [{"name": "floor", "shape": {"plane": {"normal": [0, 1, 0], "offset": 0}}},
               {"name": "arm", "shape": {"box": {"center": [0, 0.1, 0], "size": [0.05, 0.1, 0.3]}},
                "motion": {"keyframes": [{"time": 0}, {"time": 0.2, "position": [0, 0, 0.4], "rotation": [0, 40, 0]}]}}],
}


def cpu(work):
    start, wall = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - start, time.perf_counter() - wall


def treacle(*arguments):
    done = subprocess.run([TREACLE, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def make_run():
    """A small run of the program itself."""
    folder = os.path.join(OUT, "run")
    if not os.path.exists(os.path.join(folder, "summary.json")):
        path = os.path.join(OUT, "small.json")
        with open(path, "w") as file:
            json.dump(SCENE, file)
        code, text = treacle("run", path, "-o", folder, "--quiet", "--no-preview")
        assert code == 0, text
    return folder


def write_fake_run(name, frames, count, positions=None, velocity=(0, 0, 0), spacing=0.01, fps=24, sizes=None):
    """A run folder like those of the program, of any size; with the column "size" if sizes of particles are given."""
    folder = os.path.join(OUT, name)
    os.makedirs(os.path.join(folder, "frames"), exist_ok=True)
    with open(os.path.join(folder, "manifest.json"), "w") as file:
        json.dump({"treacle": 1, "fps": fps, "scene": {"name": name, "particle_spacing": spacing, "materials": {"honey": {}}}}, file)
    row = np.dtype([(n, "<f4") for n in ("x", "y", "z", "vx", "vy", "vz")] + [("id", "<u4"), ("material", "u1"), ("density", "<f4")] +
                   ([] if sizes is None else [("size", "<f4")]))
    rows = np.zeros(count, dtype=row)
    random = np.random.default_rng(1)
    start = random.random((count, 3)) if positions is None else np.array(positions)
    rows["id"], rows["density"] = np.arange(count), 1000
    if sizes is not None:
        rows["size"] = sizes
    for axis, value in zip(("vx", "vy", "vz"), velocity):
        rows[axis] = value
    header = f"ply\nformat binary_little_endian 1.0\nelement vertex {count}\n" + "".join(
        f"property {'float' if row[n].kind == 'f' else 'uint' if row[n].itemsize == 4 else 'uchar'} {n}\n" for n in row.names) + "end_header\n"
    for frame in range(1, frames + 1):
        for axis, n in enumerate("xyz"):
            rows[n] = start[:, axis] + (frame - 1) / fps * velocity[axis]
        with open(os.path.join(folder, "frames", f"frame.{frame:04d}.ply"), "wb") as file:
            file.write(header.encode() + rows.tobytes())
    return folder


def attribute(mesh, name, member, width=1):
    values = np.empty(len(mesh.vertices) * width, dtype=np.float32 if member != "value_int" else np.int32)
    mesh.attributes[name].data.foreach_get("value" if member == "value_int" else member, values)
    return values.reshape(-1, width) if width > 1 else values


def positions_of(mesh):
    values = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", values)
    return values.reshape(-1, 3)


class BlenderTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        bpy.ops.preferences.addon_install(filepath=ZIP, overwrite=True)
        bpy.ops.preferences.addon_enable(module="treacle")

    def setUp(self):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)
        if not hasattr(bpy.types.Object, "treacle_run"):
            bpy.ops.preferences.addon_enable(module="treacle")

    # --------------------------------------------------------------------------------------- import

    def import_run(self, folder, **options):
        self.assertEqual(bpy.ops.import_scene.treacle(directory=folder, **options), {"FINISHED"})
        return bpy.context.view_layer.objects.active

    def test_import_follows_the_timeline(self):
        from treacle import ply
        folder = make_run()
        target = self.import_run(folder)
        scene = bpy.context.scene
        self.assertAlmostEqual(scene.render.fps / scene.render.fps_base, 20)
        self.assertEqual((scene.frame_start, scene.frame_end), (1, 5))
        for frame in (1, 5, 3):
            scene.frame_set(frame)
            file = ply.read(os.path.join(folder, f"frames/frame.{frame:04d}.ply"))
            expected = np.column_stack([file.vertices["x"], -file.vertices["z"], file.vertices["y"]])
            np.testing.assert_array_equal(positions_of(target.data), expected)
            velocity = np.column_stack([file.vertices["vx"], -file.vertices["vz"], file.vertices["vy"]])
            np.testing.assert_array_equal(attribute(target.data, "velocity", "vector", 3), velocity)
            np.testing.assert_array_equal(attribute(target.data, "density", "value"), file.vertices["density"])
            np.testing.assert_array_equal(attribute(target.data, "id", "value_int"), file.vertices["id"])
            self.assertEqual(set(attribute(target.data, "material", "value_int")), {0, 1})
        scene.frame_set(99)   # after the end, the last frame stays
        self.assertEqual(target.treacle_run.shown, os.path.join(folder, "frames/frame.0005.ply"))

    def test_points_become_instances(self):
        target = self.import_run(make_run(), instances=True)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        scales = [i.matrix_world.to_scale()[0] for i in depsgraph.object_instances if i.is_instance]
        self.assertEqual(len(scales), len(target.data.vertices))
        np.testing.assert_allclose(scales, 0.01, rtol=1e-5)

    def test_halved_particles_are_smaller(self):
        sizes = np.array([1, 0.5, 0.25], dtype=np.float32)
        folder = write_fake_run("halved", 1, 3, positions=[(0, 0, 0), (1, 0, 0), (2, 0, 0)], spacing=0.1, sizes=sizes)
        self.import_run(folder, instances=True)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        scales = {round(i.matrix_world.translation[0]): i.matrix_world.to_scale()[0] for i in depsgraph.object_instances if i.is_instance}
        np.testing.assert_allclose([scales[0], scales[1], scales[2]], 0.05 * sizes, rtol=1e-5)

    def test_solids_move(self):
        self.import_run(make_run())
        arm = bpy.data.objects["arm"]
        bpy.context.scene.frame_set(5)
        location = arm.matrix_world.translation
        np.testing.assert_allclose(location, (0, -0.4, 0), atol=1e-6)   # z of treacle is -y of Blender
        angle = np.degrees(arm.matrix_world.to_quaternion().angle)
        self.assertAlmostEqual(angle, 40, places=3)
        np.testing.assert_allclose(arm.matrix_world.to_quaternion().axis, (0, 0, 1), atol=1e-5)   # about the vertical
        corners = np.array([v.co for v in arm.data.vertices])
        np.testing.assert_allclose(corners.max(axis=0) - corners.min(axis=0), (0.05, 0.3, 0.1), atol=1e-6)
        self.assertIsNone(bpy.data.objects["floor"].animation_data)

    def test_a_surface_with_colors(self):
        folder = write_fake_run("surface", 1, 10)
        os.makedirs(os.path.join(folder, "mesh"), exist_ok=True)
        row = np.dtype([(n, "<f4") for n in ("x", "y", "z", "vx", "vy", "vz", "stress")] + [(n, "u1") for n in ("red", "green", "blue")])
        rows = np.zeros(4, dtype=row)
        rows["x"], rows["y"], rows["z"] = (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)
        rows["vy"], rows["red"], rows["stress"] = 2, 255, 7
        faces = np.zeros(4, dtype=[("n", "u1"), ("corners", "<i4", (3,))])
        faces["n"], faces["corners"] = 3, ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
        header = "ply\nformat binary_little_endian 1.0\nelement vertex 4\n" + "".join(
            f"property {'float' if row[n].kind == 'f' else 'uchar'} {n}\n" for n in row.names) + \
            "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
        for frame in (1, 2):
            with open(os.path.join(folder, "mesh", f"surface.{frame:04d}.ply"), "wb") as file:
                file.write(header.encode() + rows.tobytes() + faces.tobytes())
        target = self.import_run(folder)
        self.assertEqual(target.treacle_run.kind, "SURFACE")
        for frame in (2, 1, 2):
            bpy.context.scene.frame_set(frame)
            self.assertEqual(len(target.data.polygons), 4)
            self.assertFalse(target.data.validate())   # nothing to repair
            np.testing.assert_array_equal(attribute(target.data, "velocity", "vector", 3), [(0, 0, 2)] * 4)
            np.testing.assert_array_equal(attribute(target.data, "stress", "value"), [7] * 4)
            np.testing.assert_allclose(attribute(target.data, "color", "color", 4), [(1, 0, 0, 1)] * 4)

    def test_damaged_and_missing_frames(self):
        folder = write_fake_run("damaged", 4, 20)
        with open(os.path.join(folder, "frames/frame.0002.ply"), "r+b") as file:
            file.truncate(400)
        os.remove(os.path.join(folder, "frames/frame.0003.ply"))
        target = self.import_run(folder)
        bpy.context.scene.frame_set(2)
        self.assertIn("frame.0002.ply", target.treacle_run.problem)
        self.assertEqual(len(target.data.vertices), 20)   # as before
        bpy.context.scene.frame_set(4)
        self.assertEqual(target.treacle_run.problem, "")
        empty = os.path.join(OUT, "nothing_here")
        os.makedirs(empty, exist_ok=True)
        with self.assertRaisesRegex(RuntimeError, "is no run of treacle"):
            bpy.ops.import_scene.treacle(directory=empty)

    def test_speed(self):
        """250 frames of 100000 particles: printed, not asserted, because machines differ."""
        seconds = {}
        for count in (25000, 100000):
            folder = write_fake_run(f"large_{count}", 250, count)
            def play():
                self.import_run(folder)
                for frame in range(1, 251):
                    bpy.context.scene.frame_set(frame)
            seconds[count] = cpu(play)
            self.setUp()
        for count, (used, wall) in seconds.items():
            print(f"SPEED 250 frames of {count} particles: {used:.1f} CPU s, {wall:.1f} s on the clock")
        for count in seconds:
            subprocess.run(["rm", "-rf", os.path.join(OUT, f"large_{count}")])

    # --------------------------------------------------------------------------------------- pictures

    def render(self, name, width=200, height=200, samples=64):
        scene = bpy.context.scene
        scene.render.engine = "CYCLES"
        scene.cycles.device = "CPU"
        scene.cycles.samples = samples
        scene.cycles.use_denoising = False   # Debian's Blender has no denoiser
        scene.render.resolution_x, scene.render.resolution_y = width, height
        scene.render.resolution_percentage = 100
        scene.render.filepath = os.path.join(OUT, name + ".png")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        pixels = np.empty(width * height * 4, dtype=np.float32)
        image.pixels.foreach_get(pixels)
        return pixels.reshape(height, width, 4)

    def camera_from_above(self, width):
        camera = bpy.data.cameras.new("camera")
        camera.type, camera.ortho_scale = "ORTHO", width
        target = bpy.data.objects.new("camera", camera)
        target.location = (0, 0, 5)
        bpy.context.scene.collection.objects.link(target)
        bpy.context.scene.camera = target
        world = bpy.data.worlds.new("world")
        bpy.context.scene.world = world
        world.use_nodes = True
        world.node_tree.nodes["Background"].inputs[0].default_value = (1, 1, 1, 1)
        bpy.context.scene.render.film_transparent = True

    def width_of_ball(self, **options):
        """Width of one ball of 0.2 m that flies at 12 m/s to the right; the shutter is open half a frame of 1/24 s."""
        folder = write_fake_run("fast", 3, 1, positions=[(0, 0, 0)], velocity=(12, 0, 0), spacing=0.2)
        self.import_run(folder, **options)
        scene = bpy.context.scene
        scene.frame_set(1)
        self.camera_from_above(2.0)
        scene.render.use_motion_blur = True
        scene.render.motion_blur_shutter = 0.5
        covered = self.render("blur", samples=256)[:, :, 3].max(axis=0) > 0.02
        return covered.sum() * 2.0 / len(covered)

    def test_velocity_blurs(self):
        blurred = self.width_of_ball()
        self.setUp()
        still = self.width_of_ball(instances=True)
        print(f"BLUR width of the ball: {blurred:.3f} m blurred, {still:.3f} m as instances")
        self.assertAlmostEqual(still, 0.2, delta=0.03)
        self.assertAlmostEqual(blurred, 0.2 + 12 * 0.5 / 24, delta=0.05)

    def test_an_animation_moves(self):
        """Rendered as a sequence, every picture shows its own frame."""
        folder = write_fake_run("moving", 3, 1, positions=[(-0.5, 0, 0)], velocity=(12, 0, 0), spacing=0.2)
        self.import_run(folder)
        self.camera_from_above(2.0)
        scene = bpy.context.scene
        scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 4, False
        scene.render.resolution_x = scene.render.resolution_y = 100
        scene.render.filepath = os.path.join(OUT, "moving_")
        bpy.ops.render.render(animation=True)
        for frame in (1, 2, 3):
            image = bpy.data.images.load(os.path.join(OUT, f"moving_{frame:04d}.png"))
            pixels = np.empty(100 * 100 * 4, dtype=np.float32)
            image.pixels.foreach_get(pixels)
            columns = np.nonzero(pixels.reshape(100, 100, 4)[:, :, 3].max(axis=0) > 0.5)[0]
            self.assertAlmostEqual((columns.mean() + 0.5) / 50 - 1, -0.5 + (frame - 1) * 0.5, delta=0.03)

    # --------------------------------------------------------------------------------------- export

    def test_export_checks_and_runs(self):
        scene = bpy.context.scene
        scene.render.fps, scene.frame_start, scene.frame_end = 20, 1, 5
        scene.treacle.particle_spacing = 0.04
        honey = bpy.data.materials.new("honey")
        honey.treacle.viscosity, honey.treacle.density = 8, 1400
        honey["treacle_shear_modulus"] = 100.0
        honey.treacle.relaxation_time = 0.5
        honey.diffuse_color = (1, 0.2, 0, 1)

        def add(operator, role, name, **settings):
            operator()
            target = bpy.context.object
            target.name = name
            target.treacle.role = role
            for key, value in settings.items():
                setattr(target.treacle, key, value)
            return target

        cube = bpy.ops.mesh.primitive_cube_add
        fluid = add(lambda: cube(size=0.3, location=(0, 0, 0.5)), "FLUID", "blob", velocity=(0, 0, -1))
        fluid.data.materials.append(honey)
        fluid.rotation_euler = (0, 0, 0.3)
        nozzle = add(lambda: bpy.ops.mesh.primitive_circle_add(radius=0.1, location=(0.6, 0, 0.9)), "EMITTER", "nozzle", speed=1.0, end=0.1)
        nozzle.data.materials.append(honey)
        add(lambda: bpy.ops.mesh.primitive_plane_add(size=4, location=(0, 0, 0)), "SOLID", "floor", no_slip=True)
        add(lambda: bpy.ops.mesh.primitive_uv_sphere_add(radius=0.15, location=(-0.5, 0, 0.2)), "SOLID", "ball", dynamic=True)
        torus = add(lambda: bpy.ops.mesh.primitive_torus_add(major_radius=0.3, minor_radius=0.1, location=(0, 0.8, 0.1)),
                    "SOLID", "ring", extra='{"adhesion": 2}')
        torus.scale = (1, 0.5, 1)
        paddle = add(lambda: cube(size=0.2, location=(0.5, -0.6, 0.2)), "SOLID", "paddle", friction=0.1)
        paddle.keyframe_insert("location", frame=1)
        paddle.keyframe_insert("rotation_euler", frame=1)
        paddle.location.x, paddle.rotation_euler.z = 0.1, 1.0
        paddle.keyframe_insert("location", frame=5)
        paddle.keyframe_insert("rotation_euler", frame=5)
        bpy.context.view_layer.update()

        path = os.path.join(OUT, "from_blender.json")
        self.assertEqual(bpy.ops.export_scene.treacle(filepath=path), {"FINISHED"})
        with open(path) as file:
            written = json.load(file)
        self.assertEqual(written["gravity"], [0, -9.81, 0])
        self.assertEqual(written["time"], {"duration": 0.2, "fps": 20})
        self.assertEqual(written["materials"]["honey"], {"density": 1400, "viscosity": 8, "shear_modulus": 100,
                                                         "relaxation_time": 0.5, "color": "#ff7c00"})
        box = written["fluids"][0]
        np.testing.assert_allclose(box["shape"]["box"]["size"], (0.3, 0.3, 0.3), atol=1e-6)
        np.testing.assert_allclose(box["shape"]["transform"]["translate"], (0, 0.5, 0), atol=1e-6)
        np.testing.assert_allclose(box["velocity"], (0, -1, 0))
        solids = {solid["name"]: solid for solid in written["solids"]}
        self.assertEqual(solids["floor"]["shape"], {"plane": {"normal": [0, 1, 0], "offset": 0}})
        self.assertEqual(solids["floor"]["friction"], "no_slip")
        self.assertAlmostEqual(solids["ball"]["shape"]["sphere"]["radius"], 0.15, places=5)
        self.assertEqual(solids["ring"]["adhesion"], 2)
        keyframes = solids["paddle"]["motion"]["keyframes"]
        np.testing.assert_allclose(keyframes[0]["position"], (0.5, 0.2, 0.6), atol=1e-6)
        np.testing.assert_allclose(keyframes[-1]["position"], (0.1, 0.2, 0.6), atol=1e-6)
        np.testing.assert_allclose(written["emitters"][0]["direction"], (0, -1, 0), atol=1e-6)
        self.assertAlmostEqual(written["emitters"][0]["shape"]["disk"]["radius"], 0.1, places=5)

        code, text = treacle("check", path)
        self.assertEqual(code, 0, text)
        folder = os.path.join(OUT, "from_blender")
        code, text = treacle("run", path, "-o", folder, "--quiet", "--no-preview")
        self.assertEqual(code, 0, text)

        # And back: imported objects are where they were.
        self.setUp()
        target = self.import_run(folder)
        bpy.context.scene.frame_set(1)
        np.testing.assert_allclose(positions_of(target.data)[:300].mean(axis=0)[2], 0.5, atol=0.05)
        bpy.context.scene.frame_set(5)
        np.testing.assert_allclose(bpy.data.objects["paddle"].matrix_world.translation, (0.1, -0.6, 0.2), atol=1e-5)
        ring = np.array([v.co for v in bpy.data.objects["ring"].data.vertices])
        np.testing.assert_allclose(ring.mean(axis=0), (0, 0.8, 0.1), atol=1e-3)

    def test_export_says_what_is_missing(self):
        path = os.path.join(OUT, "nothing.json")
        with self.assertRaisesRegex(RuntimeError, "no object is a fluid or an emitter"):
            bpy.ops.export_scene.treacle(filepath=path)
        bpy.ops.mesh.primitive_cube_add()
        bpy.context.object.treacle.role = "FLUID"
        with self.assertRaisesRegex(RuntimeError, "Cube: a fluid and an emitter need a material"):
            bpy.ops.export_scene.treacle(filepath=path)
        self.assertFalse(os.path.exists(path))


suite = unittest.defaultTestLoader.loadTestsFromTestCase(BlenderTest)
if len(sys.argv[sys.argv.index("--") + 1:]) > 3:
    chosen = sys.argv[sys.argv.index("--") + 4]
    suite = unittest.TestSuite(test for test in suite if chosen in test.id())
if not unittest.TextTestRunner(verbosity=2, stream=sys.stdout).run(suite).wasSuccessful():
    sys.exit(1)
