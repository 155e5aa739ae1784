# SPDX-License-Identifier: GPL-2.0-or-later
# Part of treacle. This add-on runs inside Blender and is free software under the GNU General Public License, version 2
# or (at your option) any later version.

"""Turns a Blender scene into a scene file of treacle."""

import os

import numpy as np
from mathutils import Vector

from . import axes, scene_writer
from .scene_writer import ExportError

_UP = Vector((0.0, 0.0, 1.0))


def _pose(target):
    """Position and rotation in treacle's axes."""
    location, rotation, _ = target.matrix_world.decompose()
    return (axes.to_treacle(np.array(location)).tolist(), axes.rotation_to_treacle(tuple(rotation)))


def _geometry(target, depsgraph):
    """Vertices and triangles of an object with its modifiers, in the frame of its pose, in treacle's axes."""
    evaluated = target.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        mesh.calc_loop_triangles()
        vertices = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", vertices)
        triangles = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", triangles)
    finally:
        evaluated.to_mesh_clear()
    _, rotation, _ = target.matrix_world.decompose()
    # Scale and shear are drawn into the shape; a pose has none.
    local = np.array(rotation.to_matrix().transposed() @ target.matrix_world.to_3x3())
    return axes.to_treacle(vertices.reshape(-1, 3).astype(float) @ local.T), triangles.reshape(-1, 3)


