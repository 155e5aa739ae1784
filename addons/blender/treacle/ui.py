# SPDX-License-Identifier: GPL-2.0-or-later
# Part of treacle. This add-on runs inside Blender and is free software under the GNU General Public License, version 2
# or (at your option) any later version.

"""Menus and panels."""

import os

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper

from . import exporter, importer
from .run_folder import RunError
from .scene_writer import ExportError


class TREACLE_OT_import(bpy.types.Operator):
    """Import a run of treacle: fluid and solids follow the timeline"""
    bl_idname = "import_scene.treacle"
    bl_label = "Import treacle run"
    bl_options = {"REGISTER", "UNDO"}

    directory: StringProperty(subtype="DIR_PATH")
    filepath: StringProperty(subtype="FILE_PATH", options={"HIDDEN"})
    filter_folder: BoolProperty(default=True, options={"HIDDEN"})
    kind: EnumProperty(name="Show", items=[("AUTO", "Automatic", "Surfaces if there are any, otherwise particles"),
                                           ("POINTS", "Particles", ""), ("SURFACE", "Surface", "")])
    instances: BoolProperty(name="Instanced balls", description="Every engine shows them; without motion blur")
    bodies: BoolProperty(name="Solids", default=True)
    adapt_scene: BoolProperty(name="Take over frame rate and range", default=True)
    first_frame: IntProperty(name="First frame", default=1)

    def execute(self, context):
        folder = self.directory or os.path.dirname(self.filepath)
        try:
            importer.import_run(context, folder, self.kind, self.instances, self.adapt_scene, self.bodies,
                                self.first_frame)
        except RunError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}


class TREACLE_OT_export(bpy.types.Operator, ExportHelper):
    """Export fluids, emitters, sinks and solids as a scene file of treacle"""
    bl_idname = "export_scene.treacle"
    bl_label = "Export treacle scene"
    filename_ext = ".json"
    filter_glob: StringProperty(default="*.json", options={"HIDDEN"})

    def execute(self, context):
        try:
            exporter.export_scene(context, self.filepath)
        except (ExportError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"now: treacle check {self.filepath}")
        return {"FINISHED"}


def _rows(layout, settings, *names):
    for name in names:
        layout.prop(settings, name)


class TREACLE_PT_object(bpy.types.Panel):
    bl_label = "treacle"
    bl_space_type, bl_region_type, bl_context = "PROPERTIES", "WINDOW", "object"

    @classmethod
    def poll(cls, context):
        return context.object is not None

    def draw(self, context):
        layout, target = self.layout, context.object
        layout.use_property_split = True
        if target.treacle_run.folder:
            _rows(layout, target.treacle_run, "folder", "kind", "part", "first_frame")
            if target.treacle_run.problem:
                layout.label(text=target.treacle_run.problem, icon="ERROR")
            return
        settings = target.treacle
        layout.prop(settings, "role")
        if settings.role in ("FLUID", "SOLID", "SINK"):
            layout.prop(settings, "shape")
        if settings.role == "FLUID":
            layout.prop(settings, "velocity")
        if settings.role == "EMITTER":
            _rows(layout, settings, "speed", "start", "end")
        if settings.role == "SOLID":
            _rows(layout, settings, "no_slip", "friction", "adhesion", "invert", "dynamic")
            if settings.dynamic:
                layout.prop(settings, "density")
        if settings.role != "NONE":
            layout.prop(settings, "extra")


class TREACLE_PT_material(bpy.types.Panel):
    bl_label = "treacle"
    bl_space_type, bl_region_type, bl_context = "PROPERTIES", "WINDOW", "material"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        return context.material is not None

    def draw(self, context):
        self.layout.use_property_split = True
        _rows(self.layout, context.material.treacle, "density", "viscosity", "shear_modulus", "relaxation_time",
              "yield_stress", "surface_tension", "extra")


class TREACLE_PT_scene(bpy.types.Panel):
    bl_label = "treacle"
    bl_space_type, bl_region_type, bl_context = "PROPERTIES", "WINDOW", "scene"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        self.layout.use_property_split = True
        _rows(self.layout, context.scene.treacle, "method", "particle_spacing", "extra")


def _import_menu(menu, _context):
    menu.layout.operator(TREACLE_OT_import.bl_idname, text="treacle run (folder)")


def _export_menu(menu, _context):
    menu.layout.operator(TREACLE_OT_export.bl_idname, text="treacle scene (.json)")


CLASSES = (TREACLE_OT_import, TREACLE_OT_export, TREACLE_PT_object, TREACLE_PT_material, TREACLE_PT_scene)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.TOPBAR_MT_file_import.append(_import_menu)
    bpy.types.TOPBAR_MT_file_export.append(_export_menu)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(_import_menu)
    bpy.types.TOPBAR_MT_file_export.remove(_export_menu)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
