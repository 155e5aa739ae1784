#!/usr/bin/env python3
"""Writes the figures of scenes/takamatsu2011 that fall: a statue, a figure with arms and a tail, and a rabbit.

usage: tools/make_figures.py statue|imp|rabbit > scenes/takamatsu2011/NAME.obj

The paper has the Moai, the Armadillo and the Stanford bunny; these are shapes of our own in their place: ellipsoids and
limbs that flow into each other, as a closed mesh. Y is up, the feet are at y = 0, lengths are meters.
"""
import sys
from math import exp, log, sqrt


def ball(x, y, z, rx, ry, rz):
    """About the distance to an ellipsoid."""
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


FIGURES = {
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
BLEND = 0.008     # width over which parts flow into each other


def field(parts, p):
    return -BLEND * log(sum(exp(-part(p) / BLEND) for part in parts))


def surface(parts, low, high, cell):
    """The zero of the field by marching tetrahedra: closed, every edge in two triangles."""
    count = [int((b - a) / cell) + 2 for a, b in zip(low, high)]
    place = lambda n: tuple(a + cell * c for a, c in zip(low, n))
    value = {(i, j, k): field(parts, place((i, j, k)))
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
        """Turned so that its normal points away from a corner inside."""
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
    points, triangles = surface(FIGURES[sys.argv[1]], (-0.173, -0.083, -0.163), (0.17, 0.4, 0.11), 0.016)
    lowest = min(p[1] for p in points)
    print(f"# made by tools/make_figures.py {sys.argv[1]}")
    for x, y, z in points:
        print(f"v {x:.5f} {y - lowest:.5f} {z:.5f}")
    for a, b, c in triangles:
        print("f", a, b, c)


main()
