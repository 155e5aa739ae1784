#!/usr/bin/env python3
"""Writes the falling figures of scenes/takamatsu2011: a statue, a figure with arms and a tail, and a rabbit; and for
the gallery two hands and a hook for kneading.

usage: tools/make_figures.py statue|imp|rabbit > scenes/takamatsu2011/NAME.obj
       tools/make_figures.py left_hand|right_hand|hook > scenes/gallery/NAME.obj

The paper has the Moai, the Armadillo and the Stanford bunny. Our own shapes take their place: ellipsoids and limbs that
blend into each other, as a closed mesh. Y is up, the feet are at y = 0, lengths are meters.
"""
import sys
from math import cos, exp, log, pi, sin, sqrt


def ball(x, y, z, rx, ry, rz):
    """Approximate distance to an ellipsoid."""
    return lambda p: (sqrt(((p[0] - x) / rx) ** 2 + ((p[1] - y) / ry) ** 2 + ((p[2] - z) / rz) ** 2) - 1) * min(rx, ry, rz)


def limb(a, b, ra, rb):
    """Distance to a tapered capsule."""
    d = [q - p for p, q in zip(a, b)]
    size = sum(c * c for c in d)

    def distance(p):
        t = min(1, max(0, sum((q - o) * c for q, o, c in zip(p, a, d)) / size))
        return sqrt(sum((q - o - t * c) ** 2 for q, o, c in zip(p, a, d))) - (ra + t * (rb - ra))
    return distance


def both_sides(make):
    return [make(-1), make(1)]


def hand(s):
    """Palm toward +x for s = 1 (a left hand seen from its palm's side) or toward -x, fingers up, thumb toward +z."""
    parts = [ball(0, 0.045, 0, 0.015, 0.048, 0.043), limb((s * -0.004, -0.06, 0), (0, 0.02, 0), 0.024, 0.02)]
    for z, length, lean in ((-0.031, 0.052, -0.14), (-0.0105, 0.068, -0.04), (0.0105, 0.072, 0.04), (0.031, 0.064, 0.12)):
        tip = (s * 0.016, 0.078 + length, z + lean * length)
        middle = (s * 0.002, 0.078 + 0.55 * length, z + 0.55 * lean * length)
        parts += [limb((0, 0.07, z), middle, 0.0098, 0.0088), limb(middle, tip, 0.0088, 0.0074)]
    return parts + [limb((0, 0.025, 0.03), (s * 0.008, 0.055, 0.062), 0.014, 0.011),
                    limb((s * 0.008, 0.055, 0.062), (s * 0.016, 0.086, 0.07), 0.011, 0.0085)]


def hook():
    """A bent bar about the y axis, its foot near y = 0, for kneading dough."""
    turns = [(0.034 * sin(1.6 * pi * t) * (0.35 + 0.65 * sin(pi * min(1, 1.15 * t))), 0.012 + 0.085 * t,
              0.034 * cos(1.6 * pi * t) * (0.35 + 0.65 * sin(pi * min(1, 1.15 * t)))) for t in (n / 10 for n in range(11))]
    bends = [limb(a, b, 0.0085, 0.0085) for a, b in zip(turns, turns[1:])]
    return bends + [limb(turns[-1], (0, 0.125, 0), 0.0085, 0.009), limb((0, 0.125, 0), (0, 0.21, 0), 0.009, 0.009)]


