# SPDX-License-Identifier: GPL-2.0-or-later
# Part of treacle. This add-on runs inside Blender and is free software under the GNU General Public License, version 2
# or (at your option) any later version.

"""Brings a run into Blender: one object whose mesh is read anew for every frame, and the solids as animated objects."""

import os

import bpy
import numpy as np
from bpy.app.handlers import persistent

from . import axes, nodes, ply
from .run_folder import Run, RunError, last_change, look_of

_runs = {}   # folder -> (time of its last change, Run): frames of one run share what is the same for all


def open_run(folder):
    """The run in a folder, read again only if it has changed."""
    folder = os.path.abspath(bpy.path.abspath(folder))
    changed = last_change(folder)
    known = _runs.get(folder)
    if not known or known[0] != changed or changed is None:
        known = _runs[folder] = (changed, Run(folder))
    return known[1]


# ------------------------------------------------------------------------------------------------- one frame

def _vector_names(names):
    """{quantity: its three columns} for a_x a_y a_z, and velocity for vx vy vz."""
    vectors = {"velocity": ("vx", "vy", "vz")} if {"vx", "vy", "vz"} <= set(names) else {}
    for name in names:
        stem = name[:-2]
        if name.endswith("_x") and stem and {stem + "_y", stem + "_z"} <= set(names):
            vectors[stem] = (stem + "_x", stem + "_y", stem + "_z")
    return vectors


def _attribute(mesh, name, kind):
    existing = mesh.attributes.get(name)
    if existing and (existing.data_type != kind or existing.domain != "POINT"):
        mesh.attributes.remove(existing)
        existing = None
    return existing or mesh.attributes.new(name, kind, "POINT")


def _fill_attributes(mesh, file):
    names = file.vertices.dtype.names
    vectors = _vector_names(names)
    for name, columns in vectors.items():
        values = axes.to_blender(file.columns(*columns))
        _attribute(mesh, name, "FLOAT_VECTOR").data.foreach_set("vector", values.ravel())
    taken = {"x", "y", "z", "nx", "ny", "nz"} | {column for columns in vectors.values() for column in columns}
    if {"red", "green", "blue"} <= set(names):
        color = np.ones((len(file.vertices), 4), dtype=np.float32)
        code = file.columns("red", "green", "blue")
        scale = 255.0 if file.vertices.dtype["red"].kind == "u" else 1.0
        color[:, :3] = (code / scale) ** 2.2
        _attribute(mesh, "color", "FLOAT_COLOR").data.foreach_set("color", color.ravel())
        taken |= {"red", "green", "blue", "alpha"}
    for name in names:
        if name in taken:
            continue
        integer = file.vertices.dtype[name].kind in "iu"
        values = np.ascontiguousarray(file.vertices[name], dtype=np.int32 if integer else np.float32)
        _attribute(mesh, name, "INT" if integer else "FLOAT").data.foreach_set("value", values)


def _fill_faces(mesh, triangles):
    count = len(triangles)
    mesh.loops.add(3 * count)
    mesh.polygons.add(count)
    mesh.loops.foreach_set("vertex_index", np.ascontiguousarray(triangles, dtype=np.int32).ravel())
    mesh.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
    try:
        mesh.polygons.foreach_set("loop_total", np.full(count, 3, dtype=np.int32))
    except (AttributeError, RuntimeError, TypeError):
        pass   # Blender 4.1 and later know it from the starts
    mesh.polygons.foreach_set("use_smooth", np.ones(count, dtype=bool))


def fill_mesh(mesh, file):
    """Makes a mesh hold what a PLY file holds: points with all their columns, and triangles if there are any."""
    count = len(file.vertices)
    triangles = file.triangles if file.triangles is not None and len(file.triangles) else None
    if len(mesh.vertices) != count or len(mesh.polygons) or triangles is not None:
        mesh.clear_geometry()
        mesh.vertices.add(count)
    if count:
        positions = axes.to_blender(file.columns("x", "y", "z"))
        mesh.vertices.foreach_set("co", positions.ravel())
    if triangles is not None:
        _fill_faces(mesh, triangles)
    _fill_attributes(mesh, file)
    mesh.update()
    if triangles is not None:
        mesh.update(calc_edges=True)


def wanted_frame(available, frame):
    """The frame to show: the one asked for or the last before it; the first if there is none before."""
    if frame in available:
        return frame
    before = [number for number in available if number < frame]
    return max(before) if before else min(available, default=None)


