# SPDX-License-Identifier: GPL-2.0-or-later
# Part of treacle. This add-on runs inside Blender and is free software under the GNU General Public License, version 2
# or (at your option) any later version.

"""What a run folder of treacle holds. No part of Blender is needed here."""

import csv
import json
import os
import re

# Where `treacle mesh` puts its surfaces if it is not told otherwise, and names that people give such folders.
MESH_FOLDERS = ("meshes", "mesh", "surface", "surfaces")


class RunError(ValueError):
    """Says what is wrong with which file."""


def _color(text):
    if isinstance(text, str) and re.fullmatch("#[0-9a-fA-F]{6}", text):
        return tuple(int(text[n:n + 2], 16) / 255 for n in (1, 3, 5))
    return (0.816, 0.541, 0.157)


def safe_file_name(name):
    """The name of a solid or a material as treacle spells it in a path."""
    plain = re.compile(r"[0-9A-Za-z_\- ]")
    safe = ""
    for character in name:
        if plain.fullmatch(character) or (character == "." and safe) or ord(character) >= 0x80:
            safe += character
        else:
            safe += "%%%02X" % ord(character)
    return safe or "%"


def numbered_files(folder, extension):
    """{frame: path} of the files name.0001.extension."""
    found = {}
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return found
    for name in names:
        match = re.fullmatch(r"[^.].*\.(\d+)\." + extension, name)
        if match:
            found[int(match.group(1))] = os.path.join(folder, name)
    return found


def last_change(folder):
    """Time of the last change to a run; None if there is none. Every frame adds a row to metrics.csv; the manifest is
    written more rarely."""
    times = []
    for name in ("manifest.json", "metrics.csv"):
        try:
            times.append(os.path.getmtime(os.path.join(folder, name)))
        except OSError:
            pass
    return max(times, default=None)


class Run:
    """Attributes: fps, spacing, dimension, materials [(name, (r, g, b), settings)], frames {frame: path}, surfaces
    {part: {frame: path}}, bodies [(name, path, inverted)], poses {body: [(frame, position, quaternion)]}."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        manifest_file = os.path.join(self.folder, "manifest.json")
        try:
            with open(manifest_file, encoding="utf-8") as file:
                manifest = json.load(file)
        except FileNotFoundError:
            raise RunError(f"{folder}: is no run of treacle (there is no manifest.json in it)") from None
        except (OSError, ValueError) as error:
            raise RunError(f"{manifest_file}: {error}") from error
        if "treacle" not in manifest or "scene" not in manifest:
            raise RunError(f"{manifest_file}: is not the manifest of a run of treacle")
        scene = manifest["scene"]
        self.name = scene.get("name") or os.path.basename(self.folder)
        self.fps = float(manifest.get("fps", 30))
        self.spacing = float(scene["particle_spacing"])
        self.dimension = int(scene.get("dimension", 3))
        self.materials = [(name, _color(material.get("color")), material)
                          for name, material in scene.get("materials", {}).items()]
        self.frames = numbered_files(os.path.join(self.folder, "frames"), "ply")
        self.surfaces = {}          # {part: {frame: path}}; the part of all materials together is ""
        for name in MESH_FOLDERS:
            self.surfaces = self.surfaces or self._find_surfaces(os.path.join(self.folder, name))
        self.bodies = [(solid["name"], self._body_file(solid["name"]), bool(solid.get("invert")))
                       for solid in scene.get("solids", [])]
        self.poses = self._read_poses()

    def _find_surfaces(self, folder):
        """One sequence, or one for each material in a folder of its name."""
        names = ["", *(name for name, _, _ in self.materials)]
        parts = {name: numbered_files(os.path.join(folder, safe_file_name(name) if name else ""), "ply") for name in names}
        return {name: files for name, files in parts.items() if files}

    def files(self, kind, part):
        """{frame: path} of what an object shows."""
        return self.frames if kind == "POINTS" else self.surfaces.get(part, {})

    def _body_file(self, name):
        return os.path.join(self.folder, "bodies", safe_file_name(name) + ".ply")

    def _read_poses(self):
        path = os.path.join(self.folder, "bodies.csv")
        poses = {}
        try:
            with open(path, newline="", encoding="utf-8") as file:
                for row in csv.DictReader(file):
                    try:
                        position = tuple(float(row[key]) for key in ("px", "py", "pz"))
                        rotation = tuple(float(row[key]) for key in ("qw", "qx", "qy", "qz"))
                        poses.setdefault(row["body"], []).append((int(float(row["frame"])), position, rotation))
                    except (KeyError, TypeError, ValueError):
                        continue   # the last row may be half written while a run is under way
        except FileNotFoundError:
            pass
        return poses


def look_of(settings):
    """How a material should look: what its settings say, or a guess for runs of versions that did not say it."""
    if settings.get("look"):
        return settings["look"]
    viscosity = settings.get("viscosity")
    if isinstance(viscosity, (int, float)) and viscosity < 0.1 and not settings.get("shear_modulus"):
        return "water"
    return "syrup" if not settings.get("shear_modulus") else "cream"
