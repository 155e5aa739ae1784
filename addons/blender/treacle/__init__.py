# SPDX-License-Identifier: GPL-2.0-or-later
# Part of treacle. This add-on runs inside Blender and is free software under the GNU General Public License, version 2
# or (at your option) any later version.

bl_info = {
    "name": "treacle",
    "description": "Viscoelastic particle fluids: import runs, export scenes",
    "author": "The treacle developers",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export, properties of objects, materials and scenes",
    "category": "Import-Export",
}

try:
    import bpy as _bpy   # noqa: F401
except ModuleNotFoundError:   # the parts that need no Blender can be used and tested without it
    _bpy = None

if _bpy:
    from . import importer, properties, ui


def register():
    properties.register()
    importer.register()
    ui.register()


def unregister():
    ui.unregister()
    importer.unregister()
    properties.unregister()
