# SPDX-License-Identifier: GPL-2.0-or-later
# Part of treacle. This add-on runs inside Blender and is free software under the GNU General Public License, version 2
# or (at your option) any later version.

"""Reads PLY files fast: vertices as one structured array, triangles as another. No part of Blender is needed here."""

import numpy as np

TYPES = {"char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "<i2", "int16": "<i2", "ushort": "<u2",
         "uint16": "<u2", "int": "<i4", "int32": "<i4", "uint": "<u4", "uint32": "<u4", "float": "<f4", "float32": "<f4",
         "double": "<f8", "float64": "<f8"}


class PlyError(ValueError):
    """Says what is wrong with which file."""


class Ply:
    """`vertices` is a structured array with the names of the file; `triangles` has three columns, or is None."""

    def __init__(self, vertices, triangles, comments):
        self.vertices = vertices
        self.triangles = triangles
        self.comments = comments

    def columns(self, *names):
        """These columns side by side, as 32-bit floats; None if one of them is not there."""
        if any(name not in self.vertices.dtype.names for name in names):
            return None
        block = np.empty((len(self.vertices), len(names)), dtype=np.float32)
        for n, name in enumerate(names):
            block[:, n] = self.vertices[name]
        return block


def _header(data, path):
    if not data.startswith(b"ply"):
        raise PlyError(f"{path}: is no PLY file")
    end = data.find(b"end_header")
    line_end = data.find(b"\n", end)
    if end < 0 or line_end < 0:
        raise PlyError(f"{path}: the header has no end")
    form, elements, comments = None, [], []
    for line in data[:end].decode("utf-8", "replace").splitlines()[1:]:
        words = line.split()
        if not words:
            continue
        if words[0] == "format":
            form = words[1]
        elif words[0] == "comment":
            comments.append(line[len("comment"):].strip())
        elif words[0] == "element":
            elements.append((words[1], int(words[2]), []))
        elif words[0] == "property" and elements:
            elements[-1][2].append(words[1:])
    if form not in ("binary_little_endian", "ascii"):
        raise PlyError(f"{path}: the format {form} cannot be read; binary_little_endian and ascii can")
    return form, elements, comments, line_end + 1


def _vertex_type(properties, path):
    try:
        return np.dtype([(words[1], TYPES[words[0]]) for words in properties])
    except (KeyError, IndexError, ValueError) as error:
        raise PlyError(f"{path}: cannot read the vertices' properties: {error}") from error


def _binary(data, at, elements, path):
    vertices, triangles = None, None
    for name, count, properties in elements:
        if name == "vertex":
            row = _vertex_type(properties, path)
        elif name == "face" and len(properties) == 1 and properties[0][0] == "list":
            row = np.dtype([("count", TYPES[properties[0][1]]), ("corners", TYPES[properties[0][2]], (3,))])
        else:
            break   # what comes after is not needed
        if at + count * row.itemsize > len(data):
            raise PlyError(f"{path}: is cut short: {count} rows of {row.itemsize} bytes are announced for {name}")
        rows = np.frombuffer(data, dtype=row, count=count, offset=at)
        at += count * row.itemsize
        if name == "vertex":
            vertices = rows
        else:
            if count and not (rows["count"] == 3).all():
                raise PlyError(f"{path}: only triangles can be read")
            triangles = rows["corners"]
    return vertices, triangles


def _ascii(data, at, elements, path):
    lines = data[at:].decode("ascii", "replace").splitlines()
    vertices, triangles, first = None, None, 0
    for name, count, properties in elements:
        rows = [line.split() for line in lines[first:first + count]]
        if len(rows) < count:
            raise PlyError(f"{path}: is cut short: {count} rows are announced for {name}")
        first += count
        if name == "vertex":
            row = _vertex_type(properties, path)
            vertices = np.array([tuple(float(word) for word in words[:len(row)]) for words in rows], dtype=row)
        elif name == "face":
            if any(words[0] != "3" for words in rows):
                raise PlyError(f"{path}: only triangles can be read")
            triangles = np.array([[int(word) for word in words[1:4]] for words in rows], dtype=np.int32).reshape(-1, 3)
    return vertices, triangles


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    form, elements, comments, at = _header(data, path)
    vertices, triangles = (_binary if form == "binary_little_endian" else _ascii)(data, at, elements, path)
    if vertices is None:
        raise PlyError(f"{path}: there are no vertices in it")
    if triangles is not None and len(triangles) and int(triangles.max()) >= len(vertices):
        raise PlyError(f"{path}: a triangle has a corner that is not there")
    return Ply(vertices, triangles, comments)