def guess_shape(vertices, role):
    """box, sphere or plane if a mesh is one, otherwise mesh. `vertices` are unrotated."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    size = high - low
    largest = float(size.max())
    if size[1] < 1e-5 * largest and role in ("SOLID", "SINK"):   # y is Blender's z here
        return "plane"
    corner = np.minimum(abs(vertices - low), abs(vertices - high)).max()
    if len(vertices) == 8 and corner < 1e-5 * largest:
        return "box"
    distance = np.linalg.norm(vertices - (low + high) / 2, axis=1)
    if len(vertices) >= 40 and distance.max() - distance.min() < 1e-3 * largest:
        return "sphere"
    return "mesh"


class _Exporter:
    def __init__(self, context, path):
        self.context, self.scene = context, context.scene
        self.path = path
        self.stem = os.path.splitext(os.path.basename(path))[0]
        self.fps = self.scene.render.fps / self.scene.render.fps_base
        self.materials, self.names, self.meshes = {}, set(), {}

    # ------------------------------------------------------------------------------------------ materials

    def material(self, target):
        slot = target.active_material
        if not slot:
            raise ExportError(f"{target.name}: a fluid and an emitter need a material; give the object one and set its "
                              "density and viscosity under Material > treacle")
        name = slot.name
        if name in self.materials:
            return name
        settings = {}
        for key in scene_writer.MATERIAL_KEYS:
            value = getattr(slot.treacle, key, 0.0)
            custom = slot.get("treacle_" + key)   # custom properties win: scripts can set them without this add-on
            if custom is not None:
                value = float(custom)
            if value > 0:
                settings[key] = value
        settings["color"] = scene_writer.hex_color(slot.diffuse_color)
        scene_writer.merge(settings, scene_writer.extra_settings(slot.treacle.extra, name))
        self.materials[name] = settings
        return name

    # ------------------------------------------------------------------------------------------ shapes

    def shape(self, target, role, posed):
        """The shape of an object; `posed` if a motion puts it in its place."""
        position, rotation = _pose(target)
        kind = target.treacle.shape.lower()
        if target.type != "MESH":
            raise ExportError(f"{target.name}: only mesh objects have a shape; convert it to a mesh first")
        vertices, triangles = _geometry(target, self.context.evaluated_depsgraph_get())
        if not len(vertices):
            raise ExportError(f"{target.name}: the mesh is empty")
        if kind == "auto":
            kind = guess_shape(vertices, role)
        if kind == "plane":
            if posed:
                raise ExportError(f"{target.name}: a plane is infinite and cannot move; give it some thickness")
            normal = np.array((target.matrix_world.to_3x3() @ _UP).normalized())
            return scene_writer.plane_shape(axes.to_treacle(normal), position)
        if kind == "mesh":
            shape = {"mesh": self.mesh_file(target, vertices, triangles)}
        else:
            shape = scene_writer.bounding_shape(kind, vertices)
        if not posed:
            shape["transform"] = {"rotate": {"quaternion": list(rotation)}, "translate": position}
        return shape

    def mesh_file(self, target, vertices, triangles):
        folder = self.stem + "_meshes"
        name = folder + "/" + scene_writer.unique_name(target.name, self.names) + ".obj"
        self.meshes[name] = (vertices, triangles)
        return name

    # ------------------------------------------------------------------------------------------ motion

    def samples(self, targets):
        """{name: [(time, position, rotation)]} of every frame, for all of them in one pass."""
        now = self.scene.frame_current
        found = {target.name: [] for target in targets}
        for frame in range(self.scene.frame_start, self.scene.frame_end + 1):
            self.scene.frame_set(frame)
            for target in targets:
                found[target.name].append(((frame - self.scene.frame_start) / self.fps, *_pose(target)))
        self.scene.frame_set(now)
        return found

    # ------------------------------------------------------------------------------------------ objects

    def fluid(self, target):
        fluid = {"material": self.material(target), "shape": self.shape(target, "FLUID", False)}
        if any(target.treacle.velocity):
            fluid["velocity"] = axes.to_treacle(np.array(target.treacle.velocity)).tolist()
        return fluid

    def emitter(self, target, keyframes):
        position, rotation = _pose(target)
        settings = target.treacle
        if target.type == "EMPTY":
            radius = target.empty_display_size * max(target.matrix_world.to_scale())
        else:
            vertices, _ = _geometry(target, self.context.evaluated_depsgraph_get())
            radius = float(np.linalg.norm(vertices[:, [0, 2]], axis=1).max())
        down = (target.matrix_world.to_3x3() @ -_UP).normalized()   # along -Z, as lamps and cameras look
        emitter = {"material": self.material(target), "shape": {"disk": {"radius": radius}}, "position": position,
                   "direction": axes.to_treacle(np.array(down)).tolist(), "speed": settings.speed}
        if keyframes:
            emitter |= {"position": [0, 0, 0], "direction": [0, -1, 0], "motion": {"keyframes": keyframes}}
        if settings.start > 0:
            emitter["start"] = settings.start
        if settings.end > 0:
            emitter["end"] = settings.end
        return emitter

    def solid(self, target, keyframes):
        settings = target.treacle
        solid = {"name": scene_writer.unique_name(target.name, self.solids),
                 "shape": self.shape(target, "SOLID", bool(keyframes)),
                 "friction": "no_slip" if settings.no_slip else settings.friction}
        if settings.adhesion:
            solid["adhesion"] = settings.adhesion
        if settings.invert:
            solid["invert"] = True
        if settings.dynamic:
            solid["motion"] = {"dynamic": {"density": settings.density}}
        elif keyframes:
            solid["motion"] = {"keyframes": keyframes}
        return solid

    def export(self):
        scene, settings = self.scene, self.scene.treacle
        roles = {role: [o for o in scene.objects if o.treacle.role == role]
                 for role in ("FLUID", "EMITTER", "SOLID", "SINK")}
        if not roles["FLUID"] and not roles["EMITTER"]:
            raise ExportError("no object is a fluid or an emitter; choose roles under Object > treacle")
        now = scene.frame_current
        movers = [o for o in roles["EMITTER"] + roles["SOLID"] if not o.treacle.dynamic]
        keyframes = {name: scene_writer.moving_keyframes(samples) for name, samples in self.samples(movers).items()}
        scene.frame_set(scene.frame_start)
        self.solids = set()
        try:
            gravity = np.array(scene.gravity) if scene.use_gravity else np.zeros(3)
            result = {
                "treacle": 1,
                "name": self.stem,
                "method": settings.method,
                "dimension": 3,
                "particle_spacing": settings.particle_spacing,
                "gravity": axes.to_treacle(gravity).tolist(),
                "time": {"duration": (scene.frame_end - scene.frame_start) / self.fps, "fps": self.fps},
            }
            lists = {"fluids": [self._with_extra(self.fluid(o), o) for o in roles["FLUID"]],
                     "emitters": [self._with_extra(self.emitter(o, keyframes[o.name]), o) for o in roles["EMITTER"]],
                     "sinks": [self._with_extra({"shape": self.shape(o, "SINK", False)}, o) for o in roles["SINK"]],
                     "solids": [self._with_extra(self.solid(o, keyframes.get(o.name)), o) for o in roles["SOLID"]]}
        finally:
            scene.frame_set(now)
        result["materials"] = self.materials
        result |= {key: entries for key, entries in lists.items() if entries}
        scene_writer.merge(result, scene_writer.extra_settings(settings.extra, "the scene"))
        self._write(result)

    @staticmethod
    def _with_extra(entry, target):
        return scene_writer.merge(entry, scene_writer.extra_settings(target.treacle.extra, target.name))

    def _write(self, result):
        folder = os.path.dirname(os.path.abspath(self.path))
        if self.meshes:
            os.makedirs(os.path.join(folder, self.stem + "_meshes"), exist_ok=True)
        for name, (vertices, triangles) in self.meshes.items():
            scene_writer.write_obj(os.path.join(folder, name), vertices, triangles)
        scene_writer.write_scene(self.path, result)


def export_scene(context, path):
    _Exporter(context, path).export()
