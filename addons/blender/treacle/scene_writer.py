# SPDX-License-Identifier: GPL-2.0-or-later
# Part of treacle. This add-on runs inside Blender and is free software under the GNU General Public License, version 2
# or (at your option) any later version.

"""Writes scene files of treacle from plain descriptions of objects. No part of Blender is needed here: exporter.py makes
the descriptions, in treacle's axes."""

import json
import math
import os

import numpy as np

# How a material's settings are called in a scene file; all SI, absent if not given.
MATERIAL_KEYS = ("density", "viscosity", "shear_modulus", "relaxation_time", "yield_stress", "surface_tension",
                 "thermal_conductivity", "heat_capacity")


class ExportError(ValueError):
    """Says which object cannot be exported and what to do."""


def hex_color(rgb):
    """From linear light, as Blender stores colors, to the code of a picture."""
    def code(value):
        value = min(1.0, max(0.0, value))
        value = 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
        return round(value * 255)
    return "#%02x%02x%02x" % tuple(code(value) for value in rgb[:3])


def tidy(value):
    """Numbers without the noise of single precision, -0 as 0."""
    if isinstance(value, float):
        value = float(f"{value:.7g}")
        return 0.0 if value == 0 else value
    if isinstance(value, (list, tuple)) or isinstance(value, np.ndarray):
        return [tidy(float(v) if isinstance(v, np.floating) else v) for v in value]
    if isinstance(value, dict):
        return {key: tidy(entry) for key, entry in value.items()}
    return value


def bounding_shape(kind, vertices):
    """The primitive that fits rows of vertices, which are in the axes and units of the scene file, unrotated."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    center, size = (low + high) / 2, high - low
    if kind == "box":
        return {"box": {"center": list(center), "size": list(size)}}
    if kind == "sphere":
        return {"sphere": {"center": list(center), "radius": float(size.max() / 2)}}
    if kind == "cylinder":   # about the axis that points up in Blender
        return {"cylinder": {"center": list(center), "axis": [0, 1, 0], "radius": float(max(size[0], size[2]) / 2),
                             "height": float(size[1])}}
    raise ExportError(f"{kind} is no shape")


def plane_shape(normal, point):
    normal = np.asarray(normal, dtype=float)
    normal = normal / np.linalg.norm(normal)
    return {"plane": {"normal": list(normal), "offset": float(normal @ np.asarray(point, dtype=float))}}


def moving_keyframes(samples):
    """samples: [(time, position, quaternion)] of the pose. Frames within a straight, steady movement are left out."""
    def between(a, b, share):
        position = [p + share * (q - p) for p, q in zip(a[1], b[1])]
        sign = 1 if sum(p * q for p, q in zip(a[2], b[2])) >= 0 else -1
        rotation = [p + share * (sign * q - p) for p, q in zip(a[2], b[2])]
        norm = math.sqrt(sum(v * v for v in rotation)) or 1
        return position, [v / norm for v in rotation]

    def same(a, b):
        turned = abs(sum(p * q for p, q in zip(a[1], b[1])))
        return all(abs(p - q) < 1e-5 for p, q in zip(a[0], b[0])) and turned > 1 - 1e-9

    if all(same((s[1], s[2]), (samples[0][1], samples[0][2])) for s in samples):
        return []
    kept = [0]
    for end in range(2, len(samples) + 1):
        last = kept[-1]
        if end < len(samples):
            a, b = samples[last], samples[end]
            steady = all(same((samples[n][1], samples[n][2]), between(a, b, (samples[n][0] - a[0]) / (b[0] - a[0])))
                         for n in range(last + 1, end))
            if steady:
                continue
        kept.append(end - 1)
    return [{"time": samples[n][0], "position": list(samples[n][1]), "rotation": {"quaternion": list(samples[n][2])}}
            for n in kept]


def write_obj(path, vertices, triangles):
    """A mesh for a scene; OBJ, which every program reads."""
    with open(path, "w", encoding="ascii") as file:
        file.write("# made by the Blender add-on of treacle; meters, y up\n")
        for x, y, z in vertices:
            file.write(f"v {x:.7g} {y:.7g} {z:.7g}\n")
        for a, b, c in triangles:
            file.write(f"f {a + 1} {b + 1} {c + 1}\n")


def unique_name(name, taken):
    safe = "".join(c if c.isalnum() or c in "_-" else "_" for c in name) or "object"
    candidate, n = safe, 1
    while candidate in taken:
        n += 1
        candidate = f"{safe}_{n}"
    taken.add(candidate)
    return candidate


def merge(target, extra):
    """Adds what a text of JSON says; objects within objects are merged."""
    for key, value in extra.items():
        if isinstance(value, dict) and isinstance(target.get(key), dict):
            merge(target[key], value)
        else:
            target[key] = value
    return target


def extra_settings(text, owner):
    if not text.strip():
        return {}
    try:
        extra = json.loads(text)
    except ValueError as error:
        raise ExportError(f"{owner}: the extra settings are no JSON: {error}") from error
    if not isinstance(extra, dict):
        raise ExportError(f"{owner}: the extra settings must be a JSON object, as in {{\"adhesion\": 2}}")
    return extra


def write_scene(path, scene):
    """Writes the scene whole or not at all."""
    text = json.dumps(tidy(scene), indent=2, ensure_ascii=False) + "\n"
    temporary = path + ".tmp"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(temporary, path)