def load_frame(target, frame):
    """Shows a frame of the run in an imported object. Returns what went wrong, or nothing: a damaged file must not stop
    an animation, so the object then keeps what it shows."""
    settings = target.treacle_run
    try:
        run = open_run(settings.folder)
        files = run.files(settings.kind, settings.part)
        number = wanted_frame(files, frame - settings.first_frame + 1)
        if number is None:
            return f"{settings.folder}: holds no {'surfaces' if settings.kind == 'SURFACE' else 'frames'}"
        if settings.shown == files[number]:
            return ""   # as after the last frame
        fill_mesh(target.data, ply.read(files[number]))
        settings.shown = files[number]
    except (RunError, ply.PlyError, OSError) as error:
        return str(error)
    return ""


@persistent
def on_frame_change(scene, *_):
    for target in scene.objects:
        if target.type != "MESH" or not target.treacle_run.folder:
            continue
        problem = load_frame(target, scene.frame_current)
        if problem != target.treacle_run.problem:
            target.treacle_run.problem = problem
            if problem:
                print("treacle:", problem)


# ------------------------------------------------------------------------------------------------- import

def _import_bodies(run, collection, first_frame):
    for name, path, inverted in run.bodies:
        try:
            file = ply.read(path)
        except (ply.PlyError, OSError) as error:
            print("treacle:", error)
            continue
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(axes.to_blender(file.columns("x", "y", "z")).tolist(), [],
                         [] if file.triangles is None else file.triangles.tolist())
        mesh.materials.append(nodes.container_material() if inverted else nodes.solid_material())
        body = bpy.data.objects.new(name, mesh)
        collection.objects.link(body)
        body.rotation_mode = "QUATERNION"
        if inverted:
            body.display_type = "WIRE"
        poses = run.poses.get(name, [])
        last = None
        for n, (frame, position, rotation) in enumerate(poses):
            following = poses[n + 1][1:] if n + 1 < len(poses) else None
            if last == (position, rotation) and following in (None, last):
                continue   # at rest: the keyframes before and after say it
            body.location = axes.to_blender(np.array(position)).tolist()
            body.rotation_quaternion = axes.rotation_to_blender(rotation)
            if any(pose[1:] != poses[0][1:] for pose in poses):
                body.keyframe_insert("location", frame=frame + first_frame - 1)
                body.keyframe_insert("rotation_quaternion", frame=frame + first_frame - 1)
            last = (position, rotation)


def _fluid_object(run, kind, part, first_frame, instances):
    name = part or run.name
    mesh = bpy.data.meshes.new(name)
    target = bpy.data.objects.new(name, mesh)
    materials = [material for material in run.materials if not part or material[0] == part]
    look = look_of(materials[0][2]) if materials else "syrup"
    colors = [color for _, color, _ in materials]
    material = nodes.fluid_material(name, colors, look, run.spacing, opaque=kind == "POINTS")
    mesh.materials.append(material)
    settings = target.treacle_run
    settings.kind, settings.part, settings.first_frame = kind, part, first_frame
    settings.folder = run.folder   # last, since from now on the object shows what it is told to
    if kind == "POINTS":
        modifier = target.modifiers.new("treacle particles", "NODES")
        modifier.node_group = nodes.spheres_group(material, run.spacing / 2, name, instances, sized="size" in mesh.attributes)
    return target


def import_run(context, folder, kind="AUTO", instances=False, adapt_scene=True, bodies=True, first_frame=1):
    """Returns the new object, the last of them if materials have surfaces of their own. `kind` is POINTS, SURFACE or
    AUTO (surfaces if there are any)."""
    run = open_run(folder)
    if kind == "AUTO":
        kind = "SURFACE" if run.surfaces else "POINTS"
    parts = list(run.surfaces) if kind == "SURFACE" else [""]
    files = [frame for part in parts for frame in run.files(kind, part)]
    if not files:
        wanted = "surfaces; make them with `treacle mesh`" if kind == "SURFACE" else "frames as ply"
        raise RunError(f"{run.folder}: holds no {wanted}")
    scene = context.scene
    if adapt_scene:
        whole = max(1, round(run.fps))
        scene.render.fps = whole
        scene.render.fps_base = whole / run.fps
        scene.frame_start, scene.frame_end = first_frame, first_frame + max(files) - 1
    collection = bpy.data.collections.new(run.name)
    scene.collection.children.link(collection)
    for other in context.selected_objects:
        other.select_set(False)
    for part in parts:
        target = _fluid_object(run, kind, part, first_frame, instances)
        collection.objects.link(target)
        problem = load_frame(target, scene.frame_current)
        if problem:
            raise RunError(problem)
        target.select_set(True)
        context.view_layer.objects.active = target
    if bodies:
        _import_bodies(run, collection, first_frame)
    return target


def register():
    bpy.app.handlers.frame_change_pre.append(on_frame_change)


def unregister():
    bpy.app.handlers.frame_change_pre.remove(on_frame_change)
