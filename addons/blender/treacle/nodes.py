# SPDX-License-Identifier: GPL-2.0-or-later
# Part of treacle. This add-on runs inside Blender and is free software under the GNU General Public License, version 2
# or (at your option) any later version.

"""Node groups and materials that an imported run starts with."""

import bpy

SPHERES_GROUP = "treacle particles"


def _socket(group, name, kind, output=False):
    """An input or output of a node group; Blender 4 has another way to say it."""
    if hasattr(group, "interface"):
        return group.interface.new_socket(name=name, in_out="OUTPUT" if output else "INPUT", socket_type=kind)
    return (group.outputs if output else group.inputs).new(kind, name)


def spheres_group(material, radius, name, as_instances=False, sized=False):
    """Geometry nodes that show points as balls. As points of a point cloud, Cycles draws true balls and blurs them by the
    attribute velocity; as instances of a mesh, every engine draws them, without blur. With `sized` the radius is multiplied by
    the attribute size."""
    group = bpy.data.node_groups.new(f"{SPHERES_GROUP} {name}", "GeometryNodeTree")
    _socket(group, "Geometry", "NodeSocketGeometry")
    radius_socket = _socket(group, "Radius", "NodeSocketFloat")
    radius_socket.default_value = radius
    radius_socket.min_value = 0.0
    _socket(group, "Instances", "NodeSocketBool").default_value = as_instances
    _socket(group, "Geometry", "NodeSocketGeometry", output=True)
    nodes, links = group.nodes, group.links
    start, end = nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    points = nodes.new("GeometryNodeMeshToPoints")
    ball = nodes.new("GeometryNodeMeshIcoSphere")
    ball.inputs["Radius"].default_value = 1.0
    ball.inputs["Subdivisions"].default_value = 2
    instances = nodes.new("GeometryNodeInstanceOnPoints")
    switch = nodes.new("GeometryNodeSwitch")
    switch.input_type = "GEOMETRY"
    look = nodes.new("GeometryNodeSetMaterial")
    look.inputs["Material"].default_value = material
    for n, node in enumerate((start, points, ball, instances, switch, look, end)):
        node.location = (200 * n, 0)
    # Sockets of a switch carry the same names for every type: take those that are in use.
    used = [socket for socket in switch.inputs if socket.enabled]
    outcome = next(socket for socket in switch.outputs if socket.enabled)
    ball_radius = start.outputs["Radius"]
    if sized:
        own = nodes.new("GeometryNodeInputNamedAttribute")
        own.data_type = "FLOAT"
        own.inputs["Name"].default_value = "size"
        product = nodes.new("ShaderNodeMath")
        product.operation = "MULTIPLY"
        own.location, product.location = (0, -200), (100, -200)
        links.new(ball_radius, product.inputs[0])
        links.new(next(socket for socket in own.outputs if socket.enabled), product.inputs[1])
        ball_radius = product.outputs[0]
    links.new(start.outputs["Geometry"], points.inputs["Mesh"])
    links.new(ball_radius, points.inputs["Radius"])
    links.new(points.outputs[0], instances.inputs["Points"])
    links.new(ball.outputs["Mesh"], instances.inputs["Instance"])
    links.new(ball_radius, instances.inputs["Scale"])
    links.new(start.outputs["Instances"], used[0])
    links.new(points.outputs[0], used[1])
    links.new(instances.outputs["Instances"], used[2])
    links.new(outcome, look.inputs["Geometry"])
    links.new(look.outputs["Geometry"], end.inputs[0])
    return group


def _principled(material):
    material.use_nodes = True
    return next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")


def _set(shader, value, *names):
    """Sets the first input that this version of Blender has under one of its names."""
    for name in names:
        if name in shader.inputs:
            shader.inputs[name].default_value = value
            return


def _linear(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


LOOKS = {   # transmission, roughness, subsurface; the words of "look" in scene files, and one for runs without
    "plain": (0.0, 0.2, 0.0),
    "water": (1.0, 0.02, 0.0),
    "syrup": (0.7, 0.06, 0.0),
    "honey": (0.8, 0.06, 0.0),
    "slime": (0.3, 0.15, 0.1),
    "cream": (0.0, 0.35, 0.15),
    "clay": (0.0, 0.8, 0.0),
}


def fluid_material(name, colors, look, spacing, opaque=False):
    """A shader to start from. Several fluids get their colors by the attribute material. Glass and light under the
    skin make single balls hard to see, so `opaque` (for particles) leaves them out."""
    material = bpy.data.materials.new(f"{name} fluid")
    shader = _principled(material)
    transmission, roughness, subsurface = LOOKS.get(look, LOOKS["syrup"])
    rgb = [(_linear(r), _linear(g), _linear(b), 1.0) for r, g, b in colors] or [(0.6, 0.25, 0.02, 1.0)]
    _set(shader, rgb[0], "Base Color")
    _set(shader, 0.0 if opaque else transmission, "Transmission", "Transmission Weight")
    _set(shader, roughness, "Roughness")
    _set(shader, 0.0 if opaque else subsurface, "Subsurface", "Subsurface Weight")
    _set(shader, 1.45, "IOR")
    if "Subsurface Radius" in shader.inputs:
        shader.inputs["Subsurface Radius"].default_value = (4 * spacing, 2 * spacing, spacing)
    material.diffuse_color = rgb[0]
    if len(rgb) > 1:
        _color_by_material(material, shader, rgb)
    return material


def _color_by_material(material, shader, rgb):
    nodes, links = material.node_tree.nodes, material.node_tree.links
    attribute = nodes.new("ShaderNodeAttribute")
    attribute.attribute_name = "material"
    place = nodes.new("ShaderNodeMath")       # the middle of a stripe of the ramp
    place.operation = "MULTIPLY_ADD"
    place.inputs[1].default_value = 1.0 / len(rgb)
    place.inputs[2].default_value = 0.5 / len(rgb)
    ramp = nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.interpolation = "CONSTANT"
    for n, color in enumerate(rgb[:32]):      # Blender's ramps have 32 colors
        elements = ramp.color_ramp.elements
        stop = elements[n] if n < len(elements) else elements.new(n / len(rgb))
        stop.position = n / len(rgb)
        stop.color = color
    for n, node in enumerate((attribute, place, ramp)):
        node.location = (200 * n - 900, 0)
    links.new(attribute.outputs["Fac"], place.inputs[0])
    links.new(place.outputs[0], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], shader.inputs["Base Color"])


def solid_material():
    material = bpy.data.materials.get("treacle solid")
    if not material:
        material = bpy.data.materials.new("treacle solid")
        shader = _principled(material)
        _set(shader, (0.35, 0.36, 0.38, 1.0), "Base Color")
        _set(shader, 0.5, "Roughness")
        material.diffuse_color = (0.35, 0.36, 0.38, 1.0)
    return material


def container_material():
    """Containers are drawn so that one sees into them."""
    material = bpy.data.materials.get("treacle container")
    if not material:
        material = bpy.data.materials.new("treacle container")
        shader = _principled(material)
        _set(shader, (0.8, 0.85, 0.9, 1.0), "Base Color")
        _set(shader, 0.1, "Alpha")
        material.blend_method = "BLEND"
        material.diffuse_color = (0.8, 0.85, 0.9, 0.1)
    return material
