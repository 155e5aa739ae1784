#!/usr/bin/env python3
"""Writes kitchen objects: closed surfaces of revolution about y, in meters.

usage: tools/make_tableware.py cone|bowl > scenes/barreiro2017/NAME.obj
       tools/make_tableware.py pancake|plate|pan|dish > scenes/gallery/NAME.obj
"""
import sys
from math import cos, pi, sin

SIDES = {"cone": 32, "bowl": 32}   # the others have 48


def arc(radius, start, end, steps, height=0.0):
    """Points (r, y) on a circle about (0, height); angles in degrees from straight down."""
    for k in range(steps + 1):
        a = (start + (end - start) * k / steps) * pi / 180
        yield radius * sin(a), height - radius * cos(a)


def profile(kind):
    """From the axis at the bottom, up the outside, over the rim and down the inside to the axis."""
    if kind == "cone":
        return [(0, 0), (0.25, 0), (1.15, 1.7), (0.85, 1.7), (0.1, 0.35), (0, 0.35)]
    if kind == "pancake":   # a half-round rim, a slightly domed top
        rim = [(0.052 + r, 0.006 + y) for r, y in arc(0.006, 0, 180, 8)]
        return [(0, 0)] + rim + [(0.035, 0.0128), (0.018, 0.0134), (0, 0.0136)]
    if kind == "plate":
        return [(0, 0), (0.062, 0), (0.092, 0.009), (0.096, 0.0125), (0.093, 0.0135), (0.061, 0.005), (0.03, 0.004), (0, 0.004)]
    if kind == "pan":
        outside = [(0.078 + r, 0.012 + y) for r, y in arc(0.012, 0, 75, 5)]
        inside = [(0.076 + r, 0.012 + y) for r, y in arc(0.0085, 75, 0, 5)]
        return [(0, 0)] + outside + [(0.098, 0.036), (0.0955, 0.0375), (0.0935, 0.036)] + inside + [(0, 0.0035)]
    if kind == "dish":      # deep, with a thick wall
        outside = [(0.055 + r, 0.03 + y) for r, y in arc(0.03, 0, 85, 7)]
        inside = [(0.05 + r, 0.03 + y) for r, y in arc(0.024, 85, 0, 7)]
        return [(0, 0)] + outside + [(0.0895, 0.085), (0.086, 0.0875), (0.0825, 0.085)] + inside + [(0, 0.006)]
    return [(0, -1.5)] + list(arc(1.5, 0, 85, 12))[1:] + list(arc(1.2, 84, 0, 12))[:-1] + [(0, -1.2)]


def main():
    points = profile(sys.argv[1])
    sides = SIDES.get(sys.argv[1], 48)
    print(f"# made by tools/make_tableware.py {sys.argv[1]}")
    rings = points[1:-1]
    print(f"v 0 {points[0][1]:.5f} 0")
    for r, y in rings:
        for k in range(sides):
            a = 2 * pi * k / sides
            print(f"v {r * cos(a):.5f} {y:.5f} {r * sin(a):.5f}")
    print(f"v 0 {points[-1][1]:.5f} 0")
    def at(n, k): return 2 + n * sides + k % sides
    last = 2 + len(rings) * sides
    for k in range(sides):
        print("f", 1, at(0, k), at(0, k + 1))
        for n in range(len(rings) - 1):
            print("f", at(n, k), at(n + 1, k), at(n + 1, k + 1), at(n, k + 1))
        print("f", at(len(rings) - 1, k + 1), at(len(rings) - 1, k), last)


main()
