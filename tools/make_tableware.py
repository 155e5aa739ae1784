#!/usr/bin/env python3
"""Writes the cone of scenes/barreiro2017/fig08 or the bowl of fig10: closed surfaces of revolution about y, in meters.

usage: tools/make_tableware.py cone > scenes/barreiro2017/cone.obj
"""
import sys
from math import cos, pi, sin

SIDES = 32


def arc(radius, start, end, steps, height=0.0):
    """Points (r, y) on a circle about (0, height); angles in degrees from straight down."""
    for k in range(steps + 1):
        a = (start + (end - start) * k / steps) * pi / 180
        yield radius * sin(a), height - radius * cos(a)


def profile(kind):
    """From the axis at the bottom, up the outside, over the rim and down the inside to the axis."""
    if kind == "cone":
        return [(0, 0), (0.25, 0), (1.15, 1.7), (0.85, 1.7), (0.1, 0.35), (0, 0.35)]
    return [(0, -1.5)] + list(arc(1.5, 0, 85, 12))[1:] + list(arc(1.2, 84, 0, 12))[:-1] + [(0, -1.2)]


def main():
    points = profile(sys.argv[1])
    print(f"# made by tools/make_tableware.py {sys.argv[1]}")
    rings = points[1:-1]
    print(f"v 0 {points[0][1]:.5f} 0")
    for r, y in rings:
        for k in range(SIDES):
            a = 2 * pi * k / SIDES
            print(f"v {r * cos(a):.5f} {y:.5f} {r * sin(a):.5f}")
    print(f"v 0 {points[-1][1]:.5f} 0")
    def at(n, k): return 2 + n * SIDES + k % SIDES
    last = 2 + len(rings) * SIDES
    for k in range(SIDES):
        print("f", 1, at(0, k), at(0, k + 1))
        for n in range(len(rings) - 1):
            print("f", at(n, k), at(n + 1, k), at(n + 1, k + 1), at(n, k + 1))
        print("f", at(len(rings) - 1, k + 1), at(len(rings) - 1, k), last)


main()