FIGURES = {
    "left_hand": hand(1), "right_hand": hand(-1), "hook": hook(),
    "statue": [ball(0, 0.06, 0, 0.075, 0.075, 0.06), limb((0, 0.02, 0), (0, 0.2, 0.005), 0.066, 0.055),
               ball(0, 0.25, 0.005, 0.058, 0.09, 0.056), limb((0, 0.285, 0.055), (0, 0.23, 0.072), 0.012, 0.018),
               limb((-0.045, 0.30, 0.045), (0.045, 0.30, 0.045), 0.016, 0.016), ball(0, 0.185, 0.048, 0.04, 0.018, 0.024)]
    + both_sides(lambda s: limb((s * 0.06, 0.29, 0), (s * 0.062, 0.21, 0), 0.011, 0.013)),
    "imp": [ball(0, 0.17, 0, 0.06, 0.075, 0.05), ball(0, 0.285, 0.015, 0.042, 0.042, 0.045),
            limb((0, 0.275, 0.04), (0, 0.265, 0.07), 0.025, 0.015),
            limb((0, 0.13, -0.03), (0, 0.05, -0.12), 0.024, 0.01)]
    + both_sides(lambda s: limb((s * 0.035, 0.12, 0), (s * 0.05, 0.025, 0.01), 0.034, 0.026))
    + both_sides(lambda s: limb((s * 0.05, 0.02, 0), (s * 0.055, 0.02, 0.05), 0.022, 0.017))
    + both_sides(lambda s: limb((s * 0.05, 0.22, 0), (s * 0.125, 0.26, 0.03), 0.024, 0.019))
    + both_sides(lambda s: limb((s * 0.125, 0.26, 0.03), (s * 0.13, 0.315, 0.05), 0.019, 0.02))
    + both_sides(lambda s: limb((s * 0.03, 0.315, 0), (s * 0.06, 0.35, -0.01), 0.016, 0.01)),
    "rabbit": [ball(0, 0.085, -0.02, 0.075, 0.085, 0.095), ball(0, 0.19, 0.06, 0.05, 0.048, 0.055),
               ball(0, 0.05, -0.12, 0.025, 0.025, 0.025), ball(0, 0.11, 0.05, 0.05, 0.06, 0.04)]
    + both_sides(lambda s: limb((s * 0.022, 0.22, 0.04), (s * 0.035, 0.32, 0.0), 0.016, 0.019))
    + both_sides(lambda s: ball(s * 0.055, 0.045, -0.03, 0.035, 0.045, 0.06))
    + both_sides(lambda s: limb((s * 0.05, 0.015, 0.0), (s * 0.05, 0.015, 0.07), 0.018, 0.015))
    + both_sides(lambda s: limb((s * 0.03, 0.09, 0.07), (s * 0.03, 0.015, 0.085), 0.018, 0.015)),
}
BLEND = 0.008     # width over which parts blend into each other
# Bounds of a figure, the size of a cell, and its blend, where they differ from the usual ones.
GRIDS = {"left_hand": ((-0.05, -0.1, -0.07), (0.05, 0.18, 0.1), 0.006, 0.003),
         "right_hand": ((-0.05, -0.1, -0.07), (0.05, 0.18, 0.1), 0.006, 0.003),
         "hook": ((-0.06, -0.02, -0.06), (0.06, 0.24, 0.06), 0.006, 0.002)}


def field(parts, blend, p):
    distances = [part(p) for part in parts]
    least = min(distances)
    return least - blend * log(sum(exp((least - d) / blend) for d in distances))


def surface(parts, low, high, cell, blend):
    """The zero surface of the field by marching tetrahedra: closed, every edge in two triangles."""
    count = [int((b - a) / cell) + 2 for a, b in zip(low, high)]
    place = lambda n: tuple(a + cell * c for a, c in zip(low, n))
    value = {(i, j, k): field(parts, blend, place((i, j, k)))
             for i in range(count[0]) for j in range(count[1]) for k in range(count[2])}
    points, index, triangles = [], {}, []

    def crossing(a, b):
        key = (min(a, b), max(a, b))
        if key not in index:
            a, b = key
            t = min(0.95, max(0.05, value[a] / (value[a] - value[b])))
            points.append(tuple(p + t * (q - p) for p, q in zip(place(a), place(b))))
            index[key] = len(points)
        return index[key]

    def add(inside, a, b, c):
        """Adds a triangle, turned so that its normal points away from a corner inside."""
        u, v, w = (points[n - 1] for n in (a, b, c))
        e, f = ([q - p for p, q in zip(u, v)], [q - p for p, q in zip(u, w)])
        normal = (e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0])
        out = sum(n * (p - q) for n, p, q in zip(normal, u, place(inside)))
        triangles.append((a, b, c) if out > 0 else (a, c, b))

    for i in range(count[0] - 1):
        for j in range(count[1] - 1):
            for k in range(count[2] - 1):
                for first, second in (((1, 0, 0), (0, 1, 0)), ((1, 0, 0), (0, 0, 1)), ((0, 1, 0), (1, 0, 0)),
                                      ((0, 1, 0), (0, 0, 1)), ((0, 0, 1), (1, 0, 0)), ((0, 0, 1), (0, 1, 0))):
                    a = (i, j, k)
                    b = tuple(p + q for p, q in zip(a, first))
                    c = tuple(p + q for p, q in zip(b, second))
                    corners = (a, b, c, (i + 1, j + 1, k + 1))
                    inside = [n for n in corners if value[n] < 0]
                    outside = [n for n in corners if value[n] >= 0]
                    if len(inside) == 1:
                        add(inside[0], *(crossing(inside[0], n) for n in outside))
                    elif len(inside) == 3:
                        add(inside[0], *(crossing(n, outside[0]) for n in inside))
                    elif len(inside) == 2:
                        (p, q), (r, s) = inside, outside
                        ring = [crossing(p, r), crossing(p, s), crossing(q, s), crossing(q, r)]
                        add(p, ring[0], ring[1], ring[2])
                        add(p, ring[0], ring[2], ring[3])
    return points, triangles


def main():
    grid = GRIDS.get(sys.argv[1], ((-0.173, -0.083, -0.163), (0.17, 0.4, 0.11), 0.016, BLEND))
    points, triangles = surface(FIGURES[sys.argv[1]], *grid)
    lowest = min(p[1] for p in points)
    print(f"# made by tools/make_figures.py {sys.argv[1]}")
    for x, y, z in points:
        print(f"v {x:.5f} {y - lowest:.5f} {z:.5f}")
    for a, b, c in triangles:
        print("f", a, b, c)


main()
