# SPDX-License-Identifier: GPL-2.0-or-later
# Part of treacle. This add-on runs inside Blender and is free software under the GNU General Public License, version 2
# or (at your option) any later version.

"""What the add-on remembers with objects, materials and scenes."""

import bpy
from bpy.props import (BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, IntProperty, PointerProperty,
                       StringProperty)


def _reload(settings, context):
    from . import importer   # importing it above would be a circle
    if not settings.folder:
        return
    settings.shown = ""
    settings.problem = importer.load_frame(settings.id_data, context.scene.frame_current)


class RunSettings(bpy.types.PropertyGroup):
    """An object that shows a run."""
    folder: StringProperty(name="Run", subtype="DIR_PATH", description="Run folder that the object shows",
                           update=_reload)
    kind: EnumProperty(name="Show", items=[("POINTS", "Particles", "One point per particle, from frames/"),
                                           ("SURFACE", "Surface", "Meshes made by `treacle mesh`")], update=_reload)
    part: StringProperty(name="Material", description="Material whose surface is shown, if they are apart; else empty",
                         update=_reload)
    first_frame: IntProperty(name="First frame", default=1, description="Frame of Blender that shows frame 1 of the run",
                             update=_reload)
    shown: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    problem: StringProperty(options={"HIDDEN", "SKIP_SAVE"})


class ObjectSettings(bpy.types.PropertyGroup):
    """What an object is in an exported scene."""
    role: EnumProperty(name="Role", items=[("NONE", "None", "Not exported"),
                                           ("FLUID", "Fluid", "Filled with fluid at the start"),
                                           ("EMITTER", "Emitter", "A mouth that fluid comes out of, along local -Z"),
                                           ("SOLID", "Solid", "What fluid cannot enter"),
                                           ("SINK", "Sink", "What takes fluid away")])
    shape: EnumProperty(name="Shape", items=[("AUTO", "Automatic", "Box, sphere or plane if the mesh is one, else mesh"),
                                             ("MESH", "Mesh", "The closed surface as it is"),
                                             ("BOX", "Box", "Its bounding box"),
                                             ("SPHERE", "Sphere", "A ball of its largest width"),
                                             ("CYLINDER", "Cylinder", "A round bar along its Z"),
                                             ("PLANE", "Plane", "The infinite half space below it")])
    velocity: FloatVectorProperty(name="Velocity", subtype="VELOCITY", unit="VELOCITY", description="At the start")
    speed: FloatProperty(name="Speed", default=0.5, min=0, unit="VELOCITY", description="Of the fluid in the mouth")
    start: FloatProperty(name="Start", min=0, description="Seconds from the first frame")
    end: FloatProperty(name="End", min=0, description="Seconds from the first frame; 0: never")
    friction: FloatProperty(name="Friction", default=0.3, min=0, description="Coulomb's coefficient")
    no_slip: BoolProperty(name="No slip", description="Fluid at the surface does not slide")
    adhesion: FloatProperty(name="Adhesion", min=0, description="0: nothing sticks")
    invert: BoolProperty(name="Container", description="Fluid is inside, the rest is solid")
    dynamic: BoolProperty(name="Moved by forces", description="A rigid body that the fluid pushes")
    density: FloatProperty(name="Density", default=500, min=0.001, description="kg/m³")
    extra: StringProperty(name="More", description='Further keys of the scene file as JSON, as in {"temperature": 60}')


class MaterialSettings(bpy.types.PropertyGroup):
    """What a fluid is made of; 0 stands for absent."""
    density: FloatProperty(name="Density", default=1000, min=0, description="kg/m³")
    viscosity: FloatProperty(name="Viscosity", default=5, min=0, precision=3,
                             description="Pa·s; water 0.001, honey about 10")
    shear_modulus: FloatProperty(name="Shear modulus", min=0, description="Pa; elastic resistance")
    relaxation_time: FloatProperty(name="Relaxation time", min=0, precision=3,
                                   description="s; 0: it never forgets its shape")
    yield_stress: FloatProperty(name="Yield stress", min=0, description="Pa")
    surface_tension: FloatProperty(name="Surface tension", min=0, precision=4, description="N/m")
    extra: StringProperty(name="More", description='Further keys of the scene file as JSON')


class SceneSettings(bpy.types.PropertyGroup):
    method: EnumProperty(name="Method", default="takahashi2014", items=[
        (word, word, "") for word in ("clavet2005", "takamatsu2011", "takahashi2014", "barreiro2017", "mukai2021")])
    particle_spacing: FloatProperty(name="Particle spacing", default=0.02, min=1e-6, precision=4, unit="LENGTH",
                                    description="Half of it: 8 times the particles")
    extra: StringProperty(name="More", description="Further keys of the scene file as JSON")


CLASSES = (RunSettings, ObjectSettings, MaterialSettings, SceneSettings)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.treacle_run = PointerProperty(type=RunSettings)
    bpy.types.Object.treacle = PointerProperty(type=ObjectSettings)
    bpy.types.Material.treacle = PointerProperty(type=MaterialSettings)
    bpy.types.Scene.treacle = PointerProperty(type=SceneSettings)


def unregister():
    del bpy.types.Object.treacle_run, bpy.types.Object.treacle, bpy.types.Material.treacle, bpy.types.Scene.treacle
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
