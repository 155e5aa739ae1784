"""Renders one frame of a run with the add-on and Cycles, for the documents:

    blender -b --factory-startup -P tools/blender_picture.py -- RUN FRAME PICTURE [points|instances|surface] [blur] [samples=64]
"""

import math
import pathlib
import sys

import bpy
from mathutils import Vector

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "addons" / "blender"))
import treacle   # noqa: E402

arguments = sys.argv[sys.argv.index("--") + 1:]
run, frame, picture = arguments[0], int(arguments[1]), str(pathlib.Path(arguments[2]).resolve())
kind = arguments[3] if len(arguments) > 3 else "points"

bpy.ops.wm.read_homefile(use_empty=True)
treacle.register()
bpy.ops.import_scene.treacle(directory=run, kind="SURFACE" if kind == "surface" else "POINTS",
                             instances=kind == "instances")
fluid = bpy.context.view_layer.objects.active
scene = bpy.context.scene
scene.frame_set(frame)

points = [vertex.co for vertex in fluid.data.vertices]
low, high = (Vector([f(axis) for axis in zip(*points)]) for f in (min, max))
center, size = (low + high) / 2, (high - low).length
camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.location = center + Vector((0.5, -1.0, 0.45)).normalized() * size * 1.9
camera.rotation_euler = (center - camera.location).to_track_quat("-Z", "Y").to_euler()
scene.collection.objects.link(camera)
scene.camera = camera
sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
sun.data.energy, sun.data.angle = 3, math.radians(8)
sun.rotation_euler = (math.radians(40), math.radians(15), 0)
scene.collection.objects.link(sun)
scene.world = bpy.data.worlds.new("sky")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.55, 0.65, 0.8, 1)
scene.world.node_tree.nodes["Background"].inputs[1].default_value = 0.8

scene.render.engine = "CYCLES"
scene.cycles.samples = next((int(a[8:]) for a in arguments if a.startswith("samples=")), 64)
scene.cycles.use_denoising = False
scene.render.use_motion_blur = "blur" in arguments
scene.view_settings.view_transform = "Standard"
scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 480, 300, 100
scene.render.filepath = picture
bpy.ops.render.render(write_still=True)
